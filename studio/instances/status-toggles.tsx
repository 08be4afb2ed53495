/** Statuses to be turned on and off, with how many there are just now. */
import type { ReactNode } from 'react';
import { STATUSES, type Status, type Tally } from '../api/shapes.ts';
import { toneOf } from '../parts/status.tsx';
import { isCounted, type Sought } from './sought.ts';

interface StatusTogglesProps {
  readonly sought: Sought;
  readonly tally: Tally | undefined;
  readonly onSeek: (sought: Sought) => void;
}

export function StatusToggles({ sought, tally, onSeek }: StatusTogglesProps): ReactNode {
  const counts = tally === undefined ? null : countsOf(tally, sought);
  const toggle = (status: Status): void => {
    const isOn = sought.status.includes(status);
    const chosen = STATUSES.filter((one) => (one === status ? !isOn : sought.status.includes(one)));
    onSeek({ ...sought, status: chosen });
  };
  return (
    <div className="statuses" role="group" aria-label="Status">
      {STATUSES.map((status) => {
        const isOn = sought.status.includes(status);
        const count = counts?.get(status) ?? 0;
        return (
          <button
            key={status}
            type="button"
            className={`status-toggle tone-${isOn ? toneOf(status) : 'none'}`}
            aria-pressed={isOn}
            onClick={() => toggle(status)}
          >
            <span className={`status-dot dot-${toneOf(status)}`} aria-hidden="true" />
            {status}
            {counts === null ? null : (
              <span className="status-count" data-status={status}>
                {count.toLocaleString()}
                {tally?.isAll === false ? '+' : ''}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}

/** Null if what is looked for is not what was counted. */
function countsOf(tally: Tally, sought: Sought): ReadonlyMap<Status, number> | null {
  if (!isCounted(sought)) return null;
  const counts = new Map<Status, number>();
  for (const { version, status, count } of tally.groups) {
    if (sought.version !== null && version !== sought.version) continue;
    counts.set(status, (counts.get(status) ?? 0) + count);
  }
  return counts;
}
