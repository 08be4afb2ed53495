/**
 * The thread that renews claims when the main thread is blocked (D15). It looks often enough to see
 * that a third of a lease has passed without a sign of life, and then has the database renew what
 * the workers of this process hold and what is running out, save for what they have let go of.
 * Otherwise it does nothing at all.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Client } from 'pg';
import { assert } from '../../base/assert.ts';
import { silentMs } from '../pulse.ts';
import type { Held } from '../store.ts';
import { column, columns, inSchema } from './driver.ts';
import * as queries from './queries.ts';
import { nameOf, type Post, type Told } from './sentry.ts';
import { ALL_SHARDS, heldCells } from './shard.ts';

const LOOKS_PER_LEASE = 6;
/** Whoever is silent for longer is blocked: signs come more often than that. */
const SIGNS_PER_LEASE = 4;
/** In leases: what was let go of, or came to be in doubt, so long ago has run out. */
const GONE_LEASES = 4;
/** How far our clock may be from the database's where claims are in doubt. */
const DOUBT_MS = 1_000;
const PAUSE_MS_MAX = 60_000;
/** Without an answer for so long another connection is tried: a lease has some seconds left. */
const ANSWER_MS_MAX = 2_000;

const { config, schema, pulse, blockedMsMax } = workerData as Post;
assert(parentPort !== null, 'this file is started as a thread');

/** The lease of each worker of this process. */
const leases = new Map<string, number>();
/** What is not to be renewed from some moment on. */
const letGo = new Map<string, { readonly claim: Held; readonly from: number }>();
/** When what was claimed may be unknown to its worker, and when we were told. */
let doubts: { readonly since: number; readonly until: number; readonly at: number }[] = [];
let client: Client | null = null;
let looking: NodeJS.Timeout | undefined;

parentPort.on('message', (word: Told) => {
  switch (word.did) {
    case 'serve':
      leases.set(word.worker, word.leaseMs);
      break;
    case 'forget':
      for (const claim of word.held) letGo.delete(nameOf(claim));
      break;
    case 'doubt':
      doubts.push({ since: word.since - DOUBT_MS, until: word.until + DOUBT_MS, at: word.at });
      break;
    default:
      for (const claim of word.held) putAside(claim, word.at + word.afterMs);
  }
  lookLater();
});

/** A second time can only be earlier. */
function putAside(claim: Held, from: number): void {
  const name = nameOf(claim);
  const known = letGo.get(name)?.from ?? Number.POSITIVE_INFINITY;
  letGo.set(name, { claim, from: Math.min(from, known) });
}

function lookLater(): void {
  if (looking !== undefined || leases.size === 0) return;
  const shortestMs = Math.min(...leases.values());
  looking = setTimeout(() => void look(), Math.min(shortestMs / LOOKS_PER_LEASE, PAUSE_MS_MAX));
}

async function look(): Promise<void> {
  forget();
  const silent = silentMs(pulse);
  for (const [worker, leaseMs] of leases) {
    if (silent < leaseMs / SIGNS_PER_LEASE || silent > blockedMsMax) continue;
    const [renewed] = await Promise.allSettled([renew(worker, leaseMs)]);
    // A connection that does not answer is no use to anyone: the next look makes another.
    if (renewed.status === 'rejected') hangUp();
  }
  looking = undefined;
  lookLater();
}

function forget(): void {
  const before = Date.now() - GONE_LEASES * Math.max(...leases.values());
  for (const [name, { from }] of letGo) if (from < before) letGo.delete(name);
  doubts = doubts.filter(({ at }) => at >= before);
}

async function renew(worker: string, leaseMs: number): Promise<void> {
  const connected = await connect();
  const now = Date.now();
  const without: Held[] = [];
  for (const { claim, from } of letGo.values()) {
    if (from <= now && claim.worker === worker) without.push(claim);
  }
  const [, ids, tokens, , versions] = columns(without.map(heldCells));
  const named = [ids ?? '{}', tokens ?? '{}', versions ?? '{}'];
  const [since = '{}', until = '{}'] = columns(doubts.map((each) => [each.since, each.until]));
  const cells = [column(ALL_SHARDS), worker, leaseMs, ...named, since, until];
  await connected.query(inSchema(queries.own.renewAll, schema), cells);
}

function hangUp(): void {
  const lost = client;
  client = null;
  // Whatever it still waits for there, it waits no longer.
  lost?.connection.stream.destroy();
}

/** Kept once it is made: whoever blocked once may do so again. */
async function connect(): Promise<Client> {
  if (client !== null) return client;
  const made = new Client({
    ...config,
    keepAlive: true,
    connectionTimeoutMillis: ANSWER_MS_MAX,
    query_timeout: ANSWER_MS_MAX,
  });
  made.on('error', () => {});
  made.once('end', () => {
    if (client === made) client = null;
  });
  await made.connect();
  client = made;
  return made;
}
