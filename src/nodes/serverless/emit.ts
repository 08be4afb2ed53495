/**
 * Emit: publishes an event, to whoever listens in this engine and, where the engine has an outbox,
 * to the world outside. Both are part of the commit, and its id is made of the instance and the
 * token: it is published once, whatever dies (EM-07). The event is the output.
 *
 * Serverless Workflow emit
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { no, ok } from '../../base/result.ts';
import type { NodeKind, Place, View } from '../../kernel/kind.ts';
import type { EmitConfig } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { begin, fault, finish, within } from './envelope.ts';
import { type Evaluated, fill } from './expression.ts';
import { isoOf } from './moments.ts';
import { documentOf } from './scene.ts';

export const emitKind: NodeKind<EmitConfig & JsonObject> = {
  kind: 'sw-emit',

  compile: compileAs<EmitConfig>,

  enter(place, view) {
    const begun = begin(place, view);
    if ('move' in begun) return begun.move;
    const { input } = begun;
    const given = fill(place.node.config.event, within(place, view, input), input);
    if (!given.ok) return fault(place, view, given.problem);
    const event = eventOf(place, view, given.value);
    if (!event.ok) return fault(place, view, event.problem);
    const { type, subject } = event.value as { readonly type: string; readonly subject?: string };
    const key = subject ?? null;
    const data = { $cloudevent: event.value };
    return finish(place, view, {
      ...{ input, output: event.value },
      emit: { type, key, data },
      ...(view.told.letters ? { letters: [{ type, key, data }] } : {}),
    });
  },
};

const TEXTS = ['id', 'source', 'type', 'subject', 'time', 'dataschema', 'datacontenttype'];

/** What the author did not say is added. */
function eventOf(place: Place, view: View, given: Json): Evaluated<JsonObject> {
  if (!isJsonObject(given)) return bad(`an event is an object; came ${brief(given)}`);
  const event: JsonObject = {
    specversion: '1.0',
    id: `${view.instance}/${place.token.id}`,
    source: sourceOf(view),
    time: isoOf(view.now),
    ...given,
  };
  const odd = TEXTS.find((name) => event[name] !== undefined && typeof event[name] !== 'string');
  if (odd !== undefined) return bad(`"${odd}" of an event is a text; came ${brief(event[odd])}`);
  const { type } = event;
  const { KEY_CHARS_MAX } = view.limits;
  if (typeof type !== 'string' || type === '' || type.length > KEY_CHARS_MAX) {
    return bad(`an event has a "type" of 1 to KEY_CHARS_MAX ${KEY_CHARS_MAX} characters`);
  }
  const isTyped = event['data'] === undefined || event['datacontenttype'] !== undefined;
  return ok(isTyped ? event : { ...event, datacontenttype: 'application/json' });
}

/** `/{namespace}/{name}/{version}`. */
export function sourceOf(view: Pick<View, 'start'>): string {
  const { namespace, name, version } = documentOf(view);
  return `/${[namespace, name, version].map(encodeURIComponent).join('/')}`;
}

function bad(detail: string): Evaluated<JsonObject> {
  return no({ kind: 'expression', detail });
}

function brief(value: Json | undefined): string {
  return JSON.stringify(value ?? null).slice(0, 80);
}
