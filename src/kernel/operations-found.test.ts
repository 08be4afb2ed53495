/** What people met when they operated on instances in the middle of something else. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Instant, NodeId } from '../model/ids.ts';
import { type Archive, pastToRevive, WayBack } from '../runtime/pasts.ts';
import { oneAt as at, tokensAt, withoutCode } from '../testing/play.ts';
import { draw, type Drawing, started, type Story, written } from '../testing/story.ts';

function moved(story: Story, from: string, to: string): void {
  const token = at(story, from);
  story.tell({ type: 'move', at: story.now as Instant, token, to: to as NodeId });
}

function nothing(): null {
  return null;
}

const undo = { undo: nothing };

describe('a saga that is cut short', () => {
  const job = flow('job')
    .try(
      't',
      (t) =>
        t.parallel('p', {
          a: (b) => b.step('bad', nothing),
          b: (b) =>
            b.scope(
              's',
              (s) => {
                const raced = s.race('r', {
                  quick: (x) => x.sleep('nap', '1s'),
                  slow: (x) => x.step('slow', nothing, undo),
                });
                return raced.fail('f', { code: 'boom', message: 'boom' });
              },
              { saga: 'scope' },
            ),
        }),
      { do: (c) => c.step('caught', nothing) },
    )
    .end();

  test('could not be committed while it waited only for what drained', () => {
    const story = started(written(job));
    story.time(at(story, 'nap'));
    // The region has failed, and waits for its slow step before it is undone.
    story.fail(at(story, 'bad'));
    story.done(at(story, 'caught'));
    story.done(at(story, 'slow'));
    story.done(at(story, 'slow'));
    const settled = story.history.flatMap(({ changes }) => changes);
    expect(settled.filter(({ did }) => did === 'settle-undo')).toHaveLength(1);
    expect(story.head.status).toBe('completed');
  });

  const cut = (version: number): Drawing => {
    const inner = { undo: { do: nothing, retry: { maxAttempts: 5, delay: '1h' } } };
    return written(
      flow('job', { version })
        .parallel('p', {
          a: (b) =>
            b.scope(
              's',
              (s) => s.step('a', nothing, version === 1 ? inner : {}).step('bad', nothing),
              {
                saga: 'scope',
              },
            ),
          b: (b) => b.step('c', nothing, undo).waitFor('go', { event: 'go' }),
        })
        .end(),
    );
  };

  test('let its instance migrate to where nothing could undo what it had begun to', () => {
    const story = started(cut(1));
    story.done(at(story, 'a'));
    story.done(at(story, 'c'));
    story.fail(at(story, 'bad'));
    // Undoing it fails and is to be tried again, when all of it is to be undone.
    story.fail(at(story, 'a'));
    story.cancel(true);
    expect(story.migrate(cut(2))).toMatchObject([{ code: 'undo.missing', node: 'a' }]);
  });
});

describe('a migration', () => {
  const flat = flow('job')
    .parallel('p', { a: (b) => b.step('a', nothing), b: (b) => b.step('b', nothing) })
    .step('after', nothing)
    .end();
  const nested = flow('job', { version: 2 })
    .parallel('outer', {
      x: (b) => b.step('x', nothing),
      y: (b) =>
        b
          .parallel('p', { a: (c) => c.step('a', nothing), b: (c) => c.step('b', nothing) })
          .step('after', nothing),
    })
    .end();

  test('put each branch into a region of its own, and what came after them ran twice', () => {
    const story = started(written(flat));
    expect(story.migrate(written(nested))).toMatchObject([
      { code: 'fork.differs', node: 'a' },
      { code: 'fork.differs', node: 'b' },
    ]);
  });

  test('takes a token out of a region only if nobody else is in it', () => {
    const one = flow('job')
      .parallel('p', {
        a: (b) =>
          b.step('a', nothing).parallel('q', {
            x: (c) => c.step('x', nothing),
            y: (c) => c.step('y', nothing),
          }),
        b: (b) => b.step('b', nothing),
      })
      .end();
    const two = flow('job', { version: 2 })
      .parallel('p', {
        a: (b) => b.step('x', nothing),
        c: (b) => b.step('y', nothing),
        b: (b) => b.step('b', nothing),
      })
      .end();
    const story = started(written(one));
    story.done(at(story, 'a'));
    const reasons = story.migrate(written(two));
    expect(reasons).toMatchObject([
      { code: 'node.missing', node: 'p/a' },
      { code: 'region.differs', node: 'x' },
      { code: 'region.differs', node: 'y' },
    ]);
  });

  test('puts no token into a region while what it opened itself is still there', () => {
    const box = { kind: 'scope', settings: { body: 'A' } };
    const inside = { A: { kind: 'step', in: 'box' } };
    const story = started(draw(['s -> box -> end'], { box, ...inside }));
    // The region is over, and whoever opened it is left to those who have the flow's closures.
    withoutCode(story, () => story.done(at(story, 'A')));
    const owner = story.instance.tokens.get(at(story, 'box'));
    expect(owner).toMatchObject({ status: 'ready', wake: { reason: 'resume' } });
    const { draft } = draw(['s -> wrap -> end'], {
      ...{ wrap: { kind: 'scope', settings: { body: 'box' } }, box: { ...box, in: 'wrap' } },
      ...inside,
    });
    const nodes = draft.nodes.map((node) =>
      node.id === 'wrap' ? { ...node, hidden: true } : node,
    );
    expect(story.migrate({ draft: { ...draft, nodes } })).toMatchObject([
      { code: 'region.differs', node: 'box' },
    ]);
  });
});

test('what waits for people goes on in an arm that the next version has put around it', () => {
  const one = flow('job').task('look', { assignee: 'ann' }).end();
  const two = flow('job', { version: 2 })
    .choose(
      'whether',
      {
        yes: {
          when: () => true,
          do: (b) => b.task('look', { assignee: 'ann' }).step('a', nothing),
        },
      },
      { otherwise: (b) => b.step('b', nothing) },
    )
    .end();
  const story = started(written(one));
  expect(story.migrate(written(two))).toContain('open   scope');
  const ask = { do: 'complete', by: 'ann', groups: [], output: 'seen' } as const;
  const token = at(story, 'look');
  story.tell({ type: 'task', at: story.now as Instant, token, ask });
  expect(tokensAt(story, 'a')).toHaveLength(1);
});

test('an incident without an answer was moved, and what it may have done was never undone', () => {
  const job = flow('job')
    .step('charge', nothing, { ...undo, onFailure: 'incident' })
    .waitFor('go', { event: 'go' })
    .end();
  const story = started(written(job));
  story.giveUp(at(story, 'charge'));
  moved(story, 'charge', 'go');
  story.cancel(true);
  expect(story.instance.undos.values()).toMatchObject([{ node: 'charge', inDoubt: true }]);
  story.done(at(story, 'charge'));
  expect(story.head).toMatchObject({ status: 'canceled', outcome: 'compensated' });
});

test('a step that is skipped is undone like one that was done', () => {
  const job = flow('job').step('charge', nothing, undo).waitFor('go', { event: 'go' }).end();
  const story = started(written(job));
  story.skip(at(story, 'charge'), 'by hand');
  expect(story.instance.undos.values()).toMatchObject([{ node: 'charge', result: 'by hand' }]);
  story.cancel(true);
  story.done(at(story, 'charge'));
  expect(story.head).toMatchObject({ status: 'canceled', outcome: 'compensated' });
});

test('a token that is moved within its branch is still waited for at the join', () => {
  const lines = ['f -> A -> C -> j', 'f -> B -> j', 'j -> D -> end'];
  const story = started(draw(lines, { f: { kind: 'fork' }, j: { kind: 'join' } }));
  moved(story, 'A', 'C');
  story.done(at(story, 'B'));
  expect(tokensAt(story, 'D')).toEqual([]);
  story.done(at(story, 'C'));
  expect([tokensAt(story, 'j'), tokensAt(story, 'D').length]).toEqual([[], 1]);
  story.done(at(story, 'D'));
  expect(story.head.status).toBe('completed');
});

/** What those who go back read. */
function archiveOf(story: Story): Archive {
  return {
    history: async () => story.history,
    snapshot: async () => undefined,
    now: () => story.now as Instant,
  };
}

