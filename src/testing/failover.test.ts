/**
 * A primary that is lost under load, and a standby that takes its place. With synchronous
 * replication nothing is missing; without it the last moments may be, and what is left is sound.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import { createEngine, type Engine } from '../runtime/engine.ts';
import { postgres } from '../stores/postgres/postgres.ts';
import { findFreePort } from './local-port.ts';
import { PostgresBinaries } from './postgres-binaries.ts';
import { PostgresServer } from './postgres-server.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { Notebook } from './world.ts';

/** So many are begun before the primary is lost, and as many after. */
const INSTANCES = 100;
const STARTERS = 10;
/** Before somebody who was told to come back later asks again. */
const AGAIN_MS = 50;

const NAME = 'standby';
const READY = 'ready to accept read-only connections';
/** Between two looks at what the servers say of each other. */
const LOOK_MS = 20;

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const job = flow<string>('job')
  .step('one', ({ input }) => `${input} one`)
  .sleep('nap', '100ms')
  .step('two', ({ results }) => `${results.one} two`)
  .end(({ results }) => results.two);

interface Pair {
  readonly primary: PostgresServer;
  readonly standby: PostgresStandby;
  readonly engine: Engine;
  /** Leads everybody to the standby from now on, as a name or an address does that moves. */
  readonly move: () => void;
}

async function pair(synchronous: boolean): Promise<Pair> {
  const primary = await PostgresServer.start();
  opened.push(() => primary.stop());
  const standby = await PostgresStandby.of(primary, { synchronous });
  opened.push(() => standby.stop());
  const target = { host: '127.0.0.1', port: primary.port };
  const proxy = await TcpProxy.start(target);
  opened.push(() => proxy.close());
  const engine = await createEngine({
    store: postgres(proxy.url(primary.url())),
    flows: [job],
    worker: { lease: '2s', poll: '200ms' },
    logger: new Notebook(),
  });
  opened.push(() => engine.close());
  return { primary, standby, engine, move: () => void (target.port = standby.port) };
}

/** Starts some, and asks again where it is told to come back later. Gives those it was told of. */
async function startAll(engine: Engine, name: string): Promise<readonly string[]> {
  const told: string[] = [];
  let next = 0;
  const starter = async (): Promise<void> => {
    while (next < INSTANCES) {
      next += 1;
      const id = `${name}-${next}`;
      await insisting(() => engine.start(job, id, { id, onConflict: 'existing' }));
      told.push(id);
    }
  };
  await Promise.all(Array.from({ length: STARTERS }, starter));
  return told;
}

async function insisting<Value>(act: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await act();
    } catch (thrown) {
      if (!(thrown instanceof EngineError) || !thrown.retryable) throw thrown;
      await pause(AGAIN_MS);
    }
  }
}

/** What became of those somebody was told of: an output for each that is there. */
async function outputs(engine: Engine, ids: readonly string[]): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const id of ids) {
    const run = await insisting(() => engine.get(id));
    if (run !== undefined) found.set(id, await run.result());
  }
  return found;
}

async function loseThe({ primary, standby, move }: Pair): Promise<void> {
  await primary.stopImmediately();
  await standby.promote();
  move();
}

describe('a primary that is lost under load', () => {
  test('has lost nothing that was acknowledged if its standby was synchronous', async () => {
    const both = await pair(true);
    const { engine } = both;
    const before = await startAll(engine, 'before');
    await loseThe(both);
    const all = [...before, ...(await startAll(engine, 'after'))];
    const found = await outputs(engine, all);
    expect([...found.values()]).toEqual(all.map((id) => `${id} one two`));
    expect(await engine.check()).toMatchObject({ ok: true, instances: all.length, stalled: [] });
  });

  test('has lost its last moments if its standby lagged, and the rest is sound', async () => {
    const both = await pair(false);
    const { engine, standby } = both;
    const kept = await startAll(engine, 'kept');
    await outputs(engine, kept);
    standby.lag();
    const lost = await startAll(engine, 'lost');
    await loseThe(both);
    const after = await startAll(engine, 'after');
    expect((await outputs(engine, [...kept, ...after])).size).toBe(2 * INSTANCES);
    expect((await outputs(engine, lost)).size).toBe(0);
    expect(await engine.check()).toMatchObject({ ok: true, instances: 2 * INSTANCES, stalled: [] });
  });
});

