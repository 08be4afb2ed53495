/** Messages (D13): kept until someone waits or their time is over, once for each instance. */
import { describe, expect, test } from 'vitest';
import type { NewMessage } from '../stores/store.ts';
import { namesOf, type OpenBench } from './store-bench.ts';
import { listening, next, start, token, tokenId } from './store-commits.ts';
import { isDeepFrozen } from './store-state.ts';

const PAID: NewMessage = { id: 'm1', type: 'paid', key: 'k1', data: { sum: 5 }, ttlMs: 1_000 };

/** What it takes to deliver: the token goes on, and no longer listens. */
const WOKEN = { tokens: [token(2)], unsubscribed: [tokenId(2)] };

export function messageCases(open: OpenBench): void {
  describe('publishing', () => {
    publishCases(open);
  });
  describe('delivering', () => {
    deliverCases(open);
  });
  describe('using up', () => {
    consumeCases(open);
  });
  describe('waiting for the first of several', () => {
    firstCases(open);
  });
}

function publishCases(open: OpenBench): void {
  test('that one has found who waits for it is told to those who ask', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'paid', 'k1') }));
    expect((await bench.outlook()).messages).toBe(false);
    await bench.store.publish(PAID);
    expect((await bench.outlook({ messages: false })).messages).toBe(false);
    expect((await bench.outlook()).messages).toBe(true);
    bench.setTime(5_000);
    expect((await bench.outlook()).messages).toBe(false);
  });

  test('a message is known by its id, and the first one is kept', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'paid', 'k1') }));
    expect(await bench.store.publish(PAID)).toBe(true);
    expect(await bench.store.publish({ ...PAID, data: 'other' })).toBe(false);
    const [delivery] = await bench.store.deliverable(9);
    expect(delivery?.message).toEqual({ id: 'm1', type: 'paid', key: 'k1', data: { sum: 5 } });
  });

  test('an id stays known when the message is over or used up', async () => {
    const bench = await open();
    await bench.given(start('a', { message: 'm1' }));
    await bench.store.publish(PAID);
    await bench.store.consume(['m1']);
    expect(await bench.store.publish(PAID)).toBe(false);
    bench.setTime(5_000);
    expect(await bench.store.publish(PAID)).toBe(false);
  });

  test('of many that publish one id at the same time one is first', async () => {
    const { store } = await open();
    const answers = await Promise.all(Array.from({ length: 50 }, () => store.publish(PAID)));
    expect(answers.filter(Boolean)).toHaveLength(1);
  });

  test('the data of a message is a frozen copy', async () => {
    const bench = await open();
    const data = { list: [1] };
    await bench.store.publish({ ...PAID, data });
    data.list.push(2);
    await bench.given(start('a', { rows: listening(2, 'paid', 'k1') }));
    const [delivery] = await bench.store.deliverable(9);
    expect(delivery?.message.data).toEqual({ list: [1] });
    expect(isDeepFrozen(delivery?.message)).toBe(true);
  });
}

