/** Flows that come to an engine: when it is made, and later. */
import { EngineError } from '../base/engine-error.ts';
import type { Flow } from '../model/definition.ts';
import type { PlanHash } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import type { Store } from '../stores/store.ts';
import { Library } from './library.ts';
import type { Logger } from './logger.ts';

interface DeployHouse {
  readonly store: Store;
  readonly library: Library;
  readonly limits: Limits;
  readonly logger: Logger;
}

interface Outboxed {
  /** Null where letters have no target. */
  readonly outbox: object | null;
}

/** What a flow is known by once it is there. */
export interface Deployed {
  readonly name: string;
  readonly version: number;
  readonly hash: PlanHash;
}

/** Stored first, and then known here: what is wrong is said before either. */
export async function deploy<In, Out>(house: DeployHouse, flow: Flow<In, Out>): Promise<Deployed> {
  const { store, library, limits, logger } = house;
  const { definition, name, version } = flow;
  const trial = new Library(limits, library.givenHandlers, library.kinds);
  const rows = trial.register([definition]);
  checkTransactions(store, trial);
  for (const row of rows) await store.savePlan(row);
  const before = library.registered(name, version)?.plan.hash;
  library.register([definition]);
  const hash = trial.registered(name, version)?.plan.hash as PlanHash;
  if (before !== undefined && before !== hash) {
    const advice = 'give what has changed another version';
    logger.warn({ name, version, advice }, 'another plan of the same version: what runs keeps its');
  }
  return { name, version, hash };
}

/**
 * What nobody here does. A name that is misspelt looks like this, and so does work that is shared
 * on purpose.
 */
export function sayWhatIsMissing(house: DeployHouse & Outboxed, hasWorker: boolean): void {
  const { library, logger, outbox } = house;
  if (!hasWorker) {
    const why = 'without a worker nothing is sent from here: another process must do it';
    if (outbox === null) return;
    return logger.warn({ worker: false }, `the outbox of this engine is idle: ${why}`);
  }
  const links = library.unservedLinks();
  if (links.length > 0) logger.warn({ links }, 'steps of chains that have no handler here');
  const handlers = library.idleHandlers();
  if (handlers.length > 0) logger.warn({ handlers }, 'handlers for steps that no chain has');
}

/** Said when a flow comes, and not when the first of its steps runs. */
export function checkTransactions({ hasTransactions }: Store, library: Library): void {
  const steps = hasTransactions ? [] : library.transactionalSteps();
  if (steps.length === 0) return;
  throw new EngineError(
    'store.no-transactions',
    `this store has no transactions, and these steps need one: ${steps.join(', ')}`,
    { details: { steps } },
  );
}