interface StandbyOptions {
  /** Whether the primary confirms nothing that the standby does not have. */
  readonly synchronous: boolean;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/**
 * A copy of the files of a server, which follows it by streaming, can be made to lag behind, and is
 * promoted when the other is gone.
 */
class PostgresStandby {
  readonly port: number;
  readonly #parts: Parts;

  private constructor(port: number, parts: Parts) {
    this.port = port;
    this.#parts = parts;
  }

  /** When this resolves it follows. */
  static async of(primary: PostgresServer, options: StandbyOptions): Promise<PostgresStandby> {
    const folder = await mkdtemp(join(tmpdir(), 'perdure-standby-'));
    const binaries = await PostgresBinaries.in(folder);
    const port = await findFreePort();
    await asking(primary.url(), async (client) => {
      await copyFiles(client, folder);
      const { uid, gid } = binaries.owner;
      if (uid !== undefined) await run('chown', ['-R', `${uid}:${gid}`, folder]);
    });
    const line = await TcpProxy.start({ host: '127.0.0.1', port: primary.port });
    const postmaster = await launch(binaries, { folder, port, primary: line.port });
    await asking(primary.url(), (client) => followed(client, options));
    return new PostgresStandby(port, { folder, binaries, line, postmaster });
  }

  /** From now on it hears nothing more. */
  lag(): void {
    this.#parts.line.pause();
  }

  /** A primary with what it has. Whoever it followed must be gone. */
  async promote(): Promise<void> {
    const { binaries, folder } = this.#parts;
    await binaries.run('pg_ctl', ['promote', '-w', '-D', join(folder, 'data')]);
  }

  url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  async stop(): Promise<void> {
    const { folder, line, postmaster } = this.#parts;
    const gone = once(postmaster, 'exit');
    postmaster.kill('SIGINT');
    await gone;
    await line.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Parts {
  readonly folder: string;
  readonly binaries: PostgresBinaries;
  /** By which it hears from the primary. */
  readonly line: TcpProxy;
  readonly postmaster: ChildProcess;
}

const run = promisify(execFile);

async function asking<Value>(url: string, work: (client: Client) => Promise<Value>) {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** As a base backup does: while it is in use, and with the note that makes it whole. */
async function copyFiles(client: Client, folder: string): Promise<void> {
  const data = join(folder, 'data');
  const { rows: from } = await client.query<{ data_directory: string }>('show data_directory');
  await client.query(`select pg_backup_start('${NAME}', true)`);
  await run('cp', ['-a', from[0]?.data_directory ?? '', data]);
  const { rows } = await client.query<{ labelfile: string }>('select * from pg_backup_stop()');
  for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(join(data, name));
  await writeFile(join(data, 'backup_label'), rows[0]?.labelfile ?? '');
  await writeFile(join(data, 'standby.signal'), '');
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly primary: number;
}

async function launch(
  binaries: PostgresBinaries,
  { folder, port, primary }: Place,
): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // No fewer than the primary has.
    max_connections: '200',
    primary_conninfo: `host=127.0.0.1 port=${primary} user=postgres application_name=${NAME}`,
  };
  const args = ['-D', join(folder, 'data'), '-p', String(port)].concat(
    Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  );
  const postmaster = spawn(binaries.path('postgres'), args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...binaries.owner,
  });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    postmaster.once('error', reject);
    postmaster.once('close', () => reject(new Error(`the standby does not start:\n${said}`)));
    postmaster.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes(READY)) resolve();
    });
  });
  return postmaster;
}

async function followed(client: Client, { synchronous }: StandbyOptions): Promise<void> {
  if (synchronous) {
    await client.query(`alter system set synchronous_standby_names = '${NAME}'`);
    await client.query('select pg_reload_conf()');
  }
  const wanted = synchronous ? 'sync' : 'async';
  const look = `select 1 from pg_stat_replication where state = 'streaming' and sync_state = $1`;
  while ((await client.query(look, [wanted])).rows.length === 0) await pause(LOOK_MS);
}
