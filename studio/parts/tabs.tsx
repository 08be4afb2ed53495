/** Parts of a screen of which one is shown: which one stands in the URL. */
import type { KeyboardEvent, ReactNode } from 'react';
import { useId } from 'react';

export interface Tab {
  readonly id: string;
  readonly label: string;
  /** How many there are, if that is worth a word. */
  readonly count?: number | string;
}

export interface TabsProps {
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly label: string;
  readonly children: ReactNode;
}

export function Tabs({ tabs, chosen, onChoose, label, children }: TabsProps): ReactNode {
  const base = useId();
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(({ id }) => id === chosen);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChoose(next.id);
    document.getElementById(`${base}-${next.id}`)?.focus();
  };
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} className="tab-list">
        {tabs.map(({ id, label: name, count }) => (
          <button
            key={id}
            id={`${base}-${id}`}
            type="button"
            role="tab"
            className="tab"
            aria-selected={id === chosen}
            aria-controls={`${base}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
            onKeyDown={press}
          >
            {name}
            {count === undefined ? null : <span className="tab-count">{count}</span>}
          </button>
        ))}
      </div>
      <div
        id={`${base}-panel`}
        role="tabpanel"
        className="tab-panel"
        aria-labelledby={`${base}-${chosen}`}
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  );
}
