/** Streams of events, over real connections: pushed, resumed, limited, and ended. */
import { once } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Run } from '../index.ts';
import {
  type ApiWorld,
  type ApiWorldOptions,
  type Caller,
  openApiWorld,
} from '../testing/api-world.ts';
import { Dice } from '../testing/dice.ts';
import { open, request } from '../testing/raw-http.ts';
import { EventReader, type HeardEvent } from '../testing/server-events.ts';
import type { Problem } from './problem.ts';

let world: ApiWorld;
let admin: Caller;
let url: string;

async function serve(options: ApiWorldOptions = {}): Promise<void> {
  world = await openApiWorld(options);
  admin = world.caller('admin', null);
  ({ url } = await world.api.listen());
}

beforeEach(async () => serve());

interface Following {
  readonly who?: Caller;
  readonly last?: string | undefined;
  readonly signal?: AbortSignal;
}

async function ask(path: string, { who = admin, last, signal }: Following = {}): Promise<Response> {
  const resumed = last === undefined ? {} : { 'last-event-id': last };
  return fetch(`${url}${path}`, {
    headers: { ...who.headers, ...resumed },
    ...(signal === undefined ? {} : { signal }),
  });
}

const follow = async (path: string, following: Following = {}): Promise<EventReader> =>
  new EventReader(await ask(path, following));

/** Two commits. */
async function stir(run: Run): Promise<void> {
  await run.suspend();
  await run.resume();
}

const versionOf = async (run: Run): Promise<number> => (await run.inspect()).version;
const numbers = (heard: readonly HeardEvent[]): readonly number[] =>
  heard.map(({ data }) => data.n);

/** The number of streams that the server has open. */
async function openStreams(): Promise<number> {
  const response = await world.ask(admin, { method: 'get', path: '/metrics' });
  return Number(/^perdure_http_streams (\d+)$/m.exec(await response.text())?.[1]);
}

/** A server hears of a connection that was closed in its own time, which is between requests. */
async function untilOpen(count: number): Promise<void> {
  while ((await openStreams()) !== count) await fetch(`${url}/health/live`);
}

describe('one instance', () => {
  test('is told of commit by commit, as they happen, until it is over', async () => {
    const run = await world.start('waits', 'acme');
    const events = await follow(`/instances/${run.id}/events`);
    await events.beat();
    await run.suspend({ actor: 'ann' });
    const first = await events.next();
    expect(first).toMatchObject({ id: '2', event: 'commit', data: { instance: run.id, n: 2 } });
    expect(first?.data.changes.map(({ did }) => did)).toContain('act');
    await run.resume();
    expect(await events.next()).toMatchObject({ id: '3', data: { flow: 'waits', n: 3 } });
    await run.cancel();
    const last = await events.rest();
    expect(numbers(last)).toEqual([4]);
  });

  test('is told from its beginning to who asks for that', async () => {
    const run = await world.start('waits', 'acme');
    await stir(run);
    await run.cancel();
    const all = await (await follow(`/instances/${run.id}/events?after=0`)).rest();
    const version = await versionOf(run);
    expect(numbers(all)).toEqual(Array.from({ length: version }, (_, index) => index + 1));
    const none = await follow(`/instances/${run.id}/events`, { last: `${version}` });
    expect(await none.rest()).toEqual([]);
  });

  test('is told each commit once, however often the connection is lost', async () => {
    for (const seed of [1, 2, 3]) {
      const dice = new Dice(seed);
      const run = await world.start('waits', 'acme');
      const heard: HeardEvent[] = [];
      let last = '0';
      for (let round = 0; round < 12; round += 1) {
        const events = await follow(`/instances/${run.id}/events`, { last });
        for (let stirs = dice.roll(3); stirs >= 0; stirs -= 1) await stir(run);
        for (let count = dice.roll(4); count >= 0; count -= 1) {
          const event = await events.next();
          if (event === undefined) throw new Error('it goes on');
          heard.push(event);
          last = event.id;
        }
        await events.close();
      }
      await run.cancel();
      heard.push(...(await (await follow(`/instances/${run.id}/events`, { last })).rest()));
      const all = Array.from({ length: await versionOf(run) }, (_, index) => index + 1);
      expect(numbers(heard), `seed ${seed}`).toEqual(all);
    }
  });
});

