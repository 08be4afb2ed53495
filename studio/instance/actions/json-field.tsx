/** A field for a JSON value: what is wrong with it is said beside it, and what was typed stays. */
import { type ReactNode, useId } from 'react';

export interface JsonFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
}

export function JsonField({ label, hint, value, problem, onChange }: JsonFieldProps): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        <strong>{label}</strong>
      </label>
      <textarea
        id={id}
        className="mono"
        rows={Math.min(10, Math.max(2, value.split('\n').length))}
        spellCheck={false}
        value={value}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      <span id={`${id}-hint`} className={problem === null ? 'field-hint' : 'field-problem'}>
        {problem ?? hint ?? 'JSON'}
      </span>
    </div>
  );
}
