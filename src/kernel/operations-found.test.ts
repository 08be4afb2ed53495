/** What people met when they operated on instances in the middle of something else. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Instant, NodeId, TokenId } from '../model/ids.ts';
import { tokensAt } from '../testing/play.ts';
import { type Drawing, started, type Story, written } from '../testing/story.ts';

function at(story: Story, node: string): number {
  const [token] = tokensAt(story, node);
  if (token === undefined) throw new Error(`nobody is at ${node}`);
  return token;
}

function nothing(): null {
  return null;
}

const undo = { undo: nothing };

describe('a saga that is cut short', () => {
  const raced = flow('job')
    .try(
      't',
      (t) =>
        t.parallel('p', {
          a: (b) =>
            b.scope(
              's',
              (s) =>
                s
                  .race('r', {
                    slow: (x) => x.step('slow', nothing, undo),
                    quick: (x) => x.sleep('nap', '1s'),
                  })
                  .fail('f', { code: 'boom', message: 'boom' }),
              { saga: 'scope' },
            ),
          b: (b) => b.step('bad', nothing),
        }),
      { do: (c) => c.step('caught', nothing) },
    )
    .end();

  test('could not be committed while it waited only for what drained', () => {
    const story = started(written(raced));
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
});

test('an incident without an answer was moved, and what it may have done was never undone', () => {
  const job = flow('job')
    .step('charge', nothing, { ...undo, onFailure: 'incident' })
    .waitFor('go', { event: 'go' })
    .end();
  const story = started(written(job));
  const charge = at(story, 'charge');
  story.giveUp(charge);
  story.tell({ type: 'move', at: 0 as Instant, token: charge as TokenId, to: 'go' as NodeId });
  story.cancel(true);
  expect(story.instance.undos.values()).toMatchObject([{ node: 'charge', inDoubt: true }]);
  story.done(at(story, 'charge'));
  expect(story.head).toMatchObject({ status: 'canceled', outcome: 'compensated' });
});