function deliverCases(open: OpenBench): void {
  test('a message finds those who wait for its type and key, and nobody else', async () => {
    const bench = await open();
    await bench.given(
      start('a', { rows: listening(2, 'paid', 'k1') }),
      start('b', { rows: listening(2, 'paid', 'k2') }),
      start('c', { rows: listening(2, 'sent', 'k1') }),
      start('d', { rows: listening(2, 'paidk', '1') }),
      start('e', { rows: listening(7, 'paid', 'k1') }),
    );
    await bench.store.publish(PAID);
    expect(namesOf(await bench.store.deliverable(9))).toEqual(['a.2', 'e.7']);
  });

  test('a message that comes early is kept for who waits later', async () => {
    const bench = await open();
    await bench.store.publish(PAID);
    expect(await bench.store.deliverable(9)).toEqual([]);
    await bench.given(start('a', { rows: listening(2, 'paid', 'k1') }));
    expect(namesOf(await bench.store.deliverable(9))).toEqual(['a.2']);
  });

  test('a message is kept up to the end of its time, and not longer', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'paid', 'k1') }));
    await bench.store.publish(PAID);
    bench.setTime(1_000);
    expect(await bench.store.deliverable(9)).toHaveLength(1);
    expect(await bench.store.deliverable(9, 'm1')).toHaveLength(1);
    bench.setTime(1_001);
    expect(await bench.store.deliverable(9)).toEqual([]);
    expect(await bench.store.deliverable(9, 'm1')).toEqual([]);
  });

  test('the one that is named is found alone', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'paid', 'k1') }));
    await bench.store.publish(PAID);
    await bench.store.publish({ ...PAID, id: 'm2' });
    const found = await bench.store.deliverable(9, 'm2');
    expect(found.map(({ message }) => message.id)).toEqual(['m2']);
    expect(await bench.store.deliverable(9, 'm3')).toEqual([]);
  });

  test('messages come in the order in which they were published', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'paid', 'k1') }));
    for (const id of ['m2', 'm1', 'm3']) {
      await bench.store.publish({ ...PAID, id, ttlMs: id === 'm2' ? 9_000 : 500 });
    }
    const found = await bench.store.deliverable(9);
    expect(found.map(({ message }) => message.id)).toEqual(['m2', 'm1', 'm3']);
  });

  test('an instance that had a message is not offered it again', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'paid', 'k1') }));
    await bench.store.publish(PAID);
    await bench.given(next('a', 1, { message: 'm1', rows: WOKEN }));
    expect(await bench.store.deliverable(9)).toEqual([]);
    await bench.given(next('a', 2, { rows: listening(3, 'paid', 'k1') }));
    expect(await bench.store.deliverable(9)).toEqual([]);
    await bench.store.publish({ ...PAID, id: 'm2' });
    expect(namesOf(await bench.store.deliverable(9))).toEqual(['a.3']);
  });

  test('what was delivered to all who wait does not hide what comes after it', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'paid', 'k1') }));
    for (const id of ['m1', 'm2', 'm3']) await bench.store.publish({ ...PAID, id });
    await bench.given(next('a', 1, { message: 'm1' }), next('a', 2, { message: 'm2' }));
    const found = await bench.store.deliverable(1);
    expect(found.map(({ message }) => message.id)).toEqual(['m3']);
  });

  test('of an instance with several that wait, the first is offered it', async () => {
    const bench = await open();
    const [two, five] = [listening(2, 'paid', 'k1'), listening(5, 'paid', 'k1')];
    const tokens = [...(five.tokens ?? []), ...(two.tokens ?? [])];
    const subscribed = [...(five.subscribed ?? []), ...(two.subscribed ?? [])];
    await bench.given(start('a', { rows: { tokens, subscribed } }));
    await bench.store.publish(PAID);
    expect(namesOf(await bench.store.deliverable(9))).toEqual(['a.2']);
  });

  test('no more than the limit is found, and the rest after those are delivered', async () => {
    const bench = await open();
    for (const name of ['a', 'b', 'c']) {
      await bench.given(start(name, { rows: listening(2, 'paid', 'k1') }));
    }
    await bench.store.publish(PAID);
    expect(namesOf(await bench.store.deliverable(2))).toEqual(['a.2', 'b.2']);
    expect(namesOf(await bench.store.deliverable(2, 'm1'))).toEqual(['a.2', 'b.2']);
    for (const name of ['a', 'b']) {
      await bench.given(next(name, 1, { message: 'm1', rows: WOKEN }));
    }
    expect(namesOf(await bench.store.deliverable(2))).toEqual(['c.2']);
  });

  test('who no longer waits is not found', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'paid', 'k1') }));
    await bench.given(next('a', 1, { rows: WOKEN }));
    await bench.store.publish(PAID);
    expect(await bench.store.deliverable(9)).toEqual([]);
  });

  test('who waits for something else in the same commit is found by that', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'paid', 'k1') }));
    const moved = { ...listening(2, 'sent', 'k1'), unsubscribed: [tokenId(2)] };
    await bench.given(next('a', 1, { rows: moved }));
    await bench.store.publish(PAID);
    await bench.store.publish({ ...PAID, id: 'm2', type: 'sent' });
    const found = await bench.store.deliverable(9);
    expect(found.map(({ message }) => message.id)).toEqual(['m2']);
  });
}

