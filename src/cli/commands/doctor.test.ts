/** `perdure doctor` and `perdure migrate`: what a store is like, and what it lacks. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chain, createEngine, flow } from '../../index.ts';
import { postgres } from '../../postgres.ts';
import { sqlite } from '../../sqlite.ts';
import { CommandLine } from '../../testing/command-line.ts';
import { placeAt } from '../../testing/place.ts';
import { dropSchemas, freshSchema } from '../../testing/postgres-schema.ts';

const line = new CommandLine();
const url: string = inject('postgres');
afterAll(async () => {
  line.remove();
  await dropSchemas(url);
});

interface Doctor {
  readonly ok: boolean;
  readonly checks: readonly { name: string; status: string; found: string; advice: string }[];
}

async function examine(store: string, ...words: string[]): Promise<Doctor> {
  return (await line.json('doctor', '--store', store, ...words)) as Doctor;
}

function named({ checks }: Doctor, name: string): Doctor['checks'][number] | undefined {
  return checks.find((check) => check.name === name);
}

describe('migrate', () => {
  test('prints what is missing and does nothing, or makes it', async () => {
    const here = ['--store', 'sqlite:new.db'];
    const { code, out } = await line.run('migrate', '--sql', ...here);
    expect(code).toBe(0);
    expect(out).toMatch(/^-- 0001_state\n/);
    expect(out).toContain('create table instance');
    expect(out).toMatch(/^insert into migration .* values \(1, '0001_state', \d+\);$/m);
    expect(existsSync(join(line.folder, 'new.db'))).toBe(false);
    const { applied } = (await line.json('migrate', ...here)) as { applied: { number: number }[] };
    expect(applied.map(({ number }) => number)).toEqual(applied.map((_, index) => index + 1));
    expect((await line.run('migrate', ...here)).out).toBe('sqlite:new.db is up to date\n');
    expect((await line.run('migrate', '--sql', ...here)).out).toBe('-- nothing is missing\n');
  });

  test('prints what somebody who may not be trusted with it can have made by hand', async () => {
    const store = placeAt(url, freshSchema());
    const before = (await line.json('migrate', '--sql', '--store', store)) as Missing;
    expect(before.missing.length).toBeGreaterThan(5);
    await byHand(before.missing);
    expect(await line.json('migrate', '--store', store)).toMatchObject({ applied: [] });
  });

  test('makes what a schema of Postgres lacks', async () => {
    const store = placeAt(url, freshSchema());
    const before = (await line.json('migrate', '--sql', '--store', store)) as Missing;
    const done = (await line.json('migrate', '--store', store)) as { applied: [] };
    expect(done.applied).toHaveLength(before.missing.length);
    expect(await line.json('migrate', '--store', store)).toMatchObject({ applied: [] });
  });
});

interface Missing {
  readonly missing: readonly { readonly sql: string }[];
}

async function byHand(missing: Missing['missing']): Promise<void> {
  const client = new Client(url);
  await client.connect();
  for (const { sql } of missing) await client.query(sql);
  await client.end();
}

describe('doctor', () => {
  const order = flow('order')
    .step('ship', async () => 1)
    .end();

  beforeAll(async () => {
    const store = sqlite(join(line.folder, 'well.db'));
    const engine = await createEngine({ store, flows: [order] });
    await (await engine.start(order, {})).result();
    await engine.close();
  });

  test('finds nothing wrong with a store that is well', async () => {
    const { code, out } = await line.run('doctor', '--store', 'sqlite:well.db');
    expect(code).toBe(0);
    expect(out).toContain('✓ invariants    1 instances keep every promise\n');
    const doctor = await examine('sqlite:well.db', '--full');
    expect(doctor.ok).toBe(true);
    expect(doctor.checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(doctor.checks.length).toBeGreaterThanOrEqual(20);
    expect(new Set(doctor.checks.map(({ name }) => name)).size).toBe(doctor.checks.length);
  });

  test('looks at Postgres from as many sides', async () => {
    const schema = freshSchema();
    const store = postgres(url, { schema });
    const engine = await createEngine({ store, flows: [order] });
    await (await engine.start(order, {})).result();
    await engine.close();
    const doctor = await examine(placeAt(url, schema));
    const names = [
      'durability',
      'server',
      'connections',
      'bloat',
      'clock',
      'invariants',
      'overdue',
    ];
    for (const name of names) expect(named(doctor, name)?.found).toEqual(expect.any(String));
    expect(named(doctor, 'invariants')?.status).toBe('ok');
    expect(doctor.checks.length).toBeGreaterThanOrEqual(20);
  });

  test('says what waits for somebody, and what to do', async () => {
    const store = sqlite(join(line.folder, 'ill.db'));
    const stuck = flow('stuck', { onFailure: 'incident' })
      .step('break', async () => {
        throw new Error('broken');
      })
      .end();
    const alone = chain('alone', 1, ['NOBODY']);
    const engine = await createEngine({ store, flows: [stuck, alone], logger: QUIET });
    const run = await engine.start(stuck, {});
    await engine.start(alone, {});
    await engine.publish({ type: 'lost', key: 'k', ttl: '30m' });
    await engine.flows.suspend('alone', 1);
    for (;;) if ((await run.inspect()).incidents.length > 0) break;
    await engine.close();
    const doctor = await examine('sqlite:ill.db');
    const found = `1 tokens wait to be mended: ${run.id}`;
    expect(named(doctor, 'incidents')).toMatchObject({ status: 'warn', found });
    expect(named(doctor, 'messages')).toMatchObject({ status: 'warn' });
    expect(named(doctor, 'flows')?.found).toMatch(/^suspended: alone@1 since /);
    expect(doctor.ok).toBe(true);
  });

  test('a promise that is broken is a failure', async () => {
    const store = sqlite(join(line.folder, 'broken.db'));
    const engine = await createEngine({ store, flows: [order] });
    await (await engine.start(order, {}, { id: 'cut' })).result();
    await engine.close();
    const db = new DatabaseSync(join(line.folder, 'broken.db'));
    db.exec('delete from history where n = 1');
    db.close();
    const { code, out } = await line.run('doctor', '--store', 'sqlite:broken.db');
    expect(code).toBe(1);
    expect(out).toMatch(/✗ invariants +\d+ promises are broken: cut\n +→ export these/);
  });

  test('a store that is not there, behind, too new or no store at all is a failure', async () => {
    expect(named(await examine('sqlite:none.db'), 'store')).toMatchObject({ status: 'fail' });
    expect(existsSync(join(line.folder, 'none.db'))).toBe(false);

    const old = new DatabaseSync(join(line.folder, 'old.db'));
    old.close();
    line.write('text.db', 'this is no database, and it is long enough to be looked at as one');
    expect(named(await examine('sqlite:old.db'), 'schema')).toMatchObject({
      status: 'fail',
      advice: expect.stringContaining('perdure migrate'),
    });
    expect(named(await examine('sqlite:text.db'), 'store')).toMatchObject({ status: 'fail' });
    expect((await line.run('doctor', '--store', 'sqlite:none.db')).code).toBe(1);

    await line.run('migrate', '--store', 'sqlite:newer.db');
    const newer = new DatabaseSync(join(line.folder, 'newer.db'));
    newer.exec(`insert into migration (number, name, applied_at) values (9999, 'later', 0)`);
    newer.close();
    expect(named(await examine('sqlite:newer.db'), 'open')).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('has schema 9999'),
    });
    expect((await line.run('ls', '--store', 'sqlite:newer.db')).code).toBe(4);
    expect((await line.run('migrate', '--store', 'sqlite:newer.db')).code).toBe(4);
  });

  test('a server that does not answer is a failure, and no command gets further', async () => {
    const nobody = 'postgres://nobody@127.0.0.1:1/none';
    expect(named(await examine(nobody), 'store')).toMatchObject({ status: 'fail' });
    const { code, talk } = await line.run('ls', '--store', nobody);
    expect({ code, talk }).toEqual({ code: 4, talk: expect.stringContaining('127.0.0.1') });
  });
});

const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
