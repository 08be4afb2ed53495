/**
 * Try: runs its region, and if something in it fails for good, catches that.
 *
 * What is caught can be narrowed by code and by a closure; what is not passes on outwards. Then
 * everything in the region ends, and the region is run again if a retry policy says so, from its
 * beginning and with nothing kept; or the token leaves by the way for what was caught, with the
 * error as the node's result. That way leads out of the region, so what fails there is not caught
 * here again. Without such a way the fault goes on when the retries are used up.
 *
 * BPMN subProcess with an error boundary event · Serverless Workflow try · builder .try()
 */
import { assert } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Close, NodeKind, Place, View, Wires } from '../kernel/kind.ts';
import type { Diagnostic, DraftNode } from '../model/draft.ts';
import type { EdgeId, NodeId } from '../model/ids.ts';
import type { Fault } from '../model/instance.ts';
import { nextTry, readRetry, type Retry } from './retry.ts';
import { bodyOf, problem } from './settings.ts';

type Try = {
  readonly body: NodeId;
  readonly done: EdgeId;
  readonly caught?: EdgeId;
  /** Any, if not given. */
  readonly errors?: readonly string[];
  /** The closure `when` has a say. */
  readonly asks?: true;
  readonly retry?: Retry;
};

type Here = Place<Try>;

export const tryKind: NodeKind<Try> = {
  kind: 'try',

  compile(draft, wires) {
    const problems: Diagnostic[] = [];
    const body = bodyOf(draft, wires);
    if (!body.ok) problems.push(...body.problem);
    const { done, caught, errors, asks, retry } = draft.settings;
    const config: Mutable<Partial<Try>> = {};
    if (body.ok) config.body = body.value;
    config.done = checkWay(draft, wires, done, problems);
    if (caught !== undefined) config.caught = checkWay(draft, wires, caught, problems);
    if (errors !== undefined) config.errors = checkErrors(draft, errors, problems);
    if (asks === true) config.asks = true;
    if (retry !== undefined) {
      const policy = readRetry(retry);
      if (policy.ok) config.retry = policy.value;
      else {
        const message = `the retry of "${draft.id}": ${policy.problem}`;
        problems.push(problem(draft, 'bad-retry', message));
      }
    }
    // If one of its ways is misspelt, that is all there is to say.
    for (const edge of problems.length === 0 ? wires.out : []) {
      if (edge === done || edge === caught) continue;
      problems.push(problem(draft, 'stray-edge', `"${draft.id}" never takes its edge "${edge}"`));
    }
    if (caught === undefined && retry === undefined) {
      const message = `"${draft.id}" says what comes of a fault: a way for it, a retry, or both`;
      problems.push(problem(draft, 'does-nothing', message));
    }
    if (problems.length > 0) return no(problems);
    const code = [...(asks === true ? ['when'] : []), ...(config.retry?.asks ? [AGAIN] : [])];
    return ok({ config: config as Try, code });
  },

  enter({ node }) {
    return { move: 'open', start: node.config.body };
  },

  resume({ node }, _view, signal) {
    if (signal.on === 'time') return { move: 'open', start: node.config.body };
    assert(signal.on === 'scope', 'a try waits for its region, or to run it again');
    const close = { scope: signal.scope, promote: true };
    return { move: 'take', edges: [node.config.done], close };
  },

  rescue(place, view, fault) {
    const { caught, errors } = place.node.config;
    if (errors !== undefined && !errors.includes(fault.code)) return null;
    const close = regionOf(place);
    const holds = place.node.config.asks === true ? ask(place, view, 'when', fault) : ok(true);
    if (!holds.ok) return { move: 'fault', fault: holds.problem };
    if (!holds.value) return null;
    const again = triesAgain(place, view, fault);
    if (!again.ok) return { move: 'fault', fault: again.problem };
    if (again.value !== null) {
      const wakeAt = nextTry(again.value, place, view);
      return { move: 'park', wait: { on: 'time' }, wakeAt, error: fault, close };
    }
    if (caught === undefined) return null;
    const value = fault as unknown as Json;
    const writes = [{ in: 'scope', space: 'results', name: place.node.id, value }] as const;
    return { move: 'take', edges: [caught], writes, close };
  },

  skip({ node }) {
    return { move: 'take', edges: [node.config.done] };
  },
};

const AGAIN = 'retry.when';

function regionOf({ token: { wait } }: Here): Close {
  assert(wait?.on === 'scope', 'a try catches while its region is open');
  return { scope: wait.scope, promote: false };
}

type Asked<Value> = Result<Value, Omit<Fault, 'node'>>;

function triesAgain(place: Here, view: View, fault: Fault): Asked<Retry | null> {
  const { retry } = place.node.config;
  if (retry === undefined || fault.fatal === true) return ok(null);
  if (place.token.attempts + 1 >= retry.maxAttempts) return ok(null);
  if (retry.asks !== true) return ok(retry);
  const worth = ask(place, view, AGAIN, fault);
  if (!worth.ok) return worth;
  return ok(worth.value ? retry : null);
}

function ask(place: Here, view: View, slot: string, error: Fault): Asked<boolean> {
  const answer = view.call(place, slot, { error });
  if (!answer.ok) return answer;
  if (typeof answer.value === 'boolean') return ok(answer.value);
  const came = JSON.stringify(answer.value).slice(0, 80);
  const message = `"${slot}" of "${place.node.id}" answers true or false; came ${came}`;
  return no({ code: 'try.not-boolean', message });
}

function checkWay(
  draft: DraftNode,
  wires: Wires,
  edge: Json | undefined,
  problems: Diagnostic[],
): EdgeId {
  if (typeof edge !== 'string' || !wires.out.includes(edge as EdgeId)) {
    const message = `"${draft.id}" names the edge ${JSON.stringify(edge)}, which does not leave it`;
    problems.push(problem(draft, 'unknown-edge', message));
  }
  return edge as EdgeId;
}

function checkErrors(draft: DraftNode, errors: Json, problems: Diagnostic[]): readonly string[] {
  const isList = Array.isArray(errors) && errors.length > 0;
  if (!isList || !errors.every((code) => typeof code === 'string')) {
    const message = `"${draft.id}" lists the codes it catches as texts, one or more`;
    problems.push(problem(draft, 'bad-errors', message));
  }
  return errors as readonly string[];
}
