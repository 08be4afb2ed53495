/**
 * Ready tokens, claimed by their share of each shard (ADR 28). Ids are spread over the shards, and
 * so is work: nearly always a little more than its share is enough of each. If a shard may have had
 * more than was looked at, it is looked at once more, as deep as it takes.
 */
import type { Row } from '../rows.ts';
import type { ClaimRequest, Held } from '../store.ts';
import type { Cell } from '../writes.ts';
import { type Ask, columns } from './driver.ts';
import * as queries from './queries.ts';
import { heldCells, SHARDS } from './shard.ts';

/** A claim looks at so many more than it may take: others may be taking the same just now. */
const LOOKED_AT_MORE = 100;
/** The same for each shard, beside as many times its share of what may be taken. */
const OF_EACH_MORE = 10;
const OF_EACH_SHARES = 2;

export async function claimReady(
  ask: (...ask: Ask) => Promise<readonly Row[]>,
  where: readonly Cell[],
  { limit, worker, leaseMs, tenant }: ClaimRequest,
): Promise<readonly Row[]> {
  const claim = (most: number, ofEach: number): Promise<readonly Row[]> => {
    const looked = most * 2 + LOOKED_AT_MORE;
    const cells = [...where, most, looked, worker, leaseMs, ofEach];
    if (tenant === undefined) return ask(queries.claimable, ...cells);
    return ask(queries.claimableOf, ...cells, tenant);
  };
  const all = limit + OF_EACH_MORE;
  const share = Math.ceil((limit * OF_EACH_SHARES) / SHARDS);
  const ofEach = Math.min(all, share + OF_EACH_MORE);
  const rows = await claim(limit, ofEach);
  const taken = rows.filter(hasToken);
  // A stretch may have been cut short, and others may have taken what was looked at.
  const isCut = ofEach < all && Number(rows[0]?.looked) >= ofEach;
  if (!isCut || taken.length === limit) return taken;
  return [...taken, ...(await claim(limit - taken.length, all)).filter(hasToken)];
}

/** One lone token, if there is one. */
export function claimLone(
  ask: (...ask: Ask) => Promise<readonly Row[]>,
  where: readonly Cell[],
  { worker, leaseMs, tenant }: ClaimRequest,
): Promise<readonly Row[]> {
  const cells = [...where, worker, leaseMs];
  if (tenant === undefined) return ask(queries.claimableLone, ...cells);
  return ask(queries.claimableLoneOf, ...cells, tenant);
}

function hasToken(row: Row): boolean {
  return row.instance_id !== null;
}

/** Claims that are given back. The lanes they are in are told. */
export function releasing(held: readonly Held[], told: number | null): readonly Ask[] {
  const cells = columns(held.map(heldCells));
  return [[queries.own.beginRounds], [queries.release, ...cells, told], [queries.own.end]];
}
