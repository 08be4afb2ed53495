/**
 * A list that is looked at while it changes: what was asked for again takes the place of what it
 * answers, and what was loaded behind it stays, so that nobody loses their place.
 */
import type { InstanceSummary } from '../api/shapes.ts';

export interface Loaded {
  readonly rows: readonly InstanceSummary[];
  /** Where it goes on; null if that is all. */
  readonly cursor: string | null;
  /** Those that came or changed when it was last asked for again. */
  readonly changed: ReadonlySet<string>;
}

export function refreshed(old: Loaded, fresh: Omit<Loaded, 'changed'>): Loaded {
  const changed = changedIn(old.rows, fresh.rows);
  if (fresh.cursor === null) return { ...fresh, changed };
  const known = new Set(fresh.rows.map(({ id }) => id));
  const last = old.rows.findLastIndex(({ id }) => known.has(id));
  const behind = last < 0 ? [] : old.rows.slice(last + 1);
  if (behind.length === 0) return { ...fresh, changed };
  return { rows: [...fresh.rows, ...behind], cursor: old.cursor, changed };
}

export function lengthened(old: Loaded, more: Omit<Loaded, 'changed'>): Loaded {
  const known = new Set(old.rows.map(({ id }) => id));
  const rows = [...old.rows, ...more.rows.filter(({ id }) => !known.has(id))];
  return { ...old, rows, cursor: more.cursor };
}

function changedIn(
  old: readonly InstanceSummary[],
  fresh: readonly InstanceSummary[],
): ReadonlySet<string> {
  const before = new Map(old.map((row) => [row.id, row]));
  const changed = fresh.filter((row) => {
    const known = before.get(row.id);
    return known?.updatedAt !== row.updatedAt || known.status !== row.status;
  });
  return new Set(changed.map(({ id }) => id));
}
