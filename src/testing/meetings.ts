/**
 * Graphs in which tokens meet, as a table: each is drawn, played in every order of answers, and
 * played again with a crash after every stride. What it did must be the same each time.
 */
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { assemble, rowsOf } from '../kernel/instance.ts';
import type { Change, NewToken } from '../model/change.ts';
import type { Code } from '../model/definition.ts';
import type { TokenId } from '../model/ids.ts';
import { type Order, ORDERS, play } from './play.ts';
import { draw, Story } from './story.ts';

type Nodes = NonNullable<Parameters<typeof draw>[1]>;

export interface Case {
  readonly lines: readonly string[];
  readonly nodes: Nodes;
  /** The arms that inclusive choices take. */
  readonly takes?: string;
  /** Every execution of a step, sorted. */
  readonly ran: string;
  /** How many tokens each firing of a join took, sorted. */
  readonly fired: Readonly<Record<string, readonly number[]>>;
  /** The edges that joins lack for ever. Without it the instance completes. */
  readonly lacks?: Readonly<Record<string, readonly string[]>>;
}

export function tryCases(about: string, cases: Readonly<Record<string, Case>>): void {
  describe(about, () => {
    for (const [name, one] of Object.entries(cases)) {
      test(name, () => {
        for (const [how, order] of Object.entries(ORDERS)) tryCase(one, how, order);
      });
    }
  });
}

function tryCase(one: Case, how: string, order: () => Order): void {
  const { ran, fired, lacks = {} } = one;
  const story = begin(one);
  play(story, order());
  expect(outcomeOf(story), how).toEqual({ ran, fired, lacks });
  expect(story.head.status).toBe(one.lacks === undefined ? 'completed' : 'running');
  const again = begin(one);
  play(again, crashing(again, order()));
  expect(again.history, `${how}, with crashes`).toEqual(story.history);
}

/** None of them goes this far without a rest, unless a join fires that must not. */
const limits = { MOVES_WITHOUT_REST_MAX: 100 };

function begin({ lines, nodes, takes = '' }: Case): Story {
  const story = new Story(draw(lines, nodes), { key: 'k', limits });
  story.start(takes);
  return story;
}

/** The same order, but the process dies before every answer and all there is are the rows. */
function crashing(story: Story, order: Order): Order {
  return (tokens) => {
    story.instance = assemble(rowsOf(story.instance));
    return order(tokens);
  };
}

function outcomeOf({ history, head }: Story): Pick<Required<Case>, 'ran' | 'fired' | 'lacks'> {
  const changes = history.flatMap((row) => row.changes);
  const births = changes.flatMap((change) =>
    change.did === 'birth-token' ? change.token.node : [],
  );
  const ran = births.filter((node) => /^[A-Z]/.test(node)).sort();
  const lacks = head.stalled?.joins.map(({ node, missing }) => [node, missing]) ?? [];
  return { ran: ran.join(' '), fired: firingsIn(changes), lacks: Object.fromEntries(lacks) };
}

/**
 * The tokens that a firing takes end one right after the other. A second one by the same edge is
 * part of the next, unless they came for a group: a parallel join tells nobody apart by edges.
 */
function firingsIn(changes: readonly Change[]): Readonly<Record<string, readonly number[]>> {
  const born = new Map<TokenId, NewToken>();
  const sizes: Record<string, number[]> = {};
  let taken: NewToken[] = [];
  for (const change of changes) {
    if (change.did === 'birth-token') born.set(change.token.id, change.token);
    const joined = change.did === 'end-token' && change.why === 'joined';
    const token = joined ? born.get(change.token) : undefined;
    if (token === undefined || taken.some((other) => isSecond(token, other))) taken = [];
    if (token === undefined) continue;
    taken.push(token);
    const all = (sizes[token.node] ??= []);
    if (taken.length > 1) all.pop();
    all.push(taken.length);
  }
  for (const all of Object.values(sizes)) all.sort((a, b) => a - b);
  return sizes;
}

function isSecond({ node, via, wait }: NewToken, other: NewToken): boolean {
  return node !== other.node || (wait?.on === 'inclusive' && via === other.via);
}

/** Takes every arm that the input names, and the last of them if it names none. */
export function many(node: string, ...arms: readonly string[]): Nodes[string] {
  return {
    kind: 'choose',
    settings: {
      many: true,
      arms: arms.map((arm) => ({ edge: `${node}->${arm}`, slot: arm })),
      otherwise: `${node}->${arms.at(-1)}`,
    },
    code: Object.fromEntries(arms.map((arm) => [arm, ({ input }) => names(input, arm)])),
  };
}

function names(input: Json, arm: string): boolean {
  return typeof input === 'string' && input.split(' ').includes(arm);
}

/** Counts how often it is passed, for `fewer` to read. */
export const count: Nodes[string] = {
  kind: 'set',
  code: { value: ({ vars }) => ({ n: Number(vars['n'] ?? 0) + 1 }) },
};

export function fewer(times: number): Code {
  return ({ vars }) => Number(vars['n']) < times;
}
