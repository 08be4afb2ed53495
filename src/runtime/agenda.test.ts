/** What a worker has to look for: what was rung for here and what the store tells. */
import { expect, test } from 'vitest';
import { memory } from '../stores/memory/memory.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import { Agenda } from './agenda.ts';

const REQUEST = { handlers: [], schedules: { flows: [] }, withoutPosts: [], letters: null };

async function looked(): Promise<Agenda> {
  const store = memory();
  await store.open();
  const silent = wrappedStore(store, { outlook: async () => ({ ...(await store.outlook(ANY)) }) });
  const house = { pollMs: 1_000, request: () => REQUEST, patienceMs: () => 0 };
  return new Agenda({ store: silent, ...house });
}

const ANY = { ...REQUEST, messages: false };

test('a ring for lanes outlives a look: what was claimed here no store can tell', async () => {
  const agenda = await looked();
  agenda.ring('lanes');
  agenda.ring('timers');
  await agenda.look();
  expect([agenda.isDue('lanes'), agenda.isDue('timers')]).toEqual([true, false]);
  expect([...agenda.take(['lanes'])]).toEqual(['lanes']);
  expect(agenda.isDue('lanes')).toBe(false);
});
