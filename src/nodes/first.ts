/**
 * First: rests until the first of several things comes: a message of one of several types, or the
 * end of a time.
 *
 * One token waits for all of them at once, so whichever commits first decides, and nothing of the
 * others is left behind. The result says which it was, and what the message brought.
 *
 * BPMN eventBasedGateway · Serverless Workflow listen to any · builder .firstOf()
 */
import { assert } from '../base/assert.ts';
import { type Duration, parseDuration } from '../base/duration.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Move, NodeKind, Place, View } from '../kernel/kind.ts';
import type { Diagnostic, DraftNode } from '../model/draft.ts';
import type { Instant } from '../model/ids.ts';
import type { Awaited, Fault } from '../model/instance.ts';
import { keyFor, problem, takeWith } from './settings.ts';

type EventArm = {
  readonly arm: string;
  readonly event: string;
  readonly key: string | null;
  readonly keyCode: boolean;
};
/** Null: the closure says. */
type TimeArm = { readonly arm: string; readonly afterMs: number | null };
type Arm = EventArm | TimeArm;
type First = { readonly arms: readonly Arm[] };
type Here = Place<First>;

export const first: NodeKind<First> = {
  kind: 'first',

  compile(draft) {
    const { arms } = draft.settings;
    const problems: Diagnostic[] = [];
    const list = Array.isArray(arms) ? (arms as readonly Json[]) : [];
    const known = list.flatMap((arm) => readArm(draft, arm, problems));
    if (list.length === 0) {
      problems.push(problem(draft, 'no-arms', `"${draft.id}" waits for one thing or more`));
    }
    const names = known.map(({ arm }) => arm);
    for (const arm of new Set(names.filter((name, at) => names.indexOf(name) !== at))) {
      problems.push(problem(draft, 'duplicate-arm', `"${draft.id}" has two arms named "${arm}"`));
    }
    if (problems.length > 0) return no(problems);
    return ok({ config: { arms: known }, code: known.flatMap(slotsOf) });
  },

  enter(place, view): Move {
    const any: Awaited[] = [];
    let timer: { arm: string; ms: number } | null = null;
    for (const one of place.node.config.arms) {
      if ('event' in one) {
        const { arm, event: type } = one;
        const key = keyFor(place, view, { ...one, what: type, slot: `key.${arm}` });
        if (!key.ok) return { move: 'fault', fault: key.problem };
        any.push({ arm, type, key: key.value });
        continue;
      }
      const ms = lengthOf(place, view, one);
      if (!ms.ok) return { move: 'fault', fault: ms.problem };
      if (timer === null || ms.value < timer.ms) timer = { arm: one.arm, ms: ms.value };
    }
    if (timer === null) return { move: 'park', wait: { on: 'first', any } };
    const wakeAt = (view.now + timer.ms) as Instant;
    return { move: 'park', wait: { on: 'first', any, timer: timer.arm }, wakeAt };
  },

  resume({ node }, _view, signal) {
    assert(signal.on === 'message' || signal.on === 'time', 'one of its arms ends it');
    assert(signal.arm !== undefined, 'and it is said which');
    const data = signal.on === 'message' ? signal.data : null;
    const value = { arm: signal.arm, data };
    return takeWith(node, value);
  },

  skip({ node }, _view, value) {
    return takeWith(node, value);
  },

  /** Its result says which arm it was, and whoever comes after it must know that name. */
  unfit({ node, token: { id, wait, wake } }) {
    const waits = wait?.on === 'first' ? [...wait.any.map(({ arm }) => arm), wait.timer] : [];
    const known = new Set(node.config.arms.map(({ arm }) => arm));
    const lost = [...waits, wake?.arm].find((arm) => arm !== undefined && !known.has(arm));
    return lost === undefined
      ? undefined
      : `token ${id} may go on by the arm "${lost}", which "${node.id}" does not have`;
  },
};

function lengthOf(
  place: Here,
  view: View,
  { arm, afterMs }: TimeArm,
): Result<number, Omit<Fault, 'node'>> {
  if (afterMs !== null) return ok(afterMs);
  const asked = view.call(place, `after.${arm}`);
  if (!asked.ok) return asked;
  const ms = parseDuration(asked.value as Duration);
  if (ms.ok) return ms;
  const message = `"after.${arm}" of "${place.node.id}": ${ms.problem}`;
  return no({ code: 'first.bad-duration', message });
}

function slotsOf(one: Arm): readonly string[] {
  if ('event' in one) return one.keyCode ? [`key.${one.arm}`] : [];
  return one.afterMs === null ? [`after.${one.arm}`] : [];
}

function readArm(draft: DraftNode, value: Json, problems: Diagnostic[]): readonly Arm[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const {
    arm,
    event,
    key = null,
    keyCode = false,
    afterMs = null,
  } = isObject ? (value as JsonObject) : {};
  const say = (message: string): readonly Arm[] => {
    problems.push(problem(draft, 'bad-arm', message));
    return [];
  };
  if (typeof arm !== 'string' || arm === '') return say(`every arm of "${draft.id}" has a name`);
  const what = `arm "${arm}" of "${draft.id}"`;
  if (event === undefined) {
    if (afterMs === null) return [{ arm, afterMs }];
    const ms = typeof afterMs === 'number' ? parseDuration(afterMs) : no('it is a number of ms');
    return ms.ok ? [{ arm, afterMs: ms.value }] : say(`the time of ${what}: ${ms.problem}`);
  }
  if (typeof event !== 'string' || event === '') return say(`${what} names an event`);
  if (key !== null && typeof key !== 'string') return say(`the key of ${what} is a text`);
  return [{ arm, event, key, keyCode: keyCode === true }];
}
