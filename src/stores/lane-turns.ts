/**
 * In which order those who wait are tried. Of one queue the first is before the others, and of the
 * first of all queues it is for the lanes that are for all to say whose turn it is, wherever they
 * wait: whoever waits in the lane of its customer would otherwise take every place that becomes
 * free in the lane of all before those who wait there. Such lanes lie in each other, a step's in
 * its flow's. So the narrower says first which of its own it is, and the wider which of those.
 * Between those who share no lane it is the most urgent, then that of the oldest instance.
 */
import { comparePlaces, type Waiting } from './lane-asks.ts';
import type { LaneLook } from './lane-look.ts';
import { isForAll, type Place, sharedLane } from './lanes.ts';

interface Candidate extends Waiting {
  /** Its place in the queue it waits in. */
  readonly here: Place;
  /** The lanes in which it takes turns with others, the narrowest first: most often one or none. */
  readonly turns: readonly LaneLook[];
}

/** Each when it is asked for: who was let through meanwhile has had its turn. */
export function* inTurn(
  waiting: readonly Waiting[],
  laneOf: (name: string) => LaneLook,
): Iterable<Waiting> {
  const queues = new Map<string, Candidate[]>();
  for (const one of waiting) {
    const here = one.places.find(({ state }) => state === 'waiting');
    if (here === undefined) continue;
    const queue = queues.get(here.lane) ?? [];
    queue.push({ ...one, here, turns: turnsOf(one.places).map(laneOf) });
    queues.set(here.lane, queue);
  }
  // The last of a queue is the cheapest to take away.
  for (const queue of queues.values()) queue.reverse();
  while (queues.size > 0) {
    const next = firstOf(Array.from(queues.values(), (queue) => queue.at(-1)));
    const queue = queues.get(next?.here.lane ?? '');
    if (next === undefined || queue === undefined) return;
    queue.pop();
    if (queue.length === 0) queues.delete(next.here.lane);
    yield next;
  }
}

/** A share stands for the lane it is a share of. */
function turnsOf(places: readonly Place[]): readonly string[] {
  const shared = new Set(places.map(({ lane }) => sharedLane(lane)));
  const names = places.map(({ lane }) => lane);
  return names.filter((name) => sharedLane(name) !== null || (isForAll(name) && !shared.has(name)));
}

function firstOf(heads: readonly (Candidate | undefined)[]): Candidate | undefined {
  const all = heads.filter((head) => head !== undefined);
  const narrow = bestOfEach(all, ({ turns }) => turns[0]);
  const wide = bestOfEach(narrow, ({ turns }) => turns.at(-1));
  return wide.reduce<Candidate | undefined>((best, head) => {
    return best === undefined || comparePlaces(head.here, best.here) < 0 ? head : best;
  }, undefined);
}

/** Of those who take turns in one lane the one whose it is. */
function bestOfEach(
  heads: readonly Candidate[],
  turnOf: (head: Candidate) => LaneLook | undefined,
): readonly Candidate[] {
  if (heads.length === 1) return heads;
  const best = new Map<LaneLook | Candidate, Candidate>();
  for (const head of heads) {
    const lane = turnOf(head);
    // Who takes turns with nobody is compared with nobody here.
    const whole = lane?.whole ?? head;
    const rival = best.get(whole);
    const order = rival === undefined ? -1 : compare(head, rival, turnOf);
    if (order < 0) best.set(whole, head);
  }
  return [...best.values()];
}

function compare(
  one: Candidate,
  other: Candidate,
  turnOf: (head: Candidate) => LaneLook | undefined,
): number {
  const [a, b] = [turnOf(one), turnOf(other)];
  if (a === undefined || b === undefined || a === b) return comparePlaces(one.here, other.here);
  return a.compareTurns(b);
}
