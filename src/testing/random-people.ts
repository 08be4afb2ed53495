/**
 * The generator's fillings for what waits for people, and the people themselves: who there is, and
 * which groups they belong to. Parts are fixed or made by closures, as luck has it.
 */
import type { Json, JsonObject } from '../base/json.ts';
import type { Code, NodeCode } from '../model/definition.ts';
import { luck, lucky, seenBy } from './random-luck.ts';
import { type Filled, slot, type Spot } from './random-spot.ts';

export const PEOPLE: readonly string[] = ['ann', 'bob', 'cat', 'dan'];
/** Nobody knows them. */
export const STRANGER = 'zoe';

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  legal: ['ann', 'bob'],
  sales: ['bob', 'cat'],
};

export function groupsOf(person: string): readonly string[] {
  return Object.keys(MEMBERS).filter((group) => MEMBERS[group]?.includes(person));
}

const NAMES: readonly string[] = [...PEOPLE, ...Object.keys(MEMBERS)];

/** Parts that are made by luck, and what a closure of each gives that goes wrong. */
interface Part {
  readonly name: string;
  /** Of so many nodes one has it. */
  readonly oneOf: number;
  readonly make: (seed: number, word: string) => Json;
  readonly nonsense: Json;
}

const COMMON: readonly Part[] = [
  { name: 'title', oneOf: 3, make: (seed, word) => `do ${luck(9, seed, word)}`, nonsense: 7 },
  { name: 'data', oneOf: 3, make: (seed, word) => ({ n: luck(9, seed, word) }), nonsense: null },
  { name: 'priority', oneOf: 4, make: (seed, word) => luck(9, seed, word) - 4, nonsense: 'high' },
  { name: 'due', oneOf: 4, make: moment, nonsense: 'soon' },
  { name: 'followUp', oneOf: 6, make: moment, nonsense: [] },
];

function moment(seed: number, word: string): Json {
  const ms = 1 + luck(9_000, seed, word, 'ms');
  return luck(2, seed, word, 'at') === 0 ? { at: ms } : ms;
}

const TASK: readonly Part[] = [
  ...COMMON,
  { name: 'assignee', oneOf: 3, make: (seed, word) => lucky(PEOPLE, seed, word), nonsense: '' },
  { name: 'candidates', oneOf: 2, make: candidates, nonsense: 'everyone' },
  { name: 'form', oneOf: 6, make: () => ({ type: 'object' }), nonsense: 'a form' },
];

function candidates(seed: number, word: string): Json {
  const names = namesFrom(NAMES, 1 + luck(3, seed, word, 'how many'), [seed, word]);
  if (luck(2, seed, word, 'told apart') === 0) return names;
  const users = names.filter((name) => PEOPLE.includes(name));
  return { users, groups: names.filter((name) => !PEOPLE.includes(name)) };
}

/** So many of them, none twice. */
function namesFrom(
  all: readonly string[],
  count: number,
  words: readonly (string | number)[],
): readonly string[] {
  const ranked = all.toSorted((a, b) => luck(997, ...words, a) - luck(997, ...words, b));
  return ranked.slice(0, count);
}

export function fillTask(spot: Spot): Filled {
  return filledFrom(spot, TASK);
}

function filledFrom(spot: Spot, parts: readonly Part[]): Filled {
  const { seed, names } = spot;
  const fixed: Record<string, Json> = {};
  const asks: string[] = [];
  const code: Record<string, Code> = {};
  for (const { name, oneOf, make, nonsense } of parts) {
    if (luck(oneOf, seed, 'has', name) > 0) continue;
    if (!spot.trapped && luck(2, seed, 'fixed', name) === 0) {
      fixed[name] = make(seed, name);
      continue;
    }
    asks.push(name);
    const right: Code = (view) => make(luck(1_000, seed, seenBy(view, names)), name);
    Object.assign(code, slot(spot, name, nonsense, right) satisfies NodeCode);
  }
  return { settings: { fixed, asks }, code };
}

const APPROVE: readonly Part[] = [
  ...COMMON,
  { name: 'approvers', oneOf: 1, make: approvers, nonsense: 'everyone' },
  { name: 'submitter', oneOf: 2, make: (seed, word) => lucky(PEOPLE, seed, word), nonsense: '' },
  { name: 'timeout', oneOf: 2, make: (seed, word) => 1 + luck(4_000, seed, word), nonsense: 0 },
];

/** Nobody, names, or names by group; some sit for two groups. */
function approvers(seed: number, word: string): Json {
  const some = (most: number, about: string): readonly string[] =>
    namesFrom(NAMES, luck(most, seed, word, about, 'how many'), [seed, word, about]);
  if (luck(3, seed, word, 'by group') > 0) return some(5, 'all');
  return { board: some(3, 'board'), staff: some(3, 'staff') };
}

export function fillApprove(spot: Spot): Filled {
  const { seed } = spot;
  const { settings, code } = filledFrom(spot, APPROVE);
  const more: Record<string, Json> = {};
  const say = (name: string, ways: readonly Json[]): void => {
    const way = lucky(ways, seed, name);
    if (way !== null) more[name] = way;
  };
  say('rule', RULES);
  say('onTimeout', [null, 'notify', 'approve', 'reject', ...HANDED_ON]);
  say('onEmpty', [null, 'wait', 'approve', 'approve', 'fail']);
  say('onReject', [null, null, null, 'continue', 'fail']);
  say('revisions', [null, 0, 1, 2]);
  return { settings: { ...settings, ...more }, code };
}

const RULES: readonly Json[] = [
  ...[null, 'first', 'unanimous', { atLeast: 2 }, { perGroup: true }, { perGroup: 2 }],
  ...[{ atLeast: 2, reject: 'counts' }, { atLeast: 9, reject: 'counts' }, { atLeast: 9 }],
  ...[{ perGroup: 1, reject: 'counts' }, { perGroup: 9 }],
];

const HANDED_ON: readonly JsonObject[] = [
  { reassign: ['dan', 'sales'] },
  { escalate: ['ann', 'dan'] },
  { reassign: { board: ['ann'], staff: ['cat', 'ann'] } },
];
