/**
 * Listening: what is published since somebody began is heard by it once, in order, whoever else has
 * it and whatever becomes of it.
 */
import { describe, expect, test } from 'vitest';
import type { OpenBench } from './store-bench.ts';
import {
  at,
  finish,
  hearing,
  idOf,
  listening,
  next,
  start,
  token,
  tokenId,
} from './store-commits.ts';
import { firstFor, FOR_A, heard, NEWS, offered } from './store-hearing.ts';

export function listeningCases(open: OpenBench): void {
  describe('listening', () => {
    beginCases(open);
    orderCases(open);
  });
  describe('those who listen and those who wait', () => {
    apartCases(open);
  });
  describe('who listens and is busy', () => {
    busyCases(open);
  });
  describe('what is not heard', () => {
    endCases(open);
  });
}

function beginCases(open: OpenBench): void {
  test('what is published from then on is heard, and nothing from before', async () => {
    const bench = await open();
    await bench.store.publish({ ...NEWS, id: 'm0' });
    bench.setTime(10);
    await bench.given(start('a', { rows: hearing(2, { type: 'news', since: 10 }) }));
    expect(await offered(bench, 'm0')).toEqual([]);
    expect(await firstFor(bench, 'a')).toBeUndefined();
    await bench.store.publish(NEWS);
    expect(await offered(bench)).toEqual(['a.2!']);
    const [found] = await bench.store.deliverable(9);
    expect(found).toMatchObject({ published: at(10), message: { id: 'm1', data: 1 } });
  });

  test.each([
    ['one that is behind', 'behind', ['a.2!']],
    ['one that goes on for another', 'on', []],
  ] as const)('what came since it began is heard by %s', async (_who, live, found) => {
    const bench = await open();
    bench.setTime(10);
    await bench.store.publish(NEWS);
    bench.setTime(20);
    await bench.given(start('a', { rows: hearing(2, { type: 'news', since: 10, live }) }));
    expect(await offered(bench)).toEqual(found);
  });

  test.each<[string, Parameters<typeof hearing>[1], readonly string[]]>([
    ['a type', { type: 'news' }, ['m1', 'm2', 'm3']],
    ['a type and key', { type: 'news', key: 'k' }, ['m1']],
    ['anything', {}, ['m1', 'm2', 'm3', 'm4']],
    ['a key', { key: 'k' }, ['m1']],
  ])('to %s: before it is known, and after', async (_what, topic, wanted) => {
    const bench = await open();
    const some = async (prefix: string): Promise<void> => {
      await bench.store.publish({ ...NEWS, id: `${prefix}1` });
      await bench.store.publish({ ...NEWS, id: `${prefix}2`, key: 'l' });
      await bench.store.publish({ ...NEWS, id: `${prefix}3`, key: '' });
      await bench.store.publish({ ...NEWS, id: `${prefix}4`, type: 'other', key: 'l' });
      await bench.store.publish({ ...FOR_A, id: `${prefix}5`, instance: idOf('x') });
    };
    await some('m');
    await bench.given(start('a', { rows: hearing(2, topic) }));
    await some('n');
    const came: string[] = [];
    for (let id = await firstFor(bench, 'a'); id !== undefined; id = await firstFor(bench, 'a')) {
      expect(await offered(bench, id)).toEqual(['a.2!']);
      came.push(id);
      await bench.given(heard('a', came.length, id));
    }
    expect(came).toEqual([...wanted, ...wanted.map((id) => id.replace('m', 'n'))]);
  });

  test('a message for its instance is heard, by the type or by any', async () => {
    const bench = await open();
    await bench.given(
      start('a', { rows: hearing(2, { type: 'news', key: 'z' }) }),
      start('b', { rows: hearing(2) }),
    );
    await bench.store.publish(FOR_A);
    await bench.store.publish({ ...FOR_A, id: 'm2', instance: idOf('b') });
    await bench.store.publish({ ...FOR_A, id: 'm3', type: 'other' });
    expect(await offered(bench)).toEqual(['a.2!']);
    expect(await offered(bench, 'm2')).toEqual(['b.2!']);
    expect(await offered(bench, 'm3')).toEqual([]);
  });

  test('what its instance has heard is not heard again by one that begins', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: hearing(2, { type: 'news' }) }));
    await bench.store.publish(NEWS);
    await bench.store.publish({ ...NEWS, id: 'm2' });
    await bench.given(heard('a', 1, 'm1', hearing(3, { type: 'news' })));
    expect(await firstFor(bench, 'a', 3)).toBe('m2');
    await bench.given(heard('a', 2, 'm2', hearing(4)));
    expect(await bench.store.deliverable(9)).toEqual([]);
  });
}

