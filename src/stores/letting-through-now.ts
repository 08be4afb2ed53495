/** Letting through (`letting-through.ts`), for a store that answers at once. */
import { unreachable } from '../base/assert.ts';
import type { LaneFacts } from './lane-look.ts';
import type { LetThrough, Place } from './lanes.ts';
import {
  type LaneAsk,
  type LaneWrites,
  type LetToken,
  type Opening,
  type QueueAsk,
  type Waiting,
} from './lane-asks.ts';
import { lettingThrough } from './letting-through.ts';
import type { TokenRef } from './store.ts';

/** What a store can do about one lane, token or place; `LaneAsk` says what each is for. */
export interface LaneTools {
  factsOf(lane: string): LaneFacts;
  queueOf(ask: QueueAsk): readonly Waiting[];
  unservedIn(lane: string, before: number): readonly Place[];
  let(token: LetToken): boolean;
  hold(token: TokenRef): boolean;
  begin(place: Place): boolean;
  settle(place: Place): boolean;
  write(writes: LaneWrites): void;
}

export function lettingThroughNow(opening: Opening, tools: LaneTools): LetThrough {
  const steps = lettingThrough(opening);
  let step = steps.next();
  while (step.done !== true) step = steps.next(answer(step.value, tools));
  return step.value;
}

function answer(ask: LaneAsk, tools: LaneTools): unknown {
  switch (ask.ask) {
    case 'lanes':
      return ask.names.map((name) => tools.factsOf(name));
    case 'queues':
      return ask.of.map((queue) => tools.queueOf(queue));
    case 'unserved':
      return ask.lanes.flatMap((lane) => tools.unservedIn(lane, ask.before));
    case 'let':
      return ask.tokens.filter((token) => tools.let(token));
    case 'hold':
      return ask.tokens.filter((token) => tools.hold(token));
    case 'begin':
      return ask.places.filter((place) => tools.begin(place));
    case 'settle':
      return ask.places.filter((place) => tools.settle(place));
    case 'write':
      return tools.write(ask.writes);
    default:
      return unreachable(ask);
  }
}
