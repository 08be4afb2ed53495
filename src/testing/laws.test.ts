/**
 * Laws that cannot fail are worthless: here the laws are given engines with a bug in them, one at a
 * time, and must find it and shrink it to something a person can read.
 */
import { expect, test } from 'vitest';
import type { Kinds, NodeKind } from '../kernel/kind.ts';
import { touchedBy } from '../kernel/touched.ts';
import type { Touched } from '../model/commit.ts';
import { kinds } from '../nodes/index.ts';
import { hunt, kindNamed, withKind } from './hunt.ts';
import { memoryShelf, TRIAL, type Trial } from './laws.ts';
import { tellDraft, tellFinding } from './laws-report.ts';
import { type Case, caseOf, drawingOf, isOrderly } from './random-case.ts';
import { visitsOf, VISITS_MAX } from './random-draw.ts';
import { kindBlocks } from './random-kinds.ts';

/**
 * A chain is a plan of its own and mixes with no other kind: it has its storm (`chain-storm`). So
 * is a Serverless Workflow, of which there are random ones (`random-workflows`).
 */
const mixed = [...kinds.keys()].filter((kind) => !/^(chain|link|sw-.*)$/.test(kind)).sort();

/** The builder says no flowcharts: they are drawn as graphs. */
const CHARTED: ReadonlySet<string> = new Set(['activity', 'flowchart']);

test('every node kind has a block in the generator, and every block a kind', () => {
  expect(Object.keys(kindBlocks).sort()).toEqual(mixed);
});

test('every node kind is drawn, in graphs and in what the builder can say', () => {
  for (const family of ['structured', 'unstructured']) {
    const drawn = new Set<string>();
    for (let seed = 1; seed <= 400; seed += 1) {
      const one = caseOf(seed);
      if (one.shape.family !== family) continue;
      for (const { kind } of drawingOf(one, 'draft').draft.nodes) drawn.add(kind);
    }
    const known = mixed.filter((kind) => family !== 'structured' || !CHARTED.has(kind));
    expect([...drawn].sort(), family).toEqual(known);
  }
});

test('no graph can do more than its bound says', () => {
  const shapes = Array.from({ length: 1_000 }, (_, seed) => caseOf(seed).shape);
  const graphs = shapes.flatMap((shape) => (shape.family === 'unstructured' ? [shape.graph] : []));
  expect(Math.max(...graphs.map(visitsOf))).toBeLessThanOrEqual(VISITS_MAX);
});

test('a seed names the same case every time', () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    expect(caseOf(seed)).toEqual(caseOf(seed));
    const drafts = [1, 2].map(() => tellDraft(drawingOf(caseOf(seed), 'draft').draft));
    expect(drafts[0]).toBe(drafts[1]);
  }
});

test('a join that fires at its second arrival is found', async () => {
  const finding = await hunt({ ...TRIAL, kinds: withJoin((arrivals) => arrivals >= 2) });
  expect(['join.early', 'join.waits']).toContain(finding.breach.law);
});

test('a join that waits for one arrival by each of its edges is found', async () => {
  // Counting ways in, not members: wrong as soon as a branch ends elsewhere or two meet before it.
  const finding = await hunt({ ...TRIAL, kinds: withJoin((arrivals, ways) => arrivals >= ways) });
  expect(['join.early', 'join.waits', 'stalls', 'oracle']).toContain(finding.breach.law);
});

test('a scope that forgets to promote its results is found', async () => {
  const scope = kindNamed('scope');
  const forgets: NodeKind = {
    ...scope,
    resume: (place, view, signal) => {
      const move = scope.resume?.(place, view, signal);
      if (move?.move !== 'take' || move.close === undefined) return move ?? { move: 'stay' };
      return { ...move, close: { ...move.close, promote: false } };
    },
  };
  const finding = await hunt({ ...TRIAL, kinds: withKind(forgets) }, isOrderly);
  expect(['oracle', 'order']).toContain(finding.breach.law);
});

test('a scope that skips its region is found', async () => {
  const skips: NodeKind = {
    ...kindNamed('scope'),
    enter: ({ node }) => ({ move: 'take', edges: node.out }),
  };
  const finding = await hunt({ ...TRIAL, kinds: withKind(skips) }, isOrderly);
  expect(['oracle', 'order']).toContain(finding.breach.law);
});

