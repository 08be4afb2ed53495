/**
 * The outbox against the world as it is: two processes on one database that send, of which one is
 * killed, and a receiver that fails, hangs, dies half-way, is down for a while, and comes back.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { createEngine, type Engine } from '../runtime/engine.ts';
import { findFreePort } from './local-port.ts';
import { ATTEMPTS_MAX, EVENTS_EACH, mailing, type Said, type Trouble } from './outbox-flow.ts';
import type { LedgerLine } from './outbox-receiver.ts';
import { placeAt, storeAt } from './place.ts';
import { dropSchemas, freshSchema } from './postgres-schema.ts';
import { Program } from './program.ts';

const INSTANCES = 24;
const EVENTS = INSTANCES * EVENTS_EACH;
/** The lease of whoever was killed is eleven seconds. A busy machine takes a multiple of that. */
const TEST_MS_MAX = 120_000;

const secrets = [0, 1].map(() => `whsec_${randomBytes(32).toString('base64')}`);

function troubleOf(number: number): Trouble {
  return number % 8 === 3 ? 'refused' : number % 8 === 5 ? 'gone' : 'none';
}

const folder = mkdtempSync(join(tmpdir(), 'perdure-outbox-'));
afterAll(async () => {
  await Program.killAll();
  rmSync(folder, { recursive: true });
  await dropSchemas(inject('postgres'));
});

test(
  'webhooks: every event arrives at least once, in order, under its own id, and signed',
  async () => {
    const place = placeAt(inject('postgres'), freshSchema());
    const site = new Site(join(folder, 'ledger'), await findFreePort());
    await site.open();
    const engine = await createEngine({
      store: storeAt(place),
      flows: [mailing],
      worker: false,
    });
    const [doomed, steady] = [0, 1].map(
      () => new Program('outbox-worker', [place, site.url, ...secrets]),
    ) as [Program, Program];
    await Promise.all([doomed.atWork(), steady.atWork()]);
    for (let number = 0; number < INSTANCES; number += 1) {
      await engine.start(mailing, { number, trouble: troubleOf(number) }, { key: `m-${number}` });
    }
    await site.receiver.said(/^hang /);
    await doomed.kill();
    await site.receiver.said(/^took /);
    await site.breakDown();
    await allAccountedFor(site, [doomed, steady]);
    await mendTheDead(engine, site);
    await allGone(engine);
    steady.tell('close');
    expect(await steady.ended()).toBe('0');
    expect(await engine.check()).toMatchObject({ ok: true, instances: INSTANCES });
    await engine.close();
    checkLedger(site.lines(), deadIn([doomed, steady]));
  },
  TEST_MS_MAX,
);

/** The receiver, at one address for all its lives. */
class Site {
  readonly url: string;
  receiver: Program;
  readonly #ledger: string;
  readonly #port: number;
  readonly #said: string[] = [];

  constructor(ledger: string, port: number) {
    this.url = `http://127.0.0.1:${port}/hook`;
    this.#ledger = ledger;
    this.#port = port;
    this.receiver = this.#start();
  }

