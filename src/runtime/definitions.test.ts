import { describe, expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { memory } from '../stores/memory/memory.ts';
import type { Store } from '../stores/store.ts';
import { settled } from '../testing/stage.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { VirtualAlarm } from '../testing/virtual-alarm.ts';
import { World } from '../testing/world.ts';
import { guardedStore } from '../testing/wrapped-store.ts';
import { createEngine, Engine } from './engine.ts';

const twins = flow('twins')
  .step('a', () => 1)
  .step('a' as 'other', () => 2)
  .sleep('nap', 'a while')
  .end();

const nameless = flow('no name!', { version: 0 })
  .step('', () => 1)
  .waitFor('w', { event: '' })
  .end();

const drawn: Flow = {
  name: 'drawn',
  version: 1,
  definition: {
    draft: {
      ...{ name: 'drawn', version: 1, start: 'begin' },
      nodes: [
        { id: 'begin', kind: 'start', settings: {} },
        { id: 'work', kind: 'step', settings: {} },
        { id: 'odd', kind: 'dance', settings: {} },
      ],
      edges: [
        { id: 'e1', from: 'begin', to: 'work' },
        { id: 'e2', from: 'work', to: 'nowhere' },
      ],
    },
    ...{ code: new Map(), handlers: new Map(), serves: [], diagnostics: [] },
  },
};

const good = flow('good')
  .step('a', () => 1)
  .end();

/** A store that notes its calls; the clock may be read. */
function notedStore(): { store: Store; calls: string[] } {
  const calls: string[] = [];
  const store = guardedStore(memory(), (verb, call) => {
    calls.push(verb);
    return call();
  });
  return { store, calls };
}

interface Said {
  readonly flow: string;
  readonly code: string;
  readonly message: string;
  readonly node?: string;
}

async function refusal(flows: readonly Flow[]): Promise<{ error: EngineError; said: Said[] }> {
  const thrown: unknown = await createEngine({ store: memory(), flows }).then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  );
  if (!(thrown instanceof EngineError)) throw new Error(String(thrown));
  return { error: thrown, said: thrown.details['diagnostics'] as Said[] };
}

describe('bad input: an invalid definition', () => {
  test('gives all its diagnostics at once, each with flow, code, node and message', async () => {
    const { error, said } = await refusal([twins, good, nameless, drawn]);

    expect(error.code).toBe('definition.invalid');
    expect(said.map(({ flow: of, code, node }) => [of, code, node])).toEqual(
      expect.arrayContaining([
        ['twins', 'node.duplicate-name', 'a'],
        ['twins', 'sleep.bad-duration', 'nap'],
        ['no name!', 'flow.bad-name', undefined],
        ['no name!', 'flow.bad-version', undefined],
        ['no name!', 'node.bad-name', ''],
        ['no name!', 'wait.no-event', 'w'],
        ['drawn', 'node.unknown-kind', 'odd'],
        ['drawn', 'edge.dangling', 'work'],
        ['drawn', 'node.unreachable', 'odd'],
      ]),
    );
    expect(said.filter(({ flow: of }) => of === 'good')).toEqual([]);
    for (const { message } of said) expect(message).toMatch(/\w+ .*\w/);
  });

  test('says each problem once', async () => {
    const { said } = await refusal([twins, nameless, drawn]);
    const texts = said.map(({ flow: of, code, node, message }) => [of, code, node, message].join());
    expect(texts).toEqual([...new Set(texts)]);
  });

  test('names every problem in the message too, for whoever only sees that', async () => {
    const { error, said } = await refusal([twins, drawn]);
    expect(error.message).toContain(`${said.length} problems`);
    for (const { message, code } of said) expect(error.message).toContain(`${message} (${code})`);
  });

  test('starts nothing: the store is not even opened', async () => {
    const { store, calls } = notedStore();
    await expect(createEngine({ store, flows: [good, twins] })).rejects.toMatchObject({
      code: 'definition.invalid',
    });
    expect(calls).toEqual([]);
  });

  test('is refused before the constructor returns', () => {
    const { store, calls } = notedStore();
    const make = (): Engine => new Engine({ store, flows: [drawn] }, new VirtualAlarm(0));
    expect(make).toThrow(EngineError);
    expect(() => createTestEngine({ flows: [twins] })).toThrow(EngineError);
    expect(calls).toEqual([]);
  });
});

