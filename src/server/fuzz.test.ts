/**
 * Thousands of random requests, good and bent, by everybody, about everything: none of them may
 * break the server, break a promise of the API, or show somebody what is another tenant's.
 *
 * PERDURE_FUZZ_SEED replays a seed that a failure has named.
 */
import { describe, expect, test } from 'vitest';
import { HOOK_SECRET } from '../testing/api-cases.ts';
import { type ApiWorld, marksHidden, openApiWorld, TENANTS } from '../testing/api-world.ts';
import { Dice } from '../testing/dice.ts';
import { type RandomRequest, RandomRequests } from '../testing/random-requests.ts';
import { PROBLEM_TYPE, type Problem, STATUSES } from './problem.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes.ts';

const REQUESTS = 2_000;
const PARTS = 4;

const said = process.env['PERDURE_FUZZ_SEED'];
const SEEDS =
  said === undefined ? Array.from({ length: PARTS }, (_, index) => index + 1) : [Number(said)];

/** Small enough that what waits, and what is too much, is among it. */
const limits = { WAIT_MS_MAX: 5, BODY_BYTES_MAX: 20_000, URL_CHARS_MAX: 2_000, STREAM_BEAT_MS: 1 };

/** The route that a request is for; undefined if there is none. */
function routeOf({ method, path }: RandomRequest): Route | undefined {
  const wanted = method === 'head' ? 'get' : method;
  return ROUTES.find((route) => {
    const shape = route.path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+');
    return route.method === wanted && new RegExp(`^${shape}$`).test(path);
  });
}

async function textIn(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text();
  const reader = response.body?.getReader();
  let text = '';
  // A beat, or an event, and then another: what is told first is told at once.
  for (let count = 0; count < 3; count += 1) {
    const { value, done = true } = (await reader?.read()) ?? {};
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  await reader?.cancel();
  return text;
}

/** What is wrong with an answer; undefined if nothing is. */
function wrongIn(asked: RandomRequest, response: Response, text: string): string | undefined {
  const { status } = response;
  const isLeak = marksHidden(asked.caller?.tenant ?? null).some((mark) => text.includes(mark));
  if (isLeak) return "it shows what is another tenant's";
  if (status >= 500) return `it is a ${status}`;
  const type = response.headers.get('content-type');
  if (status >= 400) return asked.method === 'head' ? undefined : wrongProblem(status, type, text);
  const route = routeOf(asked);
  const answer = route?.answers[status];
  if (asked.method === 'options' && status === 204) return undefined;
  if (answer === undefined) return `${route?.operation} does not say that it answers ${status}`;
  if (answer.body === undefined || asked.method === 'head') return undefined;
  const parsed = answer.body.safeParse(JSON.parse(text));
  return parsed.success ? undefined : `it is not as it is said: ${parsed.error.message}`;
}

function wrongProblem(status: number, type: string | null, text: string): string | undefined {
  if (type !== PROBLEM_TYPE) return `it is refused as ${type}`;
  const { code, detail, status: told, retryable } = JSON.parse(text) as Problem;
  const isKnown = Object.hasOwn(STATUSES, code) && STATUSES[code] === status && told === status;
  if (!isKnown) return `nobody knows the code ${code} for ${status}`;
  return detail === '' || typeof retryable !== 'boolean' ? 'it does not say why' : undefined;
}

async function populate(world: ApiWorld): Promise<void> {
  for (const tenant of TENANTS) {
    for (const flow of ['waits', 'office', 'board', 'job', 'line', 'chart'] as const) {
      await world.start(flow, tenant);
    }
    const whose = tenant === null ? {} : { tenant };
    await world.engine.publish({ type: 'early', key: 'k', id: 'm1', data: 'x' }, whose);
  }
}

describe.each(SEEDS)('of the requests of seed %i', (seed) => {
  test('each is answered as the API says, and what is there is sound', async () => {
    const webhooks = { forge: { scheme: 'github', secret: HOOK_SECRET, tenant: 'acme' } } as const;
    const world = await openApiWorld({ server: { limits, webhooks }, keysAreMarked: false });
    await populate(world);
    const requests = new RandomRequests(world, new Dice(seed), ROUTES);
    const statuses = new Map<number, number>();
    for (let count = 0; count < REQUESTS / PARTS; count += 1) {
      const asked = await requests.next();
      const response = await world.ask(asked.caller, asked);
      const text = await textIn(response);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const { method, path, query, headers, body, caller } = asked;
      const told = JSON.stringify({ method, path, query, headers, body, by: caller?.name });
      const where = `PERDURE_FUZZ_SEED=${seed}, request ${count}: ${told.slice(0, 1_000)}`;
      expect(wrongIn(asked, response, text), `${where}\n${text.slice(0, 1_000)}`).toBeUndefined();
    }
    const errors = world.log.lines.filter(({ level }) => level === 'error');
    expect(errors, `PERDURE_FUZZ_SEED=${seed}`).toEqual([]);
    expect(await world.engine.check()).toMatchObject({ ok: true, violations: [] });
    // All of that would be little worth if everything were refused, or nothing.
    for (const status of [200, 201, 202, 204, 400, 401, 403, 404, 405, 409, 422]) {
      expect(statuses.get(status) ?? 0, `seed ${seed} has some ${status}`).toBeGreaterThan(0);
    }
  });
});
