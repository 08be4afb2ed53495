/** Whoever is at a node of a plan is shown somewhere, and where people would look for them. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { flowchart } from '../flowchart.ts';
import { chain, createEngine, type Flow, flow, memory } from '../index.ts';
import { serverless } from '../serverless.ts';
import { caseOf, drawingOf } from '../testing/random-case.ts';
import { pictureOf } from './picture.ts';
import { placesOf } from './places.ts';
import { sketchOfPlan } from './sketch.ts';
import { workflowPicture } from './workflow.ts';

const example = (file: string): string =>
  readFileSync(new URL(`../../examples/${file}`, import.meta.url), 'utf8');

const large = flow<{ list: number[] }>('large')
  .parallel('both', {
    one: (b) => b.step('alone', () => 1),
    two: (b) => b.step('first', () => 1).step('second', () => 2),
  })
  .map('each', { over: ({ input }) => input.list }, (b) => b.step('item', ({ item }) => item))
  .repeat('again', { times: 2 }, (b) => b.step('turn', () => 1))
  .choose(
    'way',
    { left: { when: () => true, do: (b) => b.step('go-left', () => 1) } },
    { otherwise: (b) => b.step('go-right', () => 2) },
  )
  .try('risk', (b) => b.step('dare', () => 1), { do: (b) => b.step('mend', () => 2) })
  .race('run', { hare: (b) => b.step('hare', () => 1), hedgehog: (b) => b.step('hog', () => 2) })
  .end();

const flows: readonly Flow[] = [
  large,
  chain('line', 1, ['A', 'B', 'C']),
  flowchart(JSON.parse(example('damage.json'))),
  serverless(example('serverless-order.yaml')),
];

const handler = (): null => null;
const handlers = {
  A: handler,
  B: handler,
  C: handler,
  note: handler,
  assess: handler,
  pay: handler,
};
const engine = await createEngine({ store: memory(), flows, handlers, worker: false });
afterAll(() => engine.close());

async function drawn({ name, version }: Flow) {
  const plan = await engine.flows.plan(name, version);
  const sketch = sketchOfPlan(plan as never);
  const picture = workflowPicture(sketch, new Map()) ?? pictureOf(sketch);
  return { plan, picture, places: placesOf(sketch, picture) };
}

describe('every node of a plan has a place in its picture', () => {
  test.each(flows.map((each) => [each.name, each] as const))('%s', async (_, each) => {
    const { plan, picture, places } = await drawn(each);
    const ids = new Set(picture.nodes.map(({ id }) => id));
    for (const { id } of plan.nodes) expect(ids, id).toContain(places.get(id));
  });
});

test('what is drawn stands for itself, and what runs the items of a map for the map', async () => {
  const { plan, places } = await drawn(large);
  for (const id of ['alone', 'second', 'each', 'turn', 'mend']) expect(places.get(id)).toBe(id);
  for (const { id } of plan.nodes.filter(({ kind }) => kind === 'item')) {
    expect(places.get(id)).toBe('each');
  }
});

const SEEDS = Array.from({ length: 250 }, (_, seed) => seed + 1);

test('nothing is sent to the start of a random flow but the start itself', () => {
  for (const seed of SEEDS) {
    const { draft } = drawingOf(caseOf(seed), `random-${seed}`);
    const nodes = draft.nodes.map(({ parent = null, hidden = false, ...node }) => {
      return { ...node, parent, hidden };
    });
    const sketch = { name: draft.name, version: 1, nodes, edges: draft.edges };
    const places = placesOf(sketch, pictureOf(sketch));
    const [first] = nodes;
    const lost = nodes.filter(({ id }) => id !== first?.id && places.get(id) === first?.id);
    expect(lost, `seed ${seed}`).toEqual([]);
  }
});
