/** Where a task goes on: FL rows. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { createTestEngine } from '../../testing/test-engine.ts';
import { error, oneLine, output, ran, workflow } from '../../testing/workflows.ts';

/** A task that writes its name behind what was written before. */
function says(name: string, more = ''): string {
  return oneLine`
    { ${JSON.stringify(name)}: { set: '\${ . + "${name}" }'${more === '' ? '' : `, ${more}`} } }`;
}

/** What three tasks write, the second of which goes on like this. */
function flat(then: string): string {
  return `do: [${says('1')}, ${says('2', then)}, ${says('3')}]`;
}

/** The same, with a list in the place of the second. */
function nested(then: string, more = ''): string {
  const list = [says('2a', then), says('2b'), ...(more === '' ? [] : [more])];
  return `do: [${says('1')}, { list: { do: [${list.join(', ')}] } }, ${says('3')}]`;
}

describe('a task goes on', () => {
  test('with the one after it [FL-01, FL-03]', async () => {
    expect(await output(flat(''), '')).toBe('123');
    expect(await output(flat('then: continue'), '')).toBe('123');
    expect(await output(nested('then: continue'), '')).toBe('12a2b3');
  });

  test('with the one it names, forwards and backwards [FL-02]', async () => {
    expect(await output(`do: [${says('1', 'then: "3"')}, ${says('2')}, ${says('3')}]`, '')).toBe(
      '13',
    );
    expect(await output(nested('then: 2c', says('2c')), '')).toBe('12a2c3');
    const back = oneLine`
      do: [${says('1', 'then: "3"')}, ${says('2', 'then: end')}, ${says('3', 'then: "2"')}]`;
    expect(await output(back, '')).toBe('132');
  });

  test('after its list, if it is the last [FL-04]', async () => {
    const body = `do: [{ list: { do: [${says('a', 'then: continue')}] } }, ${says('b')}]`;
    expect(await output(body, '')).toBe('ab');
    expect(await output(`do: [${says('a', 'then: continue')}]`, '')).toBe('a');
  });

  test('after its list, if it leaves that by exit [FL-05]', async () => {
    expect(await output(nested('then: exit'), '')).toBe('12a3');
    const deeper = oneLine`
      do: [{ x: { do: [{ y: { do: [${says('a', 'then: exit')}, ${says('b')}] } },
      ${says('c')}] } }]`;
    expect(await output(deeper, '')).toBe('ac');
  });

  test('nowhere, if it leaves the list of the workflow [FL-06]', async () => {
    expect(await output(flat('then: exit'), '')).toBe('12');
  });

  test('nowhere, if it ends the workflow [FL-07]', async () => {
    expect(await output(flat('then: end'), '')).toBe('12');
    expect(await output(nested('then: end'), '')).toBe('12a');
  });
});

describe('end', () => {
  const END = says('x', 'then: end');
  const NO = "raise: { error: { type: 'about:blank', status: 500 } }";
  const places: readonly (readonly [string, string])[] = [
    ['a list', `do: [${END}]`],
    ['a loop', `for: { in: '[1, 2]' }, do: [${END}]`],
    ['what is tried', `try: [${END}], catch: {}`],
    ['what is done about an error', `try: [{ no: { ${NO} } }], catch: { do: [${END}] }`],
    ['a task with a timeout', `timeout: { after: PT1H }, do: [${END}]`],
    ['a branch', `fork: { branches: [{ b: { do: [${END}] } }] }`],
    ['a branch that competes', `fork: { compete: true, branches: [{ b: { do: [${END}] } }] }`],
    ['lists in lists', `do: [{ x: { for: { in: '[1]' }, do: [{ y: { do: [${END}] } }] } }]`],
    ['a switch', `do: [${says('x')}, { s: { switch: [{ always: { then: end } }] } }]`],
  ];

  test.each(places)('in %s completes the whole workflow [FL-08]', async (_, task) => {
    const body = `
      output: { as: '{ out: . }' }
      do: [{ first: { ${task}, output: { as: '"made"' } } }, ${says('never')}]
    `;
    expect(await output(body, '')).toEqual({ out: 'x' });
  });

  test('in a branch ends the other branches with it [FL-09]', async () => {
    const body = (compete: boolean): string => `
      do:
        - fork:
            fork:
              compete: ${compete}
              branches:
                - slow: { do: [{ wait: { wait: PT1H } }, { never: { set: { never: true } } }] }
                - fast: { do: [{ a: { wait: PT1S } }, ${says('x', 'then: end')}] }
                - direct: { wait: PT2S, then: end }
        - never: { set: { never: true } }
    `;
    for (const compete of [false, true]) {
      const kit = createTestEngine({ flows: [workflow(body(compete))] });
      const run = await kit.start(workflow(body(compete)), '');
      await kit.advance('1s');
      expect(await run.inspect()).toMatchObject({ status: 'completed', output: 'x', tokens: [] });
      await kit.close();
    }
  });

  test('as the way of a branch itself completes with what that came to [FL-09]', async () => {
    const body = (compete: boolean): string => `
      do:
        - fork:
            fork:
              compete: ${compete}
              branches:
                - slow: { wait: PT1H }
                - fast: { set: { fast: true }, then: end }
        - never: { set: { never: true } }
    `;
    for (const compete of [false, true])
      expect(await output(body(compete))).toEqual({ fast: true });
  });

  test('and exit leave the output of the workflow to be made and checked [FL-11]', async () => {
    const body = (then: string, schema: string): string => `
      output: { as: '{ got: . }', schema: { document: { required: [${schema}] } } }
      do: [${says('1', `then: ${then}`)}, ${says('2')}]
    `;
    for (const then of ['end', 'exit']) {
      expect(await output(body(then, 'got'), '')).toEqual({ got: '1' });
      expect(await error(body(then, 'more'), '')).toMatchObject({ status: 400 });
    }
    const deep = `
      output: { as: '{ got: . }', schema: { document: { required: [more] } } }
      do: [{ tried: { try: [{ a: { do: [${says('1', 'then: end')}] } }], catch: {} } }]
    `;
    expect(await error(deep, '')).toMatchObject({ status: 400, instance: '/output' });
  });
});

