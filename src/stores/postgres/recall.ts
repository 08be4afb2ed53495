/** Commits whose answer was lost, found again by the id in their history row (D3). */
import { readClaim } from '../rows.ts';
import type { Commit, Committed } from '../store.ts';
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
  const known = new Set((found ?? []).map(({ instance_id, n }) => `${instance_id}/${n}`));
  const claims = (taken ?? []).map(readClaim);
  return commits.map(({ expected, touched: { head } }) => {
    if (!known.has(`${head.id}/${expected + 1}`)) return undefined;
    const own = claims.filter(
      ({ instance, instanceVersion }) => instance === head.id && instanceVersion === expected + 1,
    );
    return { outcome: 'committed', taken: own };
  });
}
