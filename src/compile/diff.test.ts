/** What differs between two plans, in the words of their author. */
import { describe, expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { flow } from '../frontends/builder/flow.ts';
import { flowchart } from '../frontends/flowchart/flowchart.ts';
import type { Flow } from '../model/definition.ts';
import type { Json } from '../base/json.ts';
import type { NodeId } from '../model/ids.ts';
import type { Plan } from '../model/plan.ts';
import { kinds } from '../nodes/index.ts';
import { MUTATIONS, mutated } from '../testing/mutations.ts';
import { caseOf, drawingOf } from '../testing/random-case.ts';
import { lucky } from '../testing/random-luck.ts';
import { draw, type Drawing, machineOf } from '../testing/story.ts';
import { compile, planBody, planFrom } from './compile.ts';
import { diffPlans, mappingFor } from './diff.ts';

function planOf({ definition }: Pick<Flow, 'definition'>): Plan {
  const plan = compile(definition.draft, kinds);
  if (!plan.ok) throw new Error(JSON.stringify(plan.problem));
  return plan.value;
}

/** Each difference as a line: its code, what it means for those that run, and the sentence. */
function told(from: Pick<Flow, 'definition'>, to: Pick<Flow, 'definition'>): readonly string[] {
  const { differences } = diffPlans(planOf(from), planOf(to));
  return differences.map(({ code, impact, message }) => `${code} ${impact}: ${message}`);
}

const begin = flow('order');
const work = (): string => 'done';

describe('a flowchart', () => {
  const chart = (d: object, more: readonly { from: string; outcome?: string; to: string }[] = []) =>
    flowchart({
      id: 'chart',
      version: 1,
      activities: [
        { id: 'a', type: 'x' },
        { id: 'b', type: 'x' },
        { id: 'd', type: 'x', ...d },
      ],
      connections: [{ from: 'a', to: 'b' }, { from: 'b', to: 'd' }, ...more],
    });

  test('says which activity has another mode, and which connection is for another outcome', () => {
    expect(told(chart({}), chart({ mergeMode: 'race' }))).toEqual([
      'node.setting later: mergeMode of "d" is "race", and was "converge"',
    ]);
    expect(told(chart({}), chart({}, [{ from: 'b', outcome: 'Again', to: 'a' }]))).toEqual([
      'node.setting later: ways.Again of "b" is ["-> a"], and was not there',
      'way.changed later: the way is now b -> a',
    ]);
  });
});

describe('a map', () => {
  const over = [1, 2];
  const one = begin.map('each', { over, limit: 3 }, (b) => b.step('A', work).step('B', work)).end();

  test('has the settings of what runs its items, which nobody wrote', () => {
    const two = begin
      .map('each', { over, limit: 2, onError: 'collect', collect: () => 1 }, (b) =>
        b.step('A', work).step('B', work),
      )
      .end();
    expect(told(one, two)).toEqual([
      'node.setting later: collects of "each" is true, and was not there',
      'node.setting later: limit of "each" is 2, and was 3',
      'node.setting later: settles of "each" is true, and was not there',
      'node.code later: "each" takes code for collect',
    ]);
  });

  test('is told by its own name where others lie in it', () => {
    const two = begin
      .map('each', { over, limit: 3 }, (b) => b.step('A', work))
      .step('B', work)
      .end();
    expect(told(one, two)).toContain(
      'node.moved mapping: "B" lies in no region now, and lay in the region of "each"',
    );
    const undone = begin
      .map('each', { over, limit: 3, saga: 'scope' }, (b) => b.step('A', work))
      .step('B', work)
      .end();
    expect(told(undone, one)).toContain(
      'node.moved mapping: "B" lies in the region of "each" now, and lay in no region',
    );
  });

  test('that has another name brings what was made for it along, and its last node may', () => {
    const two = begin
      .map('all', { over, limit: 3 }, (b) => b.step('A', work).step('C', work))
      .end();
    const { differences, mapping } = diffPlans(planOf(one), planOf(two));
    expect(mapping).toEqual({ each: 'all', 'each/:item': 'all/:item', B: 'C' });
    expect(differences.map(({ code }) => code)).toEqual(['node.renamed', 'node.renamed']);
  });
});

describe('a node', () => {
  const one = begin.step('A', work).step('B', work).end();

  test('that is new, and the way past it', () => {
    const two = begin.step('A', work).sleep('nap', '1h').step('B', work).end();
    expect(told(one, two)).toEqual([
      'way.changed later: the way is no longer A -> B, and now A -> nap',
      'node.added later: the sleep "nap" is new',
    ]);
  });

  test('that is gone', () => {
    const two = begin.step('A', work).end();
    expect(told(one, two)).toEqual([
      'way.changed later: the way is no longer A -> B, and now A -> the end',
      'node.removed mapping: the step "B" is gone: what stands there needs another place',
    ]);
  });

  test('that has another name is offered as the same, and why', () => {
    const two = begin.step('A', work).step('Pack', work).end();
    const { differences, renames, mapping } = diffPlans(planOf(one), planOf(two));
    const why = 'both are of kind step, with the same settings, behind "A", before "the end"';
    expect(renames).toEqual([{ from: 'B', to: 'Pack', why }]);
    expect(mapping).toEqual({ B: 'Pack' });
    expect(differences.map(({ code, impact }) => [code, impact])).toEqual([
      ['node.renamed', 'mapping'],
    ]);
  });

  test('of another kind is another, though it has the same name', () => {
    const two = begin.step('A', work).waitFor('B', { event: 'go', key: 'k' }).end();
    expect(told(one, two)).toEqual(['node.kind mapping: "B" is a wait now, and was a step']);
  });

  test('with other settings, by their path', () => {
    const retry = (maxAttempts: number): Flow =>
      begin.step('A', work, { retry: { maxAttempts, delay: '1s' } }).end();
    const { differences } = diffPlans(planOf(retry(2)), planOf(retry(5)));
    expect(differences).toEqual([
      {
        code: 'node.setting',
        node: 'A',
        impact: 'later',
        message: 'maxAttempts of "A" is 5, and was 2',
        path: 'maxAttempts',
        was: 2,
        is: 5,
      },
      {
        code: 'node.setting',
        node: 'A',
        impact: 'later',
        message: 'retry.maxAttempts of "A" is 5, and was 2',
        path: 'retry.maxAttempts',
        was: 2,
        is: 5,
      },
    ]);
  });

  test('that takes other code', () => {
    const fixed = begin.sleep('nap', '1h').end();
    const asked = begin.sleep('nap', () => '1h').end();
    expect(told(fixed, asked)).toEqual([
      'node.setting later: ms of "nap" is null, and was 3600000',
      'node.code later: "nap" takes code for duration',
    ]);
  });

  test('that lies in another region', () => {
    const two = begin
      .step('A', work)
      .scope('box', (b) => b.step('B', work))
      .end();
    expect(told(one, two)).toEqual([
      'way.changed later: the way is no longer A -> B, and now A -> box',
      'node.added later: the scope "box" is new',
      'node.moved mapping: "B" lies in the region of "box" now, and lay in no region',
    ]);
  });
});

describe('what nobody wrote', () => {
  const alone = begin
    .parallel('p', { a: (b) => b.step('A', work), b: (b) => b.step('B', work) })
    .end();

  test('is told of the node it was made for', () => {
    const two = begin
      .parallel('p', { a: (b) => b.step('A', work).step('C', work), b: (b) => b.step('B', work) })
      .end();
    expect(told(alone, two)).toEqual([
      'node.region later: "p/a", a part of "p" that nobody wrote, is new',
      'way.changed later: the way is no longer A -> the end, and now A -> C',
      'node.added later: the step "C" is new',
    ]);
  });

  test('follows the name of its node', () => {
    const named = (name: string): Plan =>
      planOf(
        begin
          .parallel(name, {
            a: (b) => b.step('A', work).step('C', work),
            b: (b) => b.step('B', work),
          })
          .end(),
      );
    const { mapping } = diffPlans(named('p'), named('q'));
    expect(mapping).toEqual({ p: 'q', 'p/a': 'q/a', 'p/:join': 'q/:join' });
  });

  test('is known by what lies in it', () => {
    const one = begin
      .parallel('p', {
        x: (b) => b.step('A', work).step('A2', work),
        y: (b) => b.step('B', work).step('B2', work),
      })
      .end();
    const two = begin
      .parallel('p', {
        y: (b) => b.step('A', work).step('A2', work),
        z: (b) => b.step('B', work).step('B2', work),
      })
      .end();
    const { mapping } = diffPlans(planOf(one), planOf(two));
    expect(mapping).toEqual({ 'p/x': 'p/y', 'p/y': 'p/z' });
  });

  test('goes with a mapping that names the node alone', () => {
    const named = (name: string): Plan =>
      planOf(
        begin.parallel(name, { a: (b) => b.step('A', work), b: (b) => b.step('B', work) }).end(),
      );
    expect(mappingFor(named('p'), named('other'), { p: 'other' })).toEqual({
      p: 'other',
      'p/:join': 'other/:join',
    });
  });
});

describe('ways', () => {
  test('an arm that leads elsewhere is told though the ways are the same', () => {
    const arms = (first: string, second: string): Drawing =>
      draw(['c -> A', 'c -> B'], {
        c: {
          kind: 'choose',
          settings: { arms: [{ edge: `c->${first}`, slot: 'x' }], otherwise: `c->${second}` },
          code: { x: () => true },
        },
      });
    const [from, to] = [machineOf(arms('A', 'B')).plan, machineOf(arms('B', 'A')).plan];
    expect(diffPlans(from, to).differences.map(({ message }) => message)).toEqual([
      'arms of "c" is [{"edge":"-> B","slot":"x"}], and was [{"edge":"-> A","slot":"x"}]',
      'otherwise of "c" is "-> A", and was "-> B"',
    ]);
  });

  test('a chain is its steps in a row', () => {
    expect(told(chain('line', 1, ['A', 'B', 'C']), chain('line', 2, ['A', 'C', 'D']))).toEqual([
      'way.changed later: the way is no longer A -> B, and now A -> C',
      'way.changed later: the way is no longer C -> the end, and now C -> D',
      'node.added later: the link "D" is new',
      'node.removed mapping: the link "B" is gone: what stands there needs another place',
    ]);
  });
});

test('what is said of the flow as a whole', () => {
  const plain = flow('order').step('A', work).end();
  const other = flow('order', { vars: { n: 1 }, saga: 'none', onFailure: 'incident' })
    .step('A', work)
    .end();
  expect(told(plain, other)).toEqual([
    'flow.setting later: onFailure of the flow is "incident", and was not there',
    'flow.setting later: saga of the flow is "none", and was not there',
    'flow.setting safe: vars.n of the flow is 1, and was not there',
  ]);
});

describe('two plans', () => {
  test('that are the same under another version have no difference', () => {
    const [one, two] = [flow('order'), flow('order', { version: 7 })].map((each) =>
      planOf(each.step('A', work).end()),
    );
    expect(diffPlans(one as Plan, two as Plan)).toMatchObject({
      from: { name: 'order', version: 1 },
      to: { name: 'order', version: 7 },
      differences: [],
      renames: [],
      mapping: {},
    });
  });

  test('that differ only in what nobody sees say that', () => {
    const plan = planOf(begin.step('A', work).end());
    const body = planBody(plan);
    const nodes = (body['nodes'] as readonly Json[]).toReversed();
    const turned = planFrom({ ...body, nodes });
    expect(diffPlans(plan, turned).differences).toMatchObject([{ code: 'plan.layout' }]);
  });

  test('200 random ones differ from their next version exactly if they are not the same', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const first = caseOf(seed);
      const mutation = lucky(MUTATIONS, seed, 'mutation');
      const next = mutated(first, mutation, 1).case;
      const [from, to] = [first, next].map((one) => machineOf(drawingOf(one, 'flow')).plan);
      if (from === undefined || to === undefined) throw new Error('both compile');
      const { differences, mapping } = diffPlans(from, to);
      const isKnown = Object.entries(mapping).every(
        ([old, now]) => from.nodes.has(old as NodeId) && to.nodes.has(now as NodeId),
      );
      const isNone = diffPlans(from, from).differences.length === 0;
      expect([seed, mutation, differences.length === 0, isKnown, isNone]).toEqual([
        ...[seed, mutation, from.hash === to.hash, true, true],
      ]);
    }
  });
});
