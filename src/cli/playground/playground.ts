/**
 * Three flows to play with, for whoever starts the studio without any: one in each language, real
 * code, and nothing that leaves the machine. A few instances are there from the start, so that
 * there is something to look at.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ActivityHandler, flowchartFromText, outcome, waiting } from '../../flowchart.ts';
import type { Engine, Flow, Handlers } from '../../index.ts';
import { type ReadSource, sourceOf } from '../dev/sources.ts';
import type { Terminal } from '../terminal.ts';
import { workflowFile } from '../workflow-files.ts';
import { order } from './order.ts';

/** What is not compiled lies beside the sources only: the package has both. */
const TEXTS = join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'playground');

interface Claim {
  readonly amount?: number;
}

/** A claim that does not say how much is asked about once, and then taken for a large one. */
const check: ActivityHandler<{ small: number }, Claim> = ({ input, config, results }) => {
  const { amount } = input;
  if (amount === undefined && results['ask'] === undefined) return outcome('Unclear');
  return outcome(amount !== undefined && amount <= config.small ? 'Small' : 'Large');
};

const ask: ActivityHandler = ({ wake }) =>
  wake.reason === 'first' ? waiting('claim.answered', '2s') : 'nobody answered';

const review: ActivityHandler = ({ activity, wake }) =>
  wake.reason === 'first' ? waiting('claim.reviewed', '10m') : `${activity} has looked at it`;

const decide: ActivityHandler = () => outcome('Yes');

const note: ActivityHandler = ({ activity, log }) => log.info(`${activity}: noted`);

const claims: Handlers = { check, ask, review, decide, note };

export async function playground(terminal: Terminal): Promise<readonly ReadSource[]> {
  const [code, chart, workflow] = ['order.ts', 'claim.json', 'onboarding.yaml'].map((name) => {
    return { name: `playground/${name}`, text: readFileSync(join(TEXTS, name), 'utf8') };
  });
  if (code === undefined || chart === undefined || workflow === undefined) return [];
  const flows = [flowchartFromText(chart.text) as Flow];
  return [
    await sourceOf(terminal, {
      ...{ file: code.name, source: code.text, flows: [order], handlers: {} },
    }),
    await sourceOf(terminal, {
      ...{ file: chart.name, source: chart.text, flows, handlers: claims, isData: true },
    }),
    await sourceOf(terminal, workflowFile(workflow.name, workflow.text)),
  ];
}

/** What is there to be seen when the studio opens. */
export async function seed(engine: Engine): Promise<void> {
  const items = [
    { sku: 'A1', price: 12 },
    { sku: 'B2', price: 30 },
  ];
  await engine.start('order', { customer: 'Ada', items, card: '4242' }, { key: 'order-1' });
  const declined = { customer: 'Bob', items, card: '4000' };
  const run = await engine.start('order', declined, { key: 'order-2' });
  await engine.start('order', { customer: 'Cleo', items, card: '4242' }, { key: 'order-3' });
  await engine.start('claim', { amount: 480 }, { key: 'claim-1' });
  await engine.start('claim', { amount: 40 }, { key: 'claim-2' });
  await engine.start('playground.onboarding', { name: 'Grace', team: 'engineering' });
  await approve(engine, run.id);
}

/** One of the orders is released, so that it comes to where its card is declined. */
async function approve(engine: Engine, instance: string): Promise<void> {
  for await (const _ of engine.subscribe({ id: instance, after: 0 })) {
    const { tasks } = await engine.tasks.list({ instance });
    const [task] = tasks;
    if (task === undefined) continue;
    for (const group of ['finance', 'legal']) {
      await engine.tasks.decide(task.id, { actor: group, groups: [group], decision: 'approve' });
    }
    return;
  }
}
