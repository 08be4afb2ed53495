/** Views: questions with a name. Some are always there, others are kept in this browser. */
import { useSyncExternalStore } from 'react';
import { keyOf, soughtIn } from './sought.ts';

const KEPT = 'perdure.views';

export interface View {
  readonly name: string;
  /** What stands behind the question mark. */
  readonly query: string;
}

export const BUILT_IN: readonly View[] = [
  { name: 'All', query: '' },
  // Whatever code it has: what failed, and what waits for somebody to mend it.
  { name: 'Needs attention', query: keyed('error=*') },
  { name: 'Running', query: keyed('status=running&status=compensating') },
  { name: 'Waiting', query: keyed('status=waiting&status=suspended') },
  { name: 'Done', query: keyed('status=completed') },
];

/** In the one order that queries are compared in. */
export function keyed(query: string): string {
  return keyOf(soughtIn(new URLSearchParams(query)));
}

let text = readText();
let views = viewsIn(text);
const hearers = new Set<() => void>();

function readText(): string {
  return typeof localStorage === 'undefined' ? '[]' : (localStorage.getItem(KEPT) ?? '[]');
}

/** Whatever is kept there, by whomever: only what is a view. */
export function viewsIn(kept: string): readonly View[] {
  try {
    const list: unknown = JSON.parse(kept);
    if (!Array.isArray(list)) return [];
    return list.flatMap((one: unknown) => {
      const { name, query } = Object(one) as Record<string, unknown>;
      const isView = typeof name === 'string' && name !== '' && typeof query === 'string';
      return isView ? [{ name, query: keyed(query) }] : [];
    });
  } catch {
    return [];
  }
}

function keep(next: readonly View[]): void {
  views = next;
  text = JSON.stringify(next);
  localStorage.setItem(KEPT, text);
  for (const hear of hearers) hear();
}

/** One of the same name is replaced. */
export function saveView(view: View): void {
  keep([...views.filter(({ name }) => name !== view.name), view]);
}

export function dropView(name: string): void {
  keep(views.filter((one) => one.name !== name));
}

function listen(hear: () => void): () => void {
  const look = (): void => {
    if (readText() === text) return;
    text = readText();
    views = viewsIn(text);
    hear();
  };
  hearers.add(hear);
  // Another window may have kept one.
  addEventListener('storage', look);
  return () => {
    hearers.delete(hear);
    removeEventListener('storage', look);
  };
}

export function useViews(): readonly View[] {
  return useSyncExternalStore(listen, () => views);
}
