/** Tenants are kept apart: in who has a message, in business keys, and in what is claimed. */
import { describe, expect, test } from 'vitest';
import type { Head } from '../model/instance.ts';
import { CRASHES_LONE } from '../model/limits.ts';
import type { Commit, NewMessage } from '../stores/store.ts';
import { type Bench, namesOf, type OpenBench } from './store-bench.ts';
import {
  fenceOf,
  finish,
  hearing,
  idOf,
  listening,
  next,
  type Parts,
  restore,
  start,
  token,
  tokenId,
} from './store-commits.ts';
import { firstFor, heard, NEWS, offered } from './store-hearing.ts';
import { letThrough } from './store-lane-commits.ts';

const ACME = { tenant: 'acme' } as const;
const OTHER = { tenant: 'other' } as const;
/** A message that is for one tenant alone. */
const OURS: NewMessage = { ...NEWS, ...ACME };
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const WOKEN = { tokens: [token(2)], unsubscribed: [tokenId(2)] };

export function tenantCases(open: OpenBench): void {
  describe('messages of a tenant', () => {
    waitingCases(open);
    hearingCases(open);
    keepingCases(open);
  });
  describe('business keys of a tenant', () => {
    keyCases(open);
  });
  describe('claims of a tenant', () => {
    claimCases(open);
  });
}

/** One of each tenant and one of none: `a` of acme, `b` of another, `c` of nobody. */
async function three(bench: Bench, rows: NonNullable<Parts['rows']>): Promise<void> {
  const of = (name: string, head: Partial<Head>): Commit => start(name, { head, rows });
  await bench.given(of('a', ACME), of('b', OTHER), of('c', {}));
}

function waitingCases(open: OpenBench): void {
  test.each<[string, NonNullable<Parts['rows']>]>([
    ['a type and key', listening(2, 'news', 'k')],
    ['a type', listening(2, 'news', '$any')],
    ['anything', listening(2, '$any', '$any')],
  ])('only who is of that tenant has what it waits for: %s', async (_what, rows) => {
    const bench = await open();
    await bench.store.publish(OURS);
    await three(bench, rows);
    expect(await offered(bench)).toEqual(['a.2']);
    expect([await firstFor(bench, 'a'), await firstFor(bench, 'b')]).toEqual(['m1', undefined]);
    await bench.store.publish({ ...NEWS, id: 'm2' });
    expect(await offered(bench, 'm2')).toEqual(['a.2', 'b.2', 'c.2']);
  });

  test('where nobody of the tenant waits, there is nothing to bring', async () => {
    const bench = await open();
    await bench.given(start('b', { head: OTHER, rows: listening(2, 'news', 'k') }));
    await bench.given(start('c', { rows: listening(2, '$any', '$any') }));
    await bench.store.publish(OURS);
    expect(await offered(bench)).toEqual([]);
    expect((await bench.outlook()).messages).toBe(false);
  });

  test('a message of one tenant does not stand before that of another', async () => {
    const bench = await open();
    await bench.store.publish({ ...OURS, id: 'm0' });
    await bench.store.publish({ ...NEWS, ...OTHER });
    await bench.given(start('b', { head: OTHER, rows: listening(2, 'news', 'k') }));
    expect(await firstFor(bench, 'b')).toBe('m1');
    expect(namesOf(await bench.store.deliverable(1))).toEqual(['b.2']);
  });

  test('one for an instance of another tenant is nobody’s', async () => {
    const bench = await open();
    await three(bench, listening(2, 'news', 'k'));
    await bench.store.publish({ ...OURS, key: '', instance: idOf('b') });
    expect(await offered(bench)).toEqual([]);
    await bench.store.publish({ ...OURS, id: 'm2', key: '', instance: idOf('a') });
    expect(await offered(bench, 'm2')).toEqual(['a.2']);
  });
}