  #start(): Program {
    return new Program('outbox-receiver', [String(this.#port), this.#ledger]);
  }

  async open(): Promise<void> {
    await this.receiver.atWork();
  }

  async breakDown(): Promise<void> {
    await this.receiver.kill();
    this.#said.push(...this.receiver.lines);
    this.receiver = this.#start();
    await this.open();
  }

  /** In all its lives. */
  get said(): readonly string[] {
    return [...this.#said, ...this.receiver.lines];
  }

  lines(): readonly LedgerLine[] {
    const lines = readFileSync(this.#ledger, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as LedgerLine);
  }
}

function named(word: string, lines: readonly string[]): ReadonlySet<string> {
  const found = lines.filter((line) => line.startsWith(`${word} `));
  return new Set(found.map((line) => line.slice(word.length + 1)));
}

function deadIn(workers: readonly Program[]): ReadonlySet<string> {
  return named(
    'dead',
    workers.flatMap(({ lines }) => lines),
  );
}

/** Each event was taken, or given up. */
async function allAccountedFor(site: Site, workers: readonly [Program, Program]): Promise<void> {
  for (;;) {
    const next = [site.receiver, workers[1]].map((program) => program.saysNext(/./));
    // One of them is heard; what the others never say is nobody's business any more.
    for (const one of next) one.catch(() => {});
    const known = new Set([...named('took', site.said), ...deadIn(workers)]);
    if (known.size === EVENTS) return;
    await Promise.race(next);
  }
}

/** What was given up is listed; once the receiver is mended it is sent again, and arrives. */
async function mendTheDead(engine: Engine, site: Site): Promise<void> {
  const { letters } = await engine.outbox.list({ status: 'dead' });
  const hopeless = letters.filter(({ data }) => (data as unknown as Said).trouble !== 'none');
  const expected = Array.from({ length: INSTANCES }, (_, n) => troubleOf(n)).filter(
    (trouble) => trouble !== 'none',
  );
  expect(hopeless).toHaveLength(expected.length);
  for (const { data, attempts, lastError } of hopeless) {
    const isGone = (data as unknown as Said).trouble === 'gone';
    expect(lastError).toContain(isGone ? 'answered 410: this is gone' : 'answered 400');
    // Whoever was killed may have had it, too.
    expect(attempts).toBeGreaterThanOrEqual(isGone ? 1 : ATTEMPTS_MAX);
    expect(attempts).toBeLessThanOrEqual(ATTEMPTS_MAX);
  }
  const healed = site.receiver.saysNext(/^healed$/);
  site.receiver.tell('heal');
  await healed;
  const arrived = letters.map(({ id }) => site.receiver.saysNext(new RegExp(`^took ${id}$`)));
  expect(await engine.outbox.requeue(letters.map(({ id }) => id))).toBe(letters.length);
  await Promise.all(arrived);
}

/** What was taken without an answer is sent again; then the outbox is empty. */
async function allGone({ outbox }: Engine): Promise<void> {
  for (;;) if ((await outbox.list({ limit: 1 })).letters.length === 0) return;
}

function checkLedger(lines: readonly LedgerLine[], dead: ReadonlySet<string>): void {
  const ids = new Map<string, string>();
  const arrivals = new Map<number, number[]>();
  for (const { fate, headers, body } of lines) {
    verify(headers, body);
    const event = JSON.parse(body) as { id: string; subject: string; data: Said };
    const { number, seq } = event.data;
    expect(headers['webhook-id']).toBe(event.id);
    expect(event.subject).toBe(`m-${number}`);
    // One id for one event, however often it came.
    const name = `${number}/${seq}`;
    expect(ids.get(name) ?? event.id).toBe(event.id);
    ids.set(name, event.id);
    const order = arrivals.get(number) ?? [];
    // Nothing is even tried before what stands before it has arrived, or was given up.
    const before = Array.from({ length: dead.has(event.id) ? 0 : seq - 1 }, (_, n) => n + 1);
    const late = before.filter((one) => !order.includes(one) && !isDead(number, one));
    expect(late, `${name} was tried too early`).toEqual([]);
    if ((fate === 'take' || fate === 'mute') && !order.includes(seq)) order.push(seq);
    arrivals.set(number, order);
  }
  function isDead(number: number, seq: number): boolean {
    return dead.has(ids.get(`${number}/${seq}`) ?? '');
  }
  expect(ids.size).toBe(EVENTS);
  expect(new Set(ids.values()).size).toBe(EVENTS);
  for (let number = 0; number < INSTANCES; number += 1) {
    const order = arrivals.get(number) ?? [];
    expect(order.toSorted(ascending)).toEqual([1, 2, 3, 4, 5]);
    const alive = order.filter((seq) => !isDead(number, seq));
    expect(alive).toEqual(alive.toSorted(ascending));
  }
}

function ascending(a: number, b: number): number {
  return a - b;
}

/** As a receiver does it, by hand: Standard Webhooks, and a CloudEvent in JSON. */
function verify(headers: LedgerLine['headers'], body: string): void {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signed } = headers;
  const expected = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update([id, at, body].join('.')).digest('base64')}`;
  });
  expect(String(signed).split(' ')).toEqual(expected);
  expect(Math.abs(Date.now() / 1_000 - Number(at))).toBeLessThan(300);
  expect(headers['content-type']).toMatch(/^application\/cloudevents\+json/);
  expect(JSON.parse(body)).toMatchObject({
    specversion: '1.0',
    source: '/flows/mailing',
    type: 'said',
    datacontenttype: 'application/json',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
}
