/** What an application's kind can answer, for its `enter` and `resume` to return. */
import type { Jsonify } from '../../base/jsonify.ts';
import type { Outbound } from '../../model/chain.ts';
import type {
  GoOptions,
  KindEnd,
  KindFault,
  KindGo,
  KindPause,
  PauseOptions,
} from '../../model/custom-kind.ts';

/** Goes on, with this as the result of the node. */
export function go<Value = null, const Way extends string = never>(
  result?: Value,
  options: GoOptions<Way> = {},
): KindGo<Jsonify<Value>, Way> {
  return Object.freeze({ ...options, move: 'go', result: result as Jsonify<Value> });
}

/** Rests until somebody wakes its token, a message comes or a time is over. */
export function pause(options: PauseOptions = {}): KindPause {
  return Object.freeze({ ...options, move: 'pause' });
}

/** Something is wrong: for a `.try` around it, or else for the instance. */
export function fault(
  code: string,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): KindFault {
  return Object.freeze({ move: 'fault', code, message, ...(details && { details }) });
}

/** The path ends here, whatever leads on; if said, that is the output of the instance. */
export function end(output?: unknown, outbound?: readonly Outbound[]): KindEnd {
  const said = output === undefined ? {} : { output };
  return Object.freeze({ move: 'end', ...said, ...(outbound && { outbound }) });
}
