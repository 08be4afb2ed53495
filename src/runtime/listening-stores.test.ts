/** What one instance says and others hear, and what it starts and leaves alone, on every store. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { CLOUD_EVENT } from '../model/cloud-event.ts';
import { type Ear, forgetEars, knowEars, listener, speaker } from '../testing/ears.ts';
import { onEveryStore } from '../testing/lab.ts';

beforeAll(knowEars);
afterAll(forgetEars);

const CRASHING = { chaos: { crashAfterEveryCommit: true } };

function event(id: string, type = 'news') {
  const envelope = { specversion: '1.0', id, source: '/flow', type, data: id };
  return { emit: { type, key: null, data: { [CLOUD_EVENT]: envelope } } };
}

onEveryStore('events', (open) => {
  test.each<[string, Partial<Ear>]>([
    ['one token', {}],
    ['one after the other', { hop: true }],
  ])(
    'of a flow are heard once, in order, with a crash after every commit: by %s',
    async (_, more) => {
      const said = ['e1', 'e2', 'e3', 'e4', 'e5'];
      const ears = listener('ears', {
        news: { type: 'news', count: 5, ...more },
        all: { count: 5, ...more },
      });
      const mouth = speaker('mouth', [event('e1'), ...said.map((id) => event(id))]);
      const lab = await open([ears, mouth], CRASHING);
      const runs = [await lab.engine.start(ears, null), await lab.engine.start(ears, null)];
      await lab.settle();
      await lab.engine.start(mouth, null);
      await lab.advance('2m');
      for (const run of runs) expect(await run.result()).toEqual({ news: said, all: said });
      expect(await lab.engine.check()).toMatchObject({ ok: true });
    },
  );

  test('that are published are heard, and what is not heard yet waits', async () => {
    const ears = listener('ears', { ear: { type: 'news', count: 3, hop: true } });
    const lab = await open([ears]);
    await lab.engine.publish({ type: 'news', id: 'old' });
    await lab.tick('1s');
    const run = await lab.engine.start(ears, null);
    await lab.settle();
    await lab.engine.publish({ specversion: '1.0', type: 'news', source: '/s', id: '1' });
    await run.suspend();
    await lab.engine.publish({ type: 'news', key: 'k', id: '2' });
    await run.send('news', null, { id: '3' });
    await lab.settle();
    await run.resume();
    await lab.settle();
    expect(await run.result()).toEqual({ ear: ['1', '2', '3'] });
  });

  test('that nobody asked for by key are for those who take any', async () => {
    const waiter = flow('waiter').waitFor('news', { event: 'news' }).end();
    const ears = listener('ears', { ear: { count: 1 } });
    const lab = await open([waiter, ears, speaker('mouth', [event('e1')])]);
    const waiting = await lab.engine.start(waiter, null, { key: 'k' });
    const run = await lab.engine.start(ears, null);
    await lab.settle();
    await lab.engine.start('mouth', null as never);
    await lab.settle();
    expect(await run.result()).toEqual({ ear: ['e1'] });
    expect(await waiting.status()).toBe('waiting');
    const listed = await lab.engine.inbox.list();
    expect(listed.messages).toEqual([]);
  });
});

onEveryStore('an instance that nobody waits for', (open) => {
  const child = flow<number>('child')
    .sleep('nap', '1h')
    .end(({ input }) => input + 1);
  const calling = { flow: 'child', version: null, input: 1, key: null };

  test('is started once, whatever dies, and outlives who started it', async () => {
    const parent = speaker('parent', [{ starts: [calling, { ...calling, key: 'own' }] }]);
    const lab = await open([child, parent], CRASHING);
    const run = await lab.engine.start(parent, null, { tenant: 't', priority: 3 });
    await lab.settle();
    expect(await run.status()).toBe('waiting');
    await run.cancel();
    await lab.settle();
    const { instances } = await lab.engine.list({ flow: 'child' });
    expect(instances).toHaveLength(2);
    for (const { id } of instances) {
      const state = await (await lab.engine.get(id))?.inspect();
      expect(state).toMatchObject({ status: 'waiting', parent: null, tenant: 't', priority: 3 });
    }
    await lab.advance('2h');
    const ended = await lab.engine.list({ flow: 'child', status: 'completed' });
    expect(ended.instances).toHaveLength(2);
  });

  test('and cannot be started is told of, and holds nothing back', async () => {
    const strict = flow<number>('strict').sleep('nap', '1h').end();
    const keyed = { ...calling, flow: 'strict', key: 'one' };
    const parent = speaker('parent', [{ starts: [keyed, keyed, calling] }]);
    const lab = await open([child, strict, parent]);
    await lab.engine.start(parent, null);
    await lab.settle();
    expect(await lab.store.posts(9)).toEqual([]);
    const { instances } = await lab.engine.list({ status: 'waiting' });
    expect(instances.map((one) => one.flow).toSorted()).toEqual(['child', 'parent', 'strict']);
    const told = lab.log.lines.filter(({ level }) => level === 'error');
    expect(told).toMatchObject([{ details: { flow: 'strict', code: 'call.key-taken' } }]);
  });
});
