/**
 * Commits that can be written by the same statements: no two of them touch the same instance or
 * the same key, so the order among them does not matter. A batch is cut into rounds; most have one.
 *
 * A round is guarded first, by statements that also take the locks it needs. A start reserves its
 * id and its key by writing them, so that of two that start at the same time one finds them taken.
 * The commits that stand are then written together, table by table; a lost one leaves nothing.
 */
import { assert, unreachable } from '../../base/assert.ts';
import type { CommitAnswer } from '../outcomes.ts';
import type { Row } from '../rows.ts';
import type { Cell, CommitRow, Write, WriteName } from '../writes.ts';
import { type Ask, columns } from './driver.ts';
import * as queries from './queries.ts';
import { shardOf } from './shard.ts';

type Cells = readonly Cell[];
type Answers = readonly (readonly Row[])[];

/** What the guards do not write themselves, in the order in which it must be written. */
const WRITES: readonly WriteName[] = [
  'updateInstance',
  'putPauses',
  'putInput',
  'dropKey',
  'unsubscribe',
  'unlistTask',
  'closeTask',
  'endToken',
  'dropLatch',
  'closeVariables',
  'closeScope',
  'clearTokens',
  'clearScopes',
  'clearVariables',
  'clearLatches',
  'clearSubscriptions',
  'clearTaskLists',
  'clearTasks',
  'putScope',
  'addVariable',
  'putVariable',
  'putLatch',
  'subscribe',
  'turn',
  'catchUp',
  'hush',
  'putTask',
  'listTask',
  'putUndo',
  'dropUndo',
  'putTag',
  'dropTag',
  'clearUndos',
  'freeTokens',
  'putHistory',
  'putPost',
  'putLetter',
  'putDelivery',
  'dropUnheard',
  'putSnapshot',
  'lockTokens',
  'sleepLanes',
  'holdTokens',
  'holdToken',
  'tellLanes',
  'leaveLanes',
  'putLanes',
  'enterLane',
  'tellLane',
  'wakeLanes',
  'tellAll',
  'holdWaiting',
  'tellDrained',
  'leaveDrained',
  'freeDrained',
];

/** Cuts a batch so that within a round nothing depends on anything. */
export function roundsOf(rows: readonly CommitRow[]): readonly Round[] {
  const rounds: CommitRow[][] = [];
  const last = new Map<string, number>();
  for (const row of rows) {
    const names = resourcesOf(row);
    const at = Math.max(0, ...names.map((name) => last.get(name) ?? 0));
    for (const name of names) last.set(name, at + 1);
    rounds[at] ??= [];
    rounds[at].push(row);
  }
  return rounds.map((round) => new Round(round));
}

/**
 * Cuts a batch into transactions. One takes its locks in its first round, in order, and none later,
 * or two could wait for each other: a round that starts instances, or touches one that is not
 * locked by then, begins another. So does one that takes a key: only what starts or is restored.
 */
export function partsOf(rows: readonly CommitRow[]): readonly (readonly CommitRow[])[] {
  const parts: CommitRow[][] = [];
  const locked = new Set<string>();
  for (const round of roundsOf(rows)) {
    const goesOn = round.rows.every(
      ({ expected, key, instance }) => expected > 0 && key === null && locked.has(instance),
    );
    if (!goesOn) {
      parts.push([]);
      locked.clear();
    }
    for (const row of round.rows) {
      parts.at(-1)?.push(row);
      locked.add(row.instance);
    }
  }
  return parts;
}

/** An instance, and the key it takes or frees. */
function resourcesOf({ instance, key, writes }: CommitRow): readonly string[] {
  const names = [`instance ${instance}`];
  if (key !== null) names.push(keyName(...key));
  for (const [name, flow, freed] of writes) {
    if (name === 'dropKey') names.push(keyName(String(flow), String(freed)));
  }
  return names;
}

function keyName(flow: string, key: string): string {
  return `key ${flow.length} ${flow}${key}`;
}

/** The statements that guard a round; those that would ask nothing are left out. */
type GuardName = 'versionOf' | 'putInstance' | 'putKey' | 'keyHolder' | 'fence' | 'findDelivery';

export class Round {
  readonly rows: readonly CommitRow[];
  readonly #answers = new Map<CommitRow, CommitAnswer>();
  readonly #found = new Found();
  #asked: readonly GuardName[] = [];
  /** Which of its writes are the tokens. */
  #tokensAt = 0;

  constructor(rows: readonly CommitRow[]) {
    this.rows = rows;
  }

