/**
 * Where contenders keep their things: a database of its own for each on one Postgres server, or a
 * file of its own in a temporary folder. The server is that of `DATABASE_URL`, or one of our own
 * with the durability it comes with. All of it is gone at the end, and ours does not outlive us.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { PostgresServer } from '../../src/testing/postgres-server.ts';
import { postmasterOf, serverCpuMs } from './server-cpu.ts';

export type Kind = 'postgres' | 'sqlite' | 'memory';

const PREFIX = 'perdure_bench_';

export class Databases {
  readonly postmaster: number | null;
  /** What the server says about itself, for the notes. */
  readonly version: string;
  readonly #server: PostgresServer | null;
  readonly #url: string;
  readonly #admin: Client;
  readonly #folder: string;
  readonly #made = new Set<string>();
  #count = 0;
  readonly #atExit: () => void = () => rmSync(this.#folder, { recursive: true, force: true });

  private constructor(
    server: PostgresServer | null,
    admin: { readonly client: Client; readonly url: string; readonly version: string },
    postmaster: number | null,
  ) {
    this.#server = server;
    this.#admin = admin.client;
    this.#url = admin.url;
    this.version = admin.version;
    this.postmaster = postmaster;
    this.#folder = mkdtempSync(join(tmpdir(), 'perdure-bench-'));
    process.once('exit', this.#atExit);
  }

  static async open(): Promise<Databases> {
    const given = process.env['DATABASE_URL'];
    const server = given === undefined ? await PostgresServer.start() : null;
    const url = given ?? server?.url() ?? '';
    const client = new Client(url);
    await client.connect();
    // A server that is told to stop says so to whoever is connected, which is no news here.
    client.on('error', () => {});
    const { rows } = await client.query(
      `select pg_backend_pid() as pid, current_setting('server_version') as version,
              current_setting('fsync') as fsync, current_setting('synchronous_commit') as sync`,
    );
    const { pid, version, fsync, sync } = rows[0];
    const said = `Postgres ${version}, fsync ${fsync}, synchronous_commit ${sync}`;
    const isLocal = server !== null || /localhost|127\.0\.0\.1/.test(url);
    const postmaster = isLocal ? postmasterOf(pid) : null;
    return new Databases(server, { client, url, version: said }, postmaster);
  }

  /** An empty place. */
  async make(kind: Kind): Promise<string> {
    this.#count += 1;
    if (kind === 'memory') return '';
    if (kind === 'sqlite') return join(this.#folder, `${this.#count}.db`);
    const name = `${PREFIX}${process.pid}_${this.#count}`;
    await this.#admin.query(`create database ${name}`);
    this.#made.add(name);
    const url = new URL(this.#url);
    url.pathname = `/${name}`;
    return url.href;
  }

  /** What nobody needs any more would only give the server's own housekeeping something to do. */
  async drop(place: string): Promise<void> {
    if (place.startsWith(this.#folder)) {
      for (const end of ['', '-wal', '-shm']) rmSync(`${place}${end}`, { force: true });
    } else if (place !== '') {
      const name = new URL(place).pathname.slice(1);
      await this.#admin.query(`drop database if exists ${name} with (force)`);
      this.#made.delete(name);
    }
  }

  cpuMs(): number | null {
    return serverCpuMs(this.postmaster);
  }

  async close(): Promise<void> {
    for (const name of this.#made) {
      await this.#admin.query(`drop database if exists ${name} with (force)`);
    }
    await this.#admin.end();
    await this.#server?.stop();
    this.#atExit();
    process.off('exit', this.#atExit);
  }
}
