/** Commits whose answer was lost, found again by the id in their history row (D3). */
import { readClaim } from '../rows.ts';
import type { Claim, Commit, Committed } from '../store.ts';
import { columns, type Driver } from './driver.ts';
import * as queries from './queries.ts';
import { shardOf } from './shard.ts';

export async function recallAll(
  driver: Driver,
  commits: readonly Commit[],
): Promise<readonly (Committed | undefined)[]> {
  if (commits.length === 0) return [];
  const asked = commits.map(({ commitId, expected, touched: { head } }) => [
    ...[shardOf(head.id), head.id, expected + 1],
    commitId,
  ]);
  const tokens = commits.flatMap(({ expected, touched: { head }, take }) =>
    (take?.tokens ?? []).map((token) => [
      ...[shardOf(head.id), head.id, token],
      ...[take?.worker ?? null, expected + 1],
    ]),
  );
  const [found, taken] = await driver.all(
    [queries.findCommit, ...columns(asked)],
    ...(tokens.length === 0 ? [] : [[queries.findTaken, ...columns(tokens)] as const]),
  );
  const known = new Set(
    (found ?? []).map((row) => [row.instance_id, row.n, row.commit_id].join('/')),
  );
  const claims = new Map((taken ?? []).map(readClaim).map((claim) => [nameOf(claim), claim]));
  return commits.map(({ commitId, expected, touched, take }) => {
    const instance = touched.head.id;
    const made = { instance, instanceVersion: expected + 1, worker: take?.worker ?? '' };
    if (!known.has(`${instance}/${expected + 1}/${commitId}`)) return undefined;
    // In the order in which the commit itself would have told them.
    const own = touched.tokens.flatMap(
      ({ id }) => claims.get(nameOf({ ...made, token: id })) ?? [],
    );
    return { outcome: 'committed', taken: own };
  });
}

function nameOf(claim: Omit<Claim, 'version' | 'handler' | 'at' | 'until'>): string {
  return `${claim.instance}/${claim.instanceVersion}/${claim.token}/${claim.worker}`;
}
