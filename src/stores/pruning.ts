/**
 * How a database removes instances that are over: it walks the ids upwards, looks up which of them
 * are meant and which of those somebody still has a use for, and only then begins to write. The
 * transaction that removes them looks once more, since one may have been opened again meanwhile.
 *
 * Ids made by the engine tell when an instance was started, and one that was started lately cannot
 * have been over for long. But ids may be anybody's, so every one is looked at.
 *
 * An id that somebody chose stays taken for ever: results, posts and messages of the instance that
 * had it may still be on their way, other processes may remember it, and whatever had the same id
 * would be mistaken for it. Ids of the engine's own making nobody comes by twice: none is kept.
 */
import type { InstanceId } from '../model/ids.ts';
import type { Pruned, PrunedMessages, PruneMessagesRequest, PruneRequest } from './instances.ts';

/** One that is meant, and whether somebody still has a use for it. */
export interface Prunable {
  readonly id: InstanceId;
  readonly isHeld: boolean;
}

/** Statements, in the order in which they are run: what others are found by goes last. */
export const REMOVALS = [
  'removeInputs',
  'removeTokens',
  'removeUndos',
  'removeTags',
  'removeHistory',
  'removeSnapshots',
  'removeDropped',
  'removeInstances',
] as const;

/** A UUIDv7: as all ids that the engine makes, by chance or out of a post. */
const MADE_BY_US = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Those that somebody may choose once more. */
export function chosenOf(ids: readonly InstanceId[]): readonly InstanceId[] {
  return ids.filter((id) => !MADE_BY_US.test(id));
}

export interface PruneTools {
  /** Ids after this place, in ascending order, and where they end: null if there are no more. */
  walk(after: string | null, limit: number): Promise<Walked>;
  /** The place right after an instance. */
  cursorAt(id: InstanceId): string;
  /** In ascending order, `limit` at most. */
  prunable(ids: readonly InstanceId[], request: PruneRequest): Promise<readonly Prunable[]>;
  /** Those that are still as they were seen, in one transaction that keeps `chosenOf` them. */
  remove(ids: readonly InstanceId[], request: PruneRequest): Promise<number>;
  wasPruned(id: InstanceId): Promise<boolean>;
}

interface Walked {
  readonly ids: readonly InstanceId[];
  readonly next: string | null;
}

export async function pruneBy(tools: PruneTools, request: PruneRequest): Promise<Pruned> {
  const { after, limit, walk, dryRun } = request;
  const { ids, next } = await tools.walk(after, walk);
  const meant = ids.length === 0 ? [] : await tools.prunable(ids, request);
  const free = meant.filter(({ isHeld }) => !isHeld).map(({ id }) => id);
  const pruned = dryRun || free.length === 0 ? free.length : await tools.remove(free, request);
  // More of those that were walked past may be meant.
  const last = meant.length < limit ? undefined : meant.at(-1);
  const kept = meant.length - free.length;
  return { pruned, kept, next: last === undefined ? next : tools.cursorAt(last.id) };
}

/** A message, and whether nobody can have it any more, nor had it lately. */
export interface KeptMessage {
  readonly id: string;
  readonly isSpent: boolean;
}

export interface PruneMessageTools {
  /** After this one, in ascending order of their ids. */
  messages(request: PruneMessagesRequest): Promise<readonly KeptMessage[]>;
  /** And who had them. What is spent stays so. */
  removeMessages(ids: readonly string[]): Promise<void>;
}

export async function pruneMessagesBy(
  tools: PruneMessageTools,
  request: PruneMessagesRequest,
): Promise<PrunedMessages> {
  const messages = await tools.messages(request);
  const spent = messages.filter(({ isSpent }) => isSpent).map(({ id }) => id);
  if (spent.length > 0 && !request.dryRun) await tools.removeMessages(spent);
  const next = messages.length < request.walk ? null : (messages.at(-1)?.id ?? null);
  return { pruned: spent.length, next };
}
