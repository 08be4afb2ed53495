/**
 * From claims to work: what the handlers of claimed tokens will see.
 *
 * A claim says which version its instance had. What is cached may be behind that: then the history
 * in between is applied to it (D5). What is not cached is loaded, all of it at once.
 */
import { assemble, type Instance, isLive } from '../kernel/instance.ts';
import type { InstanceId } from '../model/ids.ts';
import type { InstanceRows } from '../model/instance.ts';
import type { Claim, Store } from '../stores/store.ts';
import type { Cache } from './cache.ts';
import { CATCH_UP_MAX, catchUp } from './catch-up.ts';
import { type Work, workOf } from './handlers.ts';

/**
 * A claim whose token is gone has no work, and one whose instance cannot be read is told of and
 * must not spoil the others (P12).
 */
export async function worksFor(
  store: Store,
  cache: Cache,
  claims: readonly Claim[],
  onBroken: (claim: Claim, error: unknown) => void,
): Promise<readonly Work[]> {
  const states = new Map<InstanceId, Instance>();
  const behind: Claim[] = [];
  for (const claim of claims) {
    const known = knownTo(cache, claim) ?? (await settledIn(cache, claim));
    if (known === undefined) behind.push(claim);
    else states.set(claim.instance, known);
  }
  const rows = await fetch(store, cache, behind, states);
  return claims.flatMap((claim) => {
    try {
      const row = rows.get(claim.instance);
      if (row !== undefined) states.set(claim.instance, assemble(row));
      rows.delete(claim.instance);
      const instance = states.get(claim.instance);
      if (instance === undefined) return [];
      cache.learn(instance);
      const token = instance.tokens.get(claim.token);
      return token === undefined || !isLive(token) ? [] : [workOf(instance, claim)];
    } catch (thrown) {
      onBroken(claim, thrown);
      return [];
    }
  });
}

/** What is known is the claim's version, or a later one that still has the token. */
function knownTo(cache: Cache, { instance, instanceVersion }: Claim): Instance | undefined {
  const known = cache.known(instance);
  return known === undefined || known.head.version < instanceVersion ? undefined : known;
}

/** The commit that made the token ready may be one of ours, whose answer is still under way. */
async function settledIn(cache: Cache, claim: Claim): Promise<Instance | undefined> {
  const settling = cache.settling(claim.instance);
  if (settling === undefined) return undefined;
  await settling;
  return knownTo(cache, claim);
}

/** Catches up with what is not far ahead, and loads the rest. */
async function fetch(
  store: Store,
  cache: Cache,
  claims: readonly Claim[],
  states: Map<InstanceId, Instance>,
): Promise<Map<InstanceId, InstanceRows>> {
  const wanted = new Map<InstanceId, number>();
  for (const { instance, instanceVersion } of claims) {
    wanted.set(instance, Math.max(wanted.get(instance) ?? 0, instanceVersion));
  }
  const near = [...wanted].flatMap(([id, version]) => {
    const known = cache.known(id);
    return known !== undefined && version - known.head.version <= CATCH_UP_MAX ? [known] : [];
  });
  for (const instance of await Promise.all(near.map((known) => catchUp(store, known)))) {
    if (instance !== undefined) states.set(instance.head.id, instance);
  }
  const isMissing = ([id, version]: readonly [InstanceId, number]): boolean =>
    (states.get(id)?.head.version ?? 0) < version;
  const ids = [...wanted].filter(isMissing).map(([id]) => id);
  const rows = ids.length === 0 ? [] : await store.load(ids);
  return new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.head.id, row]])));
}
