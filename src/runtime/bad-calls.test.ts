/**
 * Calls of the engine that say what makes no sense, as a program without types may: whatever they
 * throw is an EngineError with a code and a sentence, and what is misspelt is not obeyed.
 */
import { expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import { chain } from '../frontends/chain/chain.ts';
import { completed, waiting } from '../frontends/chain/results.ts';
import { memory } from '../stores/memory/memory.ts';
import { postgres } from '../stores/postgres/postgres.ts';
import { sqlite } from '../stores/sqlite/sqlite.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { createEngine } from './engine.ts';
import { diffPlans } from './flow-versions.ts';

const nap = flow('nap').sleep('rest', '1d').end();
const line = chain('line', 1, ['A']);
const unended = flow('unended').step('a', () => 1);

/** What came of it: its code, and what it says. */
async function said(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'done';
  } catch (thrown) {
    if (thrown instanceof EngineError) return `${thrown.code}: ${thrown.message}`;
    return `no EngineError: ${String(thrown)}`;
  }
}

type Bad = readonly [name: string, call: () => unknown, said: string];

async function expectSaid(calls: readonly Bad[]): Promise<void> {
  const found: Record<string, string> = {};
  const expected: Record<string, unknown> = {};
  for (const [name, call, part] of calls) {
    found[name] = await said(call);
    expected[name] = expect.stringContaining(part);
  }
  expect(found).toEqual(expected);
}

const OPTION = 'engine.option-invalid: ';
const DEFINITION = 'definition.invalid: ';

/** As from a program without types. */
function make(options?: unknown): Promise<unknown> {
  return createEngine(options as never);
}

test('an engine of nothing, or of what is no flow, threw a TypeError', async () => {
  const store = memory();
  await expectSaid([
    ['no options', () => make(), `${OPTION}createEngine is an object such as { store: … }`],
    ['no store', () => make({}), `${OPTION}store is what memory(), sqlite(`],
    ['a store that is none', () => make({ store: 'db.sqlite' }), `${OPTION}store is what`],
    ['a flow that is no list', () => make({ store, flows: nap }), `${OPTION}flows is a list`],
    ['a list of nothing', () => make({ store, flows: [null] }), `${DEFINITION}a flow is what`],
    ['an unended one', () => make({ store, flows: [unended] }), 'call .end()'],
    ['a misspelt option', () => make({ store, flws: [nap] }), 'did you mean "flows"?'],
    ['a misspelt limit', () => make({ store, limits: { VALUE_CHAR_MAX: 1 } }), 'did you mean'],
    ['no limits', () => make({ store, limits: null }), `${OPTION}limits is an object`],
    ['no handlers', () => make({ store, handlers: null }), `${OPTION}handlers is an object`],
    ['a worker that is true', () => make({ store, worker: true }), `${OPTION}worker is`],
    ['no worker', () => make({ store, worker: null }), `${OPTION}worker is`],
    ['a slip', () => make({ store, worker: { concurency: 1 } }), 'did you mean "concurrency"?'],
    ['a logger that is none', () => make({ store, logger: 5 }), `${OPTION}logger has debug, info`],
  ]);
});

test('a store took what was misspelt for what was left out', async () => {
  await expectSaid([
    ['sqlite', () => sqlite('x.db', { durabilty: 'full' } as never), 'did you mean "durability"?'],
    ['of sqlite', () => sqlite('x.db', { durability: 'ful' } as never), `${OPTION}durability is`],
    ['no path', () => sqlite(undefined as never), `${OPTION}path is a text`],
    [
      'a URL for a path',
      () => sqlite('sqlite:zz.db'),
      `${OPTION}sqlite() takes a path, and no URL`,
    ],
    ['another’s URL', () => sqlite('postgres://a/b'), `${OPTION}sqlite() takes a path, and no URL`],
    ['no options', () => sqlite('x.db', null as never), `${OPTION}sqlite is an object`],
    ['postgres', () => postgres('postgres://x/y', { shema: 'a' } as never), '"schema"?'],
    ['of postgres', () => postgres('postgres://x/y', { durability: 1 } as never), 'durability is'],
    ['memory', () => memory({ clok: Date.now } as never), 'did you mean "clock"?'],
  ]);
});

