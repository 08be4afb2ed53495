/** A remote worker and the API: what it asks, what it keeps, and what it does when that fails. */
import { afterEach, expect, test } from 'vitest';
import { Gate, settled } from '../testing/stage.ts';
import { openDesk, problem, type Saying, type WorkDesk } from '../testing/work-desk.ts';
import type { ApiError } from './asking.ts';
import type { RemoteWorkerOptions, Trouble } from './options.ts';
import { remoteWorker, type RunningWorker } from './worker.ts';

/** Short, so that a third of it is soon over. */
const LEASE_MS = 60;

interface Told extends Pick<Trouble, 'doing'> {
  readonly code: string;
}

interface Place {
  readonly desk: WorkDesk;
  readonly worker: RunningWorker;
  readonly told: readonly Told[];
}

const open: Place[] = [];
afterEach(async () => {
  for (const { desk, worker } of open.splice(0)) {
    await worker.stop({ timeout: 0 });
    await desk.close();
  }
});

async function employ(options: Partial<RemoteWorkerOptions>, saying?: Saying): Promise<Place> {
  const desk = await openDesk(saying);
  const told: Told[] = [];
  const worker = remoteWorker({
    ...{ url: `${desk.url}/`, worker: 'w', handlers: { 'order/charge': () => 'paid' } },
    logger: { debug: () => {}, warn: () => {} },
    onError: ({ code }: ApiError, { doing }) => told.push({ code, doing }),
    ...options,
  });
  const place = { desk, worker, told };
  open.push(place);
  return place;
}

const isAnswer = ({ verb }: { readonly verb: string }): boolean =>
  verb === 'complete' || verb === 'fail';

test('a worker asks for what it has handlers for, and brings the result of each', async () => {
  const { desk } = await employ({
    ...{ key: 'pdr_key', tenant: 'acme', concurrency: 3, lease: '20s', wait: '10s' },
    handlers: {
      'order/charge': (step) => {
        step.set('paid', true, { in: 'instance' });
        return { of: step.input, once: step.idempotencyKey };
      },
      SHIP: () => {},
    },
  });
  desk.put({});
  const { body, headers } = await desk.saw(({ verb }) => verb === 'fetch');
  expect(body).toEqual({
    ...{ worker: 'w', handlers: ['order/charge', 'SHIP'], limit: 3 },
    ...{ lease: 20_000, wait: '10000ms' },
  });
  expect(headers).toMatchObject({ authorization: 'Bearer pdr_key', 'perdure-tenant': 'acme' });
  expect(await desk.saw(isAnswer)).toMatchObject({
    ...{ verb: 'complete', id: 'w-1' },
    body: {
      worker: 'w',
      result: { of: { amount: 12 }, once: 'i-1/1/1' },
      set: [{ name: 'paid', value: true, in: 'instance' }],
    },
  });
});

test('a worker asks for no more than it has room for', async () => {
  let running = 0;
  const wanted: number[] = [];
  const { desk } = await employ(
    {
      concurrency: 2,
      handlers: {
        'order/charge': async () => {
          running += 1;
          await settled();
          running -= 1;
        },
      },
    },
    ({ verb, body }) => {
      if (verb === 'fetch') wanted.push(running + Number(body['limit']));
      return undefined;
    },
  );
  const ids = ['a', 'b', 'c', 'd', 'e'];
  for (const id of ids) desk.put({ id });
  await Promise.all(ids.map((each) => desk.saw(({ id }) => id === each)));
  expect(Math.max(...wanted)).toBe(2);
});

test('a lease is extended for as long as its handler runs', async () => {
  const gate = new Gate<string>();
  const { desk, told } = await employ({
    ...{ lease: LEASE_MS, handlers: { 'order/charge': () => gate.opened } },
  });
  desk.put({});
  await desk.saw(() => desk.asked.filter(({ verb }) => verb === 'extend').length > 3);
  gate.open('late, and yet in time');
  const { body } = await desk.saw(isAnswer);
  expect(body['result']).toBe('late, and yet in time');
  expect(told).toEqual([]);
});

test('work that is lost fires its signal, and its answer is brought once', async () => {
  const { desk, told } = await employ(
    {
      lease: LEASE_MS,
      handlers: {
        'order/charge': ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      },
    },
    ({ verb }) => (verb === 'fetch' ? undefined : problem(409, 'work.lost')),
  );
  desk.put({});
  await desk.saw(isAnswer);
  desk.put({ id: 'w-2' });
  await desk.saw(({ id, verb }) => id === 'w-2' && verb === 'fail');
  expect(desk.asked.filter(({ id, verb }) => id === 'w-1' && verb === 'fail')).toHaveLength(1);
  expect(told[0]).toEqual({ doing: 'fail', code: 'work.lost' });
});

