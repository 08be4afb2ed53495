/**
 * What a bulk leaves behind at each instance, so that nothing is done twice.
 *
 * A bulk has a name. Whoever goes on after a crash goes on under the same name, and cannot know
 * what the other one had done when it died: what is done says so in the history of the instance, in
 * the same commit, and what is made (a copy, a message) has an id that follows from the name of the
 * bulk and the instance, so that making it again makes nothing.
 */
import { sha256 } from '../base/hash.ts';
import { childId } from '../kernel/child-id.ts';
import type { Acting, Action, ActionName } from '../model/action.ts';
import type { Act } from '../model/change.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Head } from '../model/instance.ts';
import type { Store } from '../stores/store.ts';
import { wrong } from './fields.ts';
import { isName, NAME_CHARS_MAX } from './options.ts';

/** The bulk that an action is part of. */
export interface BulkPart {
  readonly id: string;
  readonly verb: ActionName;
  /** Since when it has been going on. */
  readonly since: Instant;
  /** It was cut short before: this may have been done already. */
  readonly goesOn: boolean;
}

/** Who said what, as history keeps it. */
export function actOf(verb: Act['verb'], { actor, reason }: Acting, bulk?: BulkPart): Act {
  return {
    ...{ verb, by: actor ?? null },
    ...(reason === undefined ? {} : { why: reason }),
    ...(bulk === undefined ? {} : { bulk: bulk.id }),
  };
}

/** For so long what was done under a name is known again by it. */
export const ONCE_MS = 86_400_000;

/** What is done once only under a name is a bulk of one. */
export function onceOf({ once }: Acting, verb: ActionName, now: Instant): BulkPart | undefined {
  if (once === undefined) return undefined;
  return { id: once, verb, since: (now - ONCE_MS) as Instant, goesOn: true };
}

/** Commits that are looked at together. */
const PAGE = 100;
/** By so much the clocks of two processes may differ, at the most. */
export const CLOCKS_MS = 60_000;

/** Whether the bulk was here before, by the commits up to the given one. */
export async function wasDone(
  store: Pick<Store, 'history'>,
  head: Pick<Head, 'id' | 'version'>,
  part: BulkPart,
): Promise<boolean> {
  if (!part.goesOn) return false;
  return isKnown(store, head, part.since, (row) => isOf(row, part));
}

/** Whether there is such a commit since then, the newest looked at first. */
export async function isKnown(
  store: Pick<Store, 'history'>,
  { id: instance, version }: Pick<Head, 'id' | 'version'>,
  since: Instant,
  isMeant: (row: HistoryRow) => boolean,
): Promise<boolean> {
  for (let upTo = version; upTo > 0; upTo -= PAGE) {
    const after = Math.max(upTo - PAGE, 0);
    const rows = await store.history({ instance, after, limit: upTo - after });
    if (rows.some(isMeant)) return true;
    // What is older has nothing of it.
    const first = rows[0];
    if (first === undefined || first.at < since - CLOCKS_MS) return false;
  }
  return false;
}

/** Whether it is itself what a bulk has made. */
export async function isMadeBy(
  store: Pick<Store, 'history'>,
  instance: InstanceId,
  part: BulkPart,
): Promise<boolean> {
  const [birth] = await store.history({ instance, after: 0, limit: 1 });
  return birth !== undefined && isOf(birth, part);
}

function isOf({ changes }: HistoryRow, { id, verb }: BulkPart): boolean {
  return changes.some((change) => {
    return change.did === 'act' && change.act.bulk === id && change.act.verb === verb;
  });
}

/** The same for each, but for the id of what is made: that is one of its own. */
export function actionFor(action: Action, part: BulkPart, source: InstanceId): Action {
  if (action.do === 'send') {
    const { id = part.id } = action;
    // What is no id is left for whoever sends it to say so.
    return { ...action, id: isName(id) ? ownId(id, source) : id };
  }
  if (action.do !== 'rerun' || action.copy !== true) return action;
  if (action.id !== undefined) return { ...action, id: ownId(action.id, source) };
  return { ...action, id: childId(`${part.id} ${source}`, part.since) };
}

const OWN_CHARS = 32;

/** The end is always as long: two names that differ never give the same id. */
function ownId(name: string, source: InstanceId): string {
  return `${name}/${sha256(source).slice(0, OWN_CHARS)}`;
}

/** What would be the same for all, and can be for one only. */
export function checkShared(action: Action): void {
  if (action.do === 'rerun' && action.key !== undefined) {
    throw wrong('only one instance can have a key: a bulk makes copies without', 'key');
  }
  const id = action.do === 'send' || action.do === 'rerun' ? action.id : undefined;
  const most = NAME_CHARS_MAX - OWN_CHARS - 1;
  if (typeof id !== 'string' || id.length <= most) return;
  throw wrong(`of a bulk the id is a text of at most ${most} characters: each adds its own`, 'id');
}
