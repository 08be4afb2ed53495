/**
 * The thread that renews claims when the main thread is blocked (D15). It looks often enough to see
 * that half a lease has passed without a heartbeat, and otherwise does nothing at all.
 *
 * It counts by the clock of the machine: how much of a lease is left is a matter of how long ago it
 * was told, and the database's own clock decides how long the renewed one holds.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Client } from 'pg';
import { assert } from '../../base/assert.ts';
import { silentMs } from '../pulse.ts';
import { Watch, type Watched } from '../watch.ts';
import { columns, inSchema } from './driver.ts';
import * as queries from './queries.ts';
import type { Post, Told } from './sentry.ts';
import { heldCells } from './shard.ts';

const LOOKS_PER_LEASE = 6;
const PAUSE_MS_MAX = 60_000;
/** Without an answer for so long another connection is tried: a lease has some seconds left. */
const ANSWER_MS_MAX = 2_000;

const { config, schema, pulse, blockedMsMax } = workerData as Post;
assert(parentPort !== null, 'this file is started as a thread');

const watch = new Watch();
let client: Client | null = null;
let looking: NodeJS.Timeout | undefined;

parentPort.on('message', (word: Told) => {
  const { at } = word;
  switch (word.did) {
    case 'hold':
      for (const claim of word.claims) watch.hold({ ...claim, until: at + claim.leaseMs });
      break;
    case 'drop':
      for (const held of word.held) watch.drop(held);
      break;
    case 'renew':
      for (const held of word.held) watch.renewed(held, at + word.leaseMs);
      break;
    default:
      for (const held of word.held) watch.letGo(held, at + word.afterMs);
  }
  lookLater();
});

function lookLater(): void {
  const { shortestMs } = watch;
  if (looking !== undefined || !Number.isFinite(shortestMs)) return;
  looking = setTimeout(() => void look(), Math.min(shortestMs / LOOKS_PER_LEASE, PAUSE_MS_MAX));
}

async function look(): Promise<void> {
  const due = silentMs(pulse) <= blockedMsMax ? watch.due(Date.now()) : [];
  // What could not be renewed now is still due at the next look.
  if (due.length > 0) {
    const [renewed] = await Promise.allSettled([renew(due)]);
    // A connection that does not answer is no use to anyone: the next look makes another.
    if (renewed.status === 'rejected') hangUp();
  }
  looking = undefined;
  lookLater();
}

async function renew(due: readonly Watched[]): Promise<void> {
  const connected = await connect();
  for (const leaseMs of new Set(due.map((claim) => claim.leaseMs))) {
    const claims = due.filter((claim) => claim.leaseMs === leaseMs);
    const cells = columns(claims.map(heldCells));
    const sent = Date.now();
    await connected.query(inSchema(queries.renew, schema), [...cells, null, leaseMs]);
    const { rows } = await connected.query(inSchema(queries.own.held, schema), [...cells]);
    const standing = new Set(rows.map(({ place }) => Number(place)));
    for (const [index, claim] of claims.entries()) {
      if (standing.has(index + 1)) watch.renewed(claim, sent + leaseMs);
      else watch.drop(claim);
    }
  }
}

function hangUp(): void {
  const lost = client;
  client = null;
  if (lost !== null) void Promise.allSettled([lost.end()]);
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
