/**
 * Where two instances first went different ways. What happened at each node is compared with what
 * happened at the same node in the same pass of the other, so that branches which ran side by side
 * may have been done in any order; that order is told only if nothing else differs.
 */
import type { Commit, Json } from '../api/shapes.ts';
import { type Fact, type FactKind, type Facts, factsOf } from './facts.ts';
import { jsonDiff } from './json-diff.ts';

export interface Side {
  /** The commit to look at. */
  readonly n: number;
  /** Null: nothing of the kind happened here. */
  readonly fact: Fact | null;
  /** What came of the same node here, if that did not. */
  readonly instead: Fact | null;
}

export interface Difference {
  readonly what: FactKind | 'input' | 'order' | 'length';
  readonly node: string;
  readonly a: Side;
  readonly b: Side;
}

export interface Loaded {
  /** All commits there are so far have been loaded. */
  readonly isAllA: boolean;
  readonly isAllB: boolean;
}

const ALL: Loaded = { isAllA: true, isAllB: true };

/** Null: they went the same way, as far as is loaded. */
export function firstDifference(
  commitsA: readonly Commit[],
  commitsB: readonly Commit[],
  loaded: Loaded = ALL,
): Difference | null {
  const a = factsOf(commitsA);
  const b = factsOf(commitsB);
  const found = unmatched(a, b, loaded);
  if (found !== null) return found;
  if (!loaded.isAllA || !loaded.isAllB) return null;
  return shorter(a, b) ?? orderOf(a, b) ?? inputOf(a, b);
}

/**
 * What is not there may still come: from pages that are not loaded, or if the instance goes on.
 * What is there with another value differs whatever comes.
 */
function unmatched(a: Facts, b: Facts, { isAllA, isAllB }: Loaded): Difference | null {
  const inA = firstWithout(a, b, isAllB && b.isOver);
  const inB = firstWithout(b, a, isAllA && a.isOver);
  if (inA === null && inB === null) return null;
  if (inA !== null && inB !== null && inA.at === inB.at) return differenceOf(inA, inB, a, b);
  const isFirstA = inB === null || (inA !== null && inA.at < inB.at);
  if (isFirstA && inA !== null) {
    return differenceOf(inA, pairOf(inA, b) ?? besides(inA, inB), a, b);
  }
  return inB === null ? null : differenceOf(pairOf(inB, a) ?? besides(inB, inA), inB, a, b);
}

/** The first that went elsewhere on the other side is what happened instead, if it is a way too. */
function besides(mine: Fact, other: Fact | null): Fact | null {
  return other !== null && mine.kind === 'path' && other.kind === 'path' ? other : null;
}

function firstWithout(mine: Facts, others: Facts, isFinal: boolean): Fact | null {
  const known = indexOf(others);
  for (const fact of mine.facts) {
    const pair = known.get(fact.key);
    if (pair === undefined ? isFinal : !isSame(fact.value, pair.value)) return fact;
  }
  return null;
}

const indices = new WeakMap<Facts, ReadonlyMap<string, Fact>>();

function indexOf(facts: Facts): ReadonlyMap<string, Fact> {
  const known = indices.get(facts) ?? new Map(facts.facts.map((fact) => [fact.key, fact]));
  indices.set(facts, known);
  return known;
}

function pairOf({ key }: Fact, others: Facts): Fact | null {
  return indexOf(others).get(key) ?? null;
}

function differenceOf(inA: Fact | null, inB: Fact | null, a: Facts, b: Facts): Difference {
  const told = inA ?? inB;
  return {
    what: told?.kind ?? 'path',
    node: told?.node ?? '',
    a: inA === null ? sideWithout(told, a) : sideOf(inA),
    b: inB === null ? sideWithout(told, b) : sideOf(inB),
  };
}

/** Looked at where its own visit to that node went another way, or where so much had happened. */
function sideWithout(told: Fact | null, facts: Facts): Side {
  const isMeant = ({ node, kind }: Fact): boolean =>
    told !== null && told.node !== '' && node === told.node && kind !== 'wait';
  const instead = facts.facts.findLast(isMeant) ?? null;
  return { n: instead?.n ?? commitAt(facts, told?.at ?? 0), fact: null, instead };
}

/** Where the other one was when so much had happened. */
function commitAt({ facts }: Facts, at: number): number {
  return (facts[at] ?? facts.at(-1))?.n ?? 1;
}

/** One of them has not come as far as the other, or both are open and have gone different ways. */
function shorter(a: Facts, b: Facts): Difference | null {
  const missing = (mine: Facts, others: Facts): Fact | undefined =>
    mine.facts.find(({ key }) => !indexOf(others).has(key));
  const inA = missing(a, b) ?? null;
  const inB = missing(b, a) ?? null;
  if (inA === null && inB === null) return null;
  const found = differenceOf(inA, inB, a, b);
  return inA === null || inB === null ? { ...found, what: 'length' } : found;
}

function orderOf(a: Facts, b: Facts): Difference | null {
  const at = a.facts.findIndex(({ key }, index) => b.facts[index]?.key !== key);
  const inA = a.facts[at];
  const inB = b.facts[at];
  if (inA === undefined || inB === undefined) return null;
  return { what: 'order', node: inA.node, a: sideOf(inA), b: sideOf(inB) };
}

function sideOf(fact: Fact): Side {
  return { n: fact.n, fact, instead: null };
}

function inputOf(a: Facts, b: Facts): Difference | null {
  if (isSame(a.input, b.input)) return null;
  const side = { n: 1, fact: null, instead: null };
  return { what: 'input', node: '', a: side, b: side };
}

function isSame(a: Json, b: Json): boolean {
  return a === b || jsonDiff(a, b).length === 0;
}
