/**
 * Is this a store? The same cases for every implementation of the port; each store's test calls
 * this in a few lines. Time is a number the cases set, and no case waits for anything.
 */
import { afterEach, describe, expect } from 'vitest';
import type { Store } from '../stores/store.ts';
import { anyWaitCases } from './store-any-waits.ts';
import { backlogCases } from './store-backlog.ts';
import { batchCases } from './store-batches.ts';
import { Bench, type OpenBench } from './store-bench.ts';
import { claimCases } from './store-claims.ts';
import { T0 } from './store-commits.ts';
import { guardCases } from './store-guards.ts';
import { haltCases } from './store-halts.ts';
import { healthCases } from './store-health.ts';
import { inboxCases } from './store-inbox.ts';
import { laneHolderCases } from './store-lane-holders.ts';
import { laneRateCases } from './store-lane-rates.ts';
import { laneShareCases } from './store-lane-shares.ts';
import { laneCases } from './store-lanes.ts';
import { leaseCases } from './store-leases.ts';
import { letterCases } from './store-letters.ts';
import { listeningCases } from './store-listening.ts';
import { loneCases } from './store-lone.ts';
import { messageCases } from './store-messages.ts';
import { pausedWorkCases } from './store-paused-work.ts';
import { pauseCases } from './store-pauses.ts';
import { postCases } from './store-posts.ts';
import { pruningCases } from './store-pruning.ts';
import { receiptCases } from './store-receipts.ts';
import { recallCases } from './store-recall.ts';
import { recordCases } from './store-records.ts';
import { restoreCases } from './store-restores.ts';
import { sagaCases } from './store-sagas.ts';
import { scheduleCases } from './store-schedules.ts';
import { searchCases } from './store-search.ts';
import { serverCases } from './store-servers.ts';
import { startCases } from './store-starts.ts';
import { stateCases } from './store-state.ts';
import { tallyCases } from './store-tally.ts';
import { taskSearchCases } from './store-task-search.ts';
import { taskCases } from './store-tasks.ts';
import { tenantCases } from './store-tenants.ts';
import { wrappedStore } from './wrapped-store.ts';

export function storeSuite(
  name: string,
  make: (clock: () => number) => Promise<Store> | Store,
): void {
  describe(name, () => {
    const opened: Store[] = [];
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((store) => store.close()));
    });

    const open: OpenBench = async () => {
      const clock = { now: T0 };
      const store = await make(() => clock.now);
      await store.open();
      opened.push(store);
      return new Bench(consistent(store), clock);
    };

    startCases(open);
    healthCases(open);
    backlogCases(open);
    guardCases(open);
    stateCases(open);
    sagaCases(open);
    batchCases(open);
    recallCases(open);
    claimCases(open);
    leaseCases(open);
    loneCases(open);
    pauseCases(open);
    haltCases(open);
    laneCases(open);
    laneRateCases(open);
    laneHolderCases(open);
    laneShareCases(open);
    pausedWorkCases(open);
    restoreCases(open);
    messageCases(open);
    inboxCases(open);
    anyWaitCases(open);
    listeningCases(open);
    postCases(open);
    letterCases(open);
    recordCases(open);
    scheduleCases(open);
    searchCases(open);
    tallyCases(open);
    pruningCases(open);
    serverCases(open);
    taskCases(open);
    taskSearchCases(open);
    tenantCases(open);
    receiptCases(open);
  });
}

/** Whoever looks and whoever only asks whether that is worth it are told the same. */
function consistent(store: Store): Store {
  const usual = { handlers: [], schedules: { flows: [] }, messages: true };
  return wrappedStore(store, {
    deliverable: async (limit, message) => {
      const found = await store.deliverable(limit, message);
      if (message !== undefined || limit === 0) return found;
      expect((await store.outlook(usual)).messages).toBe(found.length > 0);
      return found;
    },
    posts: async (limit, without) => {
      const found = await store.posts(limit, without);
      const request = without === undefined ? usual : { ...usual, withoutPosts: without };
      if (limit > 0) expect((await store.outlook(request)).posts).toBe(found.length > 0);
      return found;
    },
  });
}
