/** What an instance and a token are when they are born: whatever a change leaves out is here. */
import type { Birth, NewToken } from '../model/change.ts';
import type { GroupId, Instant } from '../model/ids.ts';
import type { Head, Pause, Token } from '../model/instance.ts';
import { NO_LANES } from '../model/lane.ts';
import { firstIn } from './traces.ts';

export function headOf(birth: Birth, at: Instant): Head {
  return {
    id: birth.id,
    plan: birth.plan,
    flow: birth.flow,
    flowVersion: birth.flowVersion,
    status: 'running',
    version: 0,
    counter: 0,
    key: birth.key ?? null,
    tenant: birth.tenant ?? null,
    priority: birth.priority ?? 0,
    input: birth.input,
    output: null,
    fault: null,
    stalled: null,
    outcome: null,
    pauses: NO_PAUSES,
    parent: birth.parent ?? null,
    createdAt: at,
    updatedAt: at,
    endedAt: null,
  };
}

/** Most instances are never suspended. */
const NO_PAUSES: readonly Pause[] = [];

/** Most tokens come through no fork. Not frozen: a frozen list is slow to walk. */
export const NO_GROUPS: readonly GroupId[] = [];

export function tokenFrom(token: NewToken, at: Instant): Token {
  return {
    id: token.id,
    scope: token.scope,
    node: token.node,
    via: token.via ?? null,
    handler: token.handler ?? null,
    seq: token.seq ?? null,
    status: token.status ?? 'executing',
    mode: token.mode ?? 'forward',
    groups: token.groups ?? NO_GROUPS,
    visit: 1,
    attempts: 0,
    crashes: 0,
    maxAttempts: token.maxAttempts ?? 1,
    priority: token.priority ?? 0,
    lanes: token.lanes ?? NO_LANES,
    availableAt: token.availableAt ?? at,
    wait: token.wait ?? null,
    wakeAt: null,
    wake: token.trace === undefined ? null : firstIn(token.trace),
    lastError: null,
    hops: 0,
    createdAt: at,
    updatedAt: at,
  };
}