describe('many instances', () => {
  test('are told of as they begin and go on', async () => {
    const events = await follow('/events?flow=waits');
    await events.beat();
    await world.start('job', 'acme');
    const run = await world.start('waits', 'bolt');
    expect(await events.next()).toMatchObject({
      event: 'commit',
      data: { instance: run.id, n: 1 },
    });
    await run.cancel();
    expect(await events.next()).toMatchObject({ data: { instance: run.id, n: 2 } });
    await events.close();
  });

  test('are told of completely, however often the connection is lost', async () => {
    for (const seed of [4, 5, 6]) {
      const dice = new Dice(seed);
      const runs = [await world.start('waits', 'acme'), await world.start('waits', 'bolt')];
      const heard = new Set<string>();
      let last: string | undefined;
      for (let round = 0; round < 8; round += 1) {
        const events = await follow('/events', { last });
        await events.beat();
        for (let stirs = dice.roll(3); stirs >= 0; stirs -= 1) await stir(dice.pick(runs));
        if (round % 3 === 0) runs.push(await world.start('waits', null));
        for (let count = dice.roll(5); count >= 0; count -= 1) {
          const event = await events.next();
          if (event === undefined) throw new Error('it goes on');
          heard.add(`${event.data.instance} ${event.data.n}`);
          last = event.id;
        }
        await events.close();
      }
      const events = await follow('/events', { last });
      const all = await commitsOf(runs);
      // If one were lost, this would wait for it in vain.
      while (!all.every((commit) => heard.has(commit))) {
        const { data } = (await events.next()) ?? {};
        heard.add(`${data?.instance} ${data?.n}`);
      }
      await events.close();
      await Promise.all(runs.map((run) => run.cancel()));
    }
  });

  /** Of the first two not the start: that was before anybody listened. */
  async function commitsOf(runs: readonly Run[]): Promise<readonly string[]> {
    const all = await Promise.all(
      runs.map(async (run, index) => {
        const first = index < 2 ? 2 : 1;
        const count = (await versionOf(run)) - first + 1;
        return Array.from({ length: count }, (_, n) => `${run.id} ${n + first}`);
      }),
    );
    return all.flat();
  }

  test('whose ids are any text have events of one line each', async () => {
    const events = await follow('/events');
    await events.beat();
    const id = 'a/b\nevent: forged\ndata: {}\n\n';
    await world.engine.start('office', { secret: 'x' }, { id });
    const event = await events.next();
    expect(event).toMatchObject({ event: 'commit', data: { instance: id } });
    const again = await follow('/events', { last: event?.id });
    expect(await again.next()).toMatchObject({ event: 'commit', data: { instance: id } });
    for (const each of [events, again]) await each.close();
  });
});

describe('a stream', () => {
  test('says that it is there while nothing happens', async () => {
    await serve({ server: { limits: { STREAM_BEAT_MS: 1 } } });
    const run = await world.start('waits', 'acme');
    const events = await follow(`/instances/${run.id}/events`);
    for (let count = 0; count < 5; count += 1) await events.beat();
    await run.suspend();
    expect(await events.next()).toMatchObject({ id: '2' });
    await events.close();
  });

  test('ends after STREAM_MS_MAX, and is resumed where it ended', async () => {
    await serve({ server: { limits: { STREAM_MS_MAX: 1 } } });
    const run = await world.start('waits', 'acme');
    const path = `/instances/${run.id}/events`;
    expect(await (await follow(path)).rest()).toEqual([]);
    await (await follow('/events')).rest();
    expect(await openStreams()).toBe(0);
  });

  test('ends with the server, which does not wait for it', async () => {
    const run = await world.start('waits', 'acme');
    const streams = [await follow('/events'), await follow(`/instances/${run.id}/events`)];
    for (const each of streams) await each.beat();
    const closed = world.api.close();
    for (const each of streams) await each.rest();
    await closed;
  });

  test('that nobody reads is cut off when the server closes', async () => {
    await serve({ server: { limits: { CLOSE_MS_MAX: 1 } } });
    const large = { secret: 'x'.repeat(500_000) };
    const run = await world.engine.start('office', large, { tenant: 'acme' });
    const socket = await open(Number(new URL(url).port));
    socket.write(request(`GET /instances/${run.id}/events?after=0`, admin.headers));
    await once(socket, 'readable');
    for (let count = 0; count < 20; count += 1) {
      await run.set('more', { count, ...large });
    }
    await world.api.close();
    socket.resume();
    await once(socket, 'close');
  });

  test('ends with the engine', async () => {
    const events = await follow('/events');
    await events.beat();
    const closed = world.engine.close();
    expect(await events.rest()).toEqual([]);
    await closed;
  });

  test('is over on the server when its reader has gone', async () => {
    const gone = new AbortController();
    const run = await world.start('waits', 'acme');
    for (const path of ['/events', `/instances/${run.id}/events`]) {
      await (await follow(path, { signal: gone.signal })).beat();
    }
    expect(await openStreams()).toBe(2);
    gone.abort();
    await untilOpen(0);
  });
});

describe('there are', () => {
  test('STREAMS_EACH_MAX streams of one principal, and one more is too many', async () => {
    await serve({ server: { limits: { STREAMS_EACH_MAX: 2, STREAMS_MAX: 10 } } });
    const mine = [await follow('/events'), await follow('/events')];
    await tooMany('STREAMS_EACH_MAX 2');
    const who = world.caller('viewer', 'acme');
    const other = await follow('/events', { who });
    await mine[0]?.close();
    await untilOpen(2);
    const next = await follow('/events');
    await next.beat();
    for (const each of [other, next, ...mine.slice(1)]) await each.close();
  });

  test('STREAMS_MAX streams of all, and one more is too many', async () => {
    await serve({ server: { limits: { STREAMS_EACH_MAX: 10, STREAMS_MAX: 2 } } });
    const whos = [world.caller('viewer', 'acme'), world.caller('viewer', 'bolt')];
    const all = await Promise.all(whos.map((who) => follow('/events', { who })));
    await tooMany('STREAMS_MAX 2');
    await all[1]?.close();
    await untilOpen(1);
    await (await follow('/events')).close();
    await all[0]?.close();
  });

  async function tooMany(limit: string): Promise<void> {
    const response = await ask('/events');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).not.toBeNull();
    const { code, detail, retryable } = (await response.json()) as Problem;
    expect({ code, retryable }).toEqual({ code: 'access.too-many', retryable: true });
    expect(detail).toContain(limit);
  }
});