test('a scope that closes while a token lives in it is found', async () => {
  const step = kindNamed('step');
  const closes: NodeKind = {
    ...step,
    resume: (place, view, signal) => {
      const move = step.resume?.(place, view, signal);
      if (move?.move !== 'take') return move ?? { move: 'stay' };
      return { ...move, close: { scope: place.scope.id, promote: true } };
    },
  };
  const finding = await hunt({ ...TRIAL, kinds: withKind(closes) });
  expect(finding.breach).toMatchObject({ law: 'InvariantError' });
  expect(finding.breach.message).toContain('when it closes');
});

test('a repeat that keeps the results of every pass is found', async () => {
  const repeat = kindNamed('repeat');
  const keeps: NodeKind = {
    ...repeat,
    resume: (place, view, signal) => {
      const move = repeat.resume?.(place, view, signal);
      if (move?.move !== 'open' || move.close === undefined) return move ?? { move: 'stay' };
      return { ...move, close: { ...move.close, promote: true } };
    },
  };
  const finding = await hunt({ ...TRIAL, kinds: withKind(keeps) }, isOrderly);
  expect(['oracle', 'order']).toContain(finding.breach.law);
});

test('a step whose result depends on the time is found', async () => {
  const step = kindNamed('step');
  const dated: NodeKind = {
    ...step,
    resume: (place, view, signal) => {
      const late = signal.on === 'result' ? { ...signal, value: view.now } : signal;
      return step.resume?.(place, view, late) ?? { move: 'stay' };
    },
  };
  const finding = await hunt({ ...TRIAL, kinds: withKind(dated) }, isOrderly);
  expect(['oracle', 'order']).toContain(finding.breach.law);
});

test('a kind that remembers something of its own is found', async () => {
  let visits = 0;
  const set = kindNamed('set');
  const counts: NodeKind = {
    ...set,
    enter: (place) => {
      visits += 1;
      const write = { in: 'scope', space: 'results', name: place.node.id, value: visits } as const;
      return { move: 'take', edges: place.node.out, writes: [write] };
    },
  };
  const finding = await hunt({ ...TRIAL, kinds: withKind(counts) });
  expect(finding.breach.law).toBe('pure');
});

/** One bug for each list of rows: the store is told all but the last of them. */
const LISTS = [
  'tokens',
  'endedTokens',
  'scopes',
  'closedScopes',
  'values',
  'latches',
  'droppedLatches',
  'undos',
  'droppedUndos',
  'posts',
] as const;

/** Only where a region is a saga of its own inside what is not are records dropped one by one. */
function undoesNothing({ failing }: Case): boolean {
  return failing.saga === 'none';
}

for (const list of LISTS) {
  test(`a commit that leaves out one of its ${list} is found`, async () => {
    const finding = await hunt(
      storing((touched) => ({ ...touched, [list]: touched[list].slice(0, -1) })),
      list === 'droppedUndos' ? undoesNothing : undefined,
    );
    expect(['durable', 'commit', 'claimable', 'carried']).toContain(finding.breach.law);
  });
}

test('a commit that forgets who waits for a message is found', async () => {
  const finding = await hunt(storing((touched) => ({ ...touched, subscribed: [] })));
  expect(finding.breach.law).toBe('delivery');
});

test('a finding tells the seed, the command, the drawing and the story', async () => {
  const finding = await hunt({ ...TRIAL, kinds: withJoin((arrivals) => arrivals >= 2) });
  const told = tellFinding(finding);
  expect(told).toContain(`npm run sim -- --seed ${finding.seed}`);
  expect(told).toMatch(/fork\d+ -> /);
  expect(told).toContain('-- start\nstart  law-');
});

function withJoin(fires: (arrivals: number, ways: number) => boolean): Kinds {
  const join = kindNamed('join');
  return withKind({
    ...join,
    resume: (place, view) =>
      fires(view.arrivals(place), place.node.in.length)
        ? { move: 'join', edges: place.node.out }
        : { move: 'stay' },
  });
}

function storing(alter: (touched: Touched) => Touched): Trial {
  const openShelf: Trial['openShelf'] = () => ({
    ...memoryShelf(),
    touchedBy: (before, stride) => alter(touchedBy(before, stride)),
  });
  return { ...TRIAL, openShelf };
}
