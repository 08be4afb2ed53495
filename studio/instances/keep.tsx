/** A field that is taken when one leaves it or presses Enter, and not with every letter. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';

interface KeepProps {
  readonly label: string;
  readonly value: string;
  readonly onKeep: (value: string) => void;
  readonly placeholder?: string;
  readonly type?: 'text' | 'date';
  /** What is wrong with it, or null. */
  readonly check?: (value: string) => string | null;
}

export function Keep(props: KeepProps): ReactNode {
  const { label, value, onKeep, placeholder, type = 'text', check } = props;
  const [draft, setDraft] = useState(value);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  useEffect(() => {
    setDraft(value);
    setProblem(null);
  }, [value]);
  const keep = (): void => {
    const next = draft.trim();
    const wrong = next === '' ? null : (check?.(next) ?? null);
    setProblem(wrong);
    if (wrong === null && next !== value) onKeep(next);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type={type}
        value={draft}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={keep}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter') keep();
        }}
      />
      {problem === null ? null : (
        <span id={`${id}-problem`} className="field-problem">
          {problem}
        </span>
      )}
    </div>
  );
}
