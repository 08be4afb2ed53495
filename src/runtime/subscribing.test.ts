/** What happens to instances, told as it happens (API §5, `engine.subscribe`), on every store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { memory } from '../stores/memory/memory.ts';
import { sqlite } from '../stores/sqlite/sqlite.ts';
import type { Store } from '../stores/store.ts';
import { mendable } from '../testing/fragile.ts';
import { freshSchema } from '../testing/postgres-schema.ts';
import { PostgresStores } from '../testing/postgres-stores.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import { createEngine, type Engine } from './engine.ts';
import type { Run } from './run.ts';
import type { News } from './subscribing.ts';

const waits = flow('waits')
  .waitFor('go', { event: 'go' })
  .step('last', () => 'last')
  .end();
const other = flow('other')
  .step('only', () => 1)
  .end();

/** Hears on until so many instances have completed. */
async function hearEnds(news: AsyncIterable<News>, ends: number): Promise<readonly News[]> {
  const heard: News[] = [];
  let left = ends;
  for await (const one of news) {
    heard.push(one);
    if (one.changes.some((change) => change.did === 'finish' && change.as === 'completed'))
      left -= 1;
    if (left === 0) break;
  }
  return heard;
}

async function commitsOf(run: Run): Promise<readonly string[]> {
  return (await run.history()).map(({ n, commitId }) => `${run.id} ${n} ${commitId}`);
}

function told(heard: readonly News[], run: Run): readonly string[] {
  return heard
    .filter(({ instance }) => instance === run.id)
    .map(({ instance, n, commitId }) => `${instance} ${n} ${commitId}`);
}

const folder = mkdtempSync(join(tmpdir(), 'perdure-subscribing-'));
const postgres = new PostgresStores();
const engines: Engine[] = [];
let files = 0;

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close({ timeout: 0 });
  await postgres.close();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await postgres.drop();
});

/** A database, and each time another store on it. */
const DATABASES: readonly (readonly [string, () => () => Store])[] = [
  [
    'memory',
    () => {
      const store = memory();
      const stays = { close: async () => {} };
      return () => wrappedStore(store, stays);
    },
  ],
  [
    'SQLite',
    () => {
      const path = join(folder, `${(files += 1)}.db`);
      return () => sqlite(path);
    },
  ],
  [
    'Postgres',
    () => {
      const schema = freshSchema();
      return () => postgres.make({ schema });
    },
  ],
];

/** All there is, until there is no more. */
async function hearAll(news: AsyncIterable<News>): Promise<readonly News[]> {
  return hearEnds(news, Number.POSITIVE_INFINITY);
}

describe.each(DATABASES)('a subscription on %s', (_name, database) => {
  const open = async (flows: readonly Flow[], make = database()): Promise<Engine> => {
    const engine = await createEngine({ store: make(), flows });
    engines.push(engine);
    return engine;
  };

  test('tells every commit from then on once and in order, and of no others', async () => {
    const engine = await open([waits, other]);
    const before = await engine.start(waits, null, { key: 'a' });
    const { version } = await before.inspect();
    const heard = hearEnds(engine.subscribe({ flow: 'waits' }), 2);
    const after = await engine.start(waits, null, { key: 'b' });
    await (await engine.start(other, null)).result();
    await before.set('colour', 'blue');
    for (const key of ['a', 'b']) await engine.publish({ type: 'go', key, id: key });
    const all = await heard;
    expect(told(all, after)).toEqual(await commitsOf(after));
    // What was committed just before may be told, too.
    const rest = (await commitsOf(before)).slice(version);
    expect(told(all, before).slice(-rest.length)).toEqual(rest);
    expect(new Set(all.map((one) => one.flow))).toEqual(new Set(['waits']));
  });

  test('tells what another engine does', async () => {
    const make = database();
    const engine = await open([], make);
    const beside = await open([other], make);
    const heard = hearEnds(engine.subscribe({ flow: other }), 1);
    const run = await beside.start(other, null);
    expect(told(await heard, run)).toEqual(await commitsOf(run));
  });

  test('of one instance begins where it is told to and is over with it', async () => {
    const engine = await open([waits]);
    const run = await engine.start(waits, null, { key: 'a' });
    const all = hearAll(engine.subscribe({ id: run.id, after: 0 }));
    await run.send('go', 1);
    await run.result();
    const commits = await commitsOf(run);
    expect(told(await all, run)).toEqual(commits);
    const rest = await hearAll(engine.subscribe({ id: run.id, after: 1 }));
    expect(told(rest, run)).toEqual(commits.slice(1));
    expect(await hearAll(engine.subscribe({ id: run.id }))).toEqual([]);
  });

  test('tells of one that was over and goes on', async () => {
    const { state, work } = mendable();
    const job = flow('job').step('work', work).end();
    const engine = await open([job]);
    const run = await engine.start(job, null);
    await run.result().catch(() => {});
    const { version } = await run.inspect();
    const heard = hearEnds(engine.subscribe({ flow: 'job' }), 1);
    state.mended = true;
    await run.revive();
    const all = await heard;
    const rest = (await commitsOf(run)).slice(version);
    expect(told(all, run).slice(-rest.length)).toEqual(rest);
  });

  test('ends when it is told to, and with its engine', async () => {
    const engine = await open([waits]);
    const control = new AbortController();
    const first = hearAll(engine.subscribe({ flow: 'waits', signal: control.signal }));
    const second = hearAll(engine.subscribe());
    control.abort();
    expect(await first).toEqual([]);
    await engine.close();
    expect(await second).toEqual([]);
    expect(() => engine.subscribe()).toThrow(expect.objectContaining({ code: 'engine.closed' }));
  });

  test('says what is wrong with what it is asked', async () => {
    const engine = await open([waits]);
    const bad = [{ flw: 'waits' }, { after: 1 }, { id: 'x', flow: 'waits' }, { id: '' }, null];
    for (const options of [...bad, { id: 'x', after: -1 }]) {
      expect(() => engine.subscribe(options as never)).toThrow(
        expect.objectContaining({ code: 'engine.option-invalid' }),
      );
    }
    const unknown = engine.subscribe({ id: 'nobody' });
    await expect(unknown.next()).rejects.toMatchObject({ code: 'instance.not-found' });
  });
});
