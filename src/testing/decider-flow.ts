/** What the decider decides: an approval, and a payment that leaves a line in a ledger. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';

/** In what process a decision is made: with a worker, without, or without even the flow. */
export type Standing = 'worker' | 'office' | 'stranger';
/** When it dies: before its decision is committed, right after, or not at all. */
export type Death = 'before' | 'after' | 'never';

export interface Errand {
  readonly place: string;
  readonly folder: string;
  readonly standing: Standing;
  readonly death: Death;
  /** What it decides; without one it only works. */
  readonly task?: string;
}

export function paymentFlow(folder: string): Flow {
  return flow('payment')
    .approve('release', { approvers: ['fin', 'legal'], rule: 'unanimous' })
    .step('pay', ({ results }) => {
      appendFileSync(ledgerIn(folder), `${results.release.by}\n`);
      return results.release.votes.length;
    })
    .end(({ results }) => results.pay);
}

export function paidIn(folder: string): readonly string[] {
  const ledger = ledgerIn(folder);
  return existsSync(ledger) ? readFileSync(ledger, 'utf8').trimEnd().split('\n') : [];
}

function ledgerIn(folder: string): string {
  return join(folder, 'payments');
}
