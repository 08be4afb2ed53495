/**
 * Finding and removing instances in memory. There are no indexes: everything is walked, and a walk
 * ends after as many as in a database.
 */
import { parseJson } from '../../base/json.ts';
import type { InstanceId } from '../../model/ids.ts';
import type { Fault } from '../../model/instance.ts';
import type {
  FaultSought,
  FindRequest,
  Found,
  FoundInstance,
  Instances,
  Period,
  Pruned,
  PrunedMessages,
  PruneMessagesRequest,
  PruneRequest,
  Sought,
  Tally,
  TallyRequest,
} from '../instances.ts';
import { encode, isOver } from '../payload.ts';
import { chosenOf } from '../pruning.ts';
import type { MemoryLetters } from './letters.ts';
import type { Mailbox } from './mailbox.ts';
import type { Outbox } from './outbox.ts';
import type { InstanceRow } from './rows.ts';
import type { Tables } from './tables.ts';
import { shownStatus, tallyIn } from './tally.ts';

export interface InstanceHouse {
  readonly tables: Tables;
  readonly mailbox: Mailbox;
  readonly outbox: Outbox;
  readonly letters: MemoryLetters;
  /** What else is kept of an instance goes with it. */
  readonly forget: (id: InstanceId) => void;
}

export class MemoryInstances implements Instances {
  readonly #house: InstanceHouse;
  readonly #pruned = new Set<InstanceId>();

  constructor(house: InstanceHouse) {
    this.#house = house;
  }

  async find(request: FindRequest): Promise<Found> {
    const { before, limit, walk } = request;
    const ids = this.#house.tables.scanBack(before, walk);
    const instances: FoundInstance[] = [];
    for (const id of ids) {
      const row = this.#house.tables.find(id);
      if (row === undefined || !isMeant(row, request)) continue;
      if (instances.length === limit) return { instances, next: instances.at(-1)?.id ?? null };
      instances.push(summaryOf(row));
    }
    return { instances, next: ids.length < walk ? null : (ids.at(-1) ?? null) };
  }

  async tally(request: TallyRequest): Promise<Tally> {
    return tallyIn(this.#house.tables, request);
  }

  async prune(request: PruneRequest): Promise<Pruned> {
    const { after, limit, walk, dryRun } = request;
    const ids = this.#house.tables.scan(after as InstanceId | null, walk);
    const meant = ids.filter((id) => this.#isPrunable(id, request)).slice(0, limit);
    const held = new Set(meant.filter((id) => this.#isHeld(id)));
    const free = meant.filter((id) => !held.has(id));
    if (!dryRun) {
      this.#house.tables.remove(free);
      for (const id of free) this.#house.forget(id);
      for (const id of chosenOf(free)) this.#pruned.add(id);
    }
    const isCut = meant.length >= limit;
    const last = (isCut ? meant : ids).at(-1) ?? null;
    const next = isCut || ids.length >= walk ? last : null;
    return { pruned: free.length, kept: held.size, next };
  }

  async wasPruned(id: InstanceId): Promise<boolean> {
    return this.#pruned.has(id);
  }

  #isPrunable(id: InstanceId, { statuses, flow, tenant, before }: PruneRequest): boolean {
    const head = this.#house.tables.find(id)?.head;
    if (head === undefined || head.endedAt === null || head.endedAt >= before) return false;
    if (flow !== null && head.flow !== flow) return false;
    if (tenant !== null && head.tenant !== tenant) return false;
    return statuses.some((status) => status === head.status);
  }

  #isHeld(id: InstanceId): boolean {
    const { tables, outbox, letters } = this.#house;
    if (outbox.hasOf(id) || letters.hasOf(id)) return true;
    const parent = tables.find(id)?.head.parent?.instance;
    const caller = parent === undefined ? undefined : tables.find(parent);
    return caller !== undefined && !isOver(caller.head.status);
  }

  async pruneMessages(request: PruneMessagesRequest): Promise<PrunedMessages> {
    return this.#house.mailbox.prune(request);
  }
}

function summaryOf(row: InstanceRow): FoundInstance {
  const {
    plan: _,
    version: _v,
    counter: _c,
    input: _i,
    output: _o,
    pauses: _p,
    ...head
  } = row.head;
  const attributes = Object.fromEntries(row.tags ?? []);
  const summary = { ...head, status: shownStatus(row), attributes };
  // Through text and back, as with any other store.
  return parseJson(encode(summary)) as unknown as FoundInstance;
}

function isMeant(row: InstanceRow, request: FindRequest): boolean {
  const { head } = row;
  const { flow, version, statuses, stalled, key, tenant, parent, created, ended, fault } = request;
  const exact = [
    [flow, head.flow],
    [version, head.flowVersion],
    [key, head.key],
    [tenant, head.tenant],
    [parent, head.parent?.instance],
  ];
  return (
    exact.every(([wanted, is]) => wanted === null || wanted === is) &&
    (statuses === null || statuses.includes(shownStatus(row))) &&
    (!stalled || head.stalled !== null) &&
    isWithin(created, head.createdAt) &&
    isWithin(ended, head.endedAt) &&
    (fault === null || isTroubled(fault, row)) &&
    request.attributes.every((sought) => isSought(sought, row))
  );
}

export function isWithin({ from, to }: Period, at: number | null): boolean {
  if (from === null && to === null) return true;
  if (at === null) return false;
  return (from === null || at >= from) && (to === null || at < to);
}

/** By its own fault, or by that of a token that waits to be mended. */
function isTroubled(sought: FaultSought, { head, tokens }: InstanceRow): boolean {
  if (head.fault !== null && isFault(sought, head.fault, head.fault.node)) return true;
  return tokens.values().some(({ token: { wait, node, lastError } }) => {
    return wait?.on === 'incident' && lastError !== null && isFault(sought, lastError, node);
  });
}

function isFault(sought: FaultSought, fault: Fault, at: string | null): boolean {
  const { code, prefix, text, node } = sought;
  if (code !== null && fault.code !== code) return false;
  if (prefix !== null && !fault.code.startsWith(prefix)) return false;
  if (node !== null && at !== node) return false;
  return text === null || fault.message.includes(text);
}

function isSought(sought: Sought, { tags }: InstanceRow): boolean {
  const value = tags?.get(sought.name);
  if ('is' in sought) return value === sought.is;
  if (typeof value !== 'number') return false;
  return (
    (sought.low === null || value >= sought.low) && (sought.high === null || value <= sought.high)
  );
}
