/** The way of data through a workflow: DF rows. */
import { describe, expect, test } from 'vitest';
import { error, output } from '../../testing/workflows.ts';

const VALIDATION = 'https://serverlessworkflow.io/spec/1.0.0/errors/validation';
const NEEDS_NAME = '{ document: { type: object, required: [name] } }';

describe('the input of a workflow', () => {
  test('that does not fit its schema fails it before any task runs [DF-01]', async () => {
    const body = `
      input: { schema: ${NEEDS_NAME} }
      do:
        - first: { set: { ran: true } }
    `;
    expect(await error(body, {})).toMatchObject({ type: VALIDATION, status: 400 });
    expect(await output(body, { name: 'x' })).toEqual({ ran: true });
  });

  test('is checked as it came, before input.from [DF-04]', async () => {
    const body = `
      input: { schema: ${NEEDS_NAME}, from: .name }
      do:
        - first: { set: { got: '\${ . }' } }
    `;
    expect(await output(body, { name: 'x' })).toEqual({ got: 'x' });
  });

  test('is what input.from makes of it, as the raw input of the first task [DF-05]', async () => {
    const body = `
      input: { from: '.user' }
      do:
        - first: { set: { raw: '\${ $task.input }', whole: '\${ $workflow.input }' } }
    `;
    expect(await output(body, { user: { id: 7 } })).toEqual({
      raw: { id: 7 },
      whole: { user: { id: 7 } },
    });
  });

  test('may be made of an object in which every expression is evaluated [DF-06]', async () => {
    const body = `
      input: { from: { a: '\${ .x }', deep: { list: ['\${ .y }', plain] } } }
      do: []
    `;
    expect(await output(body, { x: 1, y: 2 })).toEqual({ a: 1, deep: { list: [2, 'plain'] } });
  });

  test('is itself where nothing is made of it [DF-07, DF-08]', async () => {
    const body = `
      do:
        - first: { set: { same: '\${ . == $workflow.input }' } }
    `;
    expect(await output(body, { a: 1 })).toEqual({ same: true });
  });

  test('may be missing [DF-09]', async () => {
    const body = `
      do:
        - first: { set: { foo: '\${ .foo }' } }
    `;
    expect(await output(body, null)).toEqual({ foo: null });
  });
});

describe('the format of a schema', () => {
  test('is json, and may have a version [DF-03]', async () => {
    const body = `
      input: { schema: { format: 'json:2020-12', document: { type: object } } }
      do: []
    `;
    expect(await output(body, {})).toEqual({});
    const other = body.replace('json:2020-12', 'avro');
    await expect(output(other)).rejects.toMatchObject({ code: 'definition.invalid' });
  });
});

describe('the input of a task', () => {
  test('is checked raw, before input.from [DF-10]', async () => {
    const body = `
      do:
        - first:
            input: { schema: ${NEEDS_NAME}, from: .name }
            set: { got: '\${ . }' }
    `;
    expect(await output(body, { name: 'x' })).toEqual({ got: 'x' });
    expect(await error(body, {})).toMatchObject({
      type: VALIDATION,
      status: 400,
      instance: '/do/0/first',
    });
  });

  test('is what input.from makes of it, for all that the task says [DF-11, DF-13]', async () => {
    const body = `
      do:
        - first:
            input: { from: .user }
            set: { dot: '\${ . }', input: '\${ $input }', raw: '\${ $task.input }' }
    `;
    const user = { id: 7 };
    expect(await output(body, { user })).toEqual({ dot: user, input: user, raw: { user } });
  });

  test('may be a text [DF-12]', async () => {
    const body = `
      do:
        - first:
            input: { from: .user.claims.subject }
            set: { playerId: '\${ . }' }
    `;
    expect(await output(body, { user: { claims: { subject: 'abc' } } })).toEqual({
      playerId: 'abc',
    });
  });

  test('is kept by a task that waits, and its raw input too [DF-11, DF-13]', async () => {
    const body = `
      do:
        - pause:
            input: { from: .user }
            wait: PT1S
            output: { as: '{ input: $input, raw: $task.input, dot: . }' }
    `;
    const user = { id: 7 };
    expect(await output(body, { user })).toEqual({ input: user, raw: { user }, dot: user });
  });
});

describe('the output of a task', () => {
  test('is what output.as makes of it, and the input of the next [DF-14]', async () => {
    const body = `
      do:
        - first: { set: { a: { b: 3 } }, output: { as: .a } }
        - second: { set: { got: '\${ .b }' } }
    `;
    expect(await output(body)).toEqual({ got: 3 });
  });

  test('may be made of an object [DF-15]', async () => {
    const body = `
      do:
        - first: { set: { a: 1 }, output: { as: { x: '\${ .a + 1 }', y: plain } } }
    `;
    expect(await output(body)).toEqual({ x: 2, y: 'plain' });
  });

  test('may be a number, and output.as sees the input of its own task [DF-16]', async () => {
    const body = `
      do:
        - first: { set: { id: 1 }, output: { as: .id } }
        - second: { set: { id: 2 }, output: { as: '{ ids: [$input, .id] }' } }
    `;
    expect(await output(body)).toEqual({ ids: [1, 2] });
  });

  test('is checked after output.as [DF-17]', async () => {
    const body = `
      do:
        - first:
            set: { a: { name: x } }
            output: { as: .a, schema: ${NEEDS_NAME} }
    `;
    expect(await output(body)).toEqual({ name: 'x' });
    const bad = body.replace('as: .a', 'as: .');
    expect(await error(bad)).toMatchObject({ type: VALIDATION, instance: '/do/0/first' });
  });

  test('is known raw as $task.output [DF-18]', async () => {
    const body = `
      do:
        - first: { set: { a: 1 }, output: { as: '{ raw: $task.output, shown: $output }' } }
    `;
    expect(await output(body)).toEqual({ raw: { a: 1 }, shown: { a: 1 } });
  });

  test('of a list of tasks is what its last task came to [DF-29]', async () => {
    const body = `
      do:
        - outer:
            do:
              - a: { set: { v: 1 } }
              - b: { set: { v: '\${ .v + 1 }' }, output: { as: .v } }
    `;
    expect(await output(body)).toBe(2);
  });

  test('of a composite task is made once, after its tasks [DF-30]', async () => {
    const body = `
      do:
        - outer:
            do:
              - a: { set: { v: 1 } }
              - b: { set: { v: '\${ .v + 1 }' } }
            output: { as: '.v * 10' }
            export: { as: '{ seen: . }' }
        - last: { set: { v: '\${ . }', context: '\${ $context }' } }
    `;
    expect(await output(body)).toEqual({ v: 20, context: { seen: 20 } });
  });
});

