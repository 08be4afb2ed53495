/**
 * A process that has the flow and works, or one that has neither and only publishes. Those who
 * publish have their events one after the other, on Postgres some of them in transactions.
 *
 *     node src/testing/ear-worker.ts PLACE office|worker|hand
 */
import { Pool } from 'pg';
import { assert } from '../base/assert.ts';
import { createEngine } from '../runtime/engine.ts';
import { ears, saidBy, SPEAKERS } from './ear-flow.ts';
import { knowEars } from './ears.ts';
import { fileOf, storeAt, urlOf } from './place.ts';
import { hear, say, sayAtWork } from './program-side.ts';
import { Gate } from './stage.ts';

const [place, role] = process.argv.slice(2);
assert(place !== undefined && role !== undefined, 'a place and a role are named');
const isOffice = role === 'office';
const begin = new Gate();
hear(() => begin.open());
// The office has no worker to stay for.
process.stdin.ref();

// The office does not know the kind either: it can only wake those who listen.
if (!isOffice) knowEars();
const engine = await createEngine({
  store: storeAt(place),
  flows: isOffice ? [] : [ears],
  ...(isOffice ? { worker: false } : {}),
});
const isFile = fileOf(place) !== undefined;
const pool = isFile ? null : new Pool({ connectionString: urlOf(place), max: 1 });
sayAtWork();
await begin.opened;
if (SPEAKERS.includes(role)) {
  for (const [n, id] of saidBy(role).entries()) {
    await (n % 5 === 0 && pool !== null ? publishWithin(pool, id) : publish(id));
    if (n === 20) say('in the midst');
  }
}
say('done');

async function publish(id: string): Promise<void> {
  await engine.publish({ specversion: '1.0', type: 'news', source: '/test', id });
}

async function publishWithin(clients: Pool, id: string): Promise<void> {
  const client = await clients.connect();
  await client.query('begin');
  await engine.publish({ type: 'news', id, key: 'k' }, { tx: client });
  await client.query('commit');
  client.release();
}
