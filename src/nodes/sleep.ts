/**
 * Sleep: rests until a moment that is fixed on arrival.
 *
 * The duration becomes an absolute moment as the token parks. Recomputing it later would let every
 * restart of the process push the moment further away.
 *
 * BPMN intermediateCatchEvent (timer) · Serverless Workflow wait · builder .sleep()
 */
import { assert } from '../base/assert.ts';
import { type Duration, parseDuration } from '../base/duration.ts';
import { no, ok } from '../base/result.ts';
import type { NodeKind } from '../kernel/kind.ts';
import type { Instant } from '../model/ids.ts';
import { problem } from './settings.ts';

type Sleep = { readonly ms: number | null };

export const sleep: NodeKind<Sleep> = {
  kind: 'sleep',

  compile(draft) {
    const { ms } = draft.settings;
    if (ms === undefined) return ok({ config: { ms: null }, code: ['duration'] });
    if (typeof ms !== 'number') {
      return no([problem(draft, 'bad-duration', `"${draft.id}" sleeps for a number of ms`)]);
    }
    const checked = parseDuration(ms);
    if (checked.ok) return ok({ config: { ms: checked.value } });
    return no([problem(draft, 'bad-duration', `"${draft.id}": ${checked.problem}`)]);
  },

  enter(place, view) {
    const { ms } = place.node.config;
    const asked = ms === null ? view.call(place, 'duration') : ok(ms);
    if (!asked.ok) return { move: 'fault', fault: asked.problem };
    const length = parseDuration(asked.value as Duration);
    if (!length.ok) {
      const message = `"${place.node.id}": ${length.problem}`;
      return { move: 'fault', fault: { code: 'sleep.bad-duration', message } };
    }
    return { move: 'park', wait: { on: 'time' }, wakeAt: (view.now + length.value) as Instant };
  },

  resume({ node }, _view, signal) {
    assert(signal.on === 'time', 'a sleeper only waits for its moment');
    return { move: 'take', edges: node.out };
  },
};