describe('a loop', () => {
  test('is left by exit in its list, and not by exit further inside [FL-10]', async () => {
    const body = (list: string): string => `
      do:
        - loop: { for: { in: '[1, 2, 3]' }, do: ${list} }
        - after: { set: '\${ . + "!" }' }
    `;
    expect(await output(body(`[${says('a', 'then: exit')}, ${says('b')}]`), '')).toBe('a!');
    const inner = `[{ list: { do: [${says('a', 'then: exit')}, ${says('b')}] } }]`;
    expect(await output(body(inner), '')).toBe('aaa!');
    const chosen = `[${says('a')}, { s: { switch: [{ two: { when: $item == 2, then: exit } }] } }]`;
    expect(await output(body(chosen), '')).toBe('aa!');
  });

  test('that a jump backwards makes runs its tasks anew each time [FL-12]', async () => {
    const body = `
      do:
        - count: { set: { n: '\${ .n + 1 }', at: '\${ $task.startedAt.epoch.seconds }' } }
        - pause: { wait: PT1S }
        - again: { switch: [{ more: { when: .n < 3, then: count } }] }
    `;
    const kit = createTestEngine({ flows: [workflow(body)], now: 0 });
    const run = await kit.start(workflow(body), { n: 0 });
    await kit.advance('10s');
    expect(await run.result()).toEqual({ n: 3, at: 2 });
    const history = await run.history();
    const born = history.flatMap(({ changes }) =>
      changes.flatMap((change) => (change.did === 'birth-token' ? [change.token] : [])),
    );
    const counts = born.filter(({ node }) => node === '/do/0/count');
    expect(new Set(counts.map(({ id }) => id)).size).toBe(3);
    expect(kit.path(run.id).filter((node) => node === '/do/1/pause')).toHaveLength(3);
    await kit.close();
  });
});

describe('the way of a task is not taken', () => {
  test('if the task is skipped [FL-13]', async () => {
    const body = (then: string): string =>
      `do: [${says('1', `if: 'false', then: ${then}`)}, ${says('2')}, ${says('3')}]`;
    for (const then of ['end', 'exit', '"3"']) {
      expect(await output(body(then), '')).toBe('23');
    }
    const last = oneLine`
      do: [${says('1')}, { list: { do: [${says('2', "if: 'false', then: end")}] } }, ${says('3')}]`;
    expect(await output(last, '')).toBe('13');
  });

  test('if the task fails [FL-14]', async () => {
    const fails = "{ bad: { set: '${ error(1) }', then: end } }";
    expect(await ran(`do: [${fails}, ${says('2')}]`, '')).toMatchObject({ status: 'failed' });
    const caught = `do: [{ t: { try: [${fails}], catch: {} } }, ${says('2')}]`;
    expect(await output(caught, '')).toBe('2');
    const raised: Json = { type: 'about:blank', status: 500 };
    const raise = `{ bad: { raise: { error: ${JSON.stringify(raised)} }, then: end } }`;
    expect(await output(`do: [{ t: { try: [${raise}], catch: {} } }, ${says('2')}]`, '')).toBe('2');
  });
});
