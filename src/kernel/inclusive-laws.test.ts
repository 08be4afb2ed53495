/**
 * What must hold of inclusive joins in every graph and every order of answers, on random ones.
 *
 * Each seed is one graph, played to its end with a crash now and then. Its history is then looked
 * at again, change by change, by an oracle that knows the rule and nothing of how the kernel keeps
 * it (see `testing/inclusive-oracle.ts`): no join fires early, and none that may go on stays. A
 * failing seed prints its graph and how to play it alone.
 */
import { expect, test } from 'vitest';
import { InvariantError } from '../base/assert.ts';
import type { Token } from '../model/instance.ts';
import type { Plan } from '../model/plan.ts';
import { Dice } from '../testing/dice.ts';
import { randomMeetings } from '../testing/inclusive-graphs.ts';
import * as oracle from '../testing/inclusive-oracle.ts';
import { tellDraft } from '../testing/laws-report.ts';
import { play } from '../testing/play.ts';
import { type Drawing, Story } from '../testing/story.ts';
import { assemble, emptyInstance, type Instance, rowsOf } from './instance.ts';

const SEEDS = 5_000;
const SEEDS_PER_TEST = 500;

/** What so many seeds see at least, or they prove nothing: about half of what most slices do. */
const LEAST = {
  'fired with 1': 250,
  'fired with 2': 150,
  'fired with 3 or more': 50,
  'fired past someone it need not wait for': 100,
  'fired and left a second token by the same edge': 30,
  'fired because someone died or went elsewhere': 15,
  'went on waiting': 250,
  'went on waiting, in a region': 100,
  'fired in parallel': 30,
  'stalled at an inclusive join': 10,
};
type Tally = Record<keyof typeof LEAST, number>;
const NOTHING = Object.fromEntries(Object.keys(LEAST).map((what) => [what, 0])) as Tally;

/** SEED=7 plays one graph alone. */
const ONE = Number(process.env['SEED'] ?? 0);
const SLICES = Array.from({ length: SEEDS / SEEDS_PER_TEST }, (_, at) => at * SEEDS_PER_TEST + 1);

for (const from of ONE > 0 ? [ONE] : SLICES) {
  const to = ONE > 0 ? ONE : from + SEEDS_PER_TEST - 1;
  test(`graphs ${from} to ${to} fire no join early and leave none waiting for nobody`, () => {
    const tally = { ...NOTHING };
    expect(firstBreach(from, to, tally)).toBe('');
    const least = ONE > 0 ? [] : Object.entries(LEAST);
    expect(least.filter(([what, times]) => tally[what as keyof Tally] < times)).toEqual([]);
  });
}

/** The first seed that breaks a law, as a bug report; nothing if none does. */
function firstBreach(from: number, to: number, tally: Tally): string {
  for (let seed = from; seed <= to; seed += 1) {
    const drawing = randomMeetings(seed);
    const [breach] = breachesOf(drawing, seed, tally);
    if (breach !== undefined) return tell(seed, breach, drawing);
  }
  return '';
}

function tell(seed: number, breach: string, { draft }: Drawing): string {
  const replay = `replay it: SEED=${seed} npx vitest run src/kernel/inclusive-laws.test.ts`;
  return [`seed ${seed}: ${breach}`, replay, tellDraft(draft)].join('\n');
}

function* breachesOf(drawing: Drawing, seed: number, tally: Tally): Iterable<string> {
  const dice = new Dice(seed);
  const limits = dice.roll(4) === 0 ? { MOVES_PER_COMMIT: 1 + dice.roll(5) } : {};
  const story = new Story(drawing, { limits });
  try {
    story.start();
    play(story, (tokens) => {
      if (dice.roll(3) === 0) story.instance = assemble(rowsOf(story.instance));
      return dice.pick(tokens);
    });
  } catch (thrown) {
    // A promise of the kernel's own, and a breach like any other.
    if (!(thrown instanceof InvariantError)) throw thrown;
    yield thrown.message;
  }
  const { plan } = story.machine;
  let before = emptyInstance(story.head.id);
  for (const row of story.history) {
    const { firings, after } = oracle.replay(plan, before, row);
    for (const firing of firings) {
      for (const breach of earlyBreaches(plan, firing)) yield `commit ${row.n}: ${breach}`;
      countFiring(plan, firing, before, tally);
    }
    for (const breach of restBreaches(plan, after, tally)) yield `commit ${row.n}: ${breach}`;
    tally['fired in parallel'] += row.changes.filter(({ did }) => did === 'fire-latch').length;
    before = after;
  }
  yield* endBreaches(plan, before);
  if (before.head.stalled?.joins.some(({ group }) => group === null) === true)
    tally['stalled at an inclusive join'] += 1;
}

