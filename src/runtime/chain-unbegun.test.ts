/** A chain whose steps are not lined up yet: it began while its flow was halted. */
import { expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { completed } from '../frontends/chain/results.ts';
import type { Json } from '../base/json.ts';
import { isSound } from '../testing/fragile.ts';
import { type Begun, onEveryStore, type OpenLab } from '../testing/lab.ts';

const line = chain('line', 1, ['A', 'B'], { search: ['n'] });

interface Unbegun extends Begun {
  /** What each step was given. */
  readonly seen: [string, Json][];
}

async function unbegun(open: OpenLab): Promise<Unbegun> {
  const seen: [string, Json][] = [];
  const note = (name: string) => (step: { readonly context: unknown }) => {
    seen.push([name, step.context as Json]);
    return completed();
  };
  const lab = await open([line], { handlers: { A: note('A'), B: note('B') } });
  await lab.engine.flows.suspend('line');
  const run = await lab.engine.start(line, { n: 1 });
  await lab.settle();
  return { lab, run, seen };
}

onEveryStore('a chain that has not begun', (open) => {
  test('was given a context, and began with its input all the same', async () => {
    const { lab, run, seen } = await unbegun(open);
    await run.set('context', { n: 2 });
    await expect(run.set('other', 1)).rejects.toMatchObject({ code: 'operation.refused' });
    await lab.engine.flows.resume('line');
    await lab.settle();
    expect(seen).toEqual([
      ['A', { n: 2 }],
      ['B', { n: 2 }],
    ]);
    await isSound(lab);
  });

  test('had its token moved to a step, as if it were none', async () => {
    const { lab, run, seen } = await unbegun(open);
    const [token] = await run.tokens();
    await expect(run.move(token?.id ?? 0, 'B')).rejects.toMatchObject({
      code: 'operation.refused',
    });
    await lab.engine.flows.resume('line');
    await lab.settle();
    expect([await run.status(), seen.length]).toEqual(['completed', 2]);
    await isSound(lab);
  });

  test('after it is run again from its beginning is a chain, too', async () => {
    const { lab, run, seen } = await unbegun(open);
    await lab.engine.flows.resume('line');
    await lab.settle();
    await lab.engine.flows.suspend('line');
    await run.rerun(':chain');
    await expect(run.set('context', null)).rejects.toMatchObject({ code: 'operation.refused' });
    await run.set('context', { n: 3 });
    const { instances } = await lab.engine.list({ attributes: { n: 3 } });
    expect(instances.map(({ id }) => id)).toEqual([run.id]);
    await lab.engine.flows.resume('line');
    await lab.settle();
    expect(seen.slice(2)).toEqual([
      ['A', { n: 3 }],
      ['B', { n: 3 }],
    ]);
    await isSound(lab);
  });
});
