/** One take of an example, on a virtual clock: everything in it that is not as it should be. */
import type { Json } from '../src/base/json.ts';
import { serverless } from '../src/frontends/serverless/serverless.ts';
import type { Flow } from '../src/model/definition.ts';
import type { Logger } from '../src/runtime/logger.ts';
import type { Run } from '../src/runtime/run.ts';
import { createTestEngine, type TestEngine } from '../src/testing/test-engine.ts';
import { endOf, type Ended } from '../src/testing/workflows.ts';
import type { Ask, AskWithMore, Ending, Stage, Take } from './examples-case.ts';
import { Letters } from './examples-letters.ts';
import { differences } from './examples-pattern.ts';
import { Places } from './examples-places.ts';
import { type HostRequest, openWorld, type World } from './examples-world.ts';

/** What lasts longer has no end, or none that anybody here waits for. */
const DAYS_MAX = 10;
const OVER: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled']);

interface Theatre {
  readonly kit: TestEngine;
  readonly places: Places;
  readonly letters: Letters;
  readonly flow: Flow<Json, Json>;
  readonly run: Run | undefined;
}

/** `crashes`: the process that runs it dies after every commit. */
export async function playTake(
  text: string,
  take: Take,
  crashes: boolean,
): Promise<readonly string[]> {
  const places = new Places();
  const world = await openWorld(take.scenery ?? {}, places);
  try {
    const whole = take.text === undefined ? text : await take.text(text, places);
    const letters = new Letters();
    const flow = serverless(whole);
    const kit = engineFor(take, flow, { places, world, letters, crashes });
    try {
      const run = take.startsItself === true ? undefined : await kit.start(flow, take.input ?? {});
      const stage = stageOf({ kit, places, letters, flow, run });
      await take.meanwhile?.(stage);
      const inside = await lived(take, kit, await stage.run());
      return [...inside, ...seen(take, world, letters), ...(await left(take, places))];
    } finally {
      await kit.close();
    }
  } finally {
    await world.close();
    await places.close();
  }
}

interface Surroundings {
  readonly places: Places;
  readonly world: World;
  readonly letters: Letters;
  readonly crashes: boolean;
}

function engineFor(
  { allows = {}, others = [], secrets = {} }: Take,
  flow: Flow<Json, Json>,
  { places, world, letters, crashes }: Surroundings,
): TestEngine {
  const flows = [flow, ...others.map((text) => serverless(text))] as unknown as readonly Flow[];
  return createTestEngine({
    ...{ flows, secrets, logger: QUIET, outbox: letters.receive },
    chaos: { crashAfterEveryCommit: crashes },
    http: {
      fetch: world.fetch,
      allow: ['localhost', '127.0.0.1'],
      resolve: async () => ['127.0.0.1'],
    },
    serverless: {
      ...allows,
      files: [places.folder],
      run: { path: places.tools.path },
      lifecycle: 'none',
    },
  });
}

function stageOf({ kit, places, letters, flow, run }: Theatre): Stage {
  const settle = (): Promise<void> => kit.runUntilIdle();
  return {
    ...{ places, letters, settle },
    publish: async (event) => {
      await settle();
      await kit.engine.publish(event);
      await settle();
    },
    advance: async (duration) => {
      await settle();
      await kit.advance(duration);
    },
    run: async () => run ?? (await onlyOf(kit, flow.name)),
  };
}

/** The one that has started by itself. */
async function onlyOf({ engine }: TestEngine, flow: string): Promise<Run> {
  const { instances } = await engine.list({ flow });
  const [first] = instances;
  const run = first === undefined ? undefined : await engine.get(first.id);
  if (run !== undefined && instances.length === 1) return run;
  throw new Error(`one instance was to start by itself, and ${instances.length} have`);
}

/** What is not as it should be with the instance itself. */
async function lived(take: Take, kit: TestEngine, run: Run): Promise<readonly string[]> {
  await kit.runUntilIdle();
  for (let days = 0; days < DAYS_MAX && !OVER.has(await run.status()); days += 1) {
    await kit.advance('1d');
  }
  const { createdAt, endedAt } = await run.inspect();
  const seconds = Math.floor(((endedAt ?? kit.now) - createdAt) / 1_000);
  const { ok } = await kit.engine.check();
  return [
    ...misfit(take.ends, await endOf(run)),
    ...differences(take.seconds ?? 0, seconds).map((one) => `seconds that it takes: ${one}`),
    ...(ok ? [] : ['the store does not hold what is promised of it']),
  ];
}

/** And with what was seen of it from outside. */
function seen(take: Take, { asked }: World, letters: Letters): readonly string[] {
  const { asks = [], sends = [] } = take;
  return [
    ...(asks === 'whatever' ? [] : askedOtherwise(asks, asked)),
    ...differences(sends, letters.all).map((one) => `events that it sends: ${one}`),
  ];
}

function misfit(ends: Ending, ended: Ended): readonly string[] {
  if (ends === 'cancelled') {
    return ended.status === 'canceled' ? [] : [`it ended as ${JSON.stringify(ended)}`];
  }
  if ('output' in ends) {
    if (ended.status !== 'completed') return [`it ended as ${JSON.stringify(ended)}`];
    return differences(ends.output, ended.output).map((one) => `output: ${one}`);
  }
  if (ended.status !== 'failed') return [`it ended as ${JSON.stringify(ended)}`];
  return differences(ends.error, ended.error).map((one) => `error: ${one}`);
}

function askedOtherwise(asks: readonly Ask[], asked: readonly HostRequest[]): readonly string[] {
  const lines = asked.map(({ method, url }) => `${method} ${url.href}`);
  const wanted = asks.map((one) => (typeof one === 'string' ? one : one.ask));
  const other = differences(wanted, lines).map((one) => `requests that it makes: ${one}`);
  if (other.length > 0) return other;
  return asks.flatMap((one, n) => {
    const more: AskWithMore = typeof one === 'string' ? { ask: one } : one;
    const { headers = {}, body } = more;
    const came = asked[n];
    const told = Object.entries(headers).flatMap(([name, value]) =>
      differences(value, came?.headers[name]).map((why) => `header ${name}: ${why}`),
    );
    const said = body === undefined ? [] : differences(body, came?.body);
    return [...told, ...said.map((why) => `body: ${why}`)].map((why) => `request ${n}: ${why}`);
  });
}

async function left({ leaves }: Take, places: Places): Promise<readonly string[]> {
  if (leaves === undefined) return [];
  const [look, expected] = leaves;
  return differences(expected, await look(places)).map((one) => `what it leaves: ${one}`);
}

const nothing = (): void => {};
/** That a workflow fails is what an example may be about. */
const QUIET: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
