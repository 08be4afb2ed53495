/** The laws about maps, given maps with a bug in them, one at a time: each is found. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { Move, NodeKind } from '../kernel/kind.ts';
import { hunt, kindNamed, withKind } from './hunt.ts';
import { TRIAL } from './laws.ts';
import { hasKind } from './random-blocks.ts';
import { type Case, drawingOf } from './random-case.ts';

function hasMap({ shape, trapped }: Case): boolean {
  return shape.family === 'structured' && !trapped && hasKind(shape.row, 'map');
}

/** Among those with maps, whose items are such. */
function withItems(fits: (settings: JsonObject) => boolean): (one: Case) => boolean {
  return (one) => {
    if (!hasMap(one)) return false;
    const { nodes } = drawingOf(one, 'drawn').draft;
    return nodes.some(({ kind, settings }) => kind === 'item' && fits(settings));
  };
}

const stopsOthers = withItems(({ asks, limit }) => asks === true && limit !== 1);
const keepsFailures = withItems(({ settles }) => settles === true);
const fails = withItems(({ settles }) => settles !== true);
const mayFail = ({ habits, shape }: Case): boolean =>
  habits.failures || (shape.family === 'structured' && hasKind(shape.row, 'fail'));

/** The law that a kind breaks whose moves are altered on their way out. */
async function lawBroken(
  name: string,
  alter: (move: Move) => Move,
  among: (one: Case) => boolean = hasMap,
): Promise<string> {
  const kind = kindNamed(name);
  const altered = (move: Move | null | undefined): Move => alter(move ?? { move: 'stay' });
  const bad: NodeKind = {
    ...kind,
    enter: (place, view) => altered(kind.enter?.(place, view)),
    resume: (place, view, signal) => altered(kind.resume?.(place, view, signal)),
    rescue: (place, view, fault) => {
      const move = kind.rescue?.(place, view, fault) ?? null;
      return move === null ? null : alter(move);
    },
  };
  return (await hunt({ ...TRIAL, kinds: withKind(bad) }, among)).breach.law;
}

type Writing = Extract<Move, { readonly writes?: unknown }>;

/** The same move with other writes. */
function writing(
  move: Move,
  alter: (write: NonNullable<Writing['writes']>[number]) => NonNullable<Writing['writes']>,
): Move {
  if (!('writes' in move) || move.writes === undefined) return move;
  return { ...move, writes: move.writes.flatMap(alter) };
}

const isItem = (name: string): boolean => /^\d+$/.test(name);

test('results in another order than that of the list are found', async () => {
  const turned = (move: Move): Move =>
    writing(move, (write) => {
      return [Array.isArray(write.value) ? { ...write, value: write.value.toReversed() } : write];
    });
  expect(await lawBroken('map', turned)).toBe('map');
});

test('a result that is left out is found', async () => {
  const short = (move: Move): Move =>
    writing(move, (write) => {
      return [Array.isArray(write.value) ? { ...write, value: write.value.slice(1) } : write];
    });
  expect(await lawBroken('map', short)).toBe('map');
});

test('a runner that brings another along whatever the limit is found', async () => {
  const crowds = (move: Move): Move => (move.move === 'open' ? { ...move, beside: true } : move);
  const kind = kindNamed('item');
  const greedy: NodeKind = {
    ...kind,
    enter: (place, view) => {
      const { limit: _, ...config } = place.node.config as { readonly limit?: number };
      const node = { ...place.node, config };
      return crowds(kind.enter?.({ ...place, node }, view) ?? { move: 'stay' });
    },
  };
  const { breach } = await hunt({ ...TRIAL, kinds: withKind(greedy) }, hasMap);
  expect(breach.law).toBe('map');
});

test('an item that is begun twice is found', async () => {
  const again = (move: Move): Move =>
    writing(move, (write) => (write.name === 'next' ? [] : [write]));
  expect(await lawBroken('item', again)).toBe('map');
});

test('an item that is given the next one in its place is found', async () => {
  const shifted = (move: Move): Move => (move.move === 'open' ? { ...move, item: 'other' } : move);
  expect(await lawBroken('item', shifted)).toBe('map');
});

test('a map that has seen enough and lets the others go on is found', async () => {
  const patient = (move: Move): Move =>
    move.move === 'prevail' ? { ...move, move: 'take', edges: [] } : move;
  expect(await lawBroken('item', patient, stopsOthers)).toBe('map');
});

test('an item that ends and of which nothing is kept is found', async () => {
  const forgets = (move: Move): Move =>
    writing(move, (write) => (isItem(write.name) ? [] : [write]));
  expect(await lawBroken('item', forgets)).toBe('map');
});

test('a failure that is kept as another is found', async () => {
  const kind = kindNamed('item');
  const lies: NodeKind = {
    ...kind,
    rescue: (place, view, fault) => kind.rescue?.(place, view, { ...fault, code: 'other' }) ?? null,
  };
  const among = (one: Case): boolean => mayFail(one) && keepsFailures(one);
  const { breach } = await hunt({ ...TRIAL, kinds: withKind(lies) }, among);
  expect(breach.law).toBe('map');
});

test('an item that keeps what others fail with is found', async () => {
  const kind = kindNamed('item');
  const mild: NodeKind = {
    ...kind,
    rescue: (place, view, fault) => {
      const node = { ...place.node, config: { ...(place.node.config as object), settles: true } };
      return kind.rescue?.({ ...place, node }, view, fault) ?? null;
    },
  };
  const among = (one: Case): boolean => mayFail(one) && fails(one);
  const { breach } = await hunt({ ...TRIAL, kinds: withKind(mild) }, among);
  expect(['map', 'oracle', 'order']).toContain(breach.law);
});

test('what a map knows of its items is found where closures would see it', async () => {
  const shows = (move: Move): Move =>
    writing(move, (write) => {
      return write.name === 'next' ? [write, { ...write, space: 'vars' }] : [write];
    });
  expect(await lawBroken('item', shows)).toBe('hidden');
});
