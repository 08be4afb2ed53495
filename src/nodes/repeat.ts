/**
 * Repeat: runs its region again and again, each pass in a scope of its own.
 *
 * `while` is asked before each pass, `until` after each, `times` once at the start. A condition
 * asked after a pass sees that pass's results. When the last pass closes, its results go up to the
 * scope the repeat lies in; those of earlier passes are gone.
 *
 * BPMN standard loop · Serverless Workflow for, while · builder .repeat()
 */
import { assert } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Close, Move, NodeKind, Place, Seen, View } from '../kernel/kind.ts';
import type { Diagnostic } from '../model/draft.ts';
import type { NodeId } from '../model/ids.ts';
import type { Fault } from '../model/instance.ts';
import { bodyOf, problem } from './settings.ts';

type Repeat = {
  readonly body: NodeId;
  readonly check: 'while' | 'until' | 'times';
  readonly times: number | null;
};
type Here = Place<Repeat>;
type Asked = Result<boolean, Omit<Fault, 'node'>>;

export const repeat: NodeKind<Repeat> = {
  kind: 'repeat',

  compile(draft, wires) {
    const { check, times = null } = draft.settings;
    const body = bodyOf(draft, wires);
    const problems: Diagnostic[] = body.ok ? [] : [...body.problem];
    if (check !== 'while' && check !== 'until' && check !== 'times') {
      const message = `"${draft.id}" repeats 'while', 'until' or 'times'; came ${JSON.stringify(check)}`;
      problems.push(problem(draft, 'bad-check', message));
    }
    if (times !== null && (!Number.isSafeInteger(times) || (times as number) < 1)) {
      const message = `"${draft.id}" repeats a whole number of times, 1 or more; came ${JSON.stringify(times)}`;
      problems.push(problem(draft, 'bad-times', message));
    }
    if (!body.ok || problems.length > 0) return no(problems);
    const config = { body: body.value, check, times } as Repeat;
    return ok({ config, code: times === null ? [config.check] : [] });
  },

  enter(place, view) {
    const { check } = place.node.config;
    if (check === 'until') return pass(place, view, 0);
    const again = check === 'while' ? ask(place, view, { index: 0 }) : more(place, view, 0);
    return go(place, view, 0, again);
  },

  resume(place, view, signal) {
    assert(signal.on === 'scope', 'a repeat only waits for its pass');
    const { check } = place.node.config;
    const done = (view.scopeOf(signal.scope).index ?? 0) + 1;
    const last = { scope: signal.scope, promote: true };
    if (check === 'times') return go(place, view, done, more(place, view, done), last);
    // Before a pass it is asked as that pass, after one as the pass it was.
    const index = check === 'while' ? done : done - 1;
    const asked = ask(place, view, { scope: signal.scope, index });
    const again = check === 'until' && asked.ok ? ok(!asked.value) : asked;
    return go(place, view, done, again, last);
  },
};

function go(place: Here, view: View, index: number, again: Asked, close?: Close): Move {
  if (!again.ok) return { move: 'fault', fault: again.problem };
  if (again.value) return pass(place, view, index, close);
  return { move: 'take', edges: place.node.out, ...(close === undefined ? {} : { close }) };
}

function pass({ node }: Here, view: View, index: number, last?: Close): Move {
  const max = view.limits.REPEAT_PASSES_MAX;
  if (index >= max) {
    const message = `"${node.id}" made ${max} passes and wants more (REPEAT_PASSES_MAX)`;
    return { move: 'fault', fault: { code: 'repeat.too-many-passes', message } };
  }
  // Only the last pass's results are kept, and this one is not it.
  const close = last === undefined ? {} : { close: { ...last, promote: false } };
  return { move: 'open', start: node.config.body, index, ...close };
}

function ask(place: Here, view: View, seen: Seen): Asked {
  const { check } = place.node.config;
  const answer = view.call(place, check, seen);
  if (!answer.ok) return answer;
  if (typeof answer.value === 'boolean') return ok(answer.value);
  return odd(place, `"${check}" answers true or false`, answer.value);
}

function more(place: Here, view: View, done: number): Asked {
  const { times } = place.node.config;
  if (times !== null) return ok(done < times);
  const answer = view.call(place, 'times');
  if (!answer.ok) return answer;
  if (Number.isSafeInteger(answer.value) && (answer.value as number) >= 0) {
    return ok(done < (answer.value as number));
  }
  return odd(place, '"times" answers a whole number, 0 or more', answer.value);
}

function odd({ node }: Here, rule: string, value: Json): Asked {
  const message = `${rule} in "${node.id}"; came ${JSON.stringify(value).slice(0, 80)}`;
  return no({ code: 'repeat.bad-answer', message });
}