function orderCases(open: OpenBench): void {
  test('messages come one at a time, in the order in which they were published', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: hearing(2, { type: 'news' }) }));
    for (const id of ['m3', 'm1', 'm2']) await bench.store.publish({ ...NEWS, id });
    for (const [index, id] of ['m3', 'm1', 'm2'].entries()) {
      expect(await offered(bench, id)).toEqual(['a.2!']);
      const others = ['m1', 'm2', 'm3'].filter((other) => other !== id);
      for (const other of others) expect(await offered(bench, other)).toEqual([]);
      await bench.given(heard('a', index + 1, id));
    }
    expect(await bench.store.deliverable(9)).toEqual([]);
  });

  test('an instance hears a message once, and says so to whoever brings it again', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: hearing(2, { type: 'news' }) }));
    await bench.store.publish(NEWS);
    expect(await bench.store.publish(NEWS)).toBe(false);
    await bench.given(heard('a', 1, 'm1'));
    expect(await offered(bench)).toEqual([]);
    expect(await bench.commit(heard('a', 2, 'm1'))).toEqual({ outcome: 'delivered' });
    expect(await bench.commit(next('a', 2, { message: 'm1', heard: 'too' }))).toEqual({
      outcome: 'delivered',
    });
    await bench.given(next('a', 2, { message: 'm1' }));
  });

  test('all of an instance are told at once, by the first of them', async () => {
    const bench = await open();
    const [two, three] = [hearing(2, { since: 50 }), hearing(3, { type: 'news' })];
    const tokens = [...two.tokens, ...three.tokens];
    const subscribed = [...two.subscribed, ...three.subscribed];
    await bench.given(start('a', { rows: { tokens, subscribed } }));
    bench.setTime(49);
    await bench.store.publish(NEWS);
    bench.setTime(50);
    await bench.store.publish({ ...NEWS, id: 'm2' });
    expect(await offered(bench)).toEqual(['a.3!']);
    await bench.given(heard('a', 1, 'm1'));
    expect(await offered(bench, 'm2')).toEqual(['a.2!']);
  });

  test('each instance is at its own place', async () => {
    const bench = await open();
    for (const name of ['a', 'b', 'c']) await bench.given(start(name, { rows: hearing(2) }));
    for (const id of ['m1', 'm2', 'm3']) await bench.store.publish({ ...NEWS, id });
    await bench.given(heard('a', 1, 'm1'), heard('a', 2, 'm2'), heard('b', 1, 'm1'));
    expect(await offered(bench, 'm1')).toEqual(['c.2!']);
    expect(await offered(bench, 'm2')).toEqual(['b.2!']);
    expect(await offered(bench, 'm3')).toEqual(['a.2!']);
    const all = await bench.store.deliverable(9);
    expect(all.map(({ message }) => message.id)).toEqual(['m1', 'm2', 'm3']);
    expect(await bench.store.deliverable(2)).toHaveLength(2);
  });
}

function apartCases(open: OpenBench): void {
  test('who waits later has what was only heard', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: hearing(2) }));
    await bench.store.publish(NEWS);
    await bench.given(heard('a', 1, 'm1'));
    expect(await bench.store.consume(['m1'])).toEqual(['m1']);
    const later = { head: { updatedAt: at(90) }, rows: listening(2, 'news', 'k') };
    await bench.given(start('b', later));
    expect(await offered(bench)).toEqual(['b.2']);
    expect(await bench.store.pending({ limit: 9 })).toEqual([]);
  });

  test('who listens hears what was used up by others', async () => {
    const bench = await usedByOthers(open);
    expect(await bench.store.consume(['m1'])).toEqual(['m1']);
    expect(await offered(bench)).toEqual(['a.2!']);
  });

  test('of one instance both have it in one commit', async () => {
    const bench = await open();
    const [two, three] = [hearing(2), listening(3, 'news', 'k')];
    const tokens = [...two.tokens, ...(three.tokens ?? [])];
    const subscribed = [...two.subscribed, ...(three.subscribed ?? [])];
    await bench.given(start('a', { rows: { tokens, subscribed } }));
    await bench.store.publish(NEWS);
    expect(await offered(bench)).toEqual(['a.3!']);
    await bench.given(next('a', 1, { message: 'm1', heard: 'too' }));
    expect(await offered(bench)).toEqual([]);
    expect(await bench.commit(heard('a', 2, 'm1'))).toEqual({ outcome: 'delivered' });
    expect(await bench.commit(next('a', 2, { message: 'm1' }))).toEqual({ outcome: 'delivered' });
  });
}

