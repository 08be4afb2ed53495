/** An instance goes on by another plan of its flow: what stays, and what follows the plan. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Instant, TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { draw, type Drawing, machineOf, started, Story, written } from '../testing/story.ts';
import { text } from '../testing/text.ts';
import { advance } from './advance.ts';
import { isLive, type Instance } from './instance.ts';
import { migrate } from './migrate.ts';
import { touchedBy } from './touched.ts';

type Nodes = NonNullable<Parameters<typeof draw>[1]>;

function live({ tokens }: Instance): readonly Token[] {
  return tokens.values().filter(isLive);
}

function places(story: Story): readonly string[] {
  return live(story.instance).map(({ id, node }) => `${id} ${node}`);
}

const fork = { kind: 'fork' };
const join = { kind: 'join' };

describe('a step', () => {
  test('that has another name is run under that, as the same token', () => {
    const story = started(draw(['s -> A -> end']));
    expect(story.migrate(draw(['s -> Pack -> end']), { A: 'Pack' })).toBe(text`
      migrate to version 2
      place  token 3 {"node":"Pack","handler":"test@2/Pack","via":"s->Pack"}
      ! abort token 3
      ! offer token 3 to test@2/Pack
    `);
    expect(story.head).toMatchObject({ flowVersion: 2, plan: story.machine.plan.hash });
    // By these the outside knows it: what was begun is not done twice.
    expect(live(story.instance)).toMatchObject([{ id: 3, visit: 1, attempts: 0, crashes: 0 }]);
    story.done(3, 'done');
    expect(story.head).toMatchObject({ status: 'completed' });
  });

  test('that has failed keeps its attempts, and gets as many more as the plan has', () => {
    const retry = (maxAttempts: number): Nodes => {
      const pauses = { delayMs: 10, backoff: 'fixed', maxDelayMs: 10, jitter: 0 };
      return { A: { kind: 'step', settings: { retry: { maxAttempts, ...pauses } } } };
    };
    const story = started(draw(['s -> A -> end'], retry(2)));
    story.fail(3);
    story.migrate(draw(['s -> A -> end'], retry(4)));
    expect(live(story.instance)).toMatchObject([{ attempts: 1, maxAttempts: 4, availableAt: 10 }]);
    story.now = 10;
    story.fail(3);
    expect(live(story.instance)).toMatchObject([{ attempts: 2 }]);
    story.migrate(draw(['s -> A -> end'], retry(1)));
    expect(live(story.instance)).toMatchObject([{ attempts: 2, maxAttempts: 3 }]);
  });

  test('behind it is not made up for, and one after it is run', () => {
    const story = started(draw(['s -> A -> end']));
    story.migrate(draw(['s -> Before -> A -> Approve -> end']));
    story.done(3);
    expect(places(story)).toEqual(['4 Approve']);
    story.done(4);
    expect(story.head.status).toBe('completed');
  });
});

describe('what waits', () => {
  test('for a time keeps its moment', () => {
    const nap = (ms: number): Nodes => ({ nap: { kind: 'sleep', settings: { ms } } });
    const story = started(draw(['s -> nap -> end'], nap(100)));
    story.now = 40;
    story.migrate(draw(['s -> nap -> A -> end'], nap(5_000)));
    expect(live(story.instance)).toMatchObject([{ wakeAt: 100, updatedAt: 0 }]);
    story.time(3);
    expect(places(story)).toEqual(['4 A']);
  });

  test('for a message has waited since it began', () => {
    const wait: Nodes = { w: { kind: 'wait', settings: { event: 'paid' } } };
    const story = started(draw(['s -> w -> end'], wait));
    const before = story.instance;
    story.migrate(draw(['s -> paid -> end'], { paid: { ...wait['w'], kind: 'wait' } }), {
      w: 'paid',
    });
    const { changes = [] } = story.history.at(-1) ?? {};
    const touched = touchedBy(before, { after: story.instance, changes });
    expect(touched.tokens).toMatchObject([{ id: 3, node: 'paid' }]);
    expect([touched.subscribed, touched.unsubscribed]).toEqual([[], []]);
    story.message(3, 'paid', 'k');
    expect(story.head.status).toBe('completed');
  });

  test('for people is found by them where it is now', () => {
    const review: Nodes = { r: { kind: 'task' } };
    const story = started(draw(['s -> r -> end'], review));
    const before = story.instance;
    story.migrate(draw(['s -> check -> end'], { check: { kind: 'task' } }), { r: 'check' });
    const { changes = [] } = story.history.at(-1) ?? {};
    const touched = touchedBy(before, { after: story.instance, changes });
    expect(touched.tasks).toEqual([
      { token: 3, node: 'check', task: { kind: 'task', trail: [] }, createdAt: 0 },
    ]);
    expect(touched.closedTasks).toEqual([]);
    const moved = story.instance;
    story.migrate(draw(['s -> check -> A -> end'], { check: { kind: 'task' } }));
    expect(touchedBy(moved, { after: story.instance, changes: [] }).tasks).toEqual([]);
  });

  test('for another instance goes on waiting for it', () => {
    const call: Nodes = { c: { kind: 'call', settings: { flow: 'other' } } };
    const story = started(draw(['s -> c -> end'], call));
    story.migrate(draw(['s -> c -> A -> end'], call));
    story.child(3, { status: 'completed', output: 1 });
    expect(places(story)).toEqual(['5 A']);
  });

  test('to be mended waits on, and is tried again by the other plan', () => {
    const mends: Nodes = { A: { kind: 'step', settings: { onFailure: 'incident' } } };
    const story = started(draw(['s -> A -> end'], mends));
    story.fail(3);
    story.migrate(draw(['s -> A -> B -> end'], mends));
    story.retry(3);
    expect(live(story.instance)).toMatchObject([{ handler: 'test@2/A' }]);
  });
});

describe('those that wait for each other', () => {
  const lines = ['f -> A -> j', 'f -> B -> j', 'j -> end'];
  const nodes: Nodes = { f: fork, j: join };

  test('meet where the other plan has them meet', () => {
    const story = started(draw(lines, nodes));
    story.done(4);
    const other = ['f -> A -> meet', 'f -> B -> C -> meet', 'f -> D -> meet', 'meet -> E -> end'];
    story.migrate(draw(other, { f: fork, meet: join }), { j: 'meet' });
    expect(live(story.instance)).toMatchObject([
      { id: 5, node: 'B' },
      { id: 6, node: 'meet', via: 'A->meet', wait: { on: 'join' } },
    ]);
    story.done(5);
    // A branch that is new since the fork is none of theirs.
    expect(places(story)).toEqual(['6 meet', '7 C']);
    story.done(7);
    expect(places(story)).toEqual(['9 E']);
  });

  test('and stood still because they could not, go on if they can', () => {
    const apart = ['f -> A -> j', 'f -> B -> k', 'j -> X', 'k -> Y', 'X -> k', 'Y -> j'];
    const story = started(draw(apart, { f: fork, j: join, k: join }));
    story.done(4);
    story.done(5);
    expect(story.head.stalled?.joins).toHaveLength(2);
    const shown = story.migrate(draw(lines, nodes), { k: 'j' });
    expect(shown).toContain('fire   latch j group 3');
    expect(story.head.stalled).toBeNull();
  });

  test('by any way that is open are asked for anew', () => {
    const many = (otherwise: string): Nodes => ({
      m: { kind: 'inclusive' },
      c: {
        kind: 'choose',
        settings: {
          many: true,
          arms: ['c->A', 'c->B'].map((edge) => ({ edge, slot: edge })),
          otherwise,
        },
        code: { 'c->A': () => true, 'c->B': () => true },
      },
    });
    const drawn = ['c -> A -> m', 'c -> B -> m', 'c -> C -> m', 'm -> D -> end'];
    const story = started(draw(drawn, many('c->C')));
    story.done(3);
    expect(places(story)).toEqual(['4 B', '5 m']);
    // B leads elsewhere by the other plan, so nobody else can come.
    const other = ['c -> A -> m', 'c -> C -> m', 'm -> D -> end', 'c -> B -> end'];
    story.migrate(draw(other, many('c->C')));
    expect(places(story)).toEqual(['4 B', '6 D']);
  });
});

describe('a region', () => {
  const loop = (body: string, times = 2): Nodes => ({
    loop: { kind: 'repeat', settings: { body, check: 'times', times } },
  });

  test('that is a loop goes on with its pass, and the next is by the other plan', () => {
    const inside = (...names: string[]): Nodes =>
      Object.fromEntries(names.map((name) => [name, { kind: 'step', in: 'loop' }]));
    const story = started(draw(['s -> loop -> end'], { ...loop('A'), ...inside('A') }));
    const other = draw(['s -> loop -> end', 'New -> A -> B'], {
      ...loop('New', 3),
      ...inside('New', 'A', 'B'),
    });
    story.migrate(other);
    story.done(5);
    expect(places(story)).toEqual(['3 loop', '6 B']);
    story.done(6);
    expect(places(story)).toEqual(['3 loop', '8 New']);
    expect(story.instance.scopes.get(7 as never)).toMatchObject({ node: 'loop', index: 1 });
  });

  test('that has another name keeps what is in it', () => {
    const story = started(
      draw(['s -> box -> end'], {
        box: { kind: 'scope', settings: { body: 'A', promote: true } },
        A: { kind: 'step', in: 'box' },
      }),
    );
    const shown = story.migrate(
      draw(['s -> crate -> end', 'A -> B'], {
        crate: { kind: 'scope', settings: { body: 'A', promote: true } },
        A: { kind: 'step', in: 'crate' },
        B: { kind: 'step', in: 'crate' },
      }),
      { box: 'crate' },
    );
    expect(shown).toContain('place  scope 4 at crate');
    story.done(5, 'a');
    story.done(6, 'b');
    expect(story.head.status).toBe('completed');
  });

  const one = flow('order')
    .parallel('p', { a: (b) => b.step('A', () => 'a'), b: (b) => b.step('B', () => 'b') })
    .end();
  const two = flow('order', { version: 2 })
    .parallel('p', {
      a: (b) => b.step('A', () => 'a').step('Approve', () => 'yes'),
      b: (b) => b.step('B', () => 'b'),
    })
    .end();

  test('that a branch has since it has a second step is opened around the first', () => {
    const story = started(written(one));
    const [a, b] = live(story.instance);
    story.migrate(written(two));
    expect(live(story.instance).map(({ node }) => node)).toEqual(['A', 'B', 'p/a']);
    expect(live(story.instance)[0]).toMatchObject({ id: a?.id, groups: [], attempts: 0 });
    story.done(a?.id ?? 0, 'a');
    story.done(b?.id ?? 0, 'b');
    const approve = live(story.instance).find(({ status }) => status === 'ready');
    expect(approve?.node).toBe('Approve');
    story.done(approve?.id ?? 0, 'yes');
    expect(story.head.output).toEqual({ A: 'a', B: 'b', Approve: 'yes' });
  });

  test('that a branch no longer has is left, with what is known in it', () => {
    const story = started(written(two));
    const a = live(story.instance).find(({ node }) => node === 'A');
    story.done(a?.id ?? 0, 'a');
    const three = flow('order', { version: 2 })
      .parallel('p', {
        a: (b) => b.step('Approve', () => 'yes'),
        b: (b) => b.step('B', () => 'b'),
      })
      .end();
    story.migrate(written(three));
    const ready = live(story.instance);
    expect(ready.map(({ node, groups }) => [node, groups.length])).toEqual([
      ['B', 1],
      ['Approve', 1],
    ]);
    expect(story.instance.scopes.size).toBe(1);
    for (const { id, node } of ready) story.done(id, node);
    expect(story.head.output).toEqual({ A: 'a', B: 'B', Approve: 'Approve' });
  });

  test('of a branch that was there when someone came to the join is no other way', () => {
    const story = started(written(one));
    const [a] = live(story.instance);
    story.done(a?.id ?? 0, 'a');
    story.migrate(written(two));
    expect(live(story.instance)).toMatchObject([
      { node: 'B' },
      { node: 'p/:join', via: 'p/a->p/:join' },
    ]);
  });
});

describe('what is being undone', () => {
  const undo = { kind: 'step', settings: { undo: {} } };

  test('is undone by its other name, and so is what has not begun to be', () => {
    const story = started(draw(['s -> A -> B -> C -> end'], { A: undo, B: undo }));
    story.done(3, 'a');
    story.done(5, 'b');
    story.fail(7);
    expect(live(story.instance)).toMatchObject([{ node: 'B', mode: 'compensation' }]);
    const [undoing] = live(story.instance);
    const other = draw(['s -> A2 -> B2 -> C -> end'], { A2: undo, B2: undo });
    story.migrate(other, { A: 'A2', B: 'B2' });
    expect(live(story.instance)).toMatchObject([{ id: undoing?.id, handler: 'test@2/B2/:undo' }]);
    story.done(undoing?.id ?? 0);
    const [next] = live(story.instance);
    expect(next).toMatchObject({ node: 'A2', handler: 'test@2/A2/:undo' });
    story.done(next?.id ?? 0);
    expect(story.head).toMatchObject({ status: 'failed', outcome: 'compensated' });
  });
});

test('what nobody wants any more is put into no region, and only its answer counts', () => {
  const failing = (version: number, more: boolean): Drawing => {
    const name = flow('order', { version });
    const undo = { undo: () => 'undone' };
    return written(
      more
        ? name
            .parallel('p', {
              a: (b) => b.step('A', () => 'a', undo).step('Approve', () => 'yes'),
              b: (b) => b.fail('f', 'no'),
            })
            .end()
        : name
            .parallel('p', {
              a: (b) => b.step('A', () => 'a', undo),
              b: (b) => b.fail('f', 'no'),
            })
            .end(),
    );
  };
  const story = started(failing(1, false));
  expect(story.head.status).toBe('compensating');
  const [a] = live(story.instance);
  story.migrate(failing(2, true));
  expect(live(story.instance)).toMatchObject([{ id: a?.id, node: 'A', handler: 'order@2/A' }]);
  story.done(a?.id ?? 0, 'a');
  const [undoing] = live(story.instance);
  expect(undoing).toMatchObject({ mode: 'compensation', handler: 'order@2/A/:undo' });
  story.done(undoing?.id ?? 0);
  expect(story.head).toMatchObject({ status: 'failed', outcome: 'compensated' });
});

describe('a process without the closures of the flow', () => {
  test('moves an instance, and whoever has them goes on with what was set down', () => {
    const limits = { MOVES_PER_COMMIT: 1 };
    const story = new Story(draw(['s -> a -> b -> c -> A -> end']), { limits });
    story.start();
    expect(live(story.instance)).toMatchObject([{ node: 'a', handler: 'test@1/' }]);
    const { draft } = draw(['s -> a -> b -> d -> A -> end']);
    const to = machineOf({ draft: { ...draft, version: 2 } });
    const at = 0 as Instant;
    const lacking = { ...to, code: null };
    const from = story.machine.plan.hash;
    const { after } = migrate(story.machine, lacking, story.instance, { at, from, nodes: {} });
    const [token] = live(after);
    expect(token).toMatchObject({ node: 'a', status: 'ready', handler: 'test@2/' });
    const claim = { worker: 'w1', version: 1, at };
    const input = { type: 'continue', at, token: token?.id as TokenId, claim } as const;
    expect(live(advance(to, after, input).after)).toMatchObject([{ node: 'A' }]);
  });
});
