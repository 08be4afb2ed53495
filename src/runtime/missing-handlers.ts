/**
 * Work that no process has a handler for, as it is shown: the instance is stalled until one is
 * started that has it. It is worked out when somebody looks, from what is due and from what workers
 * say they have; nothing of it is stored.
 */
import type { InstanceId, Instant, NodeId, TokenId } from '../model/ids.ts';
import type { Stalled, Token } from '../model/instance.ts';
import { SERVED_AFTER_MS } from '../stores/servers.ts';
import type { Store } from '../stores/store.ts';

/** Nothing is missing but somebody to do it. */
export interface HandlersMissing {
  readonly reason: 'handler.missing';
  /** Their full names, each once; `order@1/` is all the code of that version of the flow. */
  readonly handlers: readonly string[];
  readonly tokens: readonly UnservedToken[];
}

export interface UnservedToken {
  readonly token: TokenId;
  readonly node: NodeId;
  readonly handler: string;
  /** Since when it has been due. */
  readonly since: Instant;
}

export type ShownStall = Stalled | HandlersMissing;

/** Of one instance, whose tokens are these. Asks the store only if something is overdue. */
export async function missingFor(
  store: Store,
  instance: InstanceId,
  tokens: readonly Token[],
): Promise<HandlersMissing | null> {
  const since = store.now() - SERVED_AFTER_MS;
  const isOverdue = ({ status, handler, availableAt }: Token): boolean =>
    status === 'ready' && handler !== null && availableAt <= since;
  if (!tokens.some(isOverdue)) return null;
  return (await missingIn(store, [instance])).get(instance) ?? null;
}

/** Of each of these that has any. */
export async function missingIn(
  store: Store,
  instances: readonly InstanceId[],
): Promise<ReadonlyMap<InstanceId, HandlersMissing>> {
  const missing = new Map<InstanceId, HandlersMissing>();
  if (instances.length === 0) return missing;
  for (const { instance, ...token } of await store.servers.unserved(instances)) {
    const { handlers = [], tokens = [] } = missing.get(instance) ?? {};
    missing.set(instance, {
      reason: 'handler.missing',
      handlers: handlers.includes(token.handler) ? handlers : [...handlers, token.handler],
      tokens: [...tokens, token],
    });
  }
  return missing;
}
