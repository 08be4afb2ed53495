/** To act without a say is possible, and is said aloud: nobody does it by accident. */
import type { ReactNode } from 'react';

export interface OverrideProps {
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  /** Of a decision: it needs no others. */
  readonly decides?: boolean;
}

export function Override({ value, onChange, decides = false }: OverrideProps): ReactNode {
  const then = decides ? 'It decides alone and at once, and' : 'It is done at once, and';
  return (
    <label className="inbox-override">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
      <span>
        Do it all the same, without a say in it.{' '}
        <span className="dim">{then} the trail says so.</span>
      </span>
    </label>
  );
}
