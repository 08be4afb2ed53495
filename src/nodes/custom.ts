/**
 * A kind of an application's, as the kernel knows kinds. Its author's functions are called here and
 * nowhere else: on frozen values, within one stride, and never trusted. What they answer is read by
 * `custom-moves.ts`.
 *
 * They may be asked more than once for the same thing, since a stride that lost its race is worked
 * out again; what was committed is never asked for again, so they need not answer alike.
 */
import { assert } from '../base/assert.ts';
import { admitJson, EMPTY, type Json, type JsonObject } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, ok, type Result } from '../base/result.ts';
import { faultOf, silence } from '../kernel/code.ts';
import type { Compiled, Move, NodeKind, Place, View, Wires } from '../kernel/kind.ts';
import type {
  CustomKind,
  KindSignal,
  KindView,
  LeaveReason,
  PausedView,
} from '../model/custom-kind.ts';
import type { Diagnostic, DraftNode } from '../model/draft.ts';
import type { EdgeId } from '../model/ids.ts';
import type { Signal } from '../model/input.ts';
import type { KindWait } from '../model/instance.ts';
import { checkConfig } from './custom-config.ts';
import { type Asked, lettersIn, moveFor, type Paused, type Ways } from './custom-moves.ts';
import { takeWith } from './settings.ts';

/** The config as its author's kind keeps it, and the edge of each way. */
type Config = { readonly config: Json; readonly ways?: Ways };
type Here = Place<Config & JsonObject>;

export function customKind(own: CustomKind): NodeKind {
  const kind: NodeKind<Config & JsonObject> = {
    kind: own.kind,
    picksOne: true,

    compile(draft, wires) {
      return compileCustom(own, draft, wires);
    },

    enter(place, view) {
      const seen = viewOf(place, view);
      return settled(own, place, view, seen, () => own.enter(seen as KindView<never>));
    },

    resume(place, view, signal) {
      const told = signalFor(signal);
      if (own.resume === undefined) return takeOn(own, place, view, told);
      const seen = pausedView(place, view);
      const move = settled(own, place, view, seen, () =>
        own.resume?.(seen as PausedView<never>, told),
      );
      return move.move === 'park' ? leavingFirst(place, move) : move;
    },

    skip({ node }, _view, value) {
      return takeWith(node, value);
    },
  };
  // It reads only what its own compile wrote, which the type of the list cannot say.
  return kind;
}

function compileCustom(
  own: CustomKind,
  draft: DraftNode,
  wires: Wires,
): Result<Compiled<Config & JsonObject>, readonly Diagnostic[]> {
  const { config = null, ways = EMPTY, ...rest } = draft.settings;
  const problems: Diagnostic[] = [];
  const say = (code: string, message: string): void => {
    problems.push({ code, message, node: draft.id, ...(draft.span && { span: draft.span }) });
  };
  for (const name of Object.keys(rest)) {
    say('kind.unknown-setting', `"${draft.id}" has a config and ways, and no "${name}"`);
  }
  const kept = checkConfig(own, draft.id, config);
  if (!kept.ok) for (const problem of kept.problem) say('kind.bad-config', problem);
  const taken = waysOf(own, draft, wires, ways);
  if (!taken.ok) say('kind.bad-ways', taken.problem);
  if (!kept.ok || !taken.ok || problems.length > 0) return no(problems);
  const named = taken.value === null ? {} : { ways: taken.value };
  return ok({ config: { config: kept.value, ...named } });
}

/** The edge of each way that the kind has; null if it has one, without a name. */
function waysOf(
  own: CustomKind,
  { id, kind }: DraftNode,
  { out }: Wires,
  ways: Json,
): Result<Ways | null, string> {
  const named = Object.entries(ways as JsonObject);
  if (own.ways === undefined) {
    if (named.length > 0) return no(`"${id}" names ways, and "${kind}" has none with a name`);
    return out.length <= 1 ? ok(null) : no(`"${id}" goes on by one way; came ${out.length}`);
  }
  const given = new Map(named);
  const wrong = [
    ...own.ways.filter((way) => !given.has(way)).map((way) => `lacks the way "${way}"`),
    ...named.filter(([way]) => !own.ways?.includes(way)).map(([way]) => `has no way "${way}"`),
    ...named
      .filter(([, edge]) => !out.includes(edge as EdgeId))
      .map(([way]) => `has no edge for the way "${way}"`),
    ...out.filter((edge) => !named.some(([, to]) => to === edge)).map((e) => `never takes "${e}"`),
  ];
  const rule = `"${kind}" goes on by ${own.ways.join(', ')}`;
  return wrong.length === 0
    ? ok(ways as unknown as Ways)
    : no(`${rule}; "${id}" ${wrong.join(', ')}`);
}

