import { describe, expect, test } from 'vitest';
import { createSharing } from './sharing.ts';
import { createShelf } from './shelf.ts';

describe('a shelf', () => {
  test('keeps what it was given last, and lets the longest unused go', () => {
    const shelf = createShelf<number>({ entriesMax: 2 });
    shelf.put('a', 1);
    shelf.put('b', 2);
    shelf.find('a');
    shelf.put('c', 3);
    expect(['a', 'b', 'c'].map((key) => shelf.find(key))).toEqual([1, undefined, 3]);
    shelf.put('a', 4);
    shelf.drop('c');
    shelf.drop('c');
    expect(['a', 'c'].map((key) => shelf.find(key))).toEqual([4, undefined]);
  });

  test('keeps as much as it can bear', () => {
    const shelf = createShelf<number>({ entriesMax: 9, weightMax: 10 });
    shelf.put('a', 1, 5);
    shelf.put('b', 2, 5);
    expect([shelf.find('a'), shelf.find('b')]).toEqual([1, 2]);
    shelf.put('c', 3, 1);
    expect([shelf.find('a'), shelf.find('b'), shelf.find('c')]).toEqual([undefined, 2, 3]);
    shelf.put('d', 4, 11);
    expect(['b', 'c', 'd'].map((key) => shelf.find(key))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    shelf.put('e', 5, 10);
    expect(shelf.find('e')).toBe(5);
  });
});

describe('work that is shared', () => {
  const { signal } = new AbortController();

  test('is done once for all that wait at the same time', async () => {
    const share = createSharing<number>();
    let times = 0;
    const work = async (): Promise<number> => (times += 1);
    expect(await Promise.all([share('a', signal, work), share('a', signal, work)])).toEqual([1, 1]);
    expect(await share('a', signal, work)).toBe(2);
    expect(await Promise.all([share('a', signal, work), share('b', signal, work)])).toEqual([3, 4]);
  });

  test('is left to the others by who leaves, and ends when all have left', async () => {
    const share = createSharing<string>();
    const [one, two] = [new AbortController(), new AbortController()];
    const signals: AbortSignal[] = [];
    const work = (shared: AbortSignal): Promise<string> => {
      signals.push(shared);
      return new Promise(() => {});
    };
    const first = share('a', one.signal, work);
    const second = share('a', two.signal, work);
    one.abort(new Error('one'));
    await expect(first).rejects.toThrow('one');
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    two.abort(new Error('two'));
    await expect(second).rejects.toThrow('two');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await share('a', signal, async () => 'anew')).toBe('anew');
    await expect(share('a', one.signal, work)).rejects.toThrow('one');
    expect(signals).toHaveLength(1);
  });

  test('fails for all, and is not kept', async () => {
    const share = createSharing<string>();
    const fail = (): Promise<never> => Promise.reject(new Error('no'));
    const both = [share('a', signal, fail), share('a', signal, fail)];
    for (const each of await Promise.allSettled(both)) expect(each.status).toBe('rejected');
    expect(await share('a', signal, async () => 'yes')).toBe('yes');
  });
});
