/**
 * In whose name things are done. Whoever sits at the machine may speak for anybody: to try a flow
 * with three approvers takes three people, and a developer is all of them.
 */
import { useSyncExternalStore } from 'react';
import { Hearers } from './hearers.ts';

const KEPT = 'perdure.me';

export interface Me {
  /** Null: whoever the server says it is. */
  readonly actor: string | null;
  readonly groups: readonly string[];
}

const NOBODY: Me = { actor: null, groups: [] };
let me: Me = read();
const hearers = new Hearers();

function read(): Me {
  try {
    const { actor, groups } = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Me>;
    return { actor: actor ?? null, groups: groups ?? [] };
  } catch {
    return NOBODY;
  }
}

export function setMe(next: Me): void {
  me = next;
  localStorage.setItem(KEPT, JSON.stringify(next));
  hearers.tell();
}

export function useMe(): Me {
  return useSyncExternalStore(hearers.listen, () => me);
}

/** What a request says of it. */
export function acting({ actor }: Me, reason = ''): { actor?: string; reason?: string } {
  return { ...(actor === null ? {} : { actor }), ...(reason === '' ? {} : { reason }) };
}