function hearingCases(open: OpenBench): void {
  test.each<[string, Parameters<typeof hearing>[1]]>([
    ['a type', { type: 'news' }],
    ['a type and key', { type: 'news', key: 'k' }],
    ['anything', {}],
  ])('only who is of that tenant hears it: %s', async (_what, topic) => {
    const bench = await open();
    await three(bench, hearing(2, topic));
    await bench.store.publish(OURS);
    expect(await offered(bench)).toEqual(['a.2!']);
  });

  test.each<[string, Parameters<typeof hearing>[1]]>([
    ['a type', { type: 'news' }],
    ['anything', {}],
  ])('nor is it made up for where others began late: %s', async (_what, topic) => {
    const bench = await open();
    await bench.store.publish(OURS);
    await three(bench, hearing(2, topic));
    expect(await offered(bench)).toEqual(['a.2!']);
  });

  test('what others do not hear does not hold back what comes after it', async () => {
    const bench = await open();
    await three(bench, hearing(2, { type: 'news' }));
    await bench.store.publish(OURS);
    await bench.store.publish({ ...NEWS, id: 'm2' });
    expect(await offered(bench, 'm2')).toEqual(['b.2!', 'c.2!']);
    await bench.given({ ...heard('a', 1, 'm1'), touched: next('a', 1, { head: ACME }).touched });
    expect(await offered(bench, 'm2')).toEqual(['a.2!', 'b.2!', 'c.2!']);
  });

  test('one for an instance of another tenant is not heard', async () => {
    const bench = await open();
    await three(bench, hearing(2));
    await bench.store.publish({ ...OURS, key: '', instance: idOf('b') });
    expect(await offered(bench)).toEqual([]);
  });
}

function keepingCases(open: OpenBench): void {
  test('it is used up when all of its tenant have had it, whoever else waits', async () => {
    const bench = await open();
    await three(bench, listening(2, 'news', 'k'));
    await bench.given(start('d', { head: ACME, rows: listening(2, 'news', 'k') }));
    await bench.store.publish(OURS);
    await bench.given(next('a', 1, { message: 'm1', head: ACME, rows: WOKEN }));
    await bench.store.consume(['m1']);
    expect(await offered(bench)).toEqual(['d.2']);
    await bench.given(next('d', 1, { message: 'm1', head: ACME, rows: WOKEN }));
    await bench.store.consume(['m1']);
    // Kept, it would be offered to whoever waited at that time and has not had it.
    expect((await bench.store.health.backlog()).messages).toBe(0);
  });

  test('whose it is and what it is traced by come with it', async () => {
    const bench = await open();
    await bench.store.publish({ ...OURS, trace: TRACE });
    await bench.store.publish({ ...NEWS, id: 'm2' });
    const rows = listening(2, 'news', 'k');
    await bench.given(start('a', { head: ACME, rows }));
    const { ttlMs: _, ...message } = { ...OURS, trace: TRACE };
    const ref = { instance: idOf('a'), token: tokenId(2) };
    expect(await bench.store.deliverableTo([ref])).toEqual([{ ...ref, message }]);
    expect(await bench.store.deliverable(9, 'm1')).toEqual([{ ...ref, message }]);
    expect((await bench.store.deliverable(1))[0]).toEqual({ ...ref, message });
    const kept = await bench.store.pending({ limit: 9 });
    expect(kept.map((one) => one.message.tenant)).toEqual([undefined, 'acme']);
    expect(kept.map((one) => one.message.trace)).toEqual([undefined, TRACE]);
  });

  test('those that nobody had are told by their tenant', async () => {
    const bench = await open();
    await bench.store.publish(OURS);
    await bench.store.publish({ ...NEWS, ...OTHER, id: 'm2' });
    await bench.store.publish({ ...NEWS, id: 'm3' });
    const found = async (request: { tenant?: string }): Promise<string[]> =>
      (await bench.store.pending({ limit: 9, ...request })).map(({ message }) => message.id);
    expect(await found(ACME)).toEqual(['m1']);
    expect(await found({})).toEqual(['m3', 'm2', 'm1']);
    expect(await found({ tenant: 'nobody' })).toEqual([]);
  });
}

