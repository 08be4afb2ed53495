/**
 * A message for one instance, as something that people do: the history says who sent it, and then
 * it is kept and delivered as any other.
 *
 * These are two commits, since a message is no part of an instance before it is delivered. Who sent
 * it is written first: a crash between the two leaves an act of which nothing came, and whoever
 * sends it again is written down again. The other way round the instance would have had something
 * from nobody, or be over before anyone could say from whom.
 */
import type { Acting, Action } from '../model/action.ts';
import type { InstanceId, TokenId } from '../model/ids.ts';
import { isFor } from '../model/awaited.ts';
import type { Input, Message } from '../model/input.ts';
import type { Wait } from '../model/instance.ts';
import type { Limits } from '../model/limits.ts';
import { ownName } from '../model/own-names.ts';
import type { Store } from '../stores/store.ts';
import { actOf, type BulkPart } from './bulk-part.ts';
import { loadRows } from './loading.ts';
import {
  checked,
  hasEnded,
  keepAndDeliver,
  type MessageHouse,
  type Published,
  type Sending,
} from './messages.ts';
import { checkActing } from './options.ts';
import { ofTenant } from './tenant-messages.ts';
import type { Worker } from './worker.ts';

/** Who sends it, and as part of what. */
interface Sender {
  readonly acting: Acting;
  readonly bulk?: BulkPart;
}

export async function sendTo(
  house: MessageHouse,
  worker: Worker | null,
  instance: InstanceId,
  sending: Sending & Sender,
): Promise<Published> {
  const { acting, bulk, ...said } = sending;
  checkActing(acting);
  // What cannot be sent is not to be in the history either.
  const given = checked(said, house.limits, instance);
  const { head } = await loadRows(house.store, instance);
  const message = ofTenant(given, head.tenant);
  if (said.id !== undefined && (await house.store.knows(message.id))) {
    return { outcome: 'duplicate', id: said.id, instances: [] };
  }
  if (head.endedAt !== null) throw hasEnded(instance);
  const act = actOf('send', acting, bulk);
  await house.strides.apply({ instance, input: (at) => ({ type: 'note', at, act }) });
  return keepAndDeliver(house, message, worker);
}

/**
 * For a preview: whoever waits for it would have it; if nobody does, or if it is known already,
 * nothing of the instance changes. That somebody sent it is no part of this.
 */
export async function sendingInput(
  { store, limits }: { readonly store: Store; readonly limits: Limits },
  instance: InstanceId,
  { type, data, id }: Extract<Action, { do: 'send' }>,
): Promise<(at: Input['at']) => Input> {
  const named = id === undefined ? {} : { id };
  const { ttlMs: _, ...message } = checked({ ...named, type, data }, limits, instance);
  const { head, tokens } = await loadRows(store, instance);
  const isKnown = id !== undefined && (await store.knows(ownName(id, head.tenant)));
  if (head.endedAt !== null && !isKnown) throw hasEnded(instance);
  const waiter = tokens.find(({ wait }) => waitsFor(wait, message, instance));
  const token = (isKnown ? undefined : waiter?.id) ?? (0 as TokenId);
  return (at) => ({ type: 'message', at, token, message, ...(isKnown ? {} : { published: at }) });
}

/** Those who listen are told in any case. */
function waitsFor(wait: Wait | null, message: Message, instance: InstanceId): boolean {
  if (wait?.on === 'message') return isFor(message, wait, instance);
  if (wait?.on !== 'first' || wait.live === true) return false;
  return wait.any.some((one) => isFor(message, one, instance));
}
