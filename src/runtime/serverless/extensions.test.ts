/** Extensions: XT rows. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { error, oneLine, output, workflow } from '../../testing/workflows.ts';

/** A task that writes something down in the context. */
function notes(name: string, value: string, more = ''): string {
  return oneLine`
    { ${name}: { set: { ignored: true },
    export: { as: '{ log: ($context.log + [${value}]) }' }${more === '' ? '' : `, ${more}`} } }`;
}

/** An extension that notes when it is there. */
function log(extend: string, more = ''): string {
  return oneLine`
    { log: { extend: ${extend}${more === '' ? '' : `, ${more}`},
    before: [${notes('b', '"before \\($task.name)"')}],
    after: [${notes('a', '"after \\($task.name)"')}] } }`;
}

interface Seen {
  readonly log: readonly Json[];
  readonly data: Json;
}

/** What was noted while these tasks ran, and what they came to. */
async function noted(extensions: string, tasks: string, input: Json = {}): Promise<Seen> {
  const body = `
      use: { extensions: [${extensions}] }
      input: { from: '. + { log: [] }' }
      output: { as: '{ log: $context.log, data: . }' }
      do: [${tasks}]
  `;
  return (await output(body, input)) as unknown as Seen;
}

const TASKS: readonly (readonly [string, string])[] = [
  ['call', '{ call: nothing }'],
  ['emit', '{ emit: { event: { with: { type: x } } } }'],
  ['for', "{ for: { in: '[1]' }, do: [] }"],
  ['listen', '{ listen: { to: { all: [] } } }'],
  ['raise', "{ raise: { error: { type: 'about:blank', status: 500 } } }"],
  ['run', '{ run: { workflow: { namespace: test, name: other, version: latest } } }'],
  ['set', "{ set: '${ . }' }"],
  ['switch', '{ switch: [{ a: { then: continue } }] }'],
  ['try', '{ try: [], catch: {} }'],
  ['wait', '{ wait: PT1S }'],
];

/** What `run` runs. */
const OTHER = workflow('do: []', { name: 'other' });

describe('an extension', () => {
  test.each(TASKS)(
    'of %s applies to that kind of task and no other [XT-01]',
    async (extend, task) => {
      const use = (kind: string): string => `
      use:
        functions: { nothing: { set: '\${ . }' } }
        extensions: [${log(kind)}]
      input: { from: '. + { log: [] }' }
      output: { as: $context.log }
      do: [{ tried: { if: 'true', try: [{ it: ${task} }], catch: {} } }]
    `;
      const others = { others: [OTHER] };
      // What fails is not gone on from.
      const inner = extend === 'raise' ? ['before it'] : ['before it', 'after it'];
      const around = extend === 'try' ? ['before tried', ...inner, 'after tried'] : inner;
      expect(await output(use(extend), {}, others)).toEqual(around);
      const unlike = extend === 'wait' ? 'listen' : 'wait';
      expect(await output(use(unlike), {}, others)).toEqual([]);
      // What a function does is a task, too.
      const called = ['before it', 'before nothing', 'after nothing', 'after it'];
      const all = await output(use('all'), {}, others);
      expect(all).toEqual(['before tried', ...(extend === 'call' ? called : inner), 'after tried']);
    },
  );

  test('of composite tasks is for lists and branches [XT-01]', async () => {
    const tasks = oneLine`
      { one: { do: [] } }, { two: { fork: { branches: [] } } }, { three: { for: { in: '[1]' },
      do: [] } }, { four: { set: { x: 1 } } }, { five: { try: [], catch: {} } }`;
    const { log: seen } = await noted(log('composite'), tasks);
    expect(seen).toEqual(['before one', 'after one', 'before two', 'after two']);
  });

  test('is there before the task and after it [XT-02]', async () => {
    const task = notes('it', '"it"');
    const { log: seen } = await noted(log('set'), task);
    expect(seen).toEqual(['before it', 'it', 'after it']);
    const timed = notes('it', '"it"', 'timeout: { after: PT1H }');
    expect((await noted(log('set'), timed)).log).toEqual(seen);
  });

  test('may be there before it, or after it, alone [XT-02]', async () => {
    const before = `{ log: { extend: wait, before: [${notes('b', '"before"')}] } }`;
    expect((await noted(before, '{ it: { wait: PT1S } }')).log).toEqual(['before']);
    const after = `{ log: { extend: wait, after: [${notes('a', '"after"')}] } }`;
    expect((await noted(after, '{ it: { wait: PT1S } }')).log).toEqual(['after']);
    expect((await noted('{ log: { extend: wait } }', '{ it: { wait: PT1S } }')).log).toEqual([]);
  });

  test('applies only when its condition holds [XT-03]', async () => {
    const when = 'when: \'$task.name == "two" and .n == 2\'';
    const tasks =
      '{ one: { set: { n: 2 } } }, { two: { set: { n: 3 } } }, { three: { set: { n: 2 } } }';
    const before = oneLine`
      { log: { extend: set, ${when}, before: [${notes('b', '$task.name')}],
      after: [${notes('a', '"never"')}] } }`;
    // Afterwards its data is no longer what the condition asks for.
    expect((await noted(before, tasks)).log).toEqual(['two']);
    const failed = error(`
      use: { extensions: [{ log: { extend: wait, when: error, before: [] } },
          { other: { extend: wait, when: error, before: [${notes('b', '1')}] } }] }
      do: [{ it: { wait: PT1S } }]
    `);
    expect(await failed).toMatchObject({ status: 400 });
  });

  test('does not apply to a task that is skipped [XT-03]', async () => {
    expect((await noted(log('set'), "{ it: { if: 'false', set: { x: 1 } } }")).log).toEqual([]);
  });
});

