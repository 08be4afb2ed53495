/**
 * The instances, newest first. One row has the place of the keyboard: its link, so that Enter opens
 * it as it opens any link, and a reader says where one is.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import type { InstanceSummary } from '../api/shapes.ts';
import { useNow } from '../parts/moment.tsx';
import { useCommand } from '../shell/commands.ts';
import { Row } from './row.tsx';
import type { Chosen } from './use-chosen.ts';

export interface RowsTableProps {
  readonly rows: readonly InstanceSummary[];
  readonly changed: ReadonlySet<string>;
  /** Those that have something to be mended. */
  readonly incidents: ReadonlySet<string>;
  readonly chosen: Chosen;
}

export function RowsTable({ rows, changed, incidents, chosen }: RowsTableProps): ReactNode {
  const now = useNow();
  const body = useRef<HTMLTableSectionElement>(null);
  const { ids, choose, toggle } = chosen;
  const isAll = rows.length > 0 && rows.every(({ id }) => ids.has(id));
  const moves = useMoves(body, toggle);
  return (
    <table className="table rows" aria-label="Instances, newest first">
      <thead>
        <tr>
          <th className="cell-choose">
            <AllBox
              isAll={isAll}
              isSome={!isAll && rows.some(({ id }) => ids.has(id))}
              onChange={() =>
                choose(
                  rows.map(({ id }) => id),
                  !isAll,
                )
              }
            />
          </th>
          <th>Instance</th>
          <th>Flow</th>
          <th>Status</th>
          <th>Details</th>
          <th>Started</th>
          <th>Updated</th>
          <th>Took</th>
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={moves}>
        {rows.map((row) => (
          <Row
            key={row.id}
            row={row}
            now={now}
            isChanged={changed.has(row.id)}
            isIncident={incidents.has(row.id)}
            isChosen={ids.has(row.id)}
            onToggle={toggle}
          />
        ))}
      </tbody>
    </table>
  );
}

interface AllBoxProps {
  readonly isAll: boolean;
  readonly isSome: boolean;
  readonly onChange: () => void;
}

function AllBox({ isAll, isSome, onChange }: AllBoxProps): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label="Select all that are shown"
      checked={isAll}
      onChange={onChange}
    />
  );
}

/** Up and down by arrows and letters, and `x` to select. */
function useMoves(
  body: { readonly current: HTMLTableSectionElement | null },
  toggle: (id: string) => void,
): (event: KeyboardEvent) => void {
  const move = (step: number): void => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('a.row-link') ?? [])];
    const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
    const next = links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  const mark = (): void => {
    const id = document.activeElement?.closest('tr')?.dataset['id'];
    if (id !== undefined) toggle(id);
  };
  const group = 'Instances';
  useCommand({ label: 'Next instance', group, keys: 'j', run: () => move(1) });
  useCommand({ label: 'Previous instance', group, keys: 'k', run: () => move(-1) });
  useCommand({ label: 'Select the instance', group, keys: 'x', run: mark });
  return (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(step);
  };
}
