/** That a flow is not here, and what is: it is misspelt, or nobody has named it. */
import { EngineError } from '../base/engine-error.ts';
import { meant } from '../base/nearest.ts';

export function unknownFlow(flow: string, flows: readonly string[]): EngineError {
  const advice = `name it in the flows of createEngine (${meant(flow, flows)})`;
  const message = `there is no flow "${flow}" here; ${advice}`;
  return new EngineError('definition.not-found', message, { details: { flow, flows } });
}
