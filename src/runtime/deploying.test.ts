/** Flows that come to an engine that is at work. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { chain } from '../frontends/chain/chain.ts';
import { completed } from '../frontends/chain/results.ts';
import { onEveryStore } from '../testing/lab.ts';

const hello = flow<string>('hello')
  .step('greet', ({ input }) => `hello ${input}`)
  .end(({ results }) => results.greet);

onEveryStore('a flow that is deployed', (open) => {
  test('can be started, by itself and by its name, and is worked on', async () => {
    const lab = await open([]);
    const deployed = await lab.engine.deploy(hello);
    expect(deployed).toMatchObject({ name: 'hello', version: 1 });
    const runs = [await lab.engine.start(hello, 'a'), await lab.engine.start('hello', 'b')];
    await lab.settle();
    expect(await Promise.all(runs.map((run) => run.result()))).toEqual(['hello a', 'hello b']);
    expect((await runs[0]?.inspect())?.plan).toBe(deployed.hash);
    expect(await lab.store.loadPlan(deployed.hash)).toMatchObject({ name: 'hello' });
  });

  test('goes on with what was started where its code is not', async () => {
    const waits = flow<null>('waits')
      .waitFor('go', { event: 'go', key: 'k' })
      .step('end', () => 'done')
      .end(({ results }) => results.end);
    const lab = await open([waits]);
    const run = await lab.engine.start(waits, null);
    await lab.settle();
    lab.engine.parts.worker?.abandon();
    const other = await lab.beside([]);
    // It meets the plan without the code, and wakes what it can.
    await other.engine.publish({ type: 'go', key: 'k' });
    await other.settle();
    expect(await run.status()).toBe('running');
    await other.engine.deploy(waits);
    await other.settle();
    expect(await run.status()).toBe('completed');
    await other.close();
  });

  test('goes on at once with what it was tried to go on with before', async () => {
    const pack = flow<null>('pack')
      .step('wrap', () => 'wrapped')
      .step('ship', () => 'shipped')
      .end(({ results }) => results.ship);
    const lab = await open([pack]);
    lab.engine.parts.worker?.abandon();
    const run = await lab.engine.start(pack, null);
    const less = flow<null>('pack')
      .step('wrap', () => 'wrapped')
      .end();
    const other = await lab.beside([less]);
    await other.settle();
    expect(other.log.lines).toMatchObject([{ details: { handler: 'pack@1/wrap' } }]);
    await other.engine.deploy(pack);
    await other.settle();
    expect((await run.inspect()).output).toBe('shipped');
    await other.close();
  });

  test('of a chain finds the handlers that are there', async () => {
    const lab = await open([], { handlers: { ONE: () => completed(), TWO: () => completed() } });
    const line = chain('line', 1, ['ONE', 'TWO']);
    await lab.engine.deploy(line);
    const run = await lab.engine.start(line, {});
    await lab.settle();
    expect(await run.status()).toBe('completed');
  });

  test('under a version that is there takes its place, and what runs keeps its own', async () => {
    const naps = (end: string) =>
      flow<null>('naps')
        .sleep('nap', '1h')
        .step(end, () => end)
        .end(({ results }) => results);
    const lab = await open([naps('old')]);
    const before = await lab.engine.start('naps', null);
    await lab.engine.deploy(naps('new'));
    const after = await lab.engine.start('naps', null);
    await lab.advance('1h');
    expect([await before.result(), await after.result()]).toEqual([{ old: 'old' }, { new: 'new' }]);
    expect(lab.log.lines).toMatchObject([{ level: 'warn', details: { name: 'naps', version: 1 } }]);
  });

  test('with mistakes is refused with all of them, and nothing is known of it', async () => {
    const lab = await open([]);
    const wrong = flow('wrong')
      .step('a', () => 1, { retry: { maxAttempts: 0 } })
      .end();
    await expect(lab.engine.deploy(wrong)).rejects.toMatchObject({ code: 'definition.invalid' });
    await expect(lab.engine.start('wrong', null)).rejects.toMatchObject({
      code: 'definition.not-found',
    });
    expect(await lab.store.plans()).toEqual([]);
    await lab.engine.close();
    await expect(lab.engine.deploy(hello)).rejects.toMatchObject({ code: 'engine.closed' });
  });
});

/** Tells which code it is run by: a handler and a closure each. */
function told(code: string, version: number, options: { serves?: number[]; more?: string } = {}) {
  const { serves = [], more = 'more' } = options;
  return flow<string>('told', { version, serves })
    .waitFor('go', { event: 'go', key: ({ input }) => input })
    .step('work', () => `handler ${code}`)
    .step(more, () => null)
    .end(({ results }) => [results['work'], `closure ${code}`]);
}

onEveryStore('a flow that is deployed again with other code', (open) => {
  /** Instances of the first version, which wait, and a process that has the second alone. */
  async function waiting(second: ReturnType<typeof told>) {
    const lab = await open([told('one', 1)]);
    const runs = [await lab.engine.start('told', 'a'), await lab.engine.start('told', 'b')];
    await lab.settle();
    lab.engine.parts.worker?.abandon();
    const other = await lab.beside([second]);
    const go = async (key: string): Promise<void> => {
      await other.engine.publish({ type: 'go', key });
      await other.settle();
    };
    const results = async (): Promise<unknown[]> =>
      Promise.all(runs.map(async (run) => (await run.inspect()).output));
    return { other, go, results };
  }

  test('runs the version that it stands in for by the new code, whole', async () => {
    const { other, go, results } = await waiting(told('two', 2, { serves: [1] }));
    await go('a');
    await other.engine.deploy(told('three', 2, { serves: [1] }));
    await go('b');
    expect(await results()).toEqual([
      ['handler two', 'closure two'],
      ['handler three', 'closure three'],
    ]);
    await other.close();
  });

  test('leaves the version that it stands in for no more to others', async () => {
    const { other, go, results } = await waiting(told('two', 2, { serves: [1] }));
    await go('a');
    await other.engine.deploy(told('three', 2));
    await go('b');
    expect(await results()).toEqual([['handler two', 'closure two'], null]);
    expect(other.engine.parts.library.claimable()).toEqual([
      'told@2/',
      'told@2/work',
      'told@2/more',
    ]);
    await other.engine.deploy(told('four', 3, { serves: [1] }));
    await other.settle();
    expect((await results())[1]).toEqual(['handler four', 'closure four']);
    await other.close();
  });

  test('under its version and by another plan leaves what runs to its own code', async () => {
    const lab = await open([told('old', 1)]);
    const before = await lab.engine.start('told', 'a');
    await lab.engine.deploy(told('new', 1, { more: 'other' }));
    const after = await lab.engine.start('told', 'b');
    for (const key of ['a', 'b']) await lab.engine.publish({ type: 'go', key });
    await lab.settle();
    expect(await before.result()).toEqual(['handler old', 'closure old']);
    expect(await after.result()).toEqual(['handler new', 'closure new']);
  });
});
