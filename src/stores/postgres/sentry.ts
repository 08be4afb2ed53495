/**
 * Our end of the way to a thread that renews claims when this one is blocked (D15). The store tells
 * it what is held; it has a connection of its own, and makes that only when it needs one.
 *
 * Without the thread nothing is lost but that: a pool whose connections only this thread can make
 * (with a password from a function, say) goes without.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ClientConfig } from 'pg';
import { BLOCKED_MS_MAX, Pulse } from '../pulse.ts';
import type { Claim, Commit, CommitOutcome, Held } from '../store.ts';
import type { Watched } from '../watch.ts';

/** What the thread is told. */
type Word =
  | { readonly did: 'hold'; readonly claims: readonly Watched[] }
  | { readonly did: 'drop'; readonly held: readonly Held[] }
  | { readonly did: 'renew'; readonly held: readonly Held[]; readonly leaseMs: number }
  | { readonly did: 'let-go'; readonly held: readonly Held[]; readonly afterMs: number };

/** And when, by the clock of the machine: it may still be starting, or hear of it late. */
export type Told = Word & { readonly at: number };

export interface Post {
  readonly config: ClientConfig;
  readonly schema: string;
  readonly pulse: SharedArrayBuffer;
  readonly blockedMsMax: number;
}

const THREAD = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);

export class Sentry {
  readonly #config: ClientConfig;
  readonly #schema: string;
  readonly #blockedMsMax: number;
  #worker: Worker | null = null;
  #pulse: Pulse | null = null;
  #isOff = false;

  constructor(options: ClientConfig, schema: string, blockedMsMax: number = BLOCKED_MS_MAX) {
    const { connectionString, host, port, user, password, database, ssl } = options;
    const config = { connectionString, host, port, user, password, database, ssl };
    this.#config = Object.fromEntries(
      Object.entries(config).filter(([, value]) => value !== undefined),
    );
    this.#schema = schema;
    this.#blockedMsMax = blockedMsMax;
  }

  claimed(claims: readonly Claim[], leaseMs: number): void {
    if (claims.length === 0) return;
    this.#tell({ did: 'hold', claims: claims.map((claim) => watched(claim, leaseMs)) });
  }

  /** What commits used up, and what they took. */
  committed(commits: readonly Commit[], outcomes: readonly CommitOutcome[]): void {
    const dropped: Held[] = [];
    const taken: Watched[] = [];
    for (const [index, { fence, take }] of commits.entries()) {
      const outcome = outcomes[index];
      // Whoever is fenced forgets the claim: renewed any longer, it would never run out.
      const isLost = outcome?.outcome === 'fenced' && fence?.expired === false;
      if (fence !== null && (isLost || outcome?.outcome === 'committed')) {
        dropped.push(heldOf(fence));
      }
      if (outcome?.outcome !== 'committed') continue;
      const leaseMs = take?.leaseMs ?? 0;
      for (const claim of outcome.taken) taken.push(watched(claim, leaseMs));
    }
    if (dropped.length > 0) this.released(dropped);
    if (taken.length > 0) this.#tell({ did: 'hold', claims: taken });
  }

  released(held: readonly Held[]): void {
    if (this.#worker !== null) this.#tell({ did: 'drop', held: held.map(heldOf) });
  }

  renewed(held: readonly Held[], leaseMs: number): void {
    if (this.#worker !== null) this.#tell({ did: 'renew', held: held.map(heldOf), leaseMs });
  }

  letGo(held: readonly Held[], afterMs: number): void {
    if (this.#worker !== null) this.#tell({ did: 'let-go', held: held.map(heldOf), afterMs });
  }

  async close(): Promise<void> {
    this.#isOff = true;
    this.#pulse?.stop();
    await this.#worker?.terminate();
  }

  #tell(word: Word): void {
    this.#start();
    this.#worker?.postMessage({ ...word, at: Date.now() } satisfies Told);
  }

  #start(): void {
    if (this.#worker !== null || this.#isOff) return;
    this.#pulse = new Pulse();
    const post: Post = {
      config: this.#config,
      schema: this.#schema,
      pulse: this.#pulse.shared,
      blockedMsMax: this.#blockedMsMax,
    };
    try {
      // Without our own flags: a program started with `--eval` could not start it.
      const options = { workerData: post, execArgv: [], name: 'perdure-postgres' };
      this.#worker = new Worker(THREAD, options);
      this.#worker.unref();
      // Claims then live by the worker's own heartbeats, as they do while nothing blocks.
      this.#worker.on('error', () => this.#stop());
    } catch (thrown) {
      if (!(thrown instanceof DOMException)) throw thrown;
      this.#stop();
    }
  }

  #stop(): void {
    this.#isOff = true;
    this.#worker = null;
    this.#pulse?.stop();
  }
}

function heldOf({ instance, token, version, worker }: Held): Held {
  return { instance, token, version, worker };
}

function watched(claim: Claim, leaseMs: number): Watched {
  return { ...heldOf(claim), leaseMs };
}
