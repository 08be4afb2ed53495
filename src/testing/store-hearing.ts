/** Who is offered a message, for cases about those who listen and those who wait for any. */
import { expect } from 'vitest';
import type { Touched } from '../model/commit.ts';
import type { Commit, NewMessage, TokenRef } from '../stores/store.ts';
import { type Bench, namesOf } from './store-bench.ts';
import { idOf, next, tokenId } from './store-commits.ts';

export const NEWS: NewMessage = { id: 'm1', type: 'news', key: 'k', data: 1, ttlMs: 1_000 };
export const FOR_A: NewMessage = { ...NEWS, key: '', instance: idOf('a') };

/** Whom a message is offered to, however it is asked for: `name.token`, with `!` if it is heard. */
export async function offered(bench: Bench, message = 'm1'): Promise<string[]> {
  const named = await bench.store.deliverable(9, message);
  const all = (await bench.store.deliverable(9)).filter((one) => one.message.id === message);
  const asked = await bench.store.deliverableTo(EVERYONE);
  const shown = named.map(({ instance, token: id, published }) => {
    return `${instance}.${id}${published === undefined ? '' : '!'}`;
  });
  expect(namesOf(all).toSorted()).toEqual(namesOf(named).toSorted());
  const first = asked.filter((one) => one.message.id === message).map(({ instance }) => instance);
  expect(named.map(({ instance }) => instance)).toEqual(expect.arrayContaining(first));
  expect(new Set(asked.map(({ instance }) => instance)).size).toBe(asked.length);
  return shown.toSorted();
}

const EVERYONE: readonly TokenRef[] = ['a', 'b', 'c', 'd', 'e'].flatMap((name) =>
  [2, 3].map((id) => ({ instance: idOf(name), token: tokenId(id) })),
);

/** It has heard the message, at a moment, and listens on. */
export function heard(
  name: string,
  version: number,
  message: string,
  rows: Partial<Touched> = {},
): Commit {
  return next(name, version, { message, heard: 'only', rows });
}

/** Who has the first that is for it, of all that were asked. */
export async function firstFor(bench: Bench, name: string, id = 2): Promise<string | undefined> {
  const [found] = await bench.store.deliverableTo([{ instance: idOf(name), token: tokenId(id) }]);
  return found?.message.id;
}