function viewOf({ node, token, scope }: Here, view: View): KindView {
  const { input, results, vars, item, index } = view.sight(scope.id);
  return Object.freeze({
    config: node.config.config,
    node: node.id,
    ways: Object.freeze(Object.keys(node.config.ways ?? EMPTY)),
    instance: view.instance,
    key: view.key,
    token: token.id,
    ...{ input, results, vars, item, index },
    now: view.now,
  });
}

function pausedView(place: Here, view: View): PausedView {
  return withPause(viewOf(place, view), waitedIn(place));
}

function withPause(view: KindView, { name, data = null }: Paused): PausedView {
  return Object.freeze({ ...view, pause: Object.freeze({ name, data }) });
}

function waitedIn({ token }: Here): KindWait {
  const waited = token.wake?.waited;
  assert(waited !== undefined, 'what an application parked keeps its wait until it goes on');
  return waited;
}

/** Calls a function of the author's, and makes a move of its answer. */
function settled(
  own: CustomKind,
  place: Here,
  view: View,
  seen: KindView,
  ask: () => unknown,
): Move {
  const answer = call(own, place, view, ask);
  if (!answer.ok) return { move: 'fault', fault: answer.problem };
  const { node, token } = place;
  const parting = (paused: Paused): Asked<KindWait['leave']> =>
    leaveOf(own, place, view, withPause(seen, paused));
  return moveFor(answer.value, { own, node, token, view, ways: node.config.ways }, parting);
}

/** What came of it, as JSON. A throw is a fault, and so is whatever is none. */
function call(own: CustomKind, { node }: Here, { limits }: View, ask: () => unknown): Asked<Json> {
  const what = `"${own.kind}" at "${node.id}"`;
  let answer: unknown;
  try {
    answer = ask();
  } catch (thrown) {
    return no(faultOf(thrown, 'kind.threw', limits));
  }
  const admitted = admitJson(answer);
  if (!admitted.ok) {
    const hint = silence(answer) ? ': it answers at once, so what takes time is a step' : '';
    const message = `${what} did not answer with a move: ${admitted.problem}${hint}`;
    return no({ code: 'kind.bad-move', message, guard: true });
  }
  const size = JSON.stringify(admitted.value).length;
  if (size <= limits.VALUE_CHARS_MAX) return admitted;
  const limit = `VALUE_CHARS_MAX ${limits.VALUE_CHARS_MAX}`;
  const message = `${what} answered with ${size} characters of JSON (${limit})`;
  return no({ code: 'kind.too-large', message });
}

const REASONS: readonly LeaveReason[] = ['done', 'cancelled', 'failed'];

/** Asked when the pause begins: whoever ends it may not have the kind. */
function leaveOf(
  own: CustomKind,
  place: Here,
  view: View,
  seen: PausedView,
): Asked<KindWait['leave']> {
  if (own.leave === undefined) return ok(undefined);
  const leave: Mutable<NonNullable<KindWait['leave']>> = {};
  for (const why of REASONS) {
    const answer = call(own, place, view, () => own.leave?.(seen as PausedView<never>, why) ?? []);
    if (!answer.ok) return answer;
    const letters = lettersIn(answer.value, { own, node: place.node, view });
    if (!letters.ok) return letters;
    if (letters.value.length > 0) leave[why] = letters.value;
  }
  return ok(Object.keys(leave).length === 0 ? undefined : leave);
}

function signalFor(signal: Signal): KindSignal {
  switch (signal.on) {
    case 'signal':
      return Object.freeze({ on: 'wake', data: signal.data });
    case 'message':
      return Object.freeze({ on: 'message', data: signal.data });
    default:
      assert(signal.on === 'time', 'an application waits for a wake, a message or a time');
      return Object.freeze({ on: 'time' });
  }
}

/** What ended the pause is the result. */
function takeOn(own: CustomKind, place: Here, view: View, signal: KindSignal): Move {
  const { node, token } = place;
  const result = signal.on === 'time' ? null : signal.data;
  const asked = { own, node, token, view, ways: node.config.ways };
  return moveFor({ move: 'go', result }, asked, () => ok(undefined));
}

/** It pauses once more: that the last pause is over is told before anything of the new one. */
function leavingFirst(place: Here, move: Extract<Move, { move: 'park' }>): Move {
  const done = waitedIn(place).leave?.done ?? [];
  return done.length === 0 ? move : { ...move, letters: [...done, ...(move.letters ?? [])] };
}
