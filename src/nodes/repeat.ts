/**
 * Repeat: runs its region again and again, each pass in a scope of its own.
 *
 * `while` is asked before each pass, `until` after each, `times` once at the start: its answer
 * travels from pass to pass as the scope's item, so that nothing the body writes can change it. A
 * condition asked after a pass sees that pass's results. When the last pass closes, its results go
 * up to the scope the repeat lies in; those of earlier passes are gone.
 *
 * BPMN standard loop · Serverless Workflow for, while · builder .repeat()
 */
import { assert } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Move, NodeKind, Place, Seen, View } from '../kernel/kind.ts';
import { regionOf } from '../kernel/signals.ts';
import type { Diagnostic } from '../model/draft.ts';
import type { NodeId, ScopeId } from '../model/ids.ts';
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
      const rule = `"${draft.id}" repeats 'while', 'until' or 'times'`;
      const message = `${rule}; came ${JSON.stringify(check)}`;
      problems.push(problem(draft, 'bad-check', message));
    }
    if (times !== null && (!Number.isSafeInteger(times) || (times as number) < 1)) {
      const rule = `"${draft.id}" repeats a whole number of times, 1 or more`;
      const message = `${rule}; came ${JSON.stringify(times)}`;
      problems.push(problem(draft, 'bad-times', message));
    }
    if (!body.ok || problems.length > 0) return no(problems);
    const config = { body: body.value, check, times } as Repeat;
    const counted = config.check === 'times' && times !== null;
    return ok({ config, code: counted ? [] : [config.check] });
  },

  enter(place, view) {
    const { check, times } = place.node.config;
    if (check === 'until') return pass(place, view, { index: 0 });
    if (check === 'while') return go(place, view, { index: 0 }, ask(place, view, { index: 0 }));
    if (times !== null) return pass(place, view, { index: 0 });
    const asked = count(place, view);
    if (!asked.ok) return { move: 'fault', fault: asked.problem };
    return go(place, view, { index: 0, item: asked.value }, ok(asked.value > 0));
  },

  resume(place, view, signal) {
    assert(signal.on === 'scope', 'a repeat only waits for its pass');
    const { check, times } = place.node.config;
    const { index: was, item } = view.scopeOf(signal.scope);
    const done = (was ?? 0) + 1;
    const next = { index: done, item, last: signal.scope };
    if (check === 'times') return go(place, view, next, ok(done < (times ?? (item as number))));
    // Before a pass it is asked as that pass, after one as the pass it was.
    const index = check === 'while' ? done : done - 1;
    const asked = ask(place, view, { scope: signal.scope, index });
    return go(place, view, next, check === 'until' && asked.ok ? ok(!asked.value) : asked);
  },

  /** How many passes there are was asked before the first of them, if it was to be asked. */
  unfit({ node, token }, view) {
    const { check, times } = node.config;
    const scope = regionOf(token);
    if (check !== 'times' || times !== null || scope === undefined) return undefined;
    if (typeof view.scopeOf(scope).item === 'number') return undefined;
    return `"${node.id}" asks how often before its first pass, and token ${token.id} is past that`;
  },
};

/** The pass to come: its number, the computed number of passes if any, and the scope before it. */
type Pass = { readonly index: number; readonly item?: Json; readonly last?: ScopeId };

function go(place: Here, view: View, next: Pass, again: Asked): Move {
  if (!again.ok) return { move: 'fault', fault: again.problem };
  if (again.value) return pass(place, view, next);
  const { last } = next;
  if (last === undefined) return { move: 'take', edges: place.node.out };
  return { move: 'take', edges: place.node.out, close: { scope: last, promote: true } };
}

function pass({ node }: Here, view: View, next: Pass): Move {
  const { index, item = null, last } = next;
  const max = view.limits.REPEAT_PASSES_MAX;
  if (index >= max) {
    const message = `"${node.id}" made ${max} passes and wants more (REPEAT_PASSES_MAX)`;
    return { move: 'fault', fault: { code: 'repeat.too-many-passes', message } };
  }
  const move: Mutable<Extract<Move, { move: 'open' }>> = {
    move: 'open',
    start: node.config.body,
    index,
  };
  if (item !== null) move.item = item;
  // Only the last pass's results are kept, and the one that closes is not it.
  if (last !== undefined) move.close = { scope: last, promote: false };
  return move;
}

function ask(place: Here, view: View, seen: Seen): Asked {
  const { check } = place.node.config;
  const answer = view.call(place, check, seen);
  if (!answer.ok) return answer;
  if (typeof answer.value === 'boolean') return ok(answer.value);
  return odd(place, `"${check}" answers true or false`, answer.value);
}

function count(place: Here, view: View): Result<number, Omit<Fault, 'node'>> {
  const answer = view.call(place, 'times');
  if (!answer.ok) return answer;
  if (Number.isSafeInteger(answer.value) && (answer.value as number) >= 0) {
    return ok(answer.value as number);
  }
  return odd(place, '"times" answers a whole number, 0 or more', answer.value);
}

function odd({ node }: Here, rule: string, value: Json): Result<never, Omit<Fault, 'node'>> {
  const message = `${rule} in "${node.id}"; came ${JSON.stringify(value).slice(0, 80)}`;
  return no({ code: 'repeat.bad-answer', message });
}