test('a call with nothing, or with what is misspelt, threw a TypeError or was obeyed', async () => {
  const handlers = { A: () => completed() };
  const kit = createTestEngine({ flows: [nap, line], handlers });
  const run = await kit.start(nap, null);
  const { engine } = kit;
  await kit.runUntilIdle();
  const before = await run.inspect();
  const none = null as never;
  const odd = (value: unknown): never => value as never;
  await expectSaid([
    ['deploy nothing', () => engine.deploy(none), `${DEFINITION}a flow is what`],
    ['deploy an object', () => engine.deploy(odd({})), `${DEFINITION}a flow is what`],
    ['deploy what is not ended', () => engine.deploy(odd(unended)), 'call .end()'],
    ['start nothing', () => engine.start(none, 1), `${DEFINITION}a flow is what`],
    ['start no name', () => engine.start(odd(7), 1), `${DEFINITION}a flow is what`],
    ['get nothing', () => engine.get(odd(undefined)), `${OPTION}id is a text`],
    ['get a number', () => engine.get(odd(5)), `${OPTION}id is a text`],
    ['publish nothing', () => engine.publish(none), `${OPTION}a message is an object`],
    ['publish a slip', () => engine.publish(odd({ type: 'a', key: 'k', tll: 1 })), '"ttl"?'],
    ['publish so', () => engine.publish({ type: 'a', key: 'k' }, odd({ txx: 1 })), '"tx"?'],
    ['publish by nothing', () => engine.publish({ type: 'a', key: 'k' }, none), OPTION],
    ['close by nothing', () => engine.close(none), `${OPTION}close is an object`],
    ['close by a slip', () => engine.close(odd({ timeot: 1 })), 'did you mean "timeout"?'],
    ['close in no time', () => engine.close({ timeout: 'soon' }), 'duration.invalid: '],
    ['check nothing', () => engine.check(none), `${OPTION}check is an object`],
    ['check one', () => engine.check(odd({ id: run.id })), 'did you mean "ids"?'],
    ['check a text', () => engine.check(odd({ ids: 'abc' })), `${OPTION}ids is a list`],
    ['check nobody', () => engine.check({ ids: ['nope'] }), 'instance.not-found: '],
    ['lanes of nothing', () => engine.lanes.list(none), `${OPTION}what is listed is an object`],
    ['lanes', () => engine.lanes.list(odd({ lmit: 5 })), 'did you mean "limit"?'],
    ['letters of nothing', () => engine.outbox.list(none), `${OPTION}what is listed is an object`],
    ['letters', () => engine.outbox.list(odd({ staus: 'dead' })), 'did you mean "status"?'],
    ['messages of nothing', () => engine.inbox.list(none), `${OPTION}what is listed is an object`],
    ['messages', () => engine.inbox.list(odd({ kye: 'k' })), 'did you mean "key"?'],
    ['messages by number', () => engine.inbox.list(odd({ key: 5 })), `${OPTION}key is a text`],
    ['prune', () => engine.prune(odd({ olderThan: 0, onProgress: 5 })), `${OPTION}onProgress is`],
    ['versions', () => engine.flows.diff('nap', odd('1'), 1), `${OPTION}a version is a whole`],
    ['no flow', () => engine.flows.list(none), `${OPTION}a flow is a text`],
    ['result', () => run.result(none), `${OPTION}result is an object`],
    ['result, misspelt', () => run.result(odd({ timeot: 1 })), 'did you mean "timeout"?'],
    ['history', () => run.history(none), `${OPTION}history is an object`],
    ['history, misspelt', () => run.history(odd({ note: true })), 'did you mean "notes"?'],
    ['set nothing', () => run.set('x', undefined), `${OPTION}value is JSON, and null`],
    ['move to nothing', () => run.migrate(none), 'engine.option-invalid: '],
    ['bulk', () => bulk(odd({ signal: 'x' })), `${OPTION}signal is an AbortSignal`],
  ]);
  for (const n of [1.5, Number.NaN, Number.POSITIVE_INFINITY, undefined, '1', 0]) {
    await expectSaid([[`at ${n}`, () => run.at(n as number), 'instance.not-found: ']]);
  }
  function bulk(options: object): Promise<unknown> {
    return engine.bulk({ flow: 'nap' }, { do: 'suspend' }, options);
  }
  expect(await run.inspect()).toEqual(before);
  expect(await engine.get('')).toBe(undefined);
});

