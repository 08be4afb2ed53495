/**
 * Rounds of commits in one round trip. Every guard is part of what writes, so nothing is asked
 * first: most often all of them hold. If one does not, nothing is written, and the caller goes the
 * long way (`commits.ts`), which finds out whose it was.
 *
 *     one plain commit:            commit_one(…)
 *     one round, nothing unusual:  commit_round(…)
 *     otherwise:                   begin · commit_round(…) · what else it writes · … · commit
 *
 * What every flow writes at every step is in the function: heads and their history, claims, tokens,
 * scopes, values. The rest follows it by the statements of the long way. Locks are taken in the
 * order of these: instances by id, new instances, keys, tokens.
 */
import { assert } from '../../base/assert.ts';
import type { CommitAnswer } from '../outcomes.ts';
import type { Row } from '../rows.ts';
import type { Cell, CommitRow, Write, WriteName } from '../writes.ts';
import { ColumnList } from './column-list.ts';
import type { Ask } from './driver.ts';
import * as queries from './queries.ts';
import { asksFor, homed, type Round } from './round.ts';
import { shardOf } from './shard.ts';
import { askForOne } from './single.ts';
import { sqlState } from './trouble.ts';

/** What the server says if a guard does not hold, or if what is to be new is there already. */
const REFUSED: ReadonlySet<unknown> = new Set(['PD001', '23505']);

export function isRefused(thrown: unknown): boolean {
  return REFUSED.has(sqlState(thrown));
}

/** A round as it is sent. */
export interface Sending {
  readonly asks: readonly Ask[];
  /** What came of its commits, by the answers to the asks. */
  answers(rows: readonly (readonly Row[])[]): ReadonlyMap<CommitRow, CommitAnswer>;
}

export function sendingOf(round: Round, told: number | null): Sending {
  return singleOf(round, told) ?? listedOf(round, told);
}

/** A round of one that is plain. */
function singleOf({ rows }: Round, told: number | null): Sending | null {
  const [row] = rows;
  const ask = row === undefined || rows.length > 1 ? null : askForOne(row, told);
  if (row === undefined || ask === null) return null;
  return {
    asks: [ask],
    // Of a new token that is claimed, it is the first version.
    answers: ([moment]) => {
      const at = momentOf(moment?.[0]?.now);
      return new Map([[row, { outcome: 'committed', at, versions: row.taken.map(() => 1) }]]);
    },
  };
}

/** Whatever it is. */
export function listedOf(round: Round, told: number | null): Sending {
  const lists = new Lists();
  for (const row of inOrderOfLocks(round.rows)) lists.add(row);
  return {
    asks: [[queries.own.commitRound, told, ...lists.parameters()], ...asksFor(lists.others)],
    answers: ([versions = []]) => answersOf(round.rows, versions),
  };
}

/** Those that start come first, as the function asks for. */
function inOrderOfLocks(rows: readonly CommitRow[]): readonly CommitRow[] {
  if (rows.length === 1) return rows;
  const keyed = rows.map((row) => {
    const isBorn = row.expected === 0 ? 0 : 1;
    return { row, place: isBorn * 1_000 + shardOf(row.instance) };
  });
  keyed.sort((a, b) => a.place - b.place || (a.row.instance < b.row.instance ? -1 : 1));
  return keyed.map(({ row }) => row);
}

/** The parameters of the function, in its order, and what it does not know. */
class Lists {
  readonly #heads = new ColumnList(15);
  readonly #histories = new ColumnList(2);
  readonly #births = new ColumnList(6);
  readonly #keys: [shard: number, flow: string, key: string, instance: string][] = [];
  readonly #held = new ColumnList(7);
  readonly #ended = new ColumnList(3);
  readonly #closed = new ColumnList(3);
  readonly #scopes = new ColumnList(9);
  readonly #newValues = new ColumnList(7);
  readonly #values = new ColumnList(7);
  readonly #newTokens = new ColumnList(27);
  readonly #tokens = new ColumnList(27);
  readonly others = new Map<WriteName, (readonly Cell[])[]>();

  parameters(): readonly unknown[] {
    return [
      ...this.#heads.arrays(),
      ...this.#histories.arrays(),
      ...this.#births.arrays(),
      ...this.#keyList().arrays(),
      ...this.#held.arrays(),
      ...this.#ended.arrays(),
      ...this.#closed.arrays(),
      ...this.#scopes.arrays(),
      ...this.#newValues.arrays(this.#values),
      this.#newValues.rows,
      ...this.#newTokens.arrays(this.#tokens),
      this.#newTokens.rows,
    ];
  }

