/** A dialog: the browser's own, which keeps the focus inside and gives it back. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from '../parts/icon.tsx';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** What is done or not done, at the lower edge. */
  readonly footer?: ReactNode;
  readonly size?: 'small' | 'medium' | 'large';
}

export function Dialog({
  title,
  onClose,
  children,
  footer,
  size = 'medium',
}: DialogProps): ReactNode {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = box.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={box}
      className={`dialog dialog-${size}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === box.current) onClose();
      }}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={heading}>{title}</h2>
          <button type="button" className="button icon-only" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div className="dialog-content">{children}</div>
        {footer === undefined ? null : <footer className="dialog-foot">{footer}</footer>}
      </div>
    </dialog>
  );
}
