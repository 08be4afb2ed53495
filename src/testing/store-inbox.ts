/**
 * Who may have a message (D13): those who waited when it was first had, or the one instance it is
 * for, and nobody who is suspended. And what is kept because nobody had it.
 */
import { describe, expect, test } from 'vitest';
import type { NewMessage, PendingRequest, TokenRef } from '../stores/store.ts';
import { type Bench, namesOf, type OpenBench } from './store-bench.ts';
import { at, finish, idOf, listening, next, start, T0, token, tokenId } from './store-commits.ts';
import { isDeepFrozen } from './store-state.ts';

const PAID: NewMessage = { id: 'm1', type: 'paid', key: 'k', data: { sum: 5 }, ttlMs: 1_000 };
const FOR_A: NewMessage = { ...PAID, key: '', instance: idOf('a') };

const WOKEN = { tokens: [token(2)], unsubscribed: [tokenId(2)] };

export function inboxCases(open: OpenBench): void {
  describe('who begins to wait later', () => {
    laterCases(open);
  });
  describe('a message for one instance', () => {
    targetCases(open);
  });
  describe('an instance that is suspended', () => {
    suspendedCases(open);
  });
  describe('what certain tokens wait for', () => {
    askedCases(open);
  });
  describe('messages that nobody had', () => {
    pendingCases(open);
  });
}

/** Instances that wait for the message, each since a moment. */
async function wait(bench: Bench, since: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, ms] of Object.entries(since)) {
    await bench.given(
      start(name, { head: { updatedAt: at(ms) }, rows: listening(2, 'paid', 'k') }),
    );
  }
}

/** A waiter has it, at a moment, and no longer waits. */
async function have(bench: Bench, name: string, ms: number): Promise<void> {
  await bench.given(next(name, 1, { message: 'm1', head: { updatedAt: at(ms) }, rows: WOKEN }));
}

/** However it is asked for. */
async function expectOffered(bench: Bench, ...names: readonly string[]): Promise<void> {
  expect(namesOf(await bench.store.deliverable(9)).toSorted()).toEqual(names);
  expect(namesOf(await bench.store.deliverable(9, 'm1')).toSorted()).toEqual(names);
  expect(namesOf(await bench.store.deliverableTo(EVERYONE)).toSorted()).toEqual(names);
}

const EVERYONE: readonly TokenRef[] = ['a', 'b', 'c', 'd'].flatMap((name) =>
  [2, 3].map((id) => ({ instance: idOf(name), token: tokenId(id) })),
);

/** Somebody has had it, and then another begins to wait. */
async function hadBefore(bench: Bench): Promise<void> {
  await bench.store.publish(PAID);
  await wait(bench, { a: 10 });
  await have(bench, 'a', 20);
  await wait(bench, { b: 21 });
}

function laterCases(open: OpenBench): void {
  test('a crash before consume does not give it to a later waiter', async () => {
    const bench = await open();
    await hadBefore(bench);
    await expectOffered(bench);
  });

  test('all who waited when it was first had get it, however late', async () => {
    const bench = await open();
    await wait(bench, { a: 10, b: 15, c: 20, d: 21 });
    await bench.store.publish(PAID);
    await expectOffered(bench, 'a.2', 'b.2', 'c.2', 'd.2');
    await have(bench, 'a', 20);
    await expectOffered(bench, 'b.2', 'c.2');
    await have(bench, 'b', 900);
    await expectOffered(bench, 'c.2');
    await have(bench, 'c', 901);
    await expectOffered(bench);
  });

  test('whoever has it out of order, the earliest counts', async () => {
    const bench = await open();
    await bench.store.publish(PAID);
    await wait(bench, { a: 10, b: 10, c: 30 });
    await have(bench, 'a', 40);
    await expectOffered(bench, 'b.2', 'c.2');
    await have(bench, 'b', 20);
    await expectOffered(bench);
  });

  test('a token that begins later than another of its instance is not offered it', async () => {
    const bench = await open();
    await bench.store.publish(PAID);
    await wait(bench, { a: 10, b: 10 });
    await have(bench, 'a', 20);
    const later = { head: { updatedAt: at(30) }, rows: listening(3, 'paid', 'k') };
    await bench.given(next('b', 1, later));
    await expectOffered(bench, 'b.2');
    await bench.given(next('b', 2, { head: { updatedAt: at(31) }, rows: WOKEN }));
    await expectOffered(bench);
  });

  test('a token that waits for the same again has begun anew', async () => {
    const bench = await open();
    await bench.store.publish(PAID);
    await wait(bench, { a: 10, b: 10 });
    await have(bench, 'a', 20);
    const again = { ...listening(2, 'paid', 'k'), unsubscribed: [tokenId(2)] };
    await bench.given(next('b', 1, { head: { updatedAt: at(30) }, rows: again }));
    await expectOffered(bench);
  });

  test('what was had hides nothing that comes after it', async () => {
    const bench = await open();
    await hadBefore(bench);
    await bench.store.publish({ ...PAID, id: 'm2' });
    const found = await bench.store.deliverable(1);
    expect(found).toMatchObject([{ instance: 'b', message: { id: 'm2' } }]);
  });
}

