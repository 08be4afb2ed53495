import { describe, expect, test } from 'vitest';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { InstanceRows } from '../model/instance.ts';
import { play } from '../testing/play.ts';
import { draw, Story } from '../testing/story.ts';
import { fold } from './fold.ts';
import { rowsOf } from './instance.ts';

const ID = 'i1' as InstanceId;

const drawing = draw(['f -> A -> j', 'f -> nap -> j', 'f -> again -> j', 'j -> end'], {
  f: { kind: 'fork' },
  j: { kind: 'join' },
  nap: { kind: 'sleep', settings: { ms: 10 } },
  again: { kind: 'repeat', settings: { body: 'Try', check: 'times', times: 3 } },
  Try: { kind: 'step', in: 'again' },
  end: { kind: 'end', settings: { output: 'results' } },
});

/** Runs it to the end and keeps the state after every commit. */
function told(): { history: readonly HistoryRow[]; states: readonly InstanceRows[] } {
  const story = new Story(drawing, { limits: { MOVES_PER_COMMIT: 2 } });
  const states: InstanceRows[] = [];
  story.start();
  play(story, (tokens) => {
    states.push(structuredClone(rowsOf(story.instance)));
    return tokens.at(-1);
  });
  return { history: story.history, states: [...states, rowsOf(story.instance)] };
}

test('P9: the first n rows of history are the instance as it was after commit n', () => {
  const { history, states } = told();
  expect(history.length).toBeGreaterThan(5);
  for (const [index, state] of states.entries()) {
    expect(rowsOf(fold(ID, history.slice(0, index + 1))), `commit ${index + 1}`).toEqual(state);
  }
});

test('a snapshot and the rows after it are the same as all rows', () => {
  const { history, states } = told();
  const last = states.at(-1);
  for (const [index, snapshot] of states.entries()) {
    const folded = fold(ID, history.slice(index + 1), snapshot);
    expect(rowsOf(folded), `snapshot ${index + 1}`).toEqual(last);
  }
});

test('history that went through text folds to the same state', () => {
  const { history, states } = told();
  const stored = JSON.parse(JSON.stringify(history)) as HistoryRow[];
  expect(rowsOf(fold(ID, stored))).toEqual(states.at(-1));
});

describe('O-92: folding is not running again', () => {
  test('no closure is called, and no handler', () => {
    let calls = 0;
    const story = new Story(
      draw(['x -> A'], {
        x: {
          kind: 'set',
          code: {
            value: () => {
              calls += 1;
              return calls;
            },
          },
        },
      }),
    );
    story.start();
    calls = 0;
    const folded = fold(ID, story.history);
    expect(calls).toBe(0);
    expect(rowsOf(folded).scopes[0]?.results).toEqual({ x: 1 });
  });

  test('it needs no plan: a state can be shown when the definition is long gone', () => {
    const { history } = told();
    expect(fold(ID, history).head.status).toBe('completed');
  });
});

test('what has been folded can be worked on', () => {
  const story = new Story(drawing);
  story.start();
  story.instance = fold(ID, story.history);
  play(story, (tokens) => tokens[0]);
  expect(story.head.status).toBe('completed');
});

test('a row that does not fit what came before it is refused', () => {
  const { history } = told();
  const at = 0 as Instant;
  const extra = {
    n: history.length + 1,
    at,
    commitId: 'c',
    changes: [{ did: 'finish', as: 'failed' }],
  };
  expect(() => fold(ID, [...history, extra as HistoryRow])).toThrow('an instance ends once');
});
