/** The handlers that every engine has: those of calls, by what they call. */
import { CALL_KINDS } from '../../model/serverless.ts';
import { OWN } from '../../nodes/serverless/call.ts';
import type { Doing, Handler } from '../handlers.ts';
import { callHandler } from './handler.ts';
import type { Host } from './host.ts';

export function ownHandlers(host: Host): ReadonlyMap<string, Doing> {
  // A call's handler is only ever given what belongs to a call.
  const handler = callHandler(host) as unknown as Handler;
  return new Map(CALL_KINDS.map((kind) => [OWN + kind, { handler, ask: undefined }]));
}