/** At the moment of a firing nobody blocked it, and it took the oldest token of every edge. */
function* earlyBreaches(plan: Plan, firing: oracle.Firing): Iterable<string> {
  const { join, before, taken } = firing;
  const { blocks } = oracle.bearingsOn(plan, firing, before);
  if (blocks.length > 0) yield `${join} fired early: ${names(blocks)} could still come`;
  const oldest = new Map<string | null, Token>();
  for (const token of oracle.standingAt(firing, before).reverse()) oldest.set(token.via, token);
  const right = names([...oldest.values()].sort((a, b) => a.id - b.id));
  if (names(taken) !== right) yield `${join} took ${names(taken)} and not ${right}`;
}

/** At rest every join that holds someone waits for someone, and is found again after a crash. */
function* restBreaches(plan: Plan, at: Instance, tally: Tally): Iterable<string> {
  const tokens = at.tokens.values();
  for (const meeting of oracle.meetingsOf(plan, tokens)) {
    const { blocks } = oracle.bearingsOn(plan, meeting, tokens);
    // A stride that was long enough left tokens behind that have not moved yet: the next one asks.
    const isHanging = blocks.length === 0 && at.resting.size === 0;
    if (isHanging) yield `${meeting.join} hangs: nobody can come any more`;
    tally[isBoxed(plan, meeting) ? 'went on waiting, in a region' : 'went on waiting'] += 1;
  }
  for (const { id, node, groups, wait } of tokens) {
    if (wait?.on !== 'join') continue;
    const members = tokens.filter((other) => other.groups.includes(groups.at(-1) as never));
    const here = members.filter((other) => other.node === node && other.wait?.on === 'join');
    const same = here.filter((other) => other.groups.at(-1) === groups.at(-1));
    if (same.length === members.length) yield `${node} hangs: token ${id} waits for nobody else`;
  }
  const { merging } = assemble(rowsOf(at));
  const [told, right] = [at.merging, merging].map((one) => [one.keys(), one.values()]);
  if (JSON.stringify(told) !== JSON.stringify(right)) yield 'the index of joins is out of step';
}

/** A graph completes, or is stalled and says what every join that holds someone lacks. */
function* endBreaches(plan: Plan, { head, tokens: rows }: Instance): Iterable<string> {
  const tokens = rows.values();
  if (head.status === 'completed' && tokens.length === 0) return;
  if (head.status !== 'running' || head.stalled === null) yield `it ends ${head.status}`;
  const listed = head.stalled?.joins.filter(({ group }) => group === null) ?? [];
  const meetings = oracle.meetingsOf(plan, tokens);
  if (listed.length !== meetings.length) yield 'the report is not of the joins that hold someone';
  for (const meeting of meetings) {
    const report = listed.find(
      ({ node, scope }) => node === meeting.join && scope === meeting.scope,
    );
    const filled = new Set(oracle.standingAt(meeting, tokens).map(({ via }) => via));
    const edges = plan.nodes.get(meeting.join)?.in ?? [];
    const missing = edges.filter((edge) => !filled.has(edge)).join();
    if (report?.missing.join() !== missing) yield `${meeting.join} lacks ${missing}`;
    const { blocks } = oracle.bearingsOn(plan, meeting, tokens);
    const free = blocks.filter(({ wait }) => wait?.on !== 'join' && wait?.on !== 'inclusive');
    if (free.length > 0) yield `${meeting.join} is stalled, yet ${names(free)} can move`;
  }
}

function countFiring(plan: Plan, firing: oracle.Firing, rested: Instance, tally: Tally): void {
  // The join of a region is the simplest there is, and there are many: they would hide the rest.
  if (isBoxed(plan, firing)) return;
  const { before, taken } = firing;
  const sizes = ['fired with 1', 'fired with 2'] as const;
  tally[sizes[taken.length - 1] ?? 'fired with 3 or more'] += 1;
  if (oracle.bearingsOn(plan, firing, before).spares.length > 0)
    tally['fired past someone it need not wait for'] += 1;
  if (oracle.standingAt(firing, before).length > taken.length)
    tally['fired and left a second token by the same edge'] += 1;
  if (taken.every(({ id }) => rested.tokens.get(id) !== undefined))
    tally['fired because someone died or went elsewhere'] += 1;
}

function isBoxed(plan: Plan, { join }: oracle.Meeting): boolean {
  return plan.nodes.get(join)?.parent !== null;
}

function names(tokens: readonly Token[]): string {
  return tokens.map(({ id, node, via }) => `${id} at ${node} by ${via}`).join(', ') || 'nobody';
}
