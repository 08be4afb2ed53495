/** What every case of the store suite works on: a store that is open, and a clock to set. */
import { assert } from '../base/assert.ts';
import type { InstanceId } from '../model/ids.ts';
import type { InstanceRows } from '../model/instance.ts';
import type {
  Claim,
  ClaimRequest,
  Commit,
  CommitOutcome,
  Outlook,
  OutlookRequest,
  Store,
} from '../stores/store.ts';
import { HANDLER, idOf, T0 } from './store-commits.ts';

export class Bench {
  readonly store: Store;
  readonly #clock: { now: number };

  constructor(store: Store, clock: { now: number }) {
    this.store = store;
    this.#clock = clock;
  }

  /** Sets the time, in milliseconds since the beginning of the test. */
  setTime(ms: number): void {
    this.#clock.now = T0 + ms;
  }

  /** Commits one after the other and insists that each is taken. */
  async given(...commits: readonly Commit[]): Promise<void> {
    for (const commit of commits) {
      const outcome = await this.commit(commit);
      assert(outcome.outcome === 'committed', `${commit.commitId} is ${outcome.outcome}`);
    }
  }

  async commit(commit: Commit): Promise<CommitOutcome> {
    const [outcome, ...more] = await this.store.commit([commit]);
    assert(outcome !== undefined && more.length === 0, 'one commit has one outcome');
    return outcome;
  }

  /** Claims as worker "ann" unless told otherwise, for a second. */
  claim(request: Partial<ClaimRequest> = {}): Promise<readonly Claim[]> {
    const usual = { worker: 'ann', handlers: [HANDLER], limit: 10, leaseMs: 1_000 };
    return this.store.claim({ ...usual, ...request });
  }

  async claimFirst(worker = 'ann'): Promise<Claim> {
    const [claim] = await this.claim({ worker, limit: 1 });
    assert(claim !== undefined, 'there is something to claim');
    return claim;
  }

  /** For the usual handler unless told otherwise, and for messages. */
  outlook(request: Partial<OutlookRequest> = {}): Promise<Outlook> {
    const usual = { handlers: [HANDLER], schedules: { flows: [] }, messages: true };
    return this.store.outlook({ ...usual, ...request });
  }

  async load(name: string): Promise<InstanceRows> {
    const rows = await this.find(name);
    assert(rows !== undefined, `instance "${name}" is there`);
    return rows;
  }

  async find(name: string): Promise<InstanceRows | undefined> {
    const [rows] = await this.store.load([idOf(name)]);
    return rows;
  }

  async historyNumbers(name: string): Promise<number[]> {
    const rows = await this.store.history({ instance: idOf(name), after: 0, limit: 1_000 });
    return rows.map(({ n }) => n);
  }
}

export type OpenBench = () => Promise<Bench>;

/** What of an outlook there is: where nothing is going to happen, nothing. */
export function shown(outlook: Outlook): Partial<Outlook> {
  const known = Object.entries(outlook).filter(([, next]) => next !== undefined && next !== false);
  return Object.fromEntries(known);
}

/** Instances and tokens of claims, short enough to compare. */
export function namesOf(refs: readonly { instance: InstanceId; token: number }[]): string[] {
  return refs.map(({ instance, token }) => `${instance}.${token}`);
}