test('work whose lease nobody could be asked to extend fires its signal, too', async () => {
  const { desk } = await employ(
    {
      lease: LEASE_MS,
      handlers: {
        'order/charge': ({ signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve('I went on to the end'));
          }),
      },
    },
    ({ verb }) => (verb === 'extend' ? problem(503, 'store.unreachable') : undefined),
  );
  desk.put({});
  const { body } = await desk.saw(isAnswer);
  expect(body['result']).toBe('I went on to the end');
});

test('an answer is brought again, the same, until it is there', async () => {
  const troubles: ReturnType<Saying>[] = [
    'hang up',
    problem(503, 'store.unreachable'),
    { status: 502, body: '<html>a proxy</html>' },
    { ...problem(429, 'access.too-many'), headers: { 'retry-after': '0' } },
  ];
  const { desk, told } = await employ({}, (asked) =>
    isAnswer(asked) ? troubles.shift() : undefined,
  );
  desk.put({});
  await desk.saw(() => desk.asked.filter(isAnswer).length === 5);
  expect(new Set(desk.asked.filter(isAnswer).map(({ body }) => JSON.stringify(body))).size).toBe(1);
  const codes = ['api.unreachable', 'store.unreachable', 'http.502', 'access.too-many'];
  expect(told).toEqual(codes.map((code) => ({ doing: 'complete', code })));
});

test('a result that cannot be kept over there fails the work', async () => {
  const { desk } = await employ({}, ({ verb }) =>
    verb === 'complete'
      ? problem(422, 'work.invalid', { code: 'handler.result-too-large' })
      : undefined,
  );
  desk.put({});
  const { body } = await desk.saw(({ verb }) => verb === 'fail');
  expect(body['error']).toEqual({
    code: 'handler.result-too-large',
    message: 'it is work.invalid',
  });
});

test('a worker goes on asking, whatever the API says for a while', async () => {
  const troubles = [
    problem(401, 'access.unauthenticated'),
    problem(503, 'engine.closed'),
    { body: 'no JSON' },
  ];
  const { desk, told } = await employ({}, ({ verb }) =>
    verb === 'fetch' ? troubles.shift() : undefined,
  );
  desk.put({});
  await desk.saw(isAnswer);
  const codes = ['access.unauthenticated', 'engine.closed', 'api.unreachable'];
  expect(told).toEqual(codes.map((code) => ({ doing: 'fetch', code })));
});

test('a worker that asks for what there is not ends, and says so', async () => {
  const { worker } = await employ({}, () => problem(400, 'engine.option-invalid'));
  await expect(worker.done).rejects.toMatchObject({ status: 400, code: 'engine.option-invalid' });
});

test('a worker that stops asks for no more, and brings what it has', async () => {
  const [begun, gate] = [new Gate(), new Gate<string>()];
  const { desk, worker } = await employ({
    handlers: {
      'order/charge': () => {
        begun.open();
        return gate.opened;
      },
    },
  });
  desk.put({});
  await begun.opened;
  const stopped = worker.stop();
  gate.open('the last one');
  await stopped;
  await worker.done;
  expect(desk.asked.filter(isAnswer).map(({ body }) => body['result'])).toEqual(['the last one']);
  desk.put({ id: 'w-2' });
  expect(desk.asked.filter(({ id }) => id === 'w-2')).toEqual([]);
});

test('what does not end in time is left to its lease, and is told', async () => {
  const [begun, gate] = [new Gate<AbortSignal>(), new Gate()];
  const { desk, worker } = await employ({
    handlers: {
      'order/charge': ({ signal }) => {
        begun.open(signal);
        return gate.opened;
      },
    },
  });
  desk.put({});
  const signal = await begun.opened;
  await worker.stop({ timeout: 0 });
  expect(signal.reason).toMatchObject({ code: 'work.lost', message: 'the worker has stopped' });
  gate.open();
  await worker.done;
  expect(desk.asked.filter(isAnswer)).toEqual([]);
});

test.each([
  [{ url: 'flows' }, 'url is http: or https:'],
  [{ handlers: {} }, 'at least one handler'],
  [{ concurrency: 0 }, 'concurrency is a whole number'],
  [{ lese: '1s' }, 'did you mean "lease"?'],
  [{ lease: 'soon' }, 'lease: a duration is'],
])('an option that makes no sense is refused: %o', (odd, why) => {
  const options = { url: 'http://localhost', handlers: { SHIP: () => {} }, ...odd };
  expect(() => remoteWorker(options)).toThrow(why);
});
