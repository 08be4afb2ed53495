/** Messages for one instance (L-50), and the list of those that nobody had, on every store. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Act } from '../model/change.ts';
import { onEveryStore } from '../testing/lab.ts';
import type { InboxFilter } from './inbox.ts';
import type { Run } from './run.ts';
import { PAGE_MAX } from './options.ts';

const asks = flow('asks')
  .waitFor('word', { event: 'word', key: 'anything' })
  .end(({ results }) => results.word);

const sleeps = flow('sleeps')
  .sleep('nap', '1h')
  .waitFor('word', { event: 'word', key: 'anything' })
  .end(({ results }) => results.word);

const two = flow('two')
  .parallel('both', {
    left: (b) => b.waitFor('left', { event: 'word', key: 'l' }),
    right: (b) => b.waitFor('right', { event: 'word', key: 'r' }),
  })
  .end();

async function actsOf(run: Run): Promise<readonly Act[]> {
  const changes = (await run.history()).flatMap((entry) => entry.changes);
  return changes.flatMap((change) =>
    change.did === 'act' && change.act.verb === 'send' ? [change.act] : [],
  );
}

onEveryStore('L-50: a message sent to an instance', (open) => {
  test('wakes a wait of it for the type, whatever its key, and no other instance', async () => {
    const lab = await open([asks]);
    const [one, other] = [await lab.engine.start(asks, null), await lab.engine.start(asks, null)];
    await lab.settle();
    const sent = await one.send('word', { n: 1 });
    expect(sent).toEqual({ outcome: 'woken', id: expect.any(String), instances: [one.id] });
    expect(await one.result()).toEqual({ n: 1 });
    await lab.advance('1h');
    expect(await other.status()).toBe('waiting');
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('is kept if the instance does not wait for it yet, and had once it does', async () => {
    const lab = await open([sleeps, asks]);
    const run = await lab.engine.start(sleeps, null);
    const other = await lab.engine.start(asks, null);
    await lab.settle();
    expect(await run.send('word', 'early', { id: 'm' })).toEqual({
      outcome: 'buffered',
      id: 'm',
      instances: [],
    });
    expect(await other.status()).toBe('waiting');
    await lab.advance('1h');
    expect(await run.result()).toBe('early');
    expect(await other.status()).toBe('waiting');
  });

  test('is kept for its ttl and not for longer', async () => {
    const lab = await open([sleeps]);
    const run = await lab.engine.start(sleeps, null);
    await run.send('word', 'too early', { ttl: '59m' });
    await lab.advance('2h');
    expect(await run.status()).toBe('waiting');
    await run.send('word');
    expect(await run.result()).toBeNull();
  });

  test('wakes one of its waits, the one that has waited longest', async () => {
    const lab = await open([two]);
    const run = await lab.engine.start(two, null);
    await lab.settle();
    await run.send('word', 1);
    await run.send('word', 2);
    expect(await run.result()).toEqual({ left: 1, right: 2 });
  });

  test('of another type changes nothing', async () => {
    const lab = await open([asks]);
    const run = await lab.engine.start(asks, null);
    await lab.settle();
    expect((await run.send('wrod', 1)).outcome).toBe('buffered');
    expect(await run.status()).toBe('waiting');
  });

  test('is known by its id: the same again is a duplicate, also when it is over', async () => {
    const lab = await open([sleeps]);
    const run = await lab.engine.start(sleeps, null);
    expect((await run.send('word', 1, { id: 'm' })).outcome).toBe('buffered');
    expect((await run.send('word', 2, { id: 'm' })).outcome).toBe('duplicate');
    await lab.advance('1h');
    expect(await run.result()).toBe(1);
    expect(await run.send('word', 1, { id: 'm' })).toEqual({
      outcome: 'duplicate',
      id: 'm',
      instances: [],
    });
  });

  test('stood in the history only if an actor was named, and a reason alone was lost', async () => {
    const lab = await open([asks]);
    const run = await lab.engine.start(asks, null);
    await lab.settle();
    await run.send('other');
    await run.send('other', 1, { reason: 'on the phone' });
    await run.act({ do: 'send', type: 'other' }, { actor: 'ada' });
    await lab.engine.bulk({ flow: 'asks' }, { do: 'send', type: 'word' }, { reason: 'at once' });
    expect(await actsOf(run)).toEqual([
      { verb: 'send', by: null },
      { verb: 'send', by: null, why: 'on the phone' },
      { verb: 'send', by: 'ada' },
      { verb: 'send', by: null, why: 'at once', bulk: expect.any(String) },
    ]);
    expect(await run.status()).toBe('completed');
    const odd = [{ reason: 7 }, { reason: 'x'.repeat(2_001) }, { actor: '' }] as object[];
    const other = await lab.engine.start(asks, null);
    for (const acting of odd) {
      const sent = other.send('word', 1, acting);
      await expect(sent).rejects.toMatchObject({ code: 'engine.option-invalid' });
    }
    expect(await actsOf(other)).toEqual([]);
    expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
  });

  test('a second time was in the history as if it had been sent twice', async () => {
    const lab = await open([asks]);
    const run = await lab.engine.start(asks, null);
    await lab.settle();
    const send = { do: 'send', type: 'other', id: 'm' } as const;
    await run.send('other', 1, { id: 'm', actor: 'ada' });
    expect((await run.send('other', 1, { id: 'm', actor: 'bob' })).outcome).toBe('duplicate');
    await run.act(send, { actor: 'eve' });
    for (const dryRun of [true, false, true]) {
      const many = { flow: 'asks' };
      await lab.engine.bulk(many, { do: 'send', type: 'more', id: 'b' }, { dryRun });
    }
    expect(await actsOf(run)).toEqual([
      { verb: 'send', by: 'ada' },
      { verb: 'send', by: null, bulk: expect.any(String) },
    ]);
  });

  test('was previewed as delivered where it is a duplicate, or where its id is none', async () => {
    const lab = await open([sleeps, asks]);
    const run = await lab.engine.start(asks, null);
    const other = await lab.engine.start(sleeps, null);
    await lab.settle();
    const word = { do: 'send', type: 'word', data: 1 } as const;
    const shown = await run.preview({ ...word, id: 'm' });
    expect(shown.after.status).toBe('completed');
    expect((await other.preview({ ...word, id: 'm' })).changes).toEqual([]);
    await other.send('word', 1, { id: 'm' });
    for (const one of [run, other]) {
      const same = await one.preview({ ...word, id: 'm' });
      expect([same.changes, same.after.status]).toEqual([[], 'waiting']);
    }
    for (const id of ['', 7, 'x'.repeat(501)]) {
      const odd = { ...word, id } as typeof word;
      await expect(run.preview(odd)).rejects.toMatchObject({ code: 'message.invalid' });
      await expect(run.act(odd)).rejects.toMatchObject({ code: 'message.invalid' });
    }
    // It is kept for one that is suspended, and had once that goes on.
    await run.suspend();
    expect((await run.preview(word)).changes).toEqual([]);
    const again = { flow: 'asks' };
    const first = await lab.engine.bulk(again, { ...word, id: 'b' }, { dryRun: true });
    await lab.engine.bulk(again, { ...word, id: 'b' });
    const second = await lab.engine.bulk(again, { ...word, id: 'b' }, { dryRun: true });
    expect([first.done, second.done, second.unchanged]).toEqual([1, 0, 1]);
    await run.resume();
    expect(await run.result()).toBe(1);
    // The answer to it may have been lost: the same once more is no mistake.
    expect((await run.preview({ ...word, id: 'm' })).changes).toEqual([]);
    await expect(run.preview({ ...word, id: 'n' })).rejects.toMatchObject({
      code: 'instance.over',
    });
  });

  test('is refused if the instance is gone from the store', async () => {
    const lab = await open([asks], {
      around: async (verb, call) => (verb === 'load' ? [undefined] : call()),
    });
    const run = await lab.engine.start(asks, null);
    const gone = { code: 'instance.not-found', details: { instance: run.id } };
    await expect(run.send('word', 1)).rejects.toMatchObject(gone);
    expect((await lab.engine.inbox.list()).messages).toEqual([]);
  });

  test('is refused if the instance is over, and nothing is kept', async () => {
    const lab = await open([asks]);
    const run = await lab.engine.start(asks, null);
    await run.cancel();
    const over = { code: 'instance.over', details: { instance: run.id } };
    await expect(run.send('word', 1)).rejects.toMatchObject(over);
    await expect(run.send('word', 1, { id: 'm' })).rejects.toMatchObject(over);
    expect((await lab.engine.inbox.list()).messages).toEqual([]);
  });

  test.each<[string, unknown, unknown, object]>([
    ['no type', '', 1, {}],
    ['data that is no JSON', 'word', 1n, {}],
    ['an empty id', 'word', 1, { id: '' }],
    ['a ttl that is none', 'word', 1, { ttl: 'for ever' }],
  ])('is refused for what it is: %s', async (_, type, data, options) => {
    const lab = await open([asks]);
    const run = await lab.engine.start(asks, null);
    const sent = run.send(type as string, data, options);
    await expect(sent).rejects.toMatchObject({ code: 'message.invalid' });
    expect(await run.status()).toBe('waiting');
  });
});

onEveryStore('the inbox', (open) => {
  test('lists what is kept and nobody had, newest first, with all that is known', async () => {
    const lab = await open([asks, sleeps]);
    const publishedAt = lab.now;
    await lab.engine.publish({ type: 'other', key: 'k', data: { n: 1 }, id: 'm1', ttl: '1h' });
    const run = await lab.engine.start(sleeps, null);
    await run.send('word', 2, { id: 'm2', ttl: 5 });
    expect(await lab.engine.inbox.list()).toEqual({
      messages: [
        {
          ...{ id: 'm2', type: 'word', key: null, instance: run.id, tenant: null, data: 2 },
          ...{ publishedAt, expiresAt: publishedAt + 5 },
        },
        {
          ...{ id: 'm1', type: 'other', key: 'k', instance: null, tenant: null, data: { n: 1 } },
          ...{ publishedAt, expiresAt: publishedAt + 3_600_000 },
        },
      ],
      cursor: null,
    });
  });

  test('is asked by type, key and instance', async () => {
    const lab = await open([asks, sleeps]);
    const run = await lab.engine.start(sleeps, null);
    await run.send('word', 1, { id: 'sent' });
    await lab.engine.publish({ type: 'word', key: 'k', id: 'word k' });
    await lab.engine.publish({ type: 'sign', key: 'k', id: 'sign k' });
    const ids = async (filter: InboxFilter): Promise<string[]> =>
      (await lab.engine.inbox.list(filter)).messages.map(({ id }) => id);
    expect(await ids({ type: 'word' })).toEqual(['word k', 'sent']);
    expect(await ids({ key: 'k' })).toEqual(['sign k', 'word k']);
    expect(await ids({ type: 'sign', key: 'k' })).toEqual(['sign k']);
    expect(await ids({ instance: run.id })).toEqual(['sent']);
    expect(await ids({ instance: 'nobody' })).toEqual([]);
  });

  test('comes page by page, a hundred at once unless asked otherwise', async () => {
    const lab = await open([asks]);
    const ids = Array.from({ length: 101 }, (_, n) => `m${n}`);
    for (const id of ids) await lab.engine.publish({ type: 'word', key: 'k', id });
    const first = await lab.engine.inbox.list();
    expect(first.messages).toHaveLength(100);
    const rest = await lab.engine.inbox.list({ cursor: first.cursor ?? '' });
    expect(rest).toMatchObject({ messages: [{ id: 'm0' }], cursor: null });

    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const after = cursor === undefined ? {} : { cursor };
      const page = await lab.engine.inbox.list({ limit: 50, ...after });
      seen.push(...page.messages.map(({ id }) => id));
      cursor = page.cursor;
    }
    expect(seen).toEqual(ids.toReversed());
  });

  test.each<[string, object]>([
    ['no limit at all', { limit: 0 }],
    [`more than PAGE_MAX ${PAGE_MAX}`, { limit: PAGE_MAX + 1 }],
    ['half a message', { limit: 1.5 }],
    ['a cursor of nobody', { cursor: 'next' }],
  ])('refuses %s', async (_, filter) => {
    const lab = await open([asks]);
    const listed = lab.engine.inbox.list(filter);
    await expect(listed).rejects.toMatchObject({ code: 'engine.option-invalid' });
    expect(await lab.engine.inbox.list({ limit: PAGE_MAX })).toMatchObject({ messages: [] });
  });
});
