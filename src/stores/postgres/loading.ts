/** Instances as they were at one moment, put together from the rows of their tables. */
import type { InstanceId } from '../../model/ids.ts';
import type { InstanceRows } from '../../model/instance.ts';
import { type InstanceSet, readInstance, type Row } from '../rows.ts';
import { columns, type Driver } from './driver.ts';
import * as queries from './queries.ts';
import { shardOf } from './shard.ts';

/** In the order asked for; undefined where there is none. */
export async function loadAll(
  driver: Driver,
  ids: readonly InstanceId[],
): Promise<readonly (InstanceRows | undefined)[]> {
  const refs = columns([...new Set(ids)].map((id) => [shardOf(id), id]));
  const [, heads, tokens, scopes, variables, latches, undos] = await driver.all(
    [queries.own.beginLoad],
    [queries.findInstance, ...refs],
    [queries.tokensOf, ...refs],
    [queries.scopesOf, ...refs],
    [queries.variablesOf, ...refs],
    [queries.latchesOf, ...refs],
    [queries.undosOf, ...refs],
    [queries.commit],
  );
  const parts = [tokens, scopes, variables, latches, undos].map(byInstance);
  const found = new Map((heads ?? []).map((head) => [head.id, head]));
  return ids.map((id) => {
    const head = found.get(id);
    if (head === undefined) return undefined;
    const [own, open, values, shut, undone] = parts.map((part) => part.get(id) ?? []);
    return readInstance({
      head,
      tokens: own,
      scopes: open,
      variables: values,
      latches: shut,
      undos: undone,
    } as InstanceSet);
  });
}

/** Those of one answer that belong together, in the order in which they came. */
function byInstance(rows: readonly Row[] = []): ReadonlyMap<unknown, Row[]> {
  const lists = new Map<unknown, Row[]>();
  for (const row of rows) {
    const list = lists.get(row.instance_id);
    if (list === undefined) lists.set(row.instance_id, [row]);
    else list.push(row);
  }
  return lists;
}
