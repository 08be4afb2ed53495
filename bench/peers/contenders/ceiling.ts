/**
 * The ceiling: what a loop written by hand reaches that has no features at all. A row for the run,
 * a row for every step, the row of the run again at its end, each durable before the run goes on,
 * and whatever waits at a moment written in one transaction. The rows hold just what somebody would
 * need to take up the run after a crash; nobody does. Nothing is claimed, leased, retried, read
 * back, or told to anybody.
 *
 * Everything an engine does beyond this costs; how much is what the ratio to it says.
 */
import { DatabaseSync } from 'node:sqlite';
import { Pool } from 'pg';
import { newInstanceId } from '../../../src/runtime/ids.ts';
import type { Contender, FlowName, Setup } from '../contender.ts';

const LENGTHS: Partial<Record<FlowName, number>> = { steps1: 1, steps5: 5, steps10: 10 };

/** What waits for the next transaction: new runs, runs that end, and steps with their runs. */
interface Rows {
  readonly starts: string[];
  readonly ends: string[];
  readonly runs: string[];
  readonly steps: number[];
}

interface Batch extends Rows {
  readonly durable: Promise<void>;
}

type Write = (rows: Rows) => Promise<void> | void;

/** Gathers what comes until one of so many writers is free. */
class Group {
  readonly #write: Write;
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #next: Batch | undefined;

  constructor(write: Write, writers: number) {
    this.#write = write;
    this.#free = writers;
  }

  /** The batch that is written next. Add to it, and wait until it is durable. */
  get next(): Batch {
    if (this.#next !== undefined) return this.#next;
    // Whoever comes in the same turn of the event loop comes along.
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    const durable = turn.then(() => this.#writeNext());
    this.#next = { starts: [], ends: [], runs: [], steps: [], durable };
    return this.#next;
  }

  async #writeNext(): Promise<void> {
    if (this.#free === 0) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    } else {
      this.#free -= 1;
    }
    const batch = this.#next;
    this.#next = undefined;
    if (batch !== undefined) await this.#write(batch);
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#free += 1;
    else waiting();
  }
}

/** While one connection waits for the disk, the other's batch is under way. */
const CONNECTIONS = 2;

const WRITE_POSTGRES = `
  with started as (
    insert into run (id, flow, input, status, created_at)
    select unnest($1::uuid[]), 'bench', 'null', 'runs', $5::bigint
  ), stepped as (
    insert into checkpoint (run, step, result, at)
    select run, step, 'null', $5 from unnest($3::uuid[], $4::int[]) as row (run, step)
  )
  update run set status = 'done' where id = any ($2::uuid[])`;

export async function openCeilingOnPostgres({ place }: Setup): Promise<Contender> {
  // A plan made while the tables were small would read all of them for ever.
  const options = '-c enable_seqscan=off';
  const pool = new Pool({ connectionString: place, max: CONNECTIONS, options });
  await pool.query(`
    create table if not exists run (
      id uuid primary key, flow text not null, input text not null,
      status text not null, created_at bigint not null
    );
    create table if not exists checkpoint (
      run uuid not null, step int not null, result text not null, at bigint not null,
      primary key (run, step)
    )`);
  const group = new Group(async ({ starts, ends, runs, steps }) => {
    const values = [starts, ends, runs, steps].map((row) => `{${row.join()}}`);
    await pool.query({ name: 'write', text: WRITE_POSTGRES, values: [...values, Date.now()] });
  }, CONNECTIONS);
  return { run: runner(group), close: () => pool.end() };
}

export async function openCeilingOnSqlite({ place }: Setup): Promise<Contender> {
  const database = new DatabaseSync(place);
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table if not exists run (
      id text primary key, flow text not null, input text not null,
      status text not null, created_at integer not null
    ) strict, without rowid;
    create table if not exists checkpoint (
      run text not null, step integer not null, result text not null, at integer not null,
      primary key (run, step)
    ) strict, without rowid`);
  const start = database.prepare(`insert into run values (?, 'bench', 'null', 'runs', ?)`);
  const step = database.prepare(`insert into checkpoint values (?, ?, 'null', ?)`);
  const end = database.prepare(`update run set status = 'done' where id = ?`);
  const group = new Group(({ starts, ends, runs, steps }) => {
    const now = Date.now();
    database.exec('begin immediate');
    for (const id of starts) start.run(id, now);
    for (const [at, run] of runs.entries()) step.run(run, steps[at] ?? 0, now);
    for (const id of ends) end.run(id);
    database.exec('commit');
  }, 1);
  return { run: runner(group), close: async () => database.close() };
}

/** Ids in order of time, as anybody would have them: new rows then land together. */
function runner(group: Group): (flow: FlowName) => Promise<void> {
  return async (flow) => {
    const run = newInstanceId(Date.now());
    const started = group.next;
    started.starts.push(run);
    await started.durable;
    for (let step = 1; step <= (LENGTHS[flow] ?? 0); step += 1) {
      const batch = group.next;
      batch.runs.push(run);
      batch.steps.push(step);
      await batch.durable;
    }
    const ended = group.next;
    ended.ends.push(run);
    await ended.durable;
  };
}
