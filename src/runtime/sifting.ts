/**
 * From claims to work that may be begun, for whoever claims: the worker of this process, and
 * workers elsewhere. Nobody has begun with any of it yet: what is not to be run is given back, and
 * costs no attempt.
 */
import type { Claim, Held, Store } from '../stores/store.ts';
import type { Halting } from './halting.ts';
import type { Work } from './handlers.ts';
import type { Logger } from './logger.ts';
import type { Strides } from './strides.ts';

export interface SiftingHouse {
  readonly store: Store;
  readonly strides: Strides;
  readonly halting: Halting;
  readonly logger: Logger;
}

/** What the claims are for; one whose instance cannot be read is told of, and left (P12). */
export function loadWorks(
  { strides, logger }: SiftingHouse,
  claims: readonly Claim[],
): Promise<readonly Work[]> {
  return strides.worksFor(claims, ({ instance }, error) => {
    const details = { instance, error: String(error) };
    logger.error(details, 'an instance could not be read and is left as it is');
  });
}

/** What a store that is away does not take back runs out by itself. */
export async function giveBack(
  { store, logger }: Pick<SiftingHouse, 'store' | 'logger'>,
  claims: readonly Claim[],
): Promise<void> {
  try {
    await store.release(claims);
  } catch (thrown) {
    logger.warn({ error: String(thrown) }, 'claims could not be given back');
  }
}

export function mayBeAsleep({ halting }: SiftingHouse, work: Work): boolean {
  const { status, flow, flowVersion } = work.head;
  return status === 'suspended' || halting.isHalted(flow, flowVersion);
}

/**
 * One whose instance was suspended just after the claim is given back unrun (L-42), and so is one
 * that began although its flow is suspended.
 */
export async function goingOn(
  house: SiftingHouse,
  works: readonly Work[],
  leaseMs: number,
): Promise<readonly Work[]> {
  const asleep: Work[] = [];
  for (const work of works) if (await isAsleep(house, work)) asleep.push(work);
  if (asleep.length > 0) await house.store.release(asleep.map(({ claim }) => claim));
  return stillHeld(
    house,
    works.filter((work) => !asleep.includes(work)),
    leaseMs,
  );
}

async function isAsleep({ halting }: SiftingHouse, { head }: Work): Promise<boolean> {
  const { id, status, flow, flowVersion } = head;
  return status === 'suspended' || (await halting.hold(id, flow, flowVersion));
}

/**
 * A process that stood still meanwhile may have lost some: they are somebody else's to run. And
 * where something has happened to the instance since, it may have taken the claim away and made
 * the same token ready anew: what people have been told is done must not begin afterwards.
 */
export async function stillHeld(
  { store }: SiftingHouse,
  works: readonly Work[],
  leaseMs: number,
): Promise<readonly Work[]> {
  const now = store.now();
  const doubtful = works
    .filter(({ claim, head }) => claim.until <= now || head.version > claim.instanceVersion)
    .map(({ claim }) => claim);
  if (doubtful.length === 0) return works;
  const lost: ReadonlySet<Held> = new Set(await store.renew(doubtful, leaseMs));
  return works.filter(({ claim }) => !lost.has(claim));
}

export function withoutWork(claims: readonly Claim[], works: readonly Work[]): readonly Claim[] {
  const worked = new Set(works.map(({ claim }) => claim));
  return claims.filter((claim) => !worked.has(claim));
}
