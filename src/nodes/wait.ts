/**
 * Wait: rests until a message of a type and key arrives, or until a timeout.
 *
 * The key is the instance's business key unless the node says otherwise. The message's data becomes
 * the node's result; after the timeout the result is null. Whichever commits first decides; the
 * other finds the token gone and changes nothing.
 *
 * BPMN intermediateCatchEvent (message), receiveTask · Serverless Workflow listen · builder
 * .waitFor()
 */
import { assert } from '../base/assert.ts';
import { type Duration, parseDuration } from '../base/duration.ts';
import { no, ok } from '../base/result.ts';
import type { Move, NodeKind } from '../kernel/kind.ts';
import type { Diagnostic } from '../model/draft.ts';
import type { Instant } from '../model/ids.ts';
import { keyFor, problem, takeWith } from './settings.ts';

type MessageWait = {
  readonly event: string;
  /** A fixed key; null for the business key or, with `keyCode`, what the closure says. */
  readonly key: string | null;
  readonly keyCode: boolean;
  readonly timeoutMs: number | null;
};

export const wait: NodeKind<MessageWait> = {
  kind: 'wait',

  compile(draft) {
    const { event, key = null, keyCode = false, timeoutMs = null } = draft.settings;
    const problems: Diagnostic[] = [];
    if (typeof event !== 'string' || event === '') {
      problems.push(problem(draft, 'no-event', `"${draft.id}" names the event it waits for`));
    }
    if (key !== null && typeof key !== 'string') {
      problems.push(problem(draft, 'bad-key', `the key of "${draft.id}" is a string or a closure`));
    }
    const timeout = timeoutMs === null ? ok(null) : parseDuration(timeoutMs as Duration);
    if (!timeout.ok) {
      const message = `the timeout of "${draft.id}" is a duration: ${timeout.problem}`;
      problems.push(problem(draft, 'bad-timeout', message));
    }
    if (!timeout.ok || problems.length > 0) return no(problems);
    const ms = timeout.value;
    const config = { event, key, keyCode: keyCode === true, timeoutMs: ms } as MessageWait;
    return ok({ config, code: config.keyCode ? ['key'] : [] });
  },

  enter(place, view): Move {
    const { event, key, keyCode, timeoutMs } = place.node.config;
    const by = keyFor(place, view, { key, keyCode, what: event, slot: 'key' });
    if (!by.ok) return { move: 'fault', fault: by.problem };
    const until = timeoutMs === null ? {} : { wakeAt: (view.now + timeoutMs) as Instant };
    return { move: 'park', wait: { on: 'message', type: event, key: by.value }, ...until };
  },

  resume({ node }, _view, signal) {
    assert(signal.on === 'message' || signal.on === 'time', 'a wait ends by message or by time');
    const value = signal.on === 'message' ? signal.data : null;
    return takeWith(node, value);
  },

  skip({ node }, _view, value) {
    return takeWith(node, value);
  },
};
