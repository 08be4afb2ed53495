/**
 * A wait rests for a time that is fixed on arrival, and goes on with its input. Years and months
 * are counted in the calendar, in UTC.
 *
 * Serverless Workflow wait
 */
import { assert } from '../../base/assert.ts';
import type { JsonObject } from '../../base/json.ts';
import type { NodeKind } from '../../kernel/kind.ts';
import type { Instant } from '../../model/ids.ts';
import type { WaitConfig } from '../../model/serverless.ts';
import { compileAs } from './compiling.ts';
import { entering, fault, finish, skipWith, within } from './envelope.ts';
import { fill } from './expression.ts';
import { durationMs } from './moments.ts';
import { dataIn } from './scene.ts';

export const waitKind: NodeKind<WaitConfig & JsonObject> = {
  kind: 'sw-wait',

  compile: compileAs<WaitConfig>,

  enter(place, view) {
    return entering(place, view, (input) => {
      const length = fill(place.node.config.wait, within(place, view, input), input);
      if (!length.ok) return fault(place, view, length.problem);
      const ms = durationMs(length.value, view.now);
      if (!ms.ok) return fault(place, view, { kind: 'expression', detail: ms.problem });
      return { move: 'park', wait: { on: 'time' }, wakeAt: (view.now + ms.value) as Instant };
    });
  },

  resume(place, view, signal) {
    assert(signal.on === 'time', 'a wait ends by time alone');
    const input = dataIn(place.scope);
    return finish(place, view, { input, output: input });
  },

  skip: skipWith,
};
