/** Commits of instances with tokens under limits, and what lets them through. */
import { expect } from 'vitest';
import type { Change } from '../model/change.ts';
import type { Token } from '../model/instance.ts';
import type { Lane } from '../model/lane.ts';
import type { LetThrough, LetThroughRequest } from '../stores/lanes.ts';
import type { Claim, Commit } from '../stores/store.ts';
import { type Bench, namesOf, shown } from './store-bench.ts';
import {
  fenceOf,
  finish,
  HANDLER,
  next,
  type Parts,
  start,
  token,
  tokenId,
} from './store-commits.ts';

/** Another than that of the store's tests. */
export const OTHER = 'order@1/other';

export function lane(name: string, concurrency: number | null, rate: Lane['rate'] = null): Lane {
  return { name, concurrency, rate };
}

/** So many at a time, by the name of the step. */
export function atOnce(concurrency: number, name = 'step:order/work'): readonly Lane[] {
  return [lane(name, concurrency)];
}

/** The first commit of an instance with one token under limits. */
export function limited(name: string, lanes: readonly Lane[], fields: Partial<Token> = {}): Commit {
  return begun(name, [token(2, { lanes, ...fields })]);
}

export function begun(name: string, tokens: readonly Token[], parts: Parts = {}): Commit {
  const laned = tokens.filter(({ lanes }) => lanes.length > 0).map(({ id }) => id);
  return start(name, { ...parts, rows: { tokens, laned, ...parts.rows } });
}

/** The last commit of an instance with one token, by whoever has claimed it. */
export function ended(name: string, claim: Claim | undefined, expected = 1): Commit {
  const rows = { laned: [tokenId(2)], changes: claim === undefined ? [] : [claimed(claim)] };
  const fence = claim === undefined ? {} : { fence: fenceOf(claim) };
  return finish(name, expected, { ...fence, rows });
}

/** As the kernel tells it. */
function claimed({ token: id, worker, version, at: moment }: Claim): Change {
  return { did: 'claim-token', token: id, worker, version, at: moment };
}

/** A later commit by whoever has claimed its token, which is this from now on. */
export function altered(name: string, claim: Claim | undefined, after: Token): Commit {
  const changes = claim === undefined ? [] : [claimed(claim)];
  const rows = { laned: [tokenId(2)], tokens: [after], changes };
  return next(name, 1, claim === undefined ? { rows } : { fence: fenceOf(claim), rows });
}

export function letThrough(
  bench: Bench,
  request: Partial<LetThroughRequest> = {},
): Promise<LetThrough> {
  return bench.store.lanes.letThrough({ handlers: [HANDLER, OTHER], lanes: [], ...request });
}

/** What is let through and then claimed, until nothing more is. */
export async function taken(bench: Bench): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (let found = -1; found !== 0; ) {
    const { tokens, more } = await letThrough(bench);
    const own = await bench.claim({ limit: 100, handlers: [HANDLER, OTHER] });
    claims.push(...own);
    found = tokens + own.length + Number(more);
  }
  return claims;
}

/** Who is taken once that one has ended, and nobody is before. */
export async function takenAfter(
  bench: Bench,
  name: string,
  claim: Claim | undefined,
): Promise<string[]> {
  expect(await taken(bench)).toEqual([]);
  await bench.given(ended(name, claim));
  return namesOf(await taken(bench));
}

/** Nothing is left of any lane, and nobody needs to look. */
export async function leavesNoLane(bench: Bench): Promise<void> {
  await letThrough(bench);
  expect(await bench.store.lanes.list(null, 9)).toEqual([]);
  expect(shown(await bench.outlook())).toEqual({});
}

export function of(claims: readonly Claim[], name: string): Claim | undefined {
  return claims.find(({ instance }) => instance === name);
}
