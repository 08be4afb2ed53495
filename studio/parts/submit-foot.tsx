/** The lower edge of a dialog that is a form: not to do it, or to do it. */
import type { ReactNode } from 'react';

export interface SubmitFootProps {
  /** The id of the form. */
  readonly form: string;
  readonly isDisabled: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function SubmitFoot({ form, isDisabled, onClose, children }: SubmitFootProps): ReactNode {
  return (
    <>
      <button type="button" className="button" onClick={onClose}>
        Cancel
      </button>
      <button type="submit" form={form} className="button primary" disabled={isDisabled}>
        {children}
      </button>
    </>
  );
}
