/**
 * An emit publishes an event, to whoever listens in this engine and, where the engine has an
 * outbox, to the world outside. Both are part of the commit, and the id of the event is made of the
 * instance and the token: it is published once, whatever dies (EM-07). The event is the output.
 *
 * Serverless Workflow emit
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { no, ok } from '../../base/result.ts';
import type { NodeKind, Place, View } from '../../kernel/kind.ts';
import { ANY } from '../../model/awaited.ts';
import { CLOUD_EVENT } from '../../model/cloud-event.ts';
import { eventProblem, withoutNulls } from '../../model/cloud-event-rules.ts';
import type { EmitConfig } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { entering, fault, finish, tooLarge, within } from './envelope.ts';
import { type Evaluated, fill } from './expression.ts';
import { isoOf } from './moments.ts';
import { documentOf } from './scene.ts';

export const emitKind: NodeKind<EmitConfig & JsonObject> = {
  kind: 'sw-emit',

  compile: compileAs<EmitConfig>,

  enter(place, view) {
    return entering(place, view, (input) => {
      const given = fill(place.node.config.event, within(place, view, input), input);
      if (!given.ok) return fault(place, view, given.problem);
      const event = eventOf(place, view, given.value);
      if (!event.ok) return fault(place, view, event.problem);
      const large = tooLarge([event.value], view);
      if (large !== undefined) return fault(place, view, large);
      const { type, subject } = event.value as { readonly type: string; readonly subject?: string };
      const key = subject ?? null;
      const data = { [CLOUD_EVENT]: event.value };
      return finish(place, view, {
        ...{ input, output: event.value },
        emit: { type, key, data },
        ...(view.told.letters ? { letters: [{ type, key, data }] } : {}),
      });
    });
  },
};

/** What the author did not say is added; what has come to null is as good as not said. */
function eventOf(place: Place, view: View, given: Json): Evaluated<JsonObject> {
  if (!isJsonObject(given)) return bad(`an event is an object; came ${brief(given)}`);
  const said = withoutNulls(given);
  const isTyped = said['data'] === undefined || said['datacontenttype'] !== undefined;
  const event: JsonObject = {
    id: `${view.instance}/${place.token.id}`,
    source: sourceOf(view),
    time: isoOf(view.now),
    ...(isTyped ? {} : { datacontenttype: 'application/json' }),
    ...said,
    specversion: '1.0',
  };
  const problem = eventProblem(event) ?? nameProblem(event, view);
  return problem === undefined ? ok(event) : bad(problem);
}

/** Whoever listens is found by these two. */
function nameProblem({ type, subject = '' }: JsonObject, { limits }: View): string | undefined {
  const { KEY_CHARS_MAX } = limits;
  const bad = Object.entries({ type, subject }).find(([, text]) => {
    return text === ANY || (text as string).length > KEY_CHARS_MAX;
  });
  if (bad === undefined) return undefined;
  const rule = `at most KEY_CHARS_MAX ${KEY_CHARS_MAX} characters, and is not "${ANY}"`;
  return `the ${bad[0]} of an event has ${rule}`;
}

/** `/{namespace}/{name}/{version}`. */
function sourceOf(view: Pick<View, 'start'>): string {
  const { namespace, name, version } = documentOf(view);
  return `/${[namespace, name, version].map(encodeURIComponent).join('/')}`;
}

function bad(detail: string): Evaluated<JsonObject> {
  return no({ kind: 'expression', detail });
}

function brief(value: Json | undefined): string {
  return JSON.stringify(value ?? null).slice(0, 80);
}
