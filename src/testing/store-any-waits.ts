/** Waiting for a message of any type, or of any key. */
import { describe, expect, test } from 'vitest';
import { ANY } from '../model/awaited.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import { at, listening, next, start, token, tokenId } from './store-commits.ts';
import { firstFor, FOR_A, NEWS, offered } from './store-hearing.ts';

export function anyWaitCases(open: OpenBench): void {
  describe('waiting for any', () => {
    anyCases(open);
  });
}

function anyCases(open: OpenBench): void {
  const everyone = async (bench: Bench): Promise<void> => {
    await bench.given(
      start('a', { rows: listening(2, 'news', 'k') }),
      start('b', { rows: listening(2, 'news', ANY) }),
      start('c', { rows: listening(2, ANY, ANY) }),
      start('d', { rows: listening(2, ANY, 'k') }),
      start('e', { rows: listening(2, 'other', ANY) }),
    );
  };

  test('a message finds those for its type and key, and for any of either', async () => {
    const bench = await open();
    await everyone(bench);
    await bench.store.publish(NEWS);
    expect(await offered(bench)).toEqual(['a.2', 'b.2', 'c.2', 'd.2']);
    await bench.store.publish({ ...NEWS, id: 'm2', key: 'l' });
    expect(await offered(bench, 'm2')).toEqual(['b.2', 'c.2']);
    expect(await firstFor(bench, 'b')).toBe('m1');
  });

  test('one without a key is for those that take any', async () => {
    const bench = await open();
    await everyone(bench);
    await bench.store.publish({ ...NEWS, key: '' });
    expect(await offered(bench)).toEqual(['b.2', 'c.2']);
    expect([await firstFor(bench, 'a'), await firstFor(bench, 'c')]).toEqual([undefined, 'm1']);
  });

  test('one for an instance is for its waits for the type, or for any', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, ANY, ANY) }));
    await bench.given(start('b', { rows: listening(2, ANY, ANY) }));
    await bench.store.publish(FOR_A);
    expect(await offered(bench)).toEqual(['a.2']);
  });

  test('of an instance the first of its tokens has it, whatever each waits for', async () => {
    const bench = await open();
    const [two, three] = [listening(2, ANY, ANY), listening(3, 'news', 'k')];
    const tokens = [...(two.tokens ?? []), ...(three.tokens ?? [])];
    const subscribed = [...(two.subscribed ?? []), ...(three.subscribed ?? [])];
    await bench.given(start('a', { rows: { tokens, subscribed } }));
    await bench.store.publish(NEWS);
    expect(await offered(bench)).toEqual(['a.2']);
  });

  test('it is used up when all of them had it, and nobody who begins later has it', async () => {
    const bench = await open();
    await everyone(bench);
    await bench.store.publish(NEWS);
    for (const name of ['a', 'b', 'c']) {
      const rows = { tokens: [token(2)], unsubscribed: [tokenId(2)] };
      await bench.given(next(name, 1, { message: 'm1', rows }));
      expect(await bench.store.consume(['m1'])).toEqual(['m1']);
    }
    expect(await offered(bench)).toEqual(['d.2']);
    const later = { head: { updatedAt: at(50) }, rows: listening(3, 'news', ANY) };
    await bench.given(next('a', 2, later));
    expect(await offered(bench)).toEqual(['d.2']);
  });

  test('since when it waits may be said: it has what was first had after that', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'news', ANY) }));
    await bench.store.publish(NEWS);
    await bench.given(next('a', 1, { message: 'm1', head: { updatedAt: at(20) } }));
    const [row] = listening(2, 'news', ANY).subscribed ?? [];
    for (const [name, since] of Object.entries({ b: 20, c: 21 })) {
      const subscribed = row === undefined ? [] : [{ ...row, since: at(since) }];
      await bench.given(start(name, { head: { updatedAt: at(90) }, rows: { subscribed } }));
    }
    expect(await offered(bench)).toEqual(['b.2']);
  });
}