test('a filter had moments and versions in it that there are none of', async () => {
  const kit = createTestEngine({ flows: [nap] });
  await kit.start(nap, null);
  await kit.start(nap, null);
  const { engine } = kit;
  const days = ['2026-02-31', '2026-02-29', '2026-04-31T00:00:00Z', '2026-00-10'];
  for (const day of days) {
    const asked: Bad = [day, () => engine.list({ createdAfter: day }), `${OPTION}createdAfter is`];
    await expectSaid([asked]);
  }
  expect((await engine.list({ createdBefore: '2028-02-29' })).instances).toHaveLength(2);
  const first = await engine.list({ limit: 1 });
  const id = first.instances[0]?.id ?? '';
  await expectSaid([
    ['version -1', () => engine.list({ version: -1 }), `${OPTION}version is a whole number from 1`],
    ['version 0', () => engine.list({ version: 0 }), `${OPTION}version is a whole number from 1`],
    ['an id for a cursor', () => engine.list({ cursor: id }), `${OPTION}cursor is what the page`],
    ['no cursor', () => engine.list({ cursor: 'next' }), `${OPTION}cursor is what the page`],
  ]);
  const rest = await engine.list({ limit: 1, cursor: first.cursor ?? '' });
  expect(rest).toMatchObject({ instances: [{}], cursor: null });
});

test('the context of a chain was set in a scope that there is none of', async () => {
  let isTold = false;
  const handlers = { A: () => (isTold ? completed() : waiting('go', '1d')) };
  const kit = createTestEngine({ flows: [line], handlers });
  const run = await kit.start(line, { n: 1 });
  await kit.runUntilIdle();
  const set = (scope: number) => (): Promise<void> => run.set('context', { n: 2 }, { scope });
  await expectSaid([['scope 99', set(99), 'operation.refused: scope 99 is not open']]);
  await set(1)();
  isTold = true;
  await run.send('go');
  await kit.runUntilIdle();
  expect(await run.result()).toEqual({ n: 2 });
});

test('plans that are none were laid beside each other, and threw a TypeError', async () => {
  const edge = { id: 'e', from: 'a', to: 'b' };
  const node = { id: 'a', kind: 'step', config: {}, code: [], parent: null, in: [], out: [] };
  const bodies: readonly unknown[] = [
    ...[null, 5, [], { nodes: 3 }, { nodes: [5], edges: [] }, { nodes: [null], edges: [] }],
    ...[
      { nodes: [{}], edges: [] },
      { nodes: [], edges: [{}] },
      { nodes: [node], edges: [null] },
    ],
    ...[
      { nodes: [{ ...node, out: 5 }], edges: [edge] },
      { nodes: [{ id: 'a' }], edges: [] },
    ],
    ...[
      { nodes: [{ ...node, out: ['nowhere'] }], edges: [] },
      { nodes: [node], edges: [edge] },
    ],
  ];
  for (const [index, body] of bodies.entries()) {
    const call = (): unknown => diffPlans(body as never, body as never);
    await expectSaid([[`plan ${index}`, call, `${DEFINITION}a plan is an object with`]]);
  }
});