function askedCases(open: OpenBench): void {
  test('is the oldest that each instance may have, and nobody else is told of', async () => {
    const bench = await open();
    await wait(bench, { a: 10, b: 10, c: 10 });
    await bench.store.publish({ ...PAID, id: 'm0', ttlMs: 5 });
    await bench.store.publish(PAID);
    await bench.store.publish({ ...FOR_A, id: 'm2' });
    bench.setTime(20);
    const asked = EVERYONE.slice(0, 4);
    const found = await bench.store.deliverableTo(asked);
    expect(found.toSorted((x, y) => (x.instance < y.instance ? -1 : 1))).toMatchObject([
      { instance: 'a', token: 2, message: { id: 'm1' } },
      { instance: 'b', token: 2, message: { id: 'm1' } },
    ]);
    await have(bench, 'a', 20);
    expect(namesOf(await bench.store.deliverableTo(asked))).toEqual(['b.2']);
    expect(await bench.store.deliverableTo([])).toEqual([]);
  });

  test('is not used up while somebody who waits may still have it', async () => {
    const bench = await open();
    await wait(bench, { a: 10, b: 10 });
    await bench.store.publish(PAID);
    expect(await bench.store.consume(['m1', 'none'])).toEqual([]);
    await have(bench, 'a', 20);
    expect(await bench.store.consume(['m1', 'none'])).toEqual(['m1']);
    await expectOffered(bench, 'b.2');
    await have(bench, 'b', 21);
    expect(await bench.store.consume(['m1'])).toEqual(['m1']);
    expect(await bench.store.consume(['m1'])).toEqual(['m1']);
    expect(await bench.store.consume([])).toEqual([]);
  });

  test('is known by its id: kept, run out or used up, and no other is', async () => {
    const bench = await open();
    expect(await bench.store.knows('m1')).toBe(false);
    await wait(bench, { a: 10 });
    await bench.store.publish(PAID);
    expect([await bench.store.knows('m1'), await bench.store.knows('m')]).toEqual([true, false]);
    await have(bench, 'a', 20);
    await bench.store.consume(['m1']);
    expect(await bench.store.knows('m1')).toBe(true);
    bench.setTime(10 ** 12);
    expect(await bench.store.knows('m1')).toBe(true);
  });
}

function targetCases(open: OpenBench): void {
  test('finds a wait of it for the type, whatever the key, and nobody else', async () => {
    const bench = await open();
    await bench.given(
      start('a', { rows: listening(2, 'paid', 'k') }),
      start('b', { rows: listening(2, 'paid', 'k') }),
      start('c', { rows: listening(2, 'paid', '') }),
    );
    expect(await bench.store.publish(FOR_A)).toBe(true);
    await expectOffered(bench, 'a.2');
    const [delivery] = await bench.store.deliverable(9);
    const message = { id: 'm1', type: 'paid', key: '', instance: 'a', data: { sum: 5 } };
    expect(delivery?.message).toEqual(message);
    expect(isDeepFrozen(delivery?.message)).toBe(true);
  });

  test('is not for a wait for another type', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'sent', 'k') }));
    await bench.store.publish(FOR_A);
    await expectOffered(bench);
  });

  test('is kept until it waits, and not longer than its time', async () => {
    const bench = await open();
    await bench.given(start('a'), start('b', { rows: listening(2, 'paid', 'k') }));
    await bench.store.publish(FOR_A);
    await expectOffered(bench);
    await bench.given(next('a', 1, { rows: listening(3, 'paid', 'l') }));
    bench.setTime(1_000);
    await expectOffered(bench, 'a.3');
    bench.setTime(1_001);
    await expectOffered(bench);
  });

  test('is had once, by the first of its tokens', async () => {
    const bench = await open();
    const [two, five] = [listening(2, 'paid', 'z'), listening(5, 'paid', 'a')];
    const tokens = [...(five.tokens ?? []), ...(two.tokens ?? [])];
    const subscribed = [...(five.subscribed ?? []), ...(two.subscribed ?? [])];
    await bench.given(start('a', { rows: { tokens, subscribed } }));
    await bench.store.publish(FOR_A);
    await expectOffered(bench, 'a.2');
    await have(bench, 'a', 20);
    await expectOffered(bench);
    expect(await bench.store.consume(['m1'])).toEqual(['m1']);
    expect(await bench.store.publish(FOR_A)).toBe(false);
  });

  test('finds nobody once the instance is over', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'paid', 'k') }));
    await bench.store.publish(FOR_A);
    await bench.given(finish('a', 1, { rows: { unsubscribed: [tokenId(2)] } }));
    await expectOffered(bench);
  });
}

