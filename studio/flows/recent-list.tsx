/** Inputs of earlier starts, to be taken by a click. */
import type { ReactNode } from 'react';
import type { Json } from '../api/shapes.ts';
import { Ago } from '../parts/moment.tsx';
import { isSame } from '../parts/schema-rules.ts';
import type { RecentInput } from './recent-inputs.ts';

export interface RecentInputsProps {
  readonly recent: readonly RecentInput[];
  readonly chosen: Json | undefined;
  readonly onChoose: (input: Json) => void;
}

/** As much as tells one from another. */
const TEXT_MAX = 90;

export function RecentInputs({ recent, chosen, onChoose }: RecentInputsProps): ReactNode {
  if (recent.length === 0) return null;
  return (
    <section className="recent" aria-label="Recent inputs">
      <h3>Recent inputs</h3>
      <ul>
        {recent.map(({ input, at, key }) => (
          <li key={JSON.stringify(input)}>
            <button
              type="button"
              className="recent-input"
              aria-pressed={isSame(input, chosen)}
              onClick={() => onChoose(input)}
            >
              <code>{shortText(input)}</code>
              <span className="dim">
                {key === null ? '' : `${key} · `}
                <Ago at={at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function shortText(input: Json): string {
  const text = JSON.stringify(input);
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
}