  answerTo(row: CommitRow): CommitAnswer {
    const answer = this.#answers.get(row);
    assert(answer !== undefined, 'every commit of a round has its answer');
    return answer;
  }

  /** Known before the database is asked. */
  turnAway(row: CommitRow): void {
    this.#answers.set(row, { outcome: 'stale' });
  }

  guards(): readonly Ask[] {
    const rows = this.rows.filter((row) => !this.#answers.has(row));
    const starts = rows.filter(({ expected }) => expected === 0);
    return this.#ask([
      ['versionOf', rows.filter(({ expected }) => expected > 0).map(refCells)],
      ['putInstance', starts.flatMap((row) => cellsOf(row, 'putInstance'))],
      ...keyGuards(rows.filter(({ key }) => key !== null)),
      ['fence', rows.flatMap(fenceCells)],
      ['findDelivery', rows.flatMap(messageCells)],
    ]);
  }

  /**
   * Asks once more for keys that were taken when a commit reserved them and free when it looked by
   * whom: it would go on without its key otherwise. Nothing, most often.
   */
  guardsAgain(): readonly Ask[] {
    const torn = this.rows.filter((row) => this.#found.isTorn(row));
    return torn.length === 0 ? [] : this.#ask(keyGuards(torn));
  }

  #ask(questions: readonly (readonly [GuardName, readonly Cells[]])[]): readonly Ask[] {
    const asked = questions.filter(([, cells]) => cells.length > 0);
    this.#asked = asked.map(([name]) => name);
    return [
      ...asked.map(([name, cells]): Ask => [queries[name], ...columns(cells)]),
      [queries.own.clock],
    ];
  }

  hear(answers: Answers): void {
    for (const [at, name] of this.#asked.entries()) this.#found.learn(name, answers[at] ?? []);
  }

  /** By what the guards answered; how the commits that stand are written, and lost ones undone. */
  judge(now: number): readonly Ask[] {
    const standing: CommitRow[] = [];
    const lost: CommitRow[] = [];
    for (const row of this.rows) {
      if (this.#answers.has(row)) continue;
      const answer = this.#found.judge(row, now);
      if (answer === undefined) standing.push(row);
      else {
        this.#answers.set(row, answer);
        lost.push(row);
      }
    }
    for (const row of standing)
      this.#answers.set(row, { outcome: 'committed', at: now, versions: [] });
    const first = [...this.#found.undoing(lost), ...asksOf(standing, ({ writes }) => writes)];
    this.#tokensAt = first.length;
    const holds = asksOf(standing, (row) => row.holds);
    return [...first, ...tokensOf(standing, now), ...holds];
  }

  /** What writing answered: the tokens that were written, with the versions they have now. */
  settle(answers: Answers): void {
    const versions = new Map(
      (answers[this.#tokensAt] ?? []).map((row) => [tokenName(row), Number(row.version)]),
    );
    for (const [row, answer] of this.#answers) {
      if (answer.outcome !== 'committed' || row.taken.length === 0) continue;
      const taken = row.taken.map(
        ([instance, id]) => versions.get(`${instance}/${id}`) ?? Number.NaN,
      );
      this.#answers.set(row, { ...answer, versions: taken });
    }
  }
}

/** What the guards found. */
class Found {
  readonly #versions = new Map<unknown, number>();
  readonly #born = new Set<unknown>();
  readonly #reserved = new Set<string>();
  readonly #holders = new Map<string, string>();
  readonly #leases = new Map<string, number>();
  readonly #delivered = new Set<unknown>();

  learn(guard: GuardName, rows: readonly Row[]): void {
    for (const row of rows) {
      switch (guard) {
        case 'versionOf':
          this.#versions.set(row.id, Number(row.version));
          break;
        case 'putInstance':
          this.#born.add(row.id);
          break;
        case 'putKey':
          this.#reserved.add(nameOfKey(row));
          break;
        case 'keyHolder':
          this.#holders.set(nameOfKey(row), String(row.id));
          break;
        case 'fence':
          this.#leases.set(tokenName(row), Number(row.locked_until));
          break;
        case 'findDelivery':
          // An instance is in a round once, so whose it is says which message it was.
          this.#delivered.add(row.instance_id);
          break;
        default:
          unreachable(guard);
      }
    }
  }

  /** Born or there already, and its key is neither its own nor anybody else's. */
  isTorn(row: CommitRow): boolean {
    if (row.key === null || !(row.expected > 0 || this.#born.has(row.instance))) return false;
    const name = keyName(...row.key);
    const isWanted = row.writes.some(([query]) => query === 'putKey');
    return isWanted && !this.#reserved.has(name) && !this.#holders.has(name);
  }

  /** Undefined if nothing stands in its way. */
  judge(
    { instance, expected, key, fence, message }: CommitRow,
    now: number,
  ): CommitAnswer | undefined {
    if (expected === 0) {
      if (!this.#born.has(instance)) return { outcome: 'exists', instance };
    } else if (this.#versions.get(instance) !== expected) return { outcome: 'stale' };
    const holder = key === null ? undefined : this.#holders.get(keyName(...key));
    if (holder !== undefined && holder !== instance) {
      return { outcome: 'exists', instance: holder };
    }
    if (fence !== null) {
      const until = this.#leases.get(`${instance}/${fence.token}`);
      // A lease that ends now still holds (L-23).
      if (until === undefined || until < now !== fence.expired) return { outcome: 'fenced' };
    }
    if (message !== null && this.#delivered.has(instance)) return { outcome: 'delivered' };
    return undefined;
  }

  /** A commit that is lost leaves neither a new instance nor a key, if it had got either. */
  undoing(lost: readonly CommitRow[]): readonly Ask[] {
    const born = lost.filter(({ instance }) => this.#born.has(instance));
    const reserved = lost.filter(({ key }) => key !== null && this.#reserved.has(keyName(...key)));
    return [
      ...written(queries.own.dropInstance, born.map(refCells)),
      ...written(
        queries.dropKey,
        reserved.flatMap((row) => cellsOf(row, 'putKey')),
      ),
    ];
  }
}

/** Who reserves a key also asks who has it: itself, it should turn out. */
function keyGuards(
  rows: readonly CommitRow[],
): readonly (readonly [GuardName, readonly Cells[]])[] {
  return [
    ['putKey', rows.flatMap((row) => cellsOf(row, 'putKey'))],
    ['keyHolder', rows.flatMap(({ key }) => (key === null ? [] : [[shardOf(...key), ...key]]))],
  ];
}

function tokenName({ instance_id, id }: Row): string {
  return `${String(instance_id)}/${String(id)}`;
}

function nameOfKey({ flow, key }: Row): string {
  return keyName(String(flow), String(key));
}

function asksOf(
  rows: readonly CommitRow[],
  writesOf: (row: CommitRow) => readonly Write[],
): readonly Ask[] {
  const byName = new Map<WriteName, Cells[]>();
  for (const row of rows) {
    const shard = shardOf(row.instance);
    for (const write of writesOf(row)) {
      const cells = byName.get(write[0]);
      if (cells === undefined) byName.set(write[0], [homed(shard, write)]);
      else cells.push(homed(shard, write));
    }
  }
  return asksFor(byName);
}

/** One statement for each table, in the order in which they must be written. */
export function asksFor(byName: ReadonlyMap<WriteName, readonly Cells[]>): readonly Ask[] {
  return WRITES.flatMap((name) => written(queries[name], byName.get(name) ?? []));
}

/** A row with the shard it lies in first. */
export function homed(shard: number, [name, ...cells]: Write): Cells {
  const isKey = name === 'putKey' || name === 'dropKey';
  return [isKey ? shardOf(String(cells[0]), String(cells[1])) : shard, ...cells];
}

/** One statement at most: `settle` looks for its answer. */
function tokensOf(rows: readonly CommitRow[], now: number): readonly Ask[] {
  const cells = rows.flatMap(({ instance, tokens, taken, take, firstVersion: first }) => {
    const shard = shardOf(instance);
    const { worker = null, leaseMs = null } = take ?? {};
    return [
      ...tokens.map((token) => [shard, ...token, null, null, null, first]),
      ...taken.map((token) => [shard, ...token, worker, now, leaseMs, first]),
    ];
  });
  return written(queries.putToken, cells);
}

function written(query: string, rows: readonly Cells[]): readonly Ask[] {
  return rows.length === 0 ? [] : [[query, ...columns(rows)]];
}

function cellsOf({ instance, writes }: CommitRow, name: WriteName): readonly Cells[] {
  const found = writes.filter(([query]) => query === name);
  return found.map((write) => homed(shardOf(instance), write));
}

function refCells({ instance }: CommitRow): Cells {
  return [shardOf(instance), instance];
}

function fenceCells({ instance, fence }: CommitRow): readonly Cells[] {
  if (fence === null) return [];
  return [[shardOf(instance), instance, fence.token, fence.worker, fence.version]];
}

function messageCells({ instance, message, heard }: CommitRow): readonly Cells[] {
  return heard.map((by) => [shardOf(instance), message, instance, by]);
}
