/** What an instance has for others: kept with the commit that says so, until it was carried. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import type { Touched } from '../model/commit.ts';
import type { Post } from '../model/post.ts';
import type { PostRow } from '../stores/store.ts';
import type { OpenBench } from './store-bench.ts';
import { fenceOf, finish, idOf, next, post, start, tokenId } from './store-commits.ts';
import { isDeepFrozen } from './store-state.ts';

export function postCases(open: OpenBench): void {
  describe('posting', () => {
    orderCases(open);
    lossCases(open);
  });
  describe('carrying', () => {
    carryCases(open);
  });
}

/** Who posted what, short enough to compare. */
function listOf(rows: readonly PostRow[]): string[] {
  return rows.map(({ instance, post: { id } }) => `${instance}: ${id}`);
}

function posting(...ids: readonly string[]): { rows: Partial<Touched> } {
  return { rows: { posts: ids.map((id) => post(id)) } };
}

function orderCases(open: OpenBench): void {
  test('every kind of post comes back as it was, frozen to the bottom', async () => {
    const bench = await open();
    const parent = { instance: idOf('a'), token: tokenId(2) };
    const fault = { code: 'x', message: 'y', node: null };
    const all: readonly Post[] = [
      { id: 'p1', do: 'publish', type: 't', key: 'k', data: { b: [1], a: null } },
      { id: 'p2', do: 'start', instance: idOf('b'), flow: 'f', version: 2, input: 1, parent },
      { id: 'p3', do: 'answer', to: parent, from: idOf('b'), answer: { status: 'failed', fault } },
      { id: 'p4', do: 'cancel', instance: idOf('b'), saga: true },
    ];
    await bench.given(start('a', { rows: { posts: all } }));
    const found = await bench.store.posts(9);
    expect(found).toEqual(all.map((one) => ({ instance: 'a', post: one })));
    expect(JSON.stringify(found.map((row) => row.post))).toBe(JSON.stringify(all));
    expect(found.every(isDeepFrozen)).toBe(true);
  });

  test('posts come in the order in which their instance has them', async () => {
    const bench = await open();
    await bench.given(start('a', posting('z', 'm')), next('a', 1), next('a', 2, posting('b', 'q')));
    expect(listOf(await bench.store.posts(9))).toEqual(['a: z', 'a: m', 'a: b', 'a: q']);
  });

  test('of several instances the one that waits longest comes first', async () => {
    const bench = await open();
    await bench.given(start('b', posting('p1')), start('a', posting('p2')));
    await bench.given(next('b', 1, posting('p3')));
    expect(listOf(await bench.store.posts(1))).toEqual(['b: p1']);
    const found = listOf(await bench.store.posts(9));
    expect(found.filter((row) => row.startsWith('b'))).toEqual(['b: p1', 'b: p3']);
    expect(found).toHaveLength(3);
  });

  test('commits of one batch post in its order', async () => {
    const { store } = await open();
    await store.commit([start('a', posting('p2')), next('a', 1, posting('p1'))]);
    expect(listOf(await store.posts(9))).toEqual(['a: p2', 'a: p1']);
  });

  test('what is posted after all the others were carried comes after what is left', async () => {
    const bench = await open();
    await bench.given(start('a', posting('p1', 'p2')));
    await bench.store.carried(['p2']);
    await bench.given(next('a', 1, posting('p3')));
    expect(listOf(await bench.store.posts(9))).toEqual(['a: p1', 'a: p3']);
  });

  test('no more than the limit is found', async () => {
    const bench = await open();
    await bench.given(start('a', posting('p1', 'p2', 'p3')));
    expect(listOf(await bench.store.posts(2))).toEqual(['a: p1', 'a: p2']);
    expect(await bench.store.posts(0)).toEqual([]);
  });
}

function lossCases(open: OpenBench): void {
  test('a commit that is stale posts nothing', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1));
    expect(await bench.commit(next('a', 1, posting('p1')))).toEqual({ outcome: 'stale' });
    expect(await bench.store.posts(9)).toEqual([]);
  });

  test('a commit that is fenced posts nothing', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const fence = fenceOf(await bench.claimFirst(), { worker: 'bob' });
    const lost = next('a', 1, { ...posting('p1'), fence });
    expect(await bench.commit(lost)).toEqual({ outcome: 'fenced' });
    expect(await bench.store.posts(9)).toEqual([]);
  });

  test('a post that is no JSON fails its commit, and nothing of it is kept', async () => {
    const bench = await open();
    const posts = [post('p1'), post('p2', 1n as unknown as Json)];
    const outcome = await bench.commit(start('a', { rows: { posts } }));
    expect(outcome).toMatchObject({ outcome: 'failed', error: { code: 'store.refused' } });
    expect(await bench.store.posts(9)).toEqual([]);
  });

  test('the same id is the same post: it is not posted twice', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { posts: [post('p1', 'first'), post('p2')] } }));
    await bench.given(next('a', 1, { rows: { posts: [post('p1', 'again'), post('p3')] } }));
    const found = await bench.store.posts(9);
    expect(listOf(found)).toEqual(['a: p1', 'a: p2', 'a: p3']);
    expect(found[0]?.post).toEqual(post('p1', 'first'));
  });

  test('what an instance posted outlives it', async () => {
    const bench = await open();
    await bench.given(start('a', posting('p1')), finish('a', 1, posting('p2')));
    expect(listOf(await bench.store.posts(9))).toEqual(['a: p1', 'a: p2']);
  });
}

function carryCases(open: OpenBench): void {
  test('what was carried is gone, and the rest stays', async () => {
    const bench = await open();
    await bench.given(start('a', posting('p1', 'p2', 'p3')), start('b', posting('p4')));
    await bench.store.carried(['p1', 'p3']);
    expect(listOf(await bench.store.posts(9))).toEqual(['a: p2', 'b: p4']);
  });

  test('carrying twice, or what nobody posted, does no harm', async () => {
    const bench = await open();
    await bench.given(start('a', posting('p1', 'p2')));
    await bench.store.carried(['p1', 'p1']);
    await bench.store.carried(['p1', 'unknown']);
    await bench.store.carried([]);
    expect(listOf(await bench.store.posts(9))).toEqual(['a: p2']);
  });

  test('ids of any kind are ids', async () => {
    const bench = await open();
    const ids = ['with "quotes"', "it's", 'zero\u0000', 'zero', '', '10', 'é😀', '%'];
    await bench.given(start('a', posting(...ids)));
    for (const [index, id] of ids.entries()) {
      await bench.store.carried([id]);
      const left = (await bench.store.posts(9)).map((row) => row.post.id);
      expect(left).toEqual(ids.slice(index + 1));
    }
  });

  test('instances that are left out are passed over, and keep their posts', async () => {
    const bench = await open();
    await bench.given(start('a', posting('p1', 'p2')), start('b', posting('p3')));
    await bench.given(start('c', posting('p4')), next('b', 1, posting('p5')));
    const without = (...names: string[]) => bench.store.posts(2, names.map(idOf));
    expect(listOf(await without('a'))).toEqual(['b: p3', 'c: p4']);
    expect(listOf(await without('a', 'b'))).toEqual(['c: p4']);
    expect(await without('a', 'b', 'c')).toEqual([]);
    expect(listOf(await without('unknown'))).toEqual(['a: p1', 'a: p2']);
    expect(listOf(await without())).toEqual(['a: p1', 'a: p2']);
  });
}