describe('what an extension does', () => {
  test('is the output if it leaves by exit, and the task is not run [XT-04]', async () => {
    const mock = oneLine`
      { mock: { extend: call, when: '$task.with.method == "get"',
      before: [{ a: { set: { mocked: '\${ . }' }, then: exit } }, ${notes('never', '1')}],
      after: [${notes('no', '2')}] } }`;
    const task = oneLine`
      { it: { call: http, with: { method: get, endpoint: 'http://127.0.0.1:1/' },
      output: { as: '. + { made: true }' } } }`;
    const seen = await noted(`${mock}, ${log('call')}`, task, { x: 1 });
    expect(seen.log).toEqual([]);
    expect(seen.data).toEqual({ mocked: { x: 1, log: [] } });
  });

  test('changes nothing of the data otherwise [XT-05]', async () => {
    const task = "{ it: { set: { got: '${ .x }' } } }";
    const { data, log: seen } = await noted(log('set'), task, { x: 1 });
    expect(data).toEqual({ got: 1 });
    expect(seen).toEqual(['before it', 'after it']);
  });

  test('sees the input before and all that was made of the output after [XT-05]', async () => {
    const see = oneLine`
      { s: { set: { lost: 1 }, export: { as:
      '{ log: ($context.log + [$input, $context.kept]) }' } } }`;
    const both = `{ see: { extend: set, before: [${see}], after: [${see}] } }`;
    const task = oneLine`
      { it: { input: { from: '{ x }' }, set: { y: '\${ .x }' }, output: { as: '. + { z: 2 }' },
      export: { as: '$context + { kept: true }' } } }`;
    const { log: seen } = await noted(both, task, { x: 1 });
    expect(seen).toEqual([{ x: 1 }, null, { y: 1, z: 2 }, true]);
  });

  test('knows the task that it extends as $task [XT-06]', async () => {
    const told = oneLine`
      { name: $task.name, reference: $task.reference, call: $task.call, with: $task.with,
      input: $task.input, output: $task.output, defined: $task.definition.with }`;
    const list = (name: string): string =>
      `[{ first: { set: { lost: 1 } } }, { list: { do: [${notes(name, told)}] } }]`;
    const both = `{ see: { extend: call, before: ${list('b')}, after: ${list('a')} } }`;
    const body = (more: string): string => `
      use:
        functions: { double: { set: { doubled: '\${ .n * 2 }' } } }
        extensions: [${both}]
      input: { from: '. + { log: [] }' }
      output: { as: '{ log: $context.log, data: . }' }
      do: [{ it: { call: double, with: { n: '\${ .x }' }${more} } }]
    `;
    const args = { n: '${ .x }' };
    const task = { name: 'it', reference: '/do/0/it', call: 'double', with: args, defined: args };
    for (const more of ['', ', timeout: { after: PT1H }']) {
      const input = { x: 1, log: [] };
      expect(await output(body(more), { x: 1 })).toEqual({
        data: { doubled: 2 },
        log: [
          { ...task, input, output: null },
          { ...task, input, output: { doubled: 2 } },
        ],
      });
      const made = body(`${more}, input: { from: '{ x: 5 }' }`);
      expect(await output(made, { x: 1 })).toEqual({
        data: { doubled: 10 },
        log: [
          { ...task, input, output: null },
          { ...task, input, output: { doubled: 10 } },
        ],
      });
    }
  });

  test('is done in the order of declaration, and after the task in reverse [XT-07]', async () => {
    const one = log('set').replaceAll('\\($task.name)', 'one').replace('log:', 'first:');
    const two = log('all').replaceAll('\\($task.name)', 'two').replace('log:', 'second:');
    const { log: seen } = await noted(`${one}, ${two}`, '{ it: { set: { x: 1 } } }');
    expect(seen).toEqual(['before one', 'before two', 'after two', 'after one']);
  });

  test('is not extended itself [XT-08]', async () => {
    const inner = oneLine`
      { log: { extend: all, before: [{ list: { do: [${notes('b', '$task.name')}] } }] } }`;
    const { log: seen } = await noted(`${inner}, ${log('set')}`, '{ it: { set: { x: 1 } } }');
    expect(seen).toEqual(['it', 'before it', 'after it']);
  });

  test('fails the task if it fails [XT-09]', async () => {
    const bad = "{ bad: { raise: { error: { type: 'about:blank', status: 418 } } } }";
    const body = (part: string): string => `
      use: { extensions: [{ log: { extend: set, ${part}: [${bad}] } }] }
      do: [{ tried: { try: [{ it: { set: { x: 1 }, export: { as: '{ ran: true }' } } }],
          catch: { do: [{ w: { wait: PT1S, output: { as:
          '{ error: $error, context: $context }' } } }] } } }]
    `;
    for (const part of ['before', 'after']) {
      expect(await output(body(part))).toEqual({
        error: {
          ...{ type: 'about:blank', status: 418 },
          instance: `/use/extensions/0/log/${part}/0/bad`,
        },
        // After the task is after all of it.
        context: part === 'after' ? { ran: true } : {},
      });
    }
  });

  test('is done anew whenever the task is [XT-02]', async () => {
    const tasks = `{ loop: { for: { in: '[1, 2]' }, do: [${notes('it', '$item')}] } }`;
    const { log: seen } = await noted(log('set'), tasks);
    expect(seen).toEqual(['before it', 1, 'after it', 'before it', 2, 'after it']);
  });
});
