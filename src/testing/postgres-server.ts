/**
 * A Postgres server of the tests' own: made in a temporary folder, killed and started again at
 * will, gone without a trace at the end.
 *
 *     start ─► running ─stopImmediately─► down ─startAgain─► running ─stop─► gone
 *
 * It does not keep the process alive that started it, and it does not outlive that process unless
 * that one is killed by force. What it has committed is on the disk, as in earnest (`fsync` is on),
 * since tests kill it to look for that.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { assert } from '../base/assert.ts';
import { findFreePort } from './local-port.ts';
import { PostgresBinaries } from './postgres-binaries.ts';

export interface PostgresServerOptions {
  /** Whether the superuser `postgres` has to show a password. Without a word it does not. */
  readonly auth?: 'trust' | 'password';
  /** Settings as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

const PASSWORD = 'only for tests';
const READY = 'database system is ready to accept connections';
/** What the server says when somebody was faster at its port. */
const PORT_TAKEN = 'could not create any TCP/IP sockets';
const PORTS_TRIED_MAX = 10;
/** It takes 30 ms, and longer when it has to recover on a busy machine. */
const START_MS_MAX = 60_000;
/** Enough for whatever a server has to say about why it does not start. */
const SAID_CHARS_MAX = 10_000;

const DEFAULTS = {
  listen_addresses: '127.0.0.1',
  // A path to a socket has to be shorter than some temporary folders are.
  unix_socket_directories: '',
  // Test files run side by side, each with a few stores, each with a pool.
  max_connections: '200',
};

type Postmaster = ChildProcessByStdio<null, null, Readable>;

export class PostgresServer {
  readonly #folder: string;
  readonly #binaries: PostgresBinaries;
  readonly #options: PostgresServerOptions;
  readonly #atExit: () => void = () => this.#leave();
  #port = 0;
  #postmaster: Postmaster | undefined;

  private constructor(folder: string, binaries: PostgresBinaries, options: PostgresServerOptions) {
    this.#folder = folder;
    this.#binaries = binaries;
    this.#options = options;
  }

  static async start(options: PostgresServerOptions = {}): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'perdure-postgres-'));
    let server: PostgresServer | undefined;
    try {
      server = new PostgresServer(folder, await PostgresBinaries.in(folder), options);
      // Before it runs: the process may be told to end while it waits for that.
      process.once('exit', server.#atExit);
      await server.#makeCluster();
      await server.#startOnSomePort();
      return server;
    } catch (error) {
      if (server !== undefined) process.off('exit', server.#atExit);
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get port(): number {
    return this.#port;
  }

  url(database: string = 'postgres'): string {
    const { auth = 'trust' } = this.#options;
    const user = auth === 'trust' ? 'postgres' : `postgres:${encodeURIComponent(PASSWORD)}`;
    return `postgres://${user}@127.0.0.1:${this.#port}/${database}`;
  }

  /** As in a crash: every session is cut and nothing is put in order; the next start recovers. */
  async stopImmediately(): Promise<void> {
    await this.#end('QUIT');
  }

  /** On the same data and the same port. */
  async startAgain(): Promise<void> {
    assert(this.#postmaster === undefined, 'only a server that is down is started again');
    await this.#launch();
  }

  /** Ends every session, stops, and leaves nothing behind. */
  async stop(): Promise<void> {
    await this.#end('INT');
    await rm(this.#folder, { recursive: true, force: true });
    process.off('exit', this.#atExit);
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  async #makeCluster(): Promise<void> {
    const { auth = 'trust' } = this.#options;
    const { uid, gid } = this.#binaries.owner;
    const login = ['--auth=trust'];
    if (auth === 'password') {
      const file = join(this.#folder, 'password');
      await writeFile(file, PASSWORD);
      if (uid !== undefined && gid !== undefined) await chown(file, uid, gid);
      login.splice(0, 1, '--auth=scram-sha-256', `--pwfile=${file}`);
    }
    // The C locale: the messages looked for here are English, and order does not depend on the
    // machine. Nothing is synced, since a cluster nobody has used yet is made again if it is lost.
    const shape = ['-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'];
    await this.#binaries.run('initdb', ['-D', this.#data, ...login, ...shape]);
  }

  /** Between asking for a free port and using it somebody else can take it. */
  async #startOnSomePort(): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      this.#port = await findFreePort();
      try {
        await this.#launch();
        return;
      } catch (error) {
        if (tried >= PORTS_TRIED_MAX || !String(error).includes(PORT_TAKEN)) throw error;
      }
    }
  }

  async #launch(): Promise<void> {
    const settings = Object.entries({ ...DEFAULTS, ...this.#options.settings });
    const postmaster = spawn(
      this.#binaries.path('postgres'),
      ['-D', this.#data, '-p', String(this.#port)].concat(
        settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ),
      { cwd: this.#folder, stdio: ['ignore', 'ignore', 'pipe'], ...this.#binaries.owner },
    );
    await readiness(postmaster);
    letGo(postmaster);
    this.#postmaster = postmaster;
  }

  async #end(signal: 'INT' | 'QUIT'): Promise<void> {
    const postmaster = this.#postmaster;
    if (postmaster === undefined) return;
    this.#postmaster = undefined;
    if (postmaster.exitCode !== null || postmaster.signalCode !== null) return;
    postmaster.ref();
    const gone = once(postmaster, 'exit');
    // On Windows there are no signals; Postgres has a way of its own to send itself some.
    if (process.platform === 'win32')
      await this.#binaries.run('pg_ctl', ['kill', signal, String(postmaster.pid)]);
    else postmaster.kill(`SIG${signal}`);
    await gone;
  }

  /** The process ends without having stopped its server, and can no longer wait for anything. */
  #leave(): void {
    this.#binaries.runNow('pg_ctl', ['stop', '-m', 'immediate', '-D', this.#data]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Resolves when the server accepts connections, and fails with what it said if it never does. */
async function readiness(postmaster: Postmaster): Promise<void> {
  const patience = setTimeout(() => postmaster.kill('SIGKILL'), START_MS_MAX);
  try {
    await new Promise<void>((resolve, reject) => {
      let said = '';
      postmaster.once('error', reject);
      postmaster.once('close', () => {
        reject(new Error(`Postgres does not start; it said:\n${said}`));
      });
      // Read to the end of its days: a full pipe would hold the server up.
      postmaster.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = `${said}${text}`.slice(-SAID_CHARS_MAX);
        if (said.includes(READY)) resolve();
      });
    });
  } finally {
    clearTimeout(patience);
  }
}

/** From here on it is no reason to keep the process alive. */
function letGo(postmaster: Postmaster): void {
  postmaster.unref();
  // Pipes to a child are sockets; the type of a child does not say so.
  (postmaster.stderr as Socket).unref();
}
