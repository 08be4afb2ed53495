/**
 * Link: one step of a chain. A handler runs it and says what became of it: completed, waiting for a
 * message, to be tried again, or dead.
 *
 * Its handler is known by the chain's name and the type of the step, whatever the version: what is
 * started goes on though its definition changes or goes. A message, or the end of the time to wait
 * for it, runs the same link again, which is told why (D10). Executions are counted over all of it;
 * waiting and waking are none (D11).
 *
 * BPMN has none · Serverless Workflow has none · chain()
 */
import { assert } from '../base/assert.ts';
import type { JsonObject } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, ok } from '../base/result.ts';
import type { Move, NodeKind, Offer } from '../kernel/kind.ts';
import type { Diagnostic } from '../model/draft.ts';
import { waitFor } from './awaiting.ts';
import { nextTry, readRetry, type Retry } from './retry.ts';
import { readRunSettings, sharedHandler } from './run-settings.ts';
import { problem } from './settings.ts';

type Link = Offer & {
  /** The step's type: several links of a chain may be of one. */
  readonly type: string;
  readonly retry: Retry;
  /** What is waited for may be late for ever: nobody is told. */
  readonly patient?: true;
};

export const link: NodeKind<Link & JsonObject> = {
  kind: 'link',
  reenters: true,

  compile(draft) {
    const { type, retry, patient } = draft.settings;
    const problems: Diagnostic[] = [];
    if (typeof type !== 'string' || type.trim() === '') {
      problems.push(problem(draft, 'no-type', `"${draft.id}" has a type, which is no blank text`));
    }
    const policy = readRetry(retry ?? null);
    if (!policy.ok) {
      problems.push(problem(draft, 'bad-retry', `the retry of "${draft.id}": ${policy.problem}`));
    }
    const settings = readRunSettings(draft, problems);
    if (!policy.ok || problems.length > 0) return no(problems);
    const { maxAttempts } = policy.value;
    const config: Mutable<Link> = { type: type as string, retry: policy.value, maxAttempts };
    if (patient === true) config.patient = true;
    // Steps of one type share what is said of the type.
    const shared = settings.limit === undefined ? {} : { limitedAs: type as string };
    Object.assign(config, settings, shared);
    return ok({ config });
  },

  offer({ node }) {
    return node.config;
  },

  handler({ node }, flow) {
    return sharedHandler(flow, node.config.type);
  },

  again(place, view) {
    return nextTry(place.node.config.retry, place, view);
  },

  resume(place, view, signal): Move {
    if (signal.on === 'waiting') return waitFor(view, signal, place.node.config);
    assert(signal.on === 'result', 'a link is run again by whatever else wakes it');
    return { move: 'next' };
  },

  skip() {
    return { move: 'next' };
  },
};
