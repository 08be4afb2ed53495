/** What the page about production says is measured, set, or so: all of it is looked up or tried. */
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { createEngine, flow, memory } from 'perdure';
import { postgres } from 'perdure/postgres';
import { api } from 'perdure/server';
import { sqlite } from 'perdure/sqlite';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { CRASHES_LONE, LIMITS } from '../src/model/limits.ts';
import { BLOCKED_MS_MAX } from '../src/stores/pulse.ts';
import { POOL_SIZE } from '../src/stores/postgres/options.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/production.md'), 'utf8');
const source = (path: string): string => readFileSync(join(root, path), 'utf8');
/** As text that may be broken into lines anywhere. */
const prose = page.replaceAll(/\s+/g, ' ');

describe('figures', () => {
  const results = source('bench/RESULTS.md');

  /** The first number of each cell of a row, in a table under a heading. */
  function row(heading: string, first: string): readonly string[] {
    const [, after = ''] = results.split(`${heading}\n`);
    const line = after.split('\n').find((text) => text.startsWith(`| ${first} |`)) ?? '';
    const cells = line.split('|').slice(1, -1);
    return cells.map((cell) => cell.trim().split(' ')[0] ?? '');
  }

  test('what a step costs is what was measured', () => {
    for (const lanes of ['1', '4', '16', '64', '256']) {
      const [, node = '?', server = '?'] = row('### What a step costs on Postgres', lanes);
      expect(page).toContain(`| ${lanes} | ${node} | ${server} |`);
    }
    const [, , , alone] = row('## steps', 'postgresAlone');
    const [, , , many] = row('## steps', 'postgres');
    expect(prose).toContain(`a step takes ${alone} durable commits`);
    expect(prose).toContain(`with 256 at a time it is ${many}`);
    const [, , , steps] = row('### (a) Flows of 5 no-op steps, at saturation', 'Perdure, Postgres');
    expect(prose).toContain(`two cores did ${steps} steps per second`);
    const [, p50, p99] = row(
      '### (b) One flow of 5 steps on an idle engine, ms',
      'Perdure, Postgres',
    );
    expect(prose).toContain(`takes ${p50} ms from start to result (p99: ${p99} ms)`);
  });

  test('so is what several processes do, what waits and what is idle', () => {
    for (const count of ['1', '2', '4']) {
      const heading = '### (f) A backlog of 60000 on Postgres, by several processes';
      expect(page).toContain(`| ${row(heading, count).join(' | ')} |`);
    }
    const backlog = '### (d) A backlog of 60000, beside 1000000 finished and 100000 sleeping';
    const [, full] = row(backlog, 'postgres, full');
    const [, empty] = row(backlog, 'postgres, empty');
    expect(prose).toContain('With 1000000 finished and 100000 sleeping instances');
    expect(prose).toContain(`at ${full} flows per second, and at ${empty} beside empty ones`);
    const waiting = row('### 100000 instances that wait, seen from the worker', 'postgres');
    expect(prose).toContain(`take ${waiting[2]} MB more`);
    const [, queries] = row('### An engine with nothing to do', 'postgres');
    expect(prose).toContain(`${queries} queries per second`);
  });

  test('so is what stays on the disk', () => {
    const heading = '### What an instance leaves on the disk';
    for (const kind of ['1 step', '5 steps', '10 steps']) {
      const [, bytes] = row(heading, `ended, of ${kind}`);
      expect(page).toMatch(new RegExp(`^\\| .*of ${kind} \\| ${bytes} \\|$`, 'm'));
    }
    const [, stays, work] = row(heading, 'waiting for a message');
    expect(page).toContain(`| ${stays}, and ${work} in work tables |`);
    const [, , , log] = row('### What a step costs on Postgres', '64');
    expect(Math.abs(Number(log) - 2_000)).toBeLessThan(200);
  });

  test('so is SQLite', () => {
    const [, , , steps] = row('### (a) Flows of 5 no-op steps, at saturation', 'Perdure, SQLite');
    const [, p50] = row('### (b) One flow of 5 steps on an idle engine, ms', 'Perdure, SQLite');
    expect(prose).toContain(
      `${steps} steps per second at saturation on the same two cores, ${p50} ms`,
    );
  });

  test('the rule and the example follow from them', () => {
    const [, base = 0, each = 0] = (
      /\*\*([\d.]+) KB and ([\d.]+) KB per step\*\*/.exec(page) ?? []
    ).map(Number);
    for (const steps of [1, 5, 10]) {
      const [, bytes] = new RegExp(`of ${steps} steps? \\| (\\d+) \\|`).exec(page) ?? [];
      expect(Math.abs((base + steps * each) * 1_000 - Number(bytes))).toBeLessThan(200);
    }
    const daily = (5 * 86_400 * (base + 8 * each)) / 1e6;
    expect(page).toContain(`| ${daily.toFixed(1)} GB, and your data |`);
    expect(page).toContain(`| ${Math.round((daily * 30) / 10) * 10} GB |`);
    expect(page).toContain(`| ${((432_000 * 8 * 2) / 1e6).toFixed(1)} GB, for backups`);
    expect(page).toContain(`160 × 1.3 | ${160 * 1.3} per second`);
  });
});

