/**
 * The ceiling: what a loop written by hand reaches that has no features at all. A row for the run,
 * a row for every step, the row of the run again at its end, each durable before the run goes on,
 * and whatever waits at a moment written in one transaction. Tables and rows are those that anybody
 * would make for it: text ids, input and results as JSON, when and in what state; a step's result
 * is data, and so it is passed as such. Nothing is claimed, leased, retried, read back, or told to
 * anybody.
 *
 * Everything an engine does beyond this costs; how much is what the ratio to it says.
 */
import { DatabaseSync } from 'node:sqlite';
import { Pool } from 'pg';
import { randomUUID } from 'node:crypto';
import type { Contender, FlowName, Setup } from '../contender.ts';

const LENGTHS: Partial<Record<FlowName, number>> = { steps1: 1, steps5: 5, steps10: 10 };

/** What waits for the next transaction: new runs, steps with their runs, and runs that end. */
interface Rows {
  readonly starts: string[];
  readonly inputs: string[];
  readonly runs: string[];
  readonly steps: number[];
  readonly results: string[];
  readonly ends: string[];
  readonly outputs: string[];
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
    const rows = {
      starts: [],
      inputs: [],
      runs: [],
      steps: [],
      results: [],
      ends: [],
      outputs: [],
    };
    this.#next = { ...rows, durable };
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

const START = `
  insert into run (id, flow, status, input, created_at, updated_at)
  select id, 'bench', 'running', input, now(), now()
    from unnest($1::text[], $2::jsonb[]) as row (id, input)`;
const STEP = `
  insert into checkpoint (run_id, step, result, created_at)
  select run_id, step, result, now()
    from unnest($1::text[], $2::int[], $3::jsonb[]) as row (run_id, step, result)`;
const END = `
  update run set status = 'completed', output = row.output, updated_at = now()
    from unnest($1::text[], $2::jsonb[]) as row (id, output)
   where run.id = row.id`;

export async function openCeilingOnPostgres({ place }: Setup): Promise<Contender> {
  // A plan made while the tables were small would read all of them for ever.
  const options = '-c enable_seqscan=off';
  const pool = new Pool({ connectionString: place, max: CONNECTIONS, options, pipeline: true });
  await pool.query(`
    create table if not exists run (
      id text primary key, flow text not null, status text not null, input jsonb not null,
      output jsonb, created_at timestamptz not null, updated_at timestamptz not null
    );
    create table if not exists checkpoint (
      run_id text not null, step int not null, result jsonb not null,
      created_at timestamptz not null, primary key (run_id, step)
    )`);
  const group = new Group(async ({ starts, inputs, runs, steps, results, ends, outputs }) => {
    const client = await pool.connect();
    const ask = (name: string, text: string, ...values: unknown[]): Promise<unknown> =>
      client.query({ name, text, values });
    const asked = [client.query('begin')] as Promise<unknown>[];
    if (starts.length > 0) asked.push(ask('start', START, starts, inputs));
    if (runs.length > 0) asked.push(ask('step', STEP, runs, steps, results));
    if (ends.length > 0) asked.push(ask('end', END, ends, outputs));
    await Promise.all([...asked, client.query('commit')]);
    client.release();
  }, CONNECTIONS);
  return { run: runner(group), close: () => pool.end() };
}

export async function openCeilingOnSqlite({ place }: Setup): Promise<Contender> {
  const database = new DatabaseSync(place);
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table if not exists run (
      id text primary key, flow text not null, status text not null, input text not null,
      output text, created_at integer not null, updated_at integer not null
    );
    create table if not exists checkpoint (
      run_id text not null, step integer not null, result text not null,
      created_at integer not null, primary key (run_id, step)
    )`);
  const start = database.prepare(`
    insert into run (id, flow, status, input, created_at, updated_at)
    values (?, 'bench', 'running', ?, ?, ?)`);
  const step = database.prepare(`
    insert into checkpoint (run_id, step, result, created_at) values (?, ?, ?, ?)`);
  const end = database.prepare(`
    update run set status = 'completed', output = ?, updated_at = ? where id = ?`);
  const group = new Group(({ starts, inputs, runs, steps, results, ends, outputs }) => {
    const now = Date.now();
    database.exec('begin immediate');
    for (const [at, id] of starts.entries()) start.run(id, inputs[at] ?? 'null', now, now);
    for (const [at, run] of runs.entries()) {
      step.run(run, steps[at] ?? 0, results[at] ?? 'null', now);
    }
    for (const [at, id] of ends.entries()) end.run(outputs[at] ?? 'null', now, id);
    database.exec('commit');
  }, 1);
  return { run: runner(group), close: async () => database.close() };
}

/** The handler of every step. */
const nothing = (): null => null;

/** Ids in order of time, as anybody would have them: new rows then land together. */
function runner(group: Group): (flow: FlowName) => Promise<void> {
  return async (flow) => {
    const run = randomUUID();
    const started = group.next;
    started.starts.push(run);
    started.inputs.push(JSON.stringify(null));
    await started.durable;
    for (let step = 1; step <= (LENGTHS[flow] ?? 0); step += 1) {
      const batch = group.next;
      batch.runs.push(run);
      batch.steps.push(step);
      batch.results.push(JSON.stringify(nothing()));
      await batch.durable;
    }
    const ended = group.next;
    ended.ends.push(run);
    ended.outputs.push(JSON.stringify(null));
    await ended.durable;
  };
}
