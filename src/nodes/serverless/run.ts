/**
 * A run starts another workflow of this engine, and waits for its end unless it is told not to.
 * What the other ends with is the output; what it fails with, this task fails with, under its own
 * place. If this task is cancelled, so is the other.
 *
 * Serverless Workflow run: workflow
 */
import { assert } from '../../base/assert.ts';
import type { JsonObject } from '../../base/json.ts';
import { ok } from '../../base/result.ts';
import type { Move, NodeKind, Place, View } from '../../kernel/kind.ts';
import type { InstanceId } from '../../model/ids.ts';
import type { ChildAnswer } from '../../model/post.ts';
import type { RunConfig } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { entering, fault, finish, skipWith, tooLarge, within } from './envelope.ts';
import { fill } from './expression.ts';
import { dataIn, subjectOf, whereabouts, workflowOf } from './scene.ts';
import { errorOf, raisedFault, type Trouble } from './trouble.ts';

type Here = Place<RunConfig>;

export const runKind: NodeKind<RunConfig & JsonObject> = {
  kind: 'sw-run',

  compile: compileAs<RunConfig>,

  enter(place, view) {
    return entering(place, view, (input) => {
      const { flow, version, input: given, detached, lasts } = place.node.config;
      const made = given === undefined ? ok(input) : fill(given, within(place, view, input), input);
      if (!made.ok) return fault(place, view, made.problem);
      const large = tooLarge([made.value], view);
      if (large !== undefined) return fault(place, view, large);
      const call = { flow, version, input: made.value, key: null, known: true } as const;
      const stays = lasts === true ? { lasts } : {};
      if (detached !== true) return { move: 'call', ...call, ...stays };
      return finish(place, view, { input, output: input, starts: [call] });
    });
  },

  resume(place, view, signal) {
    assert(signal.on === 'child', 'what runs another workflow waits for its end');
    const { answer, from } = signal;
    if (answer.status !== 'completed') return failed(place, view, answer, from);
    return finish(place, view, { input: dataIn(place.scope), output: answer.output });
  },

  skip: skipWith,
};

/** By this whoever started it can tell that it did not fail. */
const CANCELLED = 'Workflow cancelled';

/** What keeps another workflow from beginning, and what that is to this one. */
const UNBEGUN: ReadonlyMap<string, Trouble['kind']> = new Map([
  ['call.unknown-flow', 'configuration'],
  ['call.refused', 'validation'],
]);

function failed(
  place: Here,
  view: View,
  answer: Exclude<ChildAnswer, { status: 'completed' }>,
  from: InstanceId | undefined,
): Move {
  const { flow, task } = place.node.config;
  if (answer.status === 'canceled') {
    const detail = `the workflow "${flow}" was cancelled${told(from)}`;
    return fault(place, view, { kind: 'runtime', title: CANCELLED, detail });
  }
  const { code, message } = answer.fault;
  const kind = UNBEGUN.get(code);
  if (kind !== undefined) return fault(place, view, { kind, detail: message });
  const { instance: _, detail = '', ...error } = errorOf(answer.fault, workflowOf(view).errors);
  // Whoever raises an error may have put anything there.
  const said = typeof detail === 'string' ? detail : JSON.stringify(detail);
  const whole = { ...error, detail: `${said}${told(from)}`.trim() };
  const { at } = subjectOf(task, place.node.id);
  return { move: 'fault', fault: raisedFault(whole, whereabouts(at, view)) };
}

function told(from: InstanceId | undefined): string {
  return from === undefined ? '' : ` (instance ${from})`;
}