test('settings are what the page says', () => {
  const setting = (path: string, name: string): string =>
    new RegExp(`${name} = ([^;]+);`).exec(source(path))?.[1] ?? '';
  expect(setting('src/runtime/options.ts', 'CONCURRENCY_DEFAULT')).toBe('64');
  expect(setting('src/runtime/options.ts', 'LEASE_DEFAULT')).toBe("'10s'");
  expect(setting('src/runtime/options.ts', 'POLL_DEFAULT')).toBe("'1s'");
  expect(setting('src/runtime/engine.ts', 'CLOSE_TIMEOUT_DEFAULT')).toBe("'30s'");
  expect(setting('src/stores/postgres/driver.ts', 'CONNECT_MS_MAX')).toBe('5_000');
  expect(setting('src/stores/postgres/driver.ts', 'ANSWER_MS_MAX')).toBe('30_000');
  expect(setting('src/stores/postgres/driver.ts', 'RESERVED')).toBe('2');
  expect(setting('src/stores/postgres/options.ts', 'POOL_SIZE_MIN')).toBe('3');
  expect(setting('src/stores/postgres/health.ts', 'SERVER_MIN')).toBe('150_000');
  expect(setting('src/stores/postgres/health.ts', 'CONNECTIONS_PART_MAX')).toBe('0.8');
  expect(setting('src/stores/postgres/health.ts', 'TRANSACTION_MS_MAX')).toBe('5 * 60_000');
  expect(setting('src/stores/postgres/health.ts', 'DEAD_MAX')).toBe('100_000');
  expect(setting('src/stores/postgres/health.ts', 'DEAD_PART_MAX')).toBe('0.5');
  expect(setting('src/runtime/prune.ts', 'BATCH_DEFAULT')).toBe('500');
  expect(setting('src/server/routes/health.ts', 'READY_MS_MAX')).toBe('5_000');
  expect([POOL_SIZE, BLOCKED_MS_MAX, LIMITS.CRASHES_MAX, CRASHES_LONE]).toEqual([
    ...[10, 5 * 60_000, 10, 2],
  ]);
});

test('every metric that has an alarm is one of those there are', () => {
  const observing = source('docs/observing.md');
  const names = [...page.matchAll(/`[^`]*?(perdure_[a-z_]+)/g)].map(([, name = '']) => name);
  expect(new Set(names).size).toBeGreaterThan(5);
  for (const name of names) expect(observing).toContain(`\`${name}\``);
});