function busyCases(open: OpenBench): void {
  test('hears nothing until it no longer is, nor do others beside it', async () => {
    const bench = await open();
    const [two, three] = [hearing(2, { type: 'news' }), hearing(3)];
    const tokens = [...two.tokens, ...three.tokens];
    const subscribed = [...two.subscribed, ...three.subscribed];
    await bench.given(
      start('a', { rows: { tokens, subscribed } }),
      start('b', { rows: hearing(2) }),
    );
    await bench.given(next('a', 1, { rows: { turned: [{ token: tokenId(2), busy: true }] } }));
    await bench.store.publish(NEWS);
    expect(await offered(bench)).toEqual(['b.2!']);
    await bench.given(heard('b', 1, 'm1'));
    expect(await offered(bench)).toEqual([]);
    await bench.given(next('a', 2, { rows: { turned: [{ token: tokenId(2), busy: false }] } }));
    expect(await offered(bench)).toEqual(['a.2!']);
  });

  test('a suspended instance hears it when it goes on, in order', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: hearing(2) }));
    const pausing = { pausing: true };
    await bench.given(next('a', 1, { head: { status: 'suspended' }, rows: pausing }));
    for (const id of ['m1', 'm2']) await bench.store.publish({ ...NEWS, id });
    expect([await offered(bench), await offered(bench, 'm2')]).toEqual([[], []]);
    await bench.given(next('a', 2, { rows: pausing }));
    expect([await offered(bench), await offered(bench, 'm2')]).toEqual([['a.2!'], []]);
  });

  test('another in its place goes on with what was still to be heard', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: hearing(2, { type: 'news' }) }));
    for (const id of ['m1', 'm2']) await bench.store.publish({ ...NEWS, id });
    const { tokens, subscribed } = hearing(3, { type: 'news', live: 'on' });
    const rows = { tokens, subscribed, unsubscribed: [tokenId(2)], endedTokens: [tokenId(2)] };
    await bench.given(heard('a', 1, 'm1', rows));
    expect(await offered(bench, 'm2')).toEqual(['a.3!']);
  });
}

function endCases(open: OpenBench): void {
  test('is what comes when nobody listens any more', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: hearing(2, { type: 'news' }) }));
    await bench.store.publish(NEWS);
    const gone = { unsubscribed: [tokenId(2)], hushed: true };
    await bench.given(next('a', 1, { rows: gone }));
    await bench.store.publish({ ...NEWS, id: 'm2' });
    const { tokens, subscribed } = hearing(3, { type: 'news', since: 0, live: 'on' });
    await bench.given(next('a', 2, { rows: { tokens, subscribed } }));
    expect(await bench.store.deliverable(9)).toEqual([]);
  });

  test('is not lost for the others when one of an instance ends', async () => {
    const bench = await open();
    const [two, three] = [hearing(2, { type: 'news' }), hearing(3, { type: 'other' })];
    const tokens = [...two.tokens, ...three.tokens];
    const subscribed = [...two.subscribed, ...three.subscribed];
    await bench.given(start('a', { rows: { tokens, subscribed } }));
    await bench.store.publish(NEWS);
    await bench.store.publish({ ...NEWS, id: 'm2', type: 'other' });
    const gone = { unsubscribed: [tokenId(2)], hushed: true };
    await bench.given(next('a', 1, { rows: gone }));
    expect([await offered(bench), await offered(bench, 'm2')]).toEqual([[], ['a.3!']]);
  });

  test('is anything once the instance is over', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: hearing(2) }));
    await bench.store.publish(NEWS);
    const gone = { unsubscribed: [tokenId(2)], hushed: true };
    await bench.given(finish('a', 1, { rows: gone }));
    expect(await bench.store.deliverable(9)).toEqual([]);
    expect((await bench.outlook()).messages).toBe(false);
  });

  test('is what has run out; what came after it is', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: hearing(2) }));
    await bench.store.publish({ ...NEWS, ttlMs: 10 });
    await bench.store.publish({ ...NEWS, id: 'm2' });
    bench.setTime(11);
    expect([await offered(bench), await offered(bench, 'm2')]).toEqual([[], ['a.2!']]);
  });

  test('is not pruned before it has run out, though others have used it up', async () => {
    const bench = await usedByOthers(open);
    await bench.store.consume(['m1']);
    const request = { before: at(900), after: null, walk: 9, dryRun: false };
    expect(await bench.store.instances.pruneMessages(request)).toMatchObject({ pruned: 0 });
    expect(await offered(bench)).toEqual(['a.2!']);
    const late = { ...request, before: at(1_001) };
    expect(await bench.store.instances.pruneMessages(late)).toMatchObject({ pruned: 1 });
    expect(await bench.store.publish(NEWS)).toBe(true);
    expect(await offered(bench)).toEqual(['a.2!']);
  });

  test('once all have heard it and used it up, it is pruned like any other', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: hearing(2) }));
    await bench.store.publish(NEWS);
    await bench.given(heard('a', 1, 'm1'), next('a', 2, { message: 'm1' }));
    await bench.store.consume(['m1']);
    const request = { before: at(900), after: null, walk: 9, dryRun: false };
    expect(await bench.store.instances.pruneMessages(request)).toMatchObject({ pruned: 1 });
  });
}

/** One listens, and another has used the message up. */
async function usedByOthers(open: OpenBench): ReturnType<OpenBench> {
  const bench = await open();
  await bench.given(start('a', { rows: hearing(2) }));
  await bench.given(start('b', { rows: listening(2, 'news', 'k') }));
  await bench.store.publish(NEWS);
  const rows = { tokens: [token(2)], unsubscribed: [tokenId(2)] };
  await bench.given(next('b', 1, { message: 'm1', rows }));
  return bench;
}