test('an instance that a rejection has failed asks once more when it is revived', async () => {
  const job = flow('job')
    .approve('ask', { approvers: ['ann'], onReject: 'fail' })
    .end();
  const story = started(written(job));
  const decide = (decision: 'approve' | 'reject'): void => {
    const ask = { do: 'decide', decision, by: 'ann', groups: [] } as const;
    story.tell({ type: 'task', at: story.now as Instant, token: at(story, 'ask'), ask });
  };
  decide('reject');
  expect(story.head.fault?.code).toBe('approval.rejected');
  const past = await pastToRevive(archiveOf(story), story.machine, story.head);
  const { version: seen } = story.head;
  story.tell({ type: 'restore', at: story.now as Instant, seen, past });
  decide('approve');
  expect(story.head.status).toBe('completed');
});

// Sequence 175: the item whose runner was about to open it was marked as begun already.
test('going back to where the items of a map are run leaves none of them out', async () => {
  const job = flow('job')
    .map('each', { over: ['a', 'b', 'c'] }, (b) => b.set('do', ({ item }) => item))
    .end();
  const story = started(written(job));
  const output = { each: ['a', 'b', 'c'] };
  expect(story.head.output).toEqual(output);
  for (const node of story.machine.plan.nodes.keys()) {
    const past = await new WayBack(archiveOf(story), story.machine, node).past(story.instance);
    const { version: seen } = story.head;
    story.tell({ type: 'restore', at: story.now as Instant, seen, past });
    expect({ node, output: story.head.output }).toEqual({ node, output });
  }
});