describe('on Postgres', () => {
  const url = inject('postgres');
  const schema = `production_${process.pid}`;
  const copy = `copy_${process.pid}`;
  let admin: Client;
  beforeAll(async () => {
    admin = new Client(url);
    await admin.connect();
  });
  afterAll(async () => {
    await admin.query(`drop schema if exists ${schema} cascade`);
    await admin.query(`drop database if exists ${copy} with (force)`);
    await admin.query(`drop database if exists ${copy}_backup with (force)`);
    await admin.end();
  });

  test('a process has at most 12 connections, whatever it has to do', async () => {
    const busy = flow('busy')
      .step('wait', async ({ tx }) => void (await tx.query('select pg_sleep(0.01)')), {
        transactional: true,
      })
      .step('go', () => 1)
      .end();
    const at = new URL(url);
    at.searchParams.set('application_name', schema);
    const store = postgres(at.href, { schema });
    const engine = await createEngine({ store, flows: [busy], worker: { concurrency: 256 } });
    const all = Array.from({ length: 300 }, async () => (await engine.start(busy, null)).result());
    let [isOver, most] = [false, 0];
    const ended = Promise.all(all).then(() => (isOver = true));
    while (!isOver) {
      const count = 'select count(*) as n from pg_stat_activity where application_name = $1';
      const { rows } = await admin.query<{ n: string }>(count, [schema]);
      most = Math.max(most, Number(rows[0]?.n));
    }
    await ended;
    await engine.close();
    expect(most).toBeGreaterThan(POOL_SIZE / 2);
    expect(most).toBeLessThanOrEqual(POOL_SIZE + 2);
  });

  test('a program goes on when the schema is newer, and is not started again', async () => {
    const job = flow('job')
      .step('work', () => 'done')
      .end(({ results }) => results.work);
    const open = () => createEngine({ store: postgres(url, { schema }), flows: [job] });
    const engine = await open();
    await admin.query(`insert into ${schema}.migration values (9999, 'of a later version', 0)`);
    expect(await (await engine.start(job, null)).result()).toBe('done');
    await expect(open()).rejects.toMatchObject({ code: 'store.too-new' });
    await admin.query(`delete from ${schema}.migration where number = 9999`);
    await engine.close();
  });

  test('a backup goes on elsewhere, and what ran since runs again by its key', async () => {
    const keys: string[] = [];
    const order = flow('order')
      .step('reserve', () => 'reserved')
      .waitFor('paid', { event: 'paid' })
      .step('ship', ({ idempotencyKey }) => void keys.push(idempotencyKey))
      .emit('tell', { type: 'shipped' }, { outbox: true })
      .end(() => 'shipped');
    const letters: string[] = [];
    const post = new EventEmitter();
    const at = (database: string) => {
      const place = new URL(url);
      place.pathname = database;
      const options = { flows: [order], worker: { lease: '1s' } } as const;
      const to = ({ id }: { id: string }): void => {
        letters.push(id);
        post.emit('sent');
      };
      return createEngine({ ...options, outbox: { to }, store: postgres(place.href) });
    };
    await admin.query(`create database ${copy}`);
    const before = await at(copy);
    await before.start(order, null, { id: 'order-7', key: 'k' });
    await before.close();
    await admin.query(`create database ${copy}_backup template ${copy}`);
    for (const database of [copy, `${copy}_backup`]) {
      const engine = await at(database);
      const sent = once(post, 'sent');
      await engine.publish({ type: 'paid', key: 'k' });
      expect(await (await engine.get('order-7'))?.result()).toBe('shipped');
      expect(await engine.check()).toMatchObject({ ok: true, instances: 1 });
      await sent;
      await engine.close();
    }
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect([letters.length, new Set(letters).size]).toEqual([2, 1]);
  });
});

test('a copy of a SQLite file that is in use, made by VACUUM INTO, goes on by itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-production-'));
  const [file, backup] = [join(folder, 'orders.db'), join(folder, 'backup.db')];
  const order = flow('order')
    .waitFor('paid', { event: 'paid' })
    .end(() => 'paid');
  const engine = await createEngine({ store: sqlite(file), flows: [order] });
  await engine.start(order, null, { id: 'order-7', key: 'k' });
  const database = new DatabaseSync(file, { readOnly: true });
  database.prepare('vacuum into ?').run(backup);
  database.close();
  const restored = await createEngine({ store: sqlite(backup), flows: [order] });
  await restored.publish({ type: 'paid', key: 'k' });
  expect(await (await restored.get('order-7'))?.result()).toBe('paid');
  expect(await (await engine.get('order-7'))?.status()).toBe('waiting');
  await restored.close();
  await engine.close();
  rmSync(folder, { recursive: true });
});

describe('on Kubernetes', () => {
  const [, manifest = ''] = /^```yaml\n([^]*?)^```/m.exec(page) ?? [];
  const { spec } = parse(manifest) as { readonly spec: Spec };

  test('the grace period is longer than closing takes, and ready longer than its answer', () => {
    const [, timeout] = /engine\.close\(\{ timeout: '(\d+)s' \}\);/.exec(page) ?? [];
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(timeout));
    expect(spec.containers[0]?.readinessProbe.timeoutSeconds).toBeGreaterThan(5);
  });

  test('a probe by the address of a pod is answered if it names the host', async () => {
    const engine = await createEngine({ store: memory(), flows: [] });
    const server = api(engine, { access: { keys: [] } });
    const { url } = await server.listen({ host: '0.0.0.0' });
    const { port } = new URL(url);
    for (const probe of Object.values(spec.containers[0] ?? {})) {
      if (typeof probe === 'string') continue;
      const { path, httpHeaders } = probe.httpGet;
      const [header] = httpHeaders;
      const asked = { host: '127.0.0.1', port, path };
      expect(await statusOf({ ...asked, headers: { [header?.name ?? '']: header?.value } })).toBe(
        200,
      );
      expect(await statusOf({ ...asked, headers: { Host: `10.1.2.3:${port}` } })).toBe(421);
    }
    await server.close();
    await engine.close();
  });
});

interface Spec {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly {
    readonly name: string;
    readonly livenessProbe: Probe;
    readonly readinessProbe: Probe & { readonly timeoutSeconds: number };
  }[];
}

interface Probe {
  readonly httpGet: {
    readonly path: string;
    readonly httpHeaders: readonly { readonly name: string; readonly value: string }[];
  };
}

function statusOf(asked: Parameters<typeof request>[1] & object): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const ask = request(asked, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    ask.on('error', reject).end();
  });
}