test('a plan that needs code its flow does not bring is refused by the node', async () => {
  const { draft } = good.definition;
  const bare = { ...good.definition, handlers: new Map(), draft: { ...draft, name: 'bare' } };
  const { said } = await refusal([{ name: 'bare', version: 1, definition: bare }]);
  expect(said).toEqual([
    { flow: 'bare', code: 'node.no-code', node: 'a', message: '"a" needs a handler and has none' },
  ]);
});

test('two flows of one name and version are refused, unless they are the same', async () => {
  const other = flow('good')
    .step('b', () => 2)
    .end();
  const { said } = await refusal([good, other]);
  expect(said).toMatchObject([{ flow: 'good', code: 'flow.duplicate' }]);
  const kit = createTestEngine({ flows: [good, good] });
  expect(await (await kit.start(good, null)).result()).toEqual({ a: 1 });
});

test('every flow is stored before the first instance can start', async () => {
  const world = new World();
  const engine = await world.open([good]);
  const run = await engine.start(good, null);
  const { plan } = await run.inspect();
  expect(await world.store.loadPlan(plan)).toMatchObject({ name: 'good', version: 1, hash: plan });
});

/** A version of one flow that says which one it is and, after its wait, who finished it. */
function versioned(version: number, serves: readonly number[] = []) {
  return flow('v', { version, serves })
    .step('began', () => version)
    .waitFor('w', { event: 'go', key: 'k' })
    .step('ended', () => version)
    .end();
}

test.each([
  ['older first', [versioned(1), versioned(2, [1])]],
  ['newer first', [versioned(2, [1]), versioned(1)]],
])('a version that is here itself is not served by a newer one, %s', async (_, flows) => {
  const kit = createTestEngine({ flows });
  const run = await kit.start(versioned(1), null);
  await kit.runUntilIdle();
  await kit.engine.publish({ type: 'go', key: 'k' });
  expect(await run.result()).toEqual({ began: 1, w: null, ended: 1 });
  expect((await run.inspect()).flowVersion).toBe(1);
});

/** An instance of version 1 that waits, and a process that is gone. */
async function leftBehind() {
  const world = new World();
  const old = await world.open([versioned(1)]);
  const { id } = await old.start(versioned(1), null);
  await settled();
  await old.close();
  return { world, id };
}

test('a flow that is not here is told with those that are', async () => {
  const world = new World();
  const named = (name: string): Flow =>
    flow(name)
      .step('s', () => 1)
      .end();
  const engine = await world.open([named('order'), named('refund')]);
  const told = (name: string): string =>
    `there is no flow "${name}" here; name it in the flows of createEngine`;
  await expect(engine.start('ordr', null)).rejects.toMatchObject({
    code: 'definition.not-found',
    message: `${told('ordr')} (did you mean "order"?)`,
    details: { flow: 'ordr', flows: ['order', 'refund'] },
  });
  await expect(engine.start('ff', null)).rejects.toThrow(`${told('ff')} (there are order, refund)`);
  await expect(engine.start(named('invoice'), null as never)).rejects.toThrow(
    `${told('invoice@1')} (there are order@1, refund@1)`,
  );
  const many = Array.from({ length: 14 }, (_, n) => named(`flow-${n}`));
  await expect((await world.open(many)).start('ff', null)).rejects.toThrow('flow-11, and 2 more)');
  await expect((await world.open([])).start('ff', null)).rejects.toThrow(
    `${told('ff')} (there are none)`,
  );
});

test('D19: a newer version finishes instances of those it serves, and starts none', async () => {
  const { world, id } = await leftBehind();
  const engine = await world.open([versioned(3, [1]), versioned(2, [1])]);
  await expect(engine.start(versioned(1), null)).rejects.toMatchObject({
    code: 'definition.not-found',
  });
  await engine.publish({ type: 'go', key: 'k' });
  const known = await engine.get(id);
  expect(await known?.result()).toEqual({ began: 1, w: null, ended: 3 });
});

test('D19: a newer version that does not serve an old one leaves it alone', async () => {
  const { world, id } = await leftBehind();
  const newer = await world.open([versioned(2)]);
  await newer.publish({ type: 'go', key: 'k' });
  await world.pass('1h');
  const known = await newer.get(id);
  expect(await known?.status()).toBe('running');
  expect(await known?.tokens()).toMatchObject([{ node: 'w', status: 'ready', handler: 'v@1/' }]);

  const again = await world.open([versioned(1)]);
  expect(await (await again.get(id))?.result()).toEqual({ began: 1, w: null, ended: 1 });
});
