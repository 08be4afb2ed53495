/**
 * Bells between processes: a notification after a commit that left something for others (D15). They
 * are hints: one that is lost, because the connection was, costs the poll interval and no more.
 *
 * Listening needs a connection that stays; it is made anew for as long as the store is open.
 * Ringing is coalesced: what happens within a moment rings once.
 */
import { Socket } from 'node:net';
import { Client } from 'pg';
import type { Driver } from './driver.ts';
import { inSchema } from './driver.ts';
import type { Bell } from '../store.ts';
import * as queries from './queries.ts';

/** A burst of commits rings once in so long. */
const RING_MS = 10;
/** After a lost connection the next is tried after a pause that grows to the second. */
const AGAIN_MS = 100;
const AGAIN_MS_MAX = 10_000;

export class Belfry {
  readonly #driver: Driver;
  readonly #channel: string;
  /** Our own ringing is known to us. */
  readonly #self: string = crypto.randomUUID();
  readonly #listeners: ((bell: Bell) => void)[] = [];
  /** What is to be rung next. */
  #next: Bell = 'work';
  #client: Client | null = null;
  #ringing: NodeJS.Timeout | null = null;
  #retrying: NodeJS.Timeout | null = null;
  #failures = 0;
  #closed = false;

  constructor(driver: Driver) {
    this.#driver = driver;
    this.#channel = `${driver.schema}.bell`;
  }

  listen(ring: (bell: Bell) => void): void {
    this.#listeners.push(ring);
    if (this.#client === null && this.#retrying === null) void this.#connect();
  }

  ring(bell: Bell): void {
    if (bell === 'all') this.#next = bell;
    if (this.#ringing !== null || this.#closed) return;
    this.#ringing = setTimeout(() => {
      this.#ringing = null;
      void this.#notify();
    }, RING_MS);
    this.#ringing.unref();
  }

  /** Before the driver: whoever does one thing and ends is to be heard, too. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#ringing !== null) {
      clearTimeout(this.#ringing);
      this.#ringing = null;
      void this.#notify();
    }
    if (this.#retrying !== null) clearTimeout(this.#retrying);
    const client = this.#client;
    // Whoever waits for this may have nothing else left to do, and must not end before it.
    if (client?.connection.stream instanceof Socket) client.connection.stream.ref();
    await client?.end();
  }

  async #notify(): Promise<void> {
    // Nobody needs to be told that a hint was lost.
    const payload = payloadOf(this.#next, this.#self);
    this.#next = 'work';
    await Promise.allSettled([this.#driver.one(queries.own.notify, this.#channel, payload)]);
  }

  async #connect(): Promise<void> {
    const client = new Client({ ...this.#driver.config, pipeline: false, query_timeout: 0 });
    this.#client = client;
    client.on('error', () => {});
    client.once('end', () => this.#lost());
    client.on('notification', ({ payload = '' }) => {
      const [bell, who] = payload.split(' ');
      if (who !== this.#self) this.#tell(bell === 'work' ? bell : 'all');
    });
    const [connected] = await Promise.allSettled([this.#begin(client)]);
    if (connected.status === 'fulfilled') this.#failures = 0;
    else await Promise.allSettled([client.end()]);
  }

  async #begin(client: Client): Promise<void> {
    await client.connect();
    await client.query(inSchema(queries.own.listen, this.#driver.schema));
    // It waits for others, and a process that does nothing else may end.
    if (client.connection.stream instanceof Socket) client.connection.stream.unref();
    // What was rung while nobody listened.
    this.#tell('all');
  }

  #tell(bell: Bell): void {
    for (const ring of this.#listeners) ring(bell);
  }

  #lost(): void {
    this.#client = null;
    if (this.#closed || this.#retrying !== null) return;
    this.#failures += 1;
    const most = Math.min(AGAIN_MS * 2 ** this.#failures, AGAIN_MS_MAX);
    // At random, so that many processes do not all come back at the same moment.
    this.#retrying = setTimeout(() => {
      this.#retrying = null;
      void this.#connect();
    }, most * Math.random());
    this.#retrying.unref();
  }
}

/** What is rung, and who does. */
export function payloadOf(bell: Bell, who: string): string {
  return `${bell} ${who}`;
}
