/** The numbers of a store, each with what it means. */
import type { ReactNode } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { Reading, Tone } from './readings.ts';

const WORDS: Readonly<Record<Tone, string>> = { ok: 'fine', warn: 'worth a look', bad: 'bad' };

export function Tiles({ readings }: { readonly readings: readonly Reading[] }): ReactNode {
  return (
    <ul className="health-tiles" aria-label="Numbers">
      {readings.map(({ label, value, below, tone }) => (
        <li key={label} className={`card health-tile health-${tone}`}>
          <span className="health-tile-label">
            {label}
            {tone === 'ok' ? null : <Icon name="warn" />}
          </span>
          <span className="health-tile-value">{value}</span>
          <span className="health-tile-below">{below}</span>
          <span className="visually-hidden">({WORDS[tone]})</span>
        </li>
      ))}
    </ul>
  );
}