describe('the context', () => {
  test('begins with the input, if that is an object [DF-27]', async () => {
    const body = `
      do:
        - first: { set: { context: '\${ $context }' } }
    `;
    expect(await output(body, { a: 1 })).toEqual({ context: { a: 1 } });
    expect(await output(body, 'text')).toEqual({ context: {} });
  });

  test('is replaced by what export.as makes of the output [DF-19, DF-23]', async () => {
    const body = `
      do:
        - first:
            set: { a: 1, b: 2 }
            output: { as: .a }
            export: { as: '{ dot: ., output: $output, raw: $task.output }' }
        - second: { set: { context: '\${ $context }' } }
    `;
    expect(await output(body, { old: true })).toEqual({
      context: { dot: 1, output: 1, raw: { a: 1, b: 2 } },
    });
  });

  test('may be made of an object [DF-20]', async () => {
    const body = `
      do:
        - first: { set: { a: 1 }, export: { as: { kept: '\${ .a }', was: '\${ $context }' } } }
        - second: { set: { context: '\${ $context }' } }
    `;
    expect(await output(body, { old: 1 })).toEqual({ context: { kept: 1, was: { old: 1 } } });
  });

  test('stays what it is where nothing is exported [DF-21]', async () => {
    const body = `
      do:
        - first: { set: { a: 1 } }
        - second: { set: { context: '\${ $context }' } }
    `;
    expect(await output(body, { old: 1 })).toEqual({ context: { old: 1 } });
  });

  test('must fit the schema of what exports it [DF-22]', async () => {
    const body = `
      do:
        - first: { set: { a: 1 }, export: { as: '{ a: 1 }', schema: ${NEEDS_NAME} } }
    `;
    expect(await error(body)).toMatchObject({ type: VALIDATION, instance: '/do/0/first' });
  });

  test('is exported from lists, loops, tries and handlers alike [DF-24]', async () => {
    const push = (name: string): string => `export: { as: '$context + { ${name}: true }' }`;
    const body = `
      do:
        - list: { do: [{ a: { set: { x: 1 }, ${push('list')} } }] }
        - loop: { for: { in: '[1]' }, do: [{ a: { set: { x: 1 }, ${push('loop')} } }] }
        - attempt:
            try:
              - a: { set: { x: 1 }, ${push('attempt')} }
              - b: { raise: { error: { type: 'about:blank', status: 500 } } }
            catch: { do: [{ c: { set: { x: 1 }, ${push('handler')} } }] }
        - last: { set: { context: '\${ $context }' } }
    `;
    const context = { list: true, loop: true, attempt: true, handler: true };
    expect(await output(body)).toEqual({ context });
  });
});

describe('the output of a workflow', () => {
  test('is made of what its last task came to [DF-25]', async () => {
    const body = `
      output: { as: '{ got: .v }' }
      do:
        - first: { set: { v: 1 }, output: { as: '{ v: (.v + 1) }' } }
    `;
    expect(await output(body)).toEqual({ got: 2 });
  });

  test('must fit its schema [DF-26]', async () => {
    const body = `
      output: { schema: ${NEEDS_NAME} }
      do:
        - first: { set: { v: 1 } }
    `;
    expect(await error(body)).toMatchObject({ type: VALIDATION, status: 400 });
  });
});

describe('the stages', () => {
  const STAGES = `
      do:
        - only:
            if: .run
            input: { schema: { document: { required: [run] } }, from: '. + { input: true }' }
            set: { input: '\${ .input }', set: true }
            output: { as: '. + { output: true }', schema: { document: { required: [output] } } }
            export: { as: '. + { export: true }', schema: { document: { required: [export] } } }
        - last: { set: { data: '\${ . }', context: '\${ $context }' } }
  `;

  test('follow each other as they are specified [DF-28]', async () => {
    expect(await output(STAGES, { run: true })).toEqual({
      data: { input: true, set: true, output: true },
      context: { input: true, set: true, output: true, export: true },
    });
  });

  test('are left out together where `if` does not hold [DF-28]', async () => {
    const input = { run: false };
    expect(await output(STAGES, input)).toEqual({ data: input, context: input });
  });

  test('that fail can be caught as validation [DF-31]', async () => {
    const body = `
      do:
        - attempt:
            try:
              - a: { input: { schema: ${NEEDS_NAME} }, set: { x: 1 } }
            catch:
              errors: { with: { type: ${VALIDATION}, status: 400 } }
              do:
                - b: { set: { caught: '\${ $error.instance }' } }
    `;
    expect(await output(body)).toEqual({ caught: '/do/0/attempt/try/0/a' });
  });
});
