/**
 * A fetch consumes messages of a subscription in rounds, each of which a handler makes. What a
 * round brings is committed together with what the next one needs to know, so that a broker that
 * keeps what was not acknowledged loses nothing.
 *
 * Where something is to be done for each message, the next round begins when that is done.
 *
 * Serverless Workflow call: asyncapi, subscription
 */
import { assert } from '../../base/assert.ts';
import { EMPTY, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Move, NodeKind, Place, Write } from '../../kernel/kind.ts';
import { BUSY, COUNT, type FetchConfig, HEARD, OVER, STATE } from '../../model/serverless.ts';
import { BY_HANDLER } from './call.ts';
import { compileAs } from './compiling.ts';
import { keep } from './ear.ts';
import { write } from './envelope.ts';
import { dataIn } from './scene.ts';

export const fetchKind: NodeKind<FetchConfig & JsonObject> = {
  kind: 'sw-fetch',

  compile: compileAs<FetchConfig>,

  ...BY_HANDLER,

  resume(place, _view, signal) {
    assert(signal.on === 'result', 'a round ends with what its handler brings');
    const round = isJsonObject(signal.value) ? signal.value['round'] : EMPTY;
    const { messages = [], done = true, state = null } = isJsonObject(round) ? round : EMPTY;
    const list = Array.isArray(messages) ? (messages as readonly Json[]) : [];
    return goOn(place, list, { isDone: done === true, state });
  },

  unskippable: 'it consumes messages for a task; skip the task',
};

function goOn(
  place: Place<FetchConfig>,
  messages: readonly Json[],
  { isDone, state }: { readonly isDone: boolean; readonly state: Json },
): Move {
  const { again, feeds } = place.node.config;
  const count = (dataIn(place.scope, COUNT) ?? 0) as number;
  const total = count + messages.length;
  const writes: Write[] = [
    ...messages.map((message, n) => keep(String(count + n), message)),
    ...[keep(HEARD, total), write(COUNT, total), write(STATE, state), write(OVER, isDone)],
  ];
  if (feeds !== undefined && messages.length > 0) {
    return { move: 'take', edges: [feeds], writes: [...writes, write(BUSY, true)] };
  }
  return { move: 'take', edges: isDone || again === null ? [] : [again], writes };
}