function keyCases(open: OpenBench): void {
  const keyed = (tenant: string | null): Parts => ({ head: { key: 'k', tenant } });

  test('tenants have the same key at the same time, each once', async () => {
    const bench = await open();
    await bench.given(start('a', keyed('acme')), start('b', keyed('other')));
    await bench.given(start('c', keyed(null)));
    const again = await bench.commit(start('d', keyed('acme')));
    expect(again).toEqual({ outcome: 'exists', instance: 'a' });
    const find = (tenant: string | null) => bench.store.findByKey('order', 'k', tenant);
    expect(await Promise.all(['acme', 'other', null, 'nobody'].map(find))).toEqual([
      ...['a', 'b', 'c', undefined],
    ]);
  });

  test('of several that start at once each tenant has one', async () => {
    const bench = await open();
    const tenants = ['acme', 'other', 'acme', 'other', 'acme'];
    const commits = tenants.map((tenant, n) => start(`i${n}`, keyed(tenant)));
    const outcomes = await bench.store.commit(commits);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      ...['committed', 'committed', 'exists', 'exists', 'exists'],
    ]);
  });

  test.each(['acme', 'x'.repeat(60), 'x'.repeat(61), '😀'.repeat(200)])(
    'the end of an instance frees the key of its tenant and of no other: %s',
    async (tenant) => {
      const bench = await open();
      await bench.given(start('a', keyed(tenant)), start('b', keyed('other')));
      await bench.given(finish('a', 1, keyed(tenant)));
      expect(await bench.store.findByKey('order', 'k', tenant)).toBeUndefined();
      expect(await bench.store.findByKey('order', 'k', 'other')).toBe('b');
      await bench.given(start('c', keyed(tenant)));
      expect(await bench.store.findByKey('order', 'k', tenant)).toBe('c');
    },
  );

  test('one that is restored has its key again, unless another of its tenant has it', async () => {
    const bench = await open();
    await bench.given(start('a', keyed('acme')), finish('a', 1, keyed('acme')));
    await bench.given(start('b', keyed('other')), restore('a', 2, keyed('acme')));
    expect(await bench.store.findByKey('order', 'k', 'acme')).toBe('a');
    await bench.given(finish('a', 3, keyed('acme')), start('c', keyed('acme')));
    const late = await bench.commit(restore('a', 4, keyed('acme')));
    expect(late).toEqual({ outcome: 'exists', instance: 'c' });
  });
}

/** What is ready of a tenant's is in the queue of the workers once it was let through. */
function claimCases(open: OpenBench): void {
  test('asked for a tenant, only its tokens are claimed, best first', async () => {
    const bench = await open();
    await three(bench, { tokens: [token(2), token(3)] });
    await bench.given(start('d', { head: ACME, rows: { tokens: [token(2, { priority: 9 })] } }));
    await letThrough(bench);
    expect(namesOf(await bench.claim({ tenant: 'nobody' }))).toEqual([]);
    const first = namesOf(await bench.claim({ ...ACME, limit: 2 }));
    expect(first[0]).toBe('d.2');
    const rest = namesOf(await bench.claim(ACME));
    expect([...first, ...rest].toSorted()).toEqual(['a.2', 'a.3', 'd.2']);
    expect(namesOf(await bench.claim(ACME))).toEqual([]);
    const others = namesOf(await bench.claim());
    expect(others.toSorted()).toEqual(['b.2', 'b.3', 'c.2', 'c.3']);
  });

  test('a claim of a tenant is a claim like any other', async () => {
    const bench = await open();
    await three(bench, {});
    await letThrough(bench);
    const [claim, ...more] = await bench.claim({ ...OTHER, worker: 'bob' });
    expect([claim?.instance, claim?.token, claim?.worker, more]).toEqual(['b', 2, 'bob', []]);
    const held = claim === undefined ? [] : [claim];
    expect(await bench.store.renew(held, 1_000)).toEqual([]);
    const fence = claim === undefined ? null : fenceOf(claim);
    const done = await bench.commit(next('b', 1, { head: OTHER, fence }));
    expect(done).toMatchObject({ outcome: 'committed' });
  });

  test('what others have is passed over, however much it is', async () => {
    const bench = await open();
    const names = Array.from({ length: 300 }, (_, n) => `b${n}`);
    await bench.store.commit(names.map((name) => start(name)));
    await bench.given(start('z', { head: ACME }));
    await letThrough(bench);
    expect(namesOf(await bench.claim({ ...ACME, limit: 1 }))).toEqual(['z.2']);
  });

  test('of the lone ones, too, only those of the tenant', async () => {
    const bench = await open();
    await three(bench, { tokens: [token(2, { crashes: CRASHES_LONE })] });
    const lone = { lone: true };
    expect(namesOf(await bench.claim({ ...lone, tenant: 'nobody' }))).toEqual([]);
    expect(namesOf(await bench.claim({ ...lone, ...OTHER }))).toEqual(['b.2']);
    expect(namesOf(await bench.claim({ ...lone, ...OTHER }))).toEqual([]);
    expect(namesOf(await bench.claim(OTHER))).toEqual([]);
    expect(namesOf(await bench.claim(lone))).toEqual(['a.2']);
  });

  test('what has no handler there is not claimed for its tenant either', async () => {
    const bench = await open();
    await bench.given(start('a', { head: ACME }));
    await letThrough(bench);
    expect(await bench.claim({ ...ACME, handlers: ['other'] })).toEqual([]);
    expect(await bench.claim({ ...ACME, handlers: [] })).toEqual([]);
    expect(namesOf(await bench.claim(ACME))).toEqual(['a.2']);
  });
}
