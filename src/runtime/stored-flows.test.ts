/** Starting what some other program has: by its name alone. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { memory } from '../stores/memory/memory.ts';
import { createEngine } from './engine.ts';

const greet = (version: number) =>
  flow<{ who: string }>('greet', { version })
    .set('begin', () => ({ version }))
    .step('say', async ({ input }) => `${version}: hello ${input.who}`)
    .end(({ results }) => results.say);

test('a flow that is only stored is started by name, and run by whoever has its code', async () => {
  const store = memory();
  const flows = [greet(1), greet(2)];
  await (await createEngine({ store, flows, worker: false })).close();

  const stranger = await createEngine({ store, worker: false });
  const run = await stranger.start<{ who: string }, string>('greet', { who: 'ann' });
  expect(await run.inspect()).toMatchObject({ flow: 'greet', flowVersion: 2, status: 'running' });
  expect(await stranger.check()).toMatchObject({ ok: true });
  await stranger.close();

  const worker = await createEngine({ store, flows });
  const found = await worker.get(run.id);
  expect(await found?.result()).toBe('2: hello ann');
  await worker.close();
});

test('a name that nobody has stored is refused', async () => {
  const engine = await createEngine({ store: memory(), worker: false });
  const start = engine.start('greet', {} as never);
  await expect(start).rejects.toMatchObject({ code: 'definition.not-found' });
  await engine.close();
});