  add(row: CommitRow): void {
    const shard = shardOf(row.instance);
    for (const write of row.writes) this.#write(row, shard, write);
    for (const write of row.holds) this.#other(shard, write);
    if (row.fence !== null) this.#hold(row, shard);
    for (const token of row.tokens) this.#listOf(row, token).add(shard, token, 0, UNCLAIMED);
    if (row.take === null) return;
    const claim = [row.take.worker, row.take.leaseMs, 1];
    for (const token of row.taken) this.#listOf(row, token).add(shard, token, 0, claim);
  }

  #listOf({ bornAfter }: CommitRow, [, id]: readonly Cell[]): ColumnList {
    return Number(id) > bornAfter ? this.#newTokens : this.#tokens;
  }

  #write(row: CommitRow, shard: number, write: Write): void {
    switch (write[0]) {
      case 'updateInstance':
        return this.#heads.add(shard, write, 1);
      case 'putInstance':
        this.#heads.add(shard, write, 1);
        return this.#birth(row, write);
      case 'putInput':
      case 'putKey':
      case 'closeVariables':
        // With the instance, and with the scope.
        return;
      case 'putHistory':
        return this.#histories.add(write[3] ?? null, write, 5);
      case 'endToken':
        if (write[2] !== row.fence?.token) this.#ended.add(shard, write, 1);
        return;
      case 'closeScope':
        return this.#closed.add(shard, write, 1);
      case 'addVariable':
        return this.#newValues.add(shard, write, 1);
      case 'putVariable':
        return this.#values.add(shard, write, 1);
      case 'putScope':
        if (Number(write[2]) > row.bornAfter) return this.#scopes.add(shard, write, 1);
        return this.#other(shard, write);
      default:
        return this.#other(shard, write);
    }
  }

  /** Its key, tenant, birthday and parent are the last cells. */
  #birth({ instance, key, writes }: CommitRow, write: Write): void {
    const input = writes.find(([name]) => name === 'putInput');
    this.#births.add(write[15] ?? null, write, 16, [input?.[2] ?? null]);
    // Also of one that is over at once, and gives it back: nobody else may have it.
    if (key !== null) this.#keys.push([shardOf(...key), ...key, instance]);
  }

  /** Whoever is just taking one is waited for, so all take them in the same order. */
  #keyList(): ColumnList {
    const list = new ColumnList(4);
    const inOrder = this.#keys.toSorted(
      ([a, aFlow, aKey], [b, bFlow, bKey]) => a - b || compare(aFlow, bFlow) || compare(aKey, bKey),
    );
    for (const [shard, ...cells] of inOrder) list.add(shard, cells);
    return list;
  }

  #hold({ fence, writes }: CommitRow, shard: number): void {
    if (fence === null) return;
    const { instance, token, worker, version, expired } = fence;
    const ends = writes.some(([name, , id]) => name === 'endToken' && id === token);
    this.#held.add(shard, [instance, token, worker, version, Number(expired), Number(ends)]);
  }

  #other(shard: number, write: Write): void {
    const rows = this.others.get(write[0]);
    if (rows === undefined) this.others.set(write[0], [homed(shard, write)]);
    else rows.push(homed(shard, write));
  }
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Worker, lease and how many claims it has had. */
const UNCLAIMED: readonly Cell[] = [null, null, 0];

/** The first row has the moment, the others are tokens that were there before. */
function answersOf(
  rows: readonly CommitRow[],
  [moment, ...altered]: readonly Row[],
): ReadonlyMap<CommitRow, CommitAnswer> {
  const at = momentOf(moment?.version);
  const versions = new Map(
    altered.map(({ instance_id, id, version }) => [nameOf(instance_id, id), Number(version)]),
  );
  return new Map(
    rows.map((row) => {
      const taken = row.taken.map(([instance, id]) => versions.get(nameOf(instance, id)) ?? 1);
      return [row, { outcome: 'committed', at, versions: taken }];
    }),
  );
}

function momentOf(told: unknown): number {
  const at = Number(told);
  assert(Number.isSafeInteger(at), 'a round tells its moment');
  return at;
}

function nameOf(instance: unknown, token: unknown): string {
  return `${String(token)} ${String(instance)}`;
}
