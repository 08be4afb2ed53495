/**
 * Call: starts an instance of another flow and waits for its end.
 *
 * The other instance has its own history, timers and saga, and runs the newest version that is
 * there, or the one named. Its output is this node's result. If it fails, so does this node, with
 * the same code; if this node is cancelled, so is the other instance.
 *
 * BPMN callActivity · Serverless Workflow run: workflow · builder .call()
 */
import { assert } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, ok } from '../base/result.ts';
import type { Move, NodeKind } from '../kernel/kind.ts';
import type { Diagnostic } from '../model/draft.ts';
import type { Limits } from '../model/limits.ts';
import type { ChildAnswer } from '../model/post.ts';
import { keyProblems, problem, takeWith } from './settings.ts';

type Call = {
  readonly flow: string;
  readonly version: number | null;
  readonly input: Json;
  readonly key: string | null;
  readonly inputCode?: true;
  readonly keyCode?: true;
};

export const call: NodeKind<Call> = {
  kind: 'call',

  compile(draft) {
    const { flow, version = null, input = null, key = null, inputCode, keyCode } = draft.settings;
    const problems: Diagnostic[] = [];
    if (typeof flow !== 'string' || flow === '') {
      problems.push(problem(draft, 'no-flow', `"${draft.id}" names the flow it calls`));
    }
    if (version !== null && !(Number.isSafeInteger(version) && (version as number) >= 1)) {
      const message = `"${draft.id}" calls a version that is a whole number, 1 or more`;
      problems.push(problem(draft, 'bad-version', message));
    }
    problems.push(...keyProblems(draft, key));
    if (problems.length > 0) return no(problems);
    const config = { flow, version, input, key } as Mutable<Call>;
    if (inputCode === true) config.inputCode = true;
    if (keyCode === true) config.keyCode = true;
    const code = [...(inputCode === true ? ['input'] : []), ...(keyCode === true ? ['key'] : [])];
    return ok({ config, code });
  },

  enter(place, view): Move {
    const { flow, version, inputCode, keyCode } = place.node.config;
    const input = inputCode === true ? view.call(place, 'input') : ok(place.node.config.input);
    if (!input.ok) return { move: 'fault', fault: input.problem };
    const key = keyCode === true ? view.call(place, 'key') : ok(place.node.config.key);
    if (!key.ok) return { move: 'fault', fault: key.problem };
    if (!isKey(key.value, view.limits)) {
      const rule = `a text of up to KEY_CHARS_MAX ${view.limits.KEY_CHARS_MAX} characters`;
      const message = `"key" of "${place.node.id}" answers ${rule}, or null for none`;
      return { move: 'fault', fault: { code: 'call.bad-key', message } };
    }
    return { move: 'call', flow, version, input: input.value, key: key.value };
  },

  resume({ node }, _view, signal) {
    assert(signal.on === 'child', 'a call only waits for the instance it called');
    const { answer } = signal;
    if (answer.status === 'completed') return takeWith(node, answer.output);
    return { move: 'fault', fault: faultOf(answer, node.config.flow) };
  },

  skip({ node }, _view, value) {
    return takeWith(node, value);
  },
};

function isKey(value: Json, { KEY_CHARS_MAX }: Limits): value is string | null {
  if (value === null) return true;
  return typeof value === 'string' && value !== '' && value.length <= KEY_CHARS_MAX;
}

type Failure = Exclude<ChildAnswer, { status: 'completed' }>;

function faultOf(
  answer: Failure,
  flow: string,
): Omit<Extract<Failure, { status: 'failed' }>['fault'], 'node'> {
  if (answer.status === 'canceled') {
    return { code: 'call.canceled', message: `the instance of "${flow}" was canceled` };
  }
  const { node, ...fault } = answer.fault;
  return node === null ? fault : { ...fault, details: { ...fault.details, failedAt: node } };
}
