/**
 * Our end of the way to a thread that renews claims when this one is blocked (D15). It has a
 * connection of its own, and makes that only when it needs one.
 *
 * What a worker holds is in the database, so the thread is told who works here and not what: a word
 * for every commit would cost more than the rest of its way. Only claims that are not to be renewed
 * any longer are named.
 *
 * Without the thread nothing is lost but that: a pool whose connections only this thread can make
 * (with a password from a function, say) goes without.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ClientConfig } from 'pg';
import { BLOCKED_MS_MAX, Pulse } from '../pulse.ts';
import type { Claim, Commit, CommitOutcome, Committed, Held } from '../store.ts';

/** What the thread is told. */
type Word =
  | { readonly did: 'serve'; readonly worker: string; readonly leaseMs: number }
  | { readonly did: 'let-go'; readonly held: readonly Held[]; readonly afterMs: number }
  | { readonly did: 'forget'; readonly held: readonly Held[] }
  /** What was claimed then may be unknown here: by the clock of the database. */
  | { readonly did: 'doubt'; readonly since: number; readonly until: number };

/** And when, by the clock of the machine: it may still be starting, or hear of it late. */
export type Told = Word & { readonly at: number };

export interface Post {
  readonly config: ClientConfig;
  readonly schema: string;
  readonly pulse: SharedArrayBuffer;
  readonly blockedMsMax: number;
}

/** Signs of life: often enough that the thread is not mistaken about a short lease. */
const BEATS_PER_LEASE = 6;
/** Those that are named and never settled are forgotten some day; so does the thread. */
const NAMED_MAX = 10_000;

/** It has little to say, and its heap need not grow for it. */
const THREAD_YOUNG_MB = 4;

const THREAD = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);

export class Sentry {
  readonly #config: ClientConfig;
  readonly #schema: string;
  readonly #blockedMsMax: number;
  #worker: Worker | null = null;
  #pulse: Pulse | null = null;
  #isOff = false;
  /** The lease of each worker, as the thread knows it. */
  readonly #served = new Map<string, number>();
  /** Claims the thread was told not to renew, after a while or at once. */
  readonly #named = new Set<string>();

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
    const [first] = claims;
    if (first !== undefined) this.#serve(first.worker, leaseMs);
  }

  /** What commits took, and what they used up. */
  committed(commits: readonly Commit[], outcomes: readonly CommitOutcome[]): void {
    for (const [index, { fence, take }] of commits.entries()) {
      const outcome = outcomes[index];
      if (take !== null) this.#serve(take.worker, take.leaseMs);
      if (fence === null) continue;
      if (outcome?.outcome === 'committed') this.released([fence]);
      // Whoever is fenced forgets the claim: renewed any longer, it would never run out.
      else if (outcome?.outcome === 'fenced' && !fence.expired) this.letGo([fence], 0);
    }
  }

  /** The same of those whose answer was lost and that came about all the same. */
  recalled(commits: readonly Commit[], found: readonly (Committed | undefined)[]): void {
    for (const [index, commit] of commits.entries()) {
      const committed = found[index];
      if (committed !== undefined) this.committed([commit], [committed]);
    }
  }

  released(held: readonly Held[]): void {
    if (this.#named.size === 0) return;
    const named = held.filter((claim) => this.#named.delete(nameOf(claim)));
    if (named.length > 0) this.#tell({ did: 'forget', held: named.map(heldOf) });
  }

  letGo(held: readonly Held[], afterMs: number): void {
    if (this.#worker === null || held.length === 0) return;
    for (const claim of held) this.#name(claim);
    this.#tell({ did: 'let-go', held: held.map(heldOf), afterMs });
  }

  /** Something that takes claims had no answer. */
  doubt(since: number, until: number): void {
    if (this.#worker !== null) this.#tell({ did: 'doubt', since, until });
  }

  #name(claim: Held): void {
    this.#named.add(nameOf(claim));
    if (this.#named.size <= NAMED_MAX) return;
    for (const oldest of this.#named) {
      this.#named.delete(oldest);
      return;
    }
  }

  #serve(worker: string, leaseMs: number): void {
    if (this.#served.get(worker) === leaseMs) return;
    this.#served.set(worker, leaseMs);
    this.#tell({ did: 'serve', worker, leaseMs });
    this.#pulse?.beatEvery(leaseMs / BEATS_PER_LEASE);
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
      const limits = { maxYoungGenerationSizeMb: THREAD_YOUNG_MB };
      const options = { workerData: post, execArgv: [], resourceLimits: limits };
      this.#worker = new Worker(THREAD, { ...options, name: 'perdure-postgres' });
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

export function nameOf({ instance, token, version }: Held): string {
  return `${token} ${version} ${instance}`;
}
