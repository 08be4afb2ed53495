/**
 * The promises of ARCHITECTURE §5 that can be read off one instance and its history. One function,
 * used by tests, the simulator and `engine.check()`; it never throws, it lists.
 */
import { InvariantError } from '../base/assert.ts';
import { canonicalJson, type Json, sameJson } from '../base/json.ts';
import type { LatchKey, Restored } from '../model/change.ts';
import type { HistoryRow } from '../model/commit.ts';
import { Crowds } from './crowds.ts';
import { fold } from './fold.ts';
import {
  assemble,
  byNode,
  gatheringOf,
  type Gathering,
  type Instance,
  isLive,
  latchesOf,
  latchOf,
  rowsOf,
  tokenOf,
} from './instance.ts';
import { SagaAudit } from './invariants-sagas.ts';
import { headProblem, scopeProblem, tokenProblem } from './sound.ts';

/** A broken promise: which one, and what was found. */
export interface Violation {
  readonly promise: 'P2' | 'P7' | 'P8' | 'P9' | 'P10' | 'P11' | 'index' | 'sound';
  readonly message: string;
}

export function checkInvariants(
  instance: Instance,
  history: readonly HistoryRow[] | null = null,
): Violation[] {
  const found: Violation[] = [];
  const say = (promise: Violation['promise'], message: string | undefined): void => {
    if (message !== undefined) found.push({ promise, message });
  };
  for (const token of instance.tokens.values()) say('sound', tokenProblem(instance, token));
  for (const scope of instance.scopes.values()) say('P8', scopeProblem(instance, scope));
  say('P7', headProblem(instance));
  say('P7', restingProblem(instance));
  checkLatches(instance, say);
  checkIndexes(instance, say);
  if (history !== null) checkHistory(instance, history, say);
  return found;
}

type Say = (promise: Violation['promise'], message: string | undefined) => void;

/** Whoever claims one of the tokens that were set down goes on with all of them. */
function restingProblem(instance: Instance): string | undefined {
  const resting = instance.resting.keys().map((id) => tokenOf(instance, id));
  if (resting.length === 0 || resting.some(({ handler }) => handler !== null)) return undefined;
  return `tokens ${resting.map(({ id }) => id).join()} were set down and no worker may take one`;
}

function checkLatches(instance: Instance, say: Say): void {
  for (const latch of latchesOf(instance)) {
    const name = latchName(latch);
    if (latch.fired) say('P10', `latch ${name} fired and is still there`);
    if (gatheringOf(instance, latch)?.arrived.size === 0) say('P10', `latch ${name} holds nobody`);
  }
  for (const token of instance.tokens.values()) {
    if (token.wait?.on !== 'join') continue;
    const latch = gatheringOf(instance, latchOf(token))?.latch;
    if (latch?.scope !== token.scope) say('P10', `token ${token.id} has no latch`);
  }
}

/** Indexes are derived: built anew from the rows they must say the same. */
function checkIndexes(instance: Instance, say: Say): void {
  const fresh = assemble(rowsOf(instance));
  const same = (name: string, read: (one: Instance) => unknown): void => {
    const [told, right] = [JSON.stringify(read(instance)), JSON.stringify(read(fresh))];
    if (told !== right) say('index', `${name} is ${told}, not ${right}`);
  };
  same('moving', ({ moving }) => moving);
  same('resting', ({ resting }) => resting.keys());
  same('inhabitants', ({ inhabitants }) => [inhabitants.keys(), inhabitants.values()]);
  same('members', ({ members }) => [members.keys(), members.values()]);
  same('troubled', ({ troubled, draining }) => [troubled, draining]);
  same('merging', ({ merging }) => [merging.keys(), merging.values().map(sorted)]);
  if (instance.crowds !== null) {
    const { chart } = instance.crowds;
    same('crowds', ({ crowds, tokens }) => {
      const right = Crowds.of(chart, tokens.values().filter(isLive));
      return (crowds ?? right).told();
    });
  }
  same('gatherings', (one) => [one.gatherings.keys(), one.gatherings.values().map(told)]);
}

function sorted(tokens: readonly number[]): readonly number[] {
  return tokens.toSorted((a, b) => a - b);
}

function told(gatherings: readonly Gathering[]): readonly object[] {
  return gatherings.map(({ node, arrived }) => ({ node, arrived: arrived.keys() })).sort(byNode);
}

function checkHistory(instance: Instance, history: readonly HistoryRow[], say: Say): void {
  const { id, version } = instance.head;
  const gap = history.findIndex((row, index) => row.n !== index + 1);
  if (gap >= 0) say('P9', `history row ${gap + 1} is missing`);
  if (history.length !== version)
    say('P9', `version ${version} has ${history.length} history rows`);
  checkOnce(history, say);
  const sagas = new SagaAudit();
  for (const { changes } of history) {
    for (const message of sagas.enter(changes)) say('P11', message);
  }
  try {
    const folded = rowsOf(fold(id, history)) as unknown as Json;
    const stored = rowsOf(instance) as unknown as Json;
    if (!sameJson(folded, stored)) {
      const [told, right] = [canonicalJson(folded), canonicalJson(stored)];
      say('P9', `history folds to ${told}, the state is ${right}`);
    }
  } catch (thrown) {
    // Rows that do not follow from each other: a finding like any other, and the list goes on.
    if (!(thrown instanceof InvariantError)) throw thrown;
    say('P9', `history does not fold: ${thrown.message}`);
  }
}

/** Over the whole life of an instance: no token ends twice, no join fires twice for a group. */
function checkOnce(history: readonly HistoryRow[], say: Say): void {
  const ended = new Set<number>();
  const fired = new Set<string>();
  for (const { changes } of history) {
    for (const change of changes) {
      if (change.did === 'end-token') {
        if (ended.has(change.token)) say('P2', `token ${change.token} ended twice`);
        ended.add(change.token);
      }
      // What is restored lives again, and its joins are still to fire.
      if (change.did === 'restore') {
        for (const { id } of change.as.tokens) ended.delete(id);
        for (const name of fired) if (isRestored(name, change.as)) fired.delete(name);
      }
      if (change.did === 'fire-latch') {
        const name = latchName(change.latch);
        if (fired.has(name)) say('P10', `join ${name} fired twice`);
        fired.add(name);
      }
    }
  }
}

/** Whoever carries the group may meet the others once more. */
function isRestored(name: string, { tokens }: Restored): boolean {
  const group = Number(name.split(' ')[1]);
  return tokens.some(({ groups }) => groups.some((one) => one === group));
}

function latchName({ scope, node, group }: LatchKey): string {
  return `${scope} ${group} ${node}`;
}
