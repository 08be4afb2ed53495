import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { createTestEngine } from '../testing/test-engine.ts';

type Check<In, Out> = StandardSchemaV1<In, Out>['~standard']['validate'];

/** The whole of a schema, as any library would bring it. */
function schema<In, Out = In>(validate: Check<In, Out>): StandardSchemaV1<In, Out> {
  return { '~standard': { version: 1, vendor: 'test', validate } };
}

interface Order {
  readonly sku: string;
  readonly count: number;
}

const order = schema<Order>((value) => {
  const { sku, count } = value as Partial<Order>;
  const issues: StandardSchemaV1.Issue[] = [];
  if (typeof sku !== 'string') issues.push({ message: 'is a text', path: ['sku'] });
  if (typeof count !== 'number') {
    issues.push({ message: 'is a number', path: [{ key: 'lines' }, 0, { key: 'count' }] });
  }
  if (sku === count) issues.push({ message: 'is not an order' });
  return issues.length > 0 ? { issues } : { value: value as Order };
});

/** Gives back what its handler saw. */
function mirror<In, Out>(input: StandardSchemaV1<In, Out>) {
  return flow('mirror', { input })
    .step('see', (context) => context.input)
    .end(({ results }) => results.see);
}

test('an input that fits its schema is what the flow sees', async () => {
  const seen = mirror(order);
  const kit = createTestEngine({ flows: [seen] });
  const run = await kit.start(seen, { sku: 'A1', count: 2 });
  expect(await run.result()).toEqual({ sku: 'A1', count: 2 });
});

test('an input that does not fit is refused with every issue, and nothing starts', async () => {
  const seen = mirror(order);
  const kit = createTestEngine({ flows: [seen] });
  const start = kit.start(seen, {} as Order);

  await expect(start).rejects.toMatchObject({
    code: 'input.invalid',
    details: {
      issues: [
        { message: 'is a text', path: 'sku' },
        { message: 'is a number', path: 'lines.0.count' },
        { message: 'is not an order', path: '' },
      ],
    },
  });
  await expect(kit.start(seen, {} as Order)).rejects.toThrow(
    /sku: is a text\n {2}lines\.0\.count: is a number\n {2}input: is not an order$/,
  );
  expect((await kit.engine.check()).instances).toBe(0);
});

test('a schema may transform: what it makes of the input is what is stored', async () => {
  const parsed = mirror(
    schema<string, { n: number }>((value) => ({ value: { n: Number(value) } })),
  );
  const kit = createTestEngine({ flows: [parsed] });
  const run = await kit.start(parsed, '42');
  expect(await run.result()).toEqual({ n: 42 });
  expect((await run.inspect()).input).toEqual({ n: 42 });
});

test('a schema may take its time', async () => {
  const slow = mirror(
    schema<string>(async (value) => {
      await Promise.resolve();
      return value === 'good' ? { value } : { issues: [{ message: 'is not good' }] };
    }),
  );
  const kit = createTestEngine({ flows: [slow] });
  expect(await (await kit.start(slow, 'good')).result()).toBe('good');
  await expect(kit.start(slow, 'bad')).rejects.toMatchObject({ code: 'input.invalid' });
});

test('a schema that throws is told to whoever starts, as it is', async () => {
  const broken = mirror(
    schema<string>(() => {
      throw new TypeError('the schema itself is broken');
    }),
  );
  const kit = createTestEngine({ flows: [broken] });
  await expect(kit.start(broken, 'x')).rejects.toThrow('the schema itself is broken');
});

describe('an input that is not JSON is refused with the place', () => {
  const any = flow<unknown>('any').end(({ input }) => input);
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;

  test.each([
    ['a bigint', { a: [1n] }, '"/a/0" is a bigint'],
    ['a Date', { when: new Date(0) }, '"/when" is a Date; use date.toISOString()'],
    ['a Map', new Map(), 'the value is a Map'],
    ['NaN', { n: Number.NaN }, '"/n" is the number NaN'],
    ['a function', { f: () => 1 }, '"/f" is a function'],
    ['a symbol', Symbol('s'), 'the value is a symbol'],
    ['a cycle', cyclic, 'nested deeper than 200, or in a cycle'],
    ['undefined in a list', [undefined], '"/0" is undefined'],
  ])('%s', async (_, input, problem) => {
    const kit = createTestEngine({ flows: [any] });
    const start = kit.start(any, input);
    await expect(start).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(start).rejects.toThrow(problem);
  });

  test('what a schema made of it is looked at too', async () => {
    const dated = mirror(schema<string, Date>((value) => ({ value: new Date(String(value)) })));
    const kit = createTestEngine({ flows: [dated] });
    await expect(kit.start(dated, '2026-01-01')).rejects.toMatchObject({ code: 'input.invalid' });
  });

  test('nothing at all is null', async () => {
    const kit = createTestEngine({ flows: [any] });
    expect(await (await kit.start(any, undefined)).result()).toBeNull();
  });
});

test('an input has at most VALUE_CHARS_MAX characters', async () => {
  const any = flow<string>('any').end(({ input }) => input.length);
  const kit = createTestEngine({ flows: [any], limits: { VALUE_CHARS_MAX: 100 } });
  expect(await (await kit.start(any, 'x'.repeat(98))).result()).toBe(98);
  const start = kit.start(any, 'x'.repeat(99));
  await expect(start).rejects.toMatchObject({ code: 'input.invalid' });
  await expect(start).rejects.toThrow('VALUE_CHARS_MAX 100 characters of JSON; came 101');
});

test('an input is copied: what the caller does to it later is not seen', async () => {
  const kit = createTestEngine({ flows: [mirror(order)] });
  const input = { sku: 'A1', count: 1 };
  const run = await kit.start('mirror', input);
  input.count = 99;
  expect(await run.result()).toEqual({ sku: 'A1', count: 1 });
});
