/** What is shown of messages: a span for each that is published, and for each that is delivered. */
import type { NewMessage } from '../stores/store.ts';
import type { Delivery } from '../stores/store.ts';
import type { WatchHouse } from './commit-watch.ts';
import type { Published } from './messages.ts';
import type { Request } from './strides.ts';
import { idGiven } from './tenant-messages.ts';
import { keptIn, type Origin } from './tracing.ts';

/** The message is kept as part of this: whoever has it goes on from here. */
export async function showPublish(
  { tracing, measuring }: WatchHouse,
  message: NewMessage,
  origin: Origin,
  publish: (message: NewMessage) => Promise<Published>,
): Promise<Published> {
  const { type, tenant } = message;
  const attributes = {
    'perdure.message.id': idGiven(message),
    'perdure.message.type': type,
    ...(tenant === undefined ? {} : { 'perdure.tenant': tenant }),
  };
  const published =
    tracing === null
      ? await publish(message)
      : await tracing.run('perdure.publish', origin, attributes, async (traced) => {
          const came = await publish({ ...message, trace: traced.trace });
          traced.set({ 'perdure.outcome': came.outcome });
          return came;
        });
  measuring.tell({ what: 'message', type, outcome: published.outcome });
  return published;
}

/** True if the instance has had it. */
export async function showDelivery(
  { tracing, measuring }: WatchHouse,
  { instance, token, message }: Delivery,
  request: Request,
  apply: (request: Request) => Promise<boolean>,
): Promise<boolean> {
  const { type, trace } = message;
  const attributes = {
    'perdure.instance': instance,
    'perdure.token': token,
    'perdure.message.id': idGiven(message),
    'perdure.message.type': type,
  };
  const isHad =
    tracing === null
      ? await apply(request)
      : await tracing.run('perdure.deliver', keptIn(trace), attributes, async (traced) => {
          const came = await apply({ ...request, trace: traced.trace });
          traced.set({ 'perdure.outcome': came ? 'delivered' : 'not wanted' });
          return came;
        });
  if (isHad) measuring.tell({ what: 'message', type, outcome: 'delivered' });
  return isHad;
}
