/** A node of a random definition that is to be filled in, and closures that may go wrong. */
import type { Json, JsonObject } from '../base/json.ts';
import type { Code, NodeCode } from '../model/definition.ts';
import { luck } from './random-luck.ts';

/** A node to be filled in: its wires are settled, its settings are not. */
export interface Spot {
  readonly id: string;
  readonly seed: number;
  /** Its outbound edges, by id. */
  readonly out: readonly string[];
  /** The node its region begins with. */
  readonly body: string | null;
  /** What its closures may look at (see `seenBy`). */
  readonly names: readonly string[] | null;
  /** How many items a map has at the most. */
  readonly size?: number;
  /** The node whose result is that of an item of a map; all of them if there is none. */
  readonly last?: string;
  readonly trapped: boolean;
}

export interface Filled {
  readonly settings: JsonObject;
  readonly code: NodeCode;
}

/** A closure for a slot; a trapped one throws, gives no JSON, gives nonsense or is missing. */
export function slot(spot: Spot, name: string, nonsense: Json, right: Code): NodeCode {
  if (!spot.trapped) return { [name]: right };
  switch (luck(4, spot.seed, 'trap', name)) {
    case 0:
      return {};
    case 1:
      return { [name]: () => 1n };
    case 2:
      return { [name]: () => nonsense };
    default:
      return {
        [name]: () => {
          throw new Error('a trap');
        },
      };
  }
}