function consumeCases(open: OpenBench): void {
  test('a message that nobody had is not used up', async () => {
    const bench = await open();
    await bench.store.publish(PAID);
    expect(await bench.store.consume(['m1'])).toEqual([]);
    expect(await bench.store.consume(['unknown'])).toEqual([]);
    await bench.given(start('a', { rows: listening(2, 'paid', 'k1') }));
    expect(await bench.store.deliverable(9)).toHaveLength(1);
  });

  test('a message that somebody had is used up, for everybody', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'paid', 'k1') }));
    await bench.store.publish(PAID);
    await bench.given(next('a', 1, { message: 'm1', rows: WOKEN }));
    expect(await bench.store.consume(['m1'])).toEqual(['m1']);
    await bench.given(start('b', { rows: listening(2, 'paid', 'k1') }));
    expect(await bench.store.deliverable(9)).toEqual([]);
    expect(await bench.store.deliverable(9, 'm1')).toEqual([]);
    expect(await bench.store.consume(['m1'])).toEqual(['m1']);
  });
}

function firstCases(open: OpenBench): void {
  const arms = [
    { arm: 'paid', type: 'paid', key: 'k1' },
    { arm: 'void', type: 'void', key: 'k2' },
  ];
  const wait = { on: 'first', any: arms } as const;
  const waiting = token(2, { status: 'waiting', handler: null, wait });
  const both = arms.map(({ type, key }) => ({ token: tokenId(2), type, key }));
  const rows = { tokens: [waiting], subscribed: both };
  const voided: NewMessage = { ...PAID, id: 'm2', type: 'void', key: 'k2' };

  test('what a token waits for first comes back as it was', async () => {
    const bench = await open();
    await bench.given(start('a', { rows }));
    expect((await bench.load('a')).tokens).toEqual([waiting]);
  });

  test.each([PAID, voided])('a message for either finds the token: $type', async (message) => {
    const bench = await open();
    await bench.given(start('a', { rows }));
    await bench.store.publish({ ...message, id: 'm0', key: 'other' });
    await bench.store.publish(message);
    const found = await bench.store.deliverable(9);
    expect(namesOf(found)).toEqual(['a.2']);
    expect(found[0]?.message.id).toBe(message.id);
    expect(namesOf(await bench.store.deliverable(9, message.id))).toEqual(['a.2']);
  });

  test('a message that answers both arms of a token is offered once', async () => {
    const bench = await open();
    const same = [...both, { token: tokenId(2), type: 'paid', key: 'k1' }];
    const others = [3, 4].map((id) => ({ token: tokenId(id), type: 'paid', key: 'k1' }));
    const tokens = [waiting, ...others.map((other) => ({ ...waiting, id: other.token }))];
    await bench.given(start('a', { rows: { tokens, subscribed: [...same, ...others] } }));
    await bench.store.publish(PAID);
    expect(namesOf(await bench.store.deliverable(9))).toEqual(['a.2']);
    await bench.given(next('a', 1, { rows: { unsubscribed: [tokenId(2)] } }));
    expect(namesOf(await bench.store.deliverable(9))).toEqual(['a.3']);
  });

  test('who has one of the messages no longer waits for any', async () => {
    const bench = await open();
    await bench.given(start('a', { rows }));
    await bench.store.publish(PAID);
    await bench.store.publish(voided);
    expect(await bench.store.deliverable(9)).toHaveLength(2);
    await bench.given(next('a', 1, { message: 'm1', rows: WOKEN }));
    expect(await bench.store.deliverable(9)).toEqual([]);
    await bench.store.publish({ ...PAID, id: 'm3' });
    await bench.store.publish({ ...voided, id: 'm4' });
    expect(await bench.store.deliverable(9)).toEqual([]);
  });
}
