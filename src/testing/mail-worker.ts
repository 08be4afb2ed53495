/**
 * One of the processes that publish, start readers, and let them read. When it has done its share
 * it writes down which messages were kept because of it, and works on.
 *
 *     node src/testing/mail-worker.ts PLACE FOLDER SEED READERS NUMBER
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { assert } from '../base/assert.ts';
import type { Published } from '../runtime/messages.ts';
import { createEngine } from '../runtime/engine.ts';
import { type Deed, deedsOf, reader, readersOf } from './mail-plan.ts';
import { fileOf, storeAt, urlOf } from './place.ts';
import { hear, say, sayAtWork } from './program-side.ts';
import { Gate } from './stage.ts';

/** Deeds under way at the same time. */
const LANES = 32;

const [place, folder, seed, count, number] = process.argv.slice(2);
assert(place !== undefined && folder !== undefined, 'a place and a folder are named');
const isFile = fileOf(place) !== undefined;
const begin = new Gate();
hear(() => begin.open());

const engine = await createEngine({ store: storeAt(place), flows: [reader] });
const pool = isFile ? null : new Pool({ connectionString: urlOf(place), max: 4 });
const deeds = deedsOf(Number(seed), readersOf(Number(count)), !isFile);
const own = deeds.filter(({ by }) => by === Number(number)).values();
const kept: string[] = [];
sayAtWork();
await begin.opened;
await Promise.all(
  Array.from({ length: LANES }, async () => {
    for (const deed of own) await act(deed);
  }),
);
writeFileSync(join(folder, `${number}.kept`), JSON.stringify(kept));
say('done');

async function act(deed: Deed): Promise<void> {
  const { reader: name } = deed;
  if (deed.do === 'publish') return publish(deed);
  const run = await engine.start(reader, null, { id: name, key: name });
  for (const id of deed.send) note(await run.send('mail', id, { id }));
}

async function publish({ reader: key, message, how }: Extract<Deed, { do: 'publish' }>) {
  const mail = { type: 'mail', key, data: message, id: message };
  if (how === 'plain' || pool === null) return note(await engine.publish(mail));
  const ends = how === 'regret' ? ['rollback', 'commit'] : ['commit'];
  const client = await pool.connect();
  for (const end of ends) {
    await client.query('begin');
    const published = await engine.publish(mail, { tx: client });
    await client.query(end);
    if (end === 'commit') note(published);
  }
  client.release();
}

function note({ id, outcome }: Published): void {
  if (outcome !== 'duplicate') kept.push(id);
}