function suspendedCases(open: OpenBench): void {
  const suspended = (ms: number) =>
    ({ head: { status: 'suspended', updatedAt: at(ms) }, rows: { pausing: true } }) as const;
  const running = (ms: number) =>
    ({ head: { status: 'running', updatedAt: at(ms) }, rows: { pausing: true } }) as const;

  test.each([PAID, FOR_A])('is offered nothing until it goes on: for "$key"', async (message) => {
    const bench = await open();
    await wait(bench, { a: 10 });
    await bench.given(next('a', 1, suspended(20)));
    await bench.store.publish(message);
    await expectOffered(bench);
    await bench.given(next('a', 2, running(30)));
    await expectOffered(bench, 'a.2');
  });

  test('does not keep others from it, and gets it although they had it before', async () => {
    const bench = await open();
    await wait(bench, { a: 10, b: 10 });
    await bench.given(next('b', 1, suspended(20)));
    await bench.store.publish(PAID);
    await expectOffered(bench, 'a.2');
    await have(bench, 'a', 30);
    expect(await bench.store.consume(['m1'])).toEqual(['m1']);
    await expectOffered(bench);
    await bench.given(next('b', 2, running(40)));
    await expectOffered(bench, 'b.2');
    const had = { ...running(50), message: 'm1', rows: WOKEN };
    await bench.given(next('b', 3, had));
    expect(await bench.store.consume(['m1'])).toEqual(['m1']);
    await expectOffered(bench);
  });
}

function pendingCases(open: OpenBench): void {
  async function listed(bench: Bench, request: Partial<PendingRequest> = {}): Promise<string[]> {
    const found = await bench.store.pending({ limit: 9, ...request });
    return found.map(({ message }) => message.id);
  }

  test('are listed as they are, newest first', async () => {
    const bench = await open();
    await bench.store.publish(PAID);
    bench.setTime(7);
    await bench.store.publish({ ...FOR_A, id: 'm2', ttlMs: 50 });
    const found = await bench.store.pending({ limit: 9 });
    const { ttlMs: _, ...first } = PAID;
    const { ttlMs: __, ...second } = { ...FOR_A, id: 'm2' };
    expect(found.map(({ n: ___, ...rest }) => rest)).toEqual([
      { message: second, publishedAt: T0 + 7, expiresAt: T0 + 57 },
      { message: first, publishedAt: T0, expiresAt: T0 + 1_000 },
    ]);
    expect(isDeepFrozen(found[0])).toBe(true);
  });

  test('are those that are kept, up to the end of their time', async () => {
    const bench = await open();
    await bench.store.publish(PAID);
    bench.setTime(1_000);
    expect(await listed(bench)).toEqual(['m1']);
    bench.setTime(1_001);
    expect(await listed(bench)).toEqual([]);
  });

  test('are not listed any more once somebody had them, used up or not', async () => {
    const bench = await open();
    await wait(bench, { a: 10 });
    await bench.store.publish(PAID);
    expect(await listed(bench)).toEqual(['m1']);
    await have(bench, 'a', 20);
    expect(await listed(bench)).toEqual([]);
    await bench.store.consume(['m1']);
    expect(await listed(bench)).toEqual([]);
  });

  test('can be asked for by type, key and instance, and page by page', async () => {
    const bench = await open();
    await bench.store.publish(PAID);
    await bench.store.publish({ ...PAID, id: 'm2', key: 'l' });
    await bench.store.publish({ ...PAID, id: 'm3', type: 'sent' });
    await bench.store.publish({ ...FOR_A, id: 'm4' });
    await bench.store.publish({ ...FOR_A, id: 'm5', instance: idOf('b') });
    expect(await listed(bench)).toEqual(['m5', 'm4', 'm3', 'm2', 'm1']);
    expect(await listed(bench, { type: 'paid' })).toEqual(['m5', 'm4', 'm2', 'm1']);
    expect(await listed(bench, { key: 'k' })).toEqual(['m3', 'm1']);
    expect(await listed(bench, { type: 'paid', key: 'k' })).toEqual(['m1']);
    expect(await listed(bench, { instance: idOf('a') })).toEqual(['m4']);
    expect(await listed(bench, { type: 'sent', instance: idOf('a') })).toEqual([]);

    const [first, second] = await bench.store.pending({ limit: 2 });
    expect([first?.message.id, second?.message.id]).toEqual(['m5', 'm4']);
    expect(await listed(bench, { limit: 2, before: second?.n ?? 0 })).toEqual(['m3', 'm2']);
  });
}
