/** The kinds an engine knows: registered, replaced, taken away, listed, and brought by flows. */
import { expect, test } from 'vitest';
import type { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import { defineKind } from '../frontends/kinds/define-kind.ts';
import { go, pause } from '../frontends/kinds/moves.ts';
import { gateKind } from '../testing/gates.ts';
import { createTestEngine } from '../testing/test-engine.ts';

const says = (word: string) =>
  defineKind({ kind: 'acme.say', version: word, enter: () => go(word) });

const named = flow('named')
  .node('say', 'acme.say')
  .end(({ results }) => results.say);

test('O-02: a kind is added at run time, and what begins goes by the newest', async () => {
  const kit = createTestEngine({ flows: [] });
  const { engine } = kit;
  await kit.runUntilIdle();
  const unknown = await engine.deploy(named).catch((error: EngineError) => error);
  expect(unknown).toMatchObject({ code: 'definition.invalid' });
  expect((unknown as EngineError).details['diagnostics']).toMatchObject([
    { code: 'node.unknown-kind', node: 'say', message: expect.stringContaining('"acme.say"') },
  ]);
  for (const word of ['one', 'two']) {
    engine.kinds.register(says(word));
    await engine.deploy(named);
    const run = await kit.start(named, null);
    await kit.runUntilIdle();
    expect(await run.result()).toBe(word);
  }
  engine.kinds.register(says('three'));
  const run = await kit.start('named', null as never);
  await kit.runUntilIdle();
  expect(await run.result()).toBe('three');
  await kit.close();
});

test('O-03: a misspelt kind is told with the one that was meant', () => {
  const misspelt = flow('misspelt').node('say', 'acme.sya').end();
  expect(() => createTestEngine({ flows: [misspelt], kinds: [says('one')] })).toThrow(
    '"say" is of kind "acme.sya", which nobody has registered; did you mean "acme.say"?',
  );
});

test('a kind is not taken away while a flow of the engine has it', async () => {
  const kit = createTestEngine({ flows: [named], kinds: [says('one')] });
  const { kinds } = kit.engine;
  expect(() => kinds.unregister('acme.say')).toThrow(
    expect.objectContaining({ code: 'operation.refused', details: { flows: ['named@1'] } }),
  );
  expect(kinds.unregister('acme.other')).toBe(false);
  kinds.register(gateKind('acme.gate'));
  expect(kinds.unregister('acme.gate')).toBe(true);
  expect(kinds.list().map(({ kind }) => kind)).toEqual(['acme.say']);
  await kit.close();
});

test('O-02: kinds are listed as what they say they are', async () => {
  const configSchema = { type: 'object' };
  const full = defineKind({
    ...{ kind: 'acme.full', version: '2.1', title: 'A gate', configSchema },
    ...{ pauses: true, wakes: 'any', ways: ['a', 'b'] },
    enter: () => pause(),
  } as const);
  const kit = createTestEngine({ flows: [], kinds: [full, says('one')] });
  expect(kit.engine.kinds.list()).toEqual([
    {
      ...{ kind: 'acme.full', version: '2.1', title: 'A gate', configSchema },
      ...{ pauses: true, wakes: 'any', ways: ['a', 'b'] },
    },
    {
      ...{ kind: 'acme.say', version: 'one', title: null, configSchema: null },
      ...{ pauses: false, wakes: 'owner', ways: [] },
    },
  ]);
  await kit.close();
});

test('a flow brings its kinds, and those of the flows it calls', async () => {
  const inner = flow('inner')
    .node('say', says('inside'))
    .end(({ results }) => results.say);
  const outer = flow('outer')
    .call('inner', inner)
    .end(({ results }) => results.inner);
  const kit = createTestEngine({ flows: [outer] });
  expect(kit.engine.kinds.list()).toMatchObject([{ kind: 'acme.say' }]);
  const run = await kit.start(outer, null);
  await kit.runUntilIdle();
  expect(await run.result()).toBe('inside');
  await kit.close();
});

test('two different kinds of one name are refused, and one that comes twice is not', async () => {
  const [one, two] = [says('one'), says('two')];
  const flows = (a: typeof one, b: typeof one) => [
    flow('a').node('say', a).end(),
    flow('b').node('say', b).end(),
  ];
  expect(() => createTestEngine({ flows: flows(one, two) })).toThrow('kind.duplicate');
  expect(() => createTestEngine({ flows: [], kinds: [one, two] })).toThrow(
    expect.objectContaining({ code: 'engine.option-invalid' }),
  );
  const kit = createTestEngine({ flows: flows(one, one), kinds: [one, one] });
  expect(kit.engine.kinds.list()).toHaveLength(1);
  await kit.close();
});

test('what cannot be deployed leaves no kind behind', async () => {
  const kit = createTestEngine({ flows: [] });
  await kit.runUntilIdle();
  const wrong = flow('wrong').node('say', says('one')).node('gone', 'acme.gone').end();
  await expect(kit.engine.deploy(wrong)).rejects.toMatchObject({ code: 'definition.invalid' });
  expect(kit.engine.kinds.list()).toEqual([]);
  await kit.close();
});

test('what is no kind is refused by name', async () => {
  const kit = createTestEngine({ flows: [] });
  const { kinds } = kit.engine;
  for (const odd of [null, 7, {}, { kind: 'gate' }]) {
    expect(() => kinds.register(odd as never)).toThrow(
      expect.objectContaining({ code: 'engine.option-invalid' }),
    );
  }
  expect(() => createTestEngine({ flows: [], kinds: 'acme.say' as never })).toThrow(
    'kinds is a list',
  );
  await kit.close();
  expect(() => kit.engine.kinds).toThrow(expect.objectContaining({ code: 'engine.closed' }));
});

test('a replaced kind no longer proves anything, and its successor does', async () => {
  const [old, young] = [gateKind('acme.gate'), gateKind('acme.gate')];
  const job = flow('job')
    .node('hold', old, { gate: 'a' })
    .end(({ results }) => results.hold);
  const kit = createTestEngine({ flows: [job] });
  const run = await kit.start(job, null);
  await kit.runUntilIdle();
  kit.engine.kinds.register(young);
  await expect(run.wake(null, 1, { as: old })).rejects.toMatchObject({ code: 'token.gated' });
  await run.wake(null, 1, { as: young });
  await kit.runUntilIdle();
  expect(await run.result()).toMatchObject({ data: 1 });
  await kit.close();
});
