/** Tasks that only make data or choose a way: DO, SE, SI and RA rows, DOC-18. */
import { describe, expect, test } from 'vitest';
import { error, oneLine, output, ran, workflow } from '../../testing/workflows.ts';

describe('do', () => {
  test('runs its tasks in order, each with what came before [DO-01, DO-02]', async () => {
    const body = `
      do:
        - list:
            do:
              - first: { set: { seen: '\${ . }' } }
              - second: { set: { second: '\${ .seen }' } }
    `;
    expect(await output(body, { a: 1 })).toEqual({ second: { a: 1 } });
  });

  test('may lie in itself, to any depth [DO-03]', async () => {
    const add = "set: '${ . + 1 }'";
    const nest = (depth: number): string =>
      depth === 0 ? add : `do: [{ first: { ${add} } }, { rest: { ${nest(depth - 1)} } }]`;
    expect(await output(nest(30), 0)).toBe(31);
  });

  test('of no tasks has its input as its output [DOC-18]', async () => {
    expect(await output('do: []', { a: 1 })).toEqual({ a: 1 });
    const body = `
      do:
        - list: { do: [], output: { as: '. + { b: 2 }' } }
        - tried: { try: [], catch: {} }
        - loop: { for: { in: '[1]' }, do: [] }
    `;
    expect(await output(body, { a: 1 })).toEqual({ a: 1, b: 2 });
    expect(await output('timeout: { after: PT1H }\ndo: []', { a: 1 })).toEqual({ a: 1 });
  });
});

describe('set', () => {
  test('has exactly what it says as its output [SE-01]', async () => {
    const body = "do: [{ only: { set: { shape: circle, size: '${ .size }' } } }]";
    expect(await output(body, { size: 1, other: 2 })).toEqual({ shape: 'circle', size: 1 });
  });

  test('may be one expression, of any value [SE-02]', async () => {
    const body = "do: [{ only: { set: '${ .list | map(. * 2) }' } }]";
    expect(await output(body, { list: [1, 2] })).toEqual([2, 4]);
  });

  test.each(['{}', 'null'])('of %s is refused [SE-03]', (value) => {
    expect(() => workflow(`do: [{ only: { set: ${value} } }]`)).toThrow(/definition/);
  });
});

describe('switch', () => {
  const body = (cases: string, more = ''): string => `
      do:
        - choose: { switch: [${cases}]${more} }
        - first: { set: { first: true }, then: end }
        - second: { set: { second: true }, then: end }
        - third: { set: { third: true }, then: end }
  `;
  const A = '{ a: { when: .n < 10, then: second } }';
  const B = '{ b: { when: .n < 20, then: third } }';
  const DEFAULT = '{ d: { then: first } }';

  test('takes the first case that holds [SI-01]', async () => {
    expect(await output(body(`${A}, ${B}`), { n: 1 })).toEqual({ second: true });
    expect(await output(body(`${B}, ${A}`), { n: 1 })).toEqual({ third: true });
    expect(await output(body(`${A}, ${B}`), { n: 11 })).toEqual({ third: true });
  });

  test('takes the default only if none holds, wherever it stands [SI-02]', async () => {
    for (const cases of [
      `${DEFAULT}, ${A}, ${B}`,
      `${A}, ${DEFAULT}, ${B}`,
      `${A}, ${B}, ${DEFAULT}`,
    ]) {
      expect(await output(body(cases), { n: 11 })).toEqual({ third: true });
      expect(await output(body(cases), { n: 99 })).toEqual({ first: true });
    }
  });

  test('goes its own way if nothing fits, or on [SI-03]', async () => {
    expect(await output(body(A), { n: 99 })).toEqual({ first: true });
    expect(await output(body(A, ', then: third'), { n: 99 })).toEqual({ third: true });
  });

  test('has its input as its output [SI-04]', async () => {
    const only = oneLine`
      do: [{ choose: { input: { from: .x }, switch: [{ a: { then: exit } }] } },
      { n: { set: { no: 1 } } }]`;
    expect(await output(only, { x: { y: 1 } })).toEqual({ y: 1 });
  });

  test.each([
    ['continue', { first: true }],
    ['exit', { n: 1 }],
    ['end', { n: 1 }],
    ['third', { third: true }],
  ])('may go on by %s [SI-05]', async (then, expected) => {
    expect(await output(body(`{ a: { when: 'true', then: ${then} } }`), { n: 1 })).toEqual(
      expected,
    );
  });

  test.each(['timeout: { after: PT1H }', 'input: { from: . }'])(
    'goes its ways with %s, too [SI-05]',
    async (more) => {
      const cases = `${A}, ${B}, { d: { then: end } }`;
      expect(await output(body(cases, `, ${more}`), { n: 1 })).toEqual({ second: true });
      expect(await output(body(cases, `, ${more}`), { n: 11 })).toEqual({ third: true });
      expect(await output(body(cases, `, ${more}`), { n: 99 })).toEqual({ n: 99 });
    },
  );

  test('whose condition fails is an error of its own [EX-10]', async () => {
    const bad = body("{ a: { when: '.n | error', then: end } }");
    expect(await error(bad, { n: 'x' })).toMatchObject({ status: 400, instance: '/do/0/choose' });
  });
});

describe('raise', () => {
  const ERROR = "{ type: 'https://example.com/e', status: 418, title: Teapot, detail: short }";
  const RAISED = {
    ...{ type: 'https://example.com/e', status: 418, title: 'Teapot', detail: 'short' },
    instance: '/do/0/bad',
  };

  test('fails the workflow with what it says, and its place [RA-01, RA-02, RA-05]', async () => {
    const ended = await ran(`do: [{ bad: { raise: { error: ${ERROR} } } }]`);
    expect(ended).toEqual({ status: 'failed', error: RAISED });
  });

  test('leaves the place alone that the author says [RA-01]', async () => {
    const placed = ERROR.replace('status', 'instance: /somewhere, status');
    const failed = await error(`do: [{ bad: { raise: { error: ${placed} } } }]`);
    expect(failed).toEqual({ ...RAISED, instance: '/somewhere' });
  });

  test('may name an error of the definition [RA-03]', async () => {
    const body = `use: { errors: { 'a/b': ${ERROR} } }\ndo: [{ bad: { raise: { error: a/b } } }]`;
    expect(await error(body)).toEqual(RAISED);
  });

  test('evaluates what it says [RA-04]', async () => {
    const body = `
      do:
        - bad:
            raise:
              error:
                type: '\${ "https://example.com/" + .kind }'
                status: 400
                title: '\${ .kind | ascii_upcase }'
                detail: '\${ "got \\(.code)" }'
                instance: '\${ $task.reference + "/deeper" }'
    `;
    expect(await error(body, { kind: 'e', code: 400 })).toEqual({
      ...{ type: 'https://example.com/e', status: 400, title: 'E', detail: 'got 400' },
      instance: '/do/0/bad/deeper',
    });
    const named = `
      use: { errors: { mine: { type: 'about:blank', status: 500, detail: '\${ .why }' } } }
      do: [{ bad: { raise: { error: mine } } }]
    `;
    expect(await error(named, { why: 'because' })).toMatchObject({ detail: 'because' });
  });

  test('of what is no error is an expression error [RA-04]', async () => {
    const body = "do: [{ bad: { raise: { error: { type: '${ .type }', status: 500 } } } }]";
    const failed = await error(body, { type: 7 });
    expect(failed).toMatchObject({ status: 400, instance: '/do/0/bad' });
    expect(failed['detail']).toContain('"type"');
  });
});
