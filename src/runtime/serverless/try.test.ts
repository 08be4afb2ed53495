/** Errors that are caught, and what is done about them: TR-01 to TR-17, TR-30. */
import { describe, expect, test } from 'vitest';
import { ERROR_FAMILIES } from '../../model/workflow-error.ts';
import { error, oneLine, output, ran } from '../../testing/workflows.ts';

const ERROR = "{ type: 'https://example.com/e', status: 418, title: Teapot, detail: short }";
const RAISE = `{ bad: { raise: { error: ${ERROR} } } }`;
const RAISED = {
  ...{ type: 'https://example.com/e', status: 418, title: 'Teapot', detail: 'short' },
  instance: '/do/0/tried/try/0/bad',
};

/** What is tried fails, and this is done about it. */
function tried(caught: string, list = RAISE, more = ''): string {
  return `
      do:
        - tried: { try: [${list}], catch: ${caught}${more === '' ? '' : `, ${more}`} }
        - after: { set: { after: '\${ . }' } }
        - last: { set: '\${ . + { last: true } }' }
  `;
}

const CAUGHT = 'do: [{ c: { set: { caught: true } } }]';

describe('what is tried', () => {
  test('and does not fail is all there is [TR-01]', async () => {
    const list = "{ a: { set: { a: 1 } } }, { b: { set: { b: '${ .a }' } } }";
    const body = tried(`{ ${CAUGHT} }`, list);
    expect(await output(body)).toEqual({ after: { b: 1 }, last: true });
  });

  test('is one task or a list of them in a list [TR-01]', async () => {
    const body = tried(`{ ${CAUGHT} }`, '{ a: { do: [{ b: { set: { b: 1 } } }] } }');
    expect(await output(body)).toEqual({ after: { b: 1 }, last: true });
  });
});

describe('an error is caught', () => {
  test.each([
    ['type', "type: 'https://example.com/e'", "type: 'https://example.com/other'", 'TR-02'],
    ['status', 'status: 418', 'status: 500', 'TR-03'],
    ['instance', 'instance: /do/0/tried/try/0/bad', 'instance: /do/0/tried', 'TR-04'],
    ['title', 'title: Teapot', 'title: teapot', 'TR-04'],
    ['detail', 'detail: short', 'detail: long', 'TR-04'],
    ['details', 'details: short', 'details: long', 'TR-04'],
  ])('by its %s [TR-02, TR-03, TR-04]', async (_, fits, fitsNot) => {
    const body = (filter: string): string =>
      tried(`{ errors: { with: { ${filter} } }, ${CAUGHT} }`);
    expect(await output(body(fits))).toEqual({ after: { caught: true }, last: true });
    expect(await error(body(fitsNot))).toEqual(RAISED);
  });

  test('if all that is asked for is so [TR-05]', async () => {
    const body = (title: string): string =>
      tried(`{ errors: { with: { status: 418, title: ${title} } }, ${CAUGHT} }`);
    expect(await output(body('Teapot'))).toMatchObject({ after: { caught: true } });
    expect(await error(body('Other'))).toEqual(RAISED);
  });

  test.each(ERROR_FAMILIES)('by a standard type of the family %s [TR-06]', async (family) => {
    const filter = oneLine`
      { errors: { with: { type: '${family}expression' } },
      do: [{ c: { set: { type: '\${ $error.type }' } } }] }`;
    const type = `${ERROR_FAMILIES[0] ?? ''}expression`;
    const fails = "{ bad: { set: '${ error(1) }' } }";
    // Errors keep the name that the definition's version has for them.
    expect(await output(tried(filter, fails))).toMatchObject({ after: { type } });
    for (const other of ERROR_FAMILIES) {
      const raise = `{ bad: { raise: { error: { type: '${other}expression', status: 400 } } } }`;
      const seen = await output(tried(filter, raise));
      expect(seen).toMatchObject({ after: { type: `${other}expression` } });
    }
    const runtime = `{ bad: { raise: { error: { type: '${family}runtime', status: 400 } } } }`;
    expect(await error(tried(filter, runtime))).toMatchObject({ type: `${family}runtime` });
    const newer = await output(tried(filter, fails), {}, { head: { dsl: '1.0.4' } });
    expect(newer).toMatchObject({ after: { type: `${ERROR_FAMILIES[1] ?? ''}expression` } });
  });

  test('whatever it is, where no filter is given [TR-07]', async () => {
    expect(await output(tried(`{ ${CAUGHT} }`))).toMatchObject({ after: { caught: true } });
    expect(await output(tried(`{ errors: {}, ${CAUGHT} }`))).toMatchObject({
      after: { caught: true },
    });
    const fails = "{ bad: { set: '${ error(1) }' } }";
    expect(await output(tried(`{ ${CAUGHT} }`, fails))).toMatchObject({ after: { caught: true } });
  });

  test.each([
    ['when: .status == 418', true, 'TR-08'],
    ['when: .status == 500', false, 'TR-08'],
    ['when: $error.title == "Teapot"', true, 'TR-08'],
    ["when: '$input.x == 1'", true, 'TR-08'],
    ['exceptWhen: .status == 418', false, 'TR-09'],
    ['exceptWhen: .status == 500', true, 'TR-09'],
    ['when: .status == 418, exceptWhen: .title == "Teapot"', false, 'TR-09'],
  ])('as conditions have it: %s [TR-08, TR-09]', async (conditions, isCaught) => {
    const body = tried(`{ ${conditions}, ${CAUGHT} }`);
    const caught = { status: 'completed', output: { after: { caught: true }, last: true } };
    expect(await ran(body, { x: 1 })).toEqual(
      isCaught ? caught : { status: 'failed', error: RAISED },
    );
  });

  test('and is known whole by its name [TR-10, TR-11]', async () => {
    const body = (as: string, name: string): string =>
      tried(`{ ${as} do: [{ c: { set: { seen: '\${ $${name} }' } } }] }`);
    const seen = { after: { seen: RAISED }, last: true };
    expect(await output(body('', 'error'))).toEqual(seen);
    expect(await output(body('as: trouble,', 'trouble'))).toEqual(seen);
  });

  test('with the place of the task it came from, however deep [TR-11]', async () => {
    const deep = oneLine`
      { list: { do: [{ loop: { for: { in: '[1]' },
      do: [{ f: { fork: { branches: [{ b: { do: [${RAISE}] } }] } } }] } }] } }`;
    const body = tried("{ do: [{ c: { set: { at: '${ $error.instance }' } } }] }", deep);
    const at = '/do/0/tried/try/0/list/do/0/loop/do/0/f/fork/branches/0/b/do/0/bad';
    expect(await output(body)).toMatchObject({ after: { at } });
  });

  test('by the nearest try that is for it [TR-12, TR-16]', async () => {
    const inner = (filter: string): string =>
      oneLine`
        { inner: { try: [${RAISE}], catch: { errors: { with: { status: ${filter} } },
        do: [{ c: { set: { by: inner } } }] } } }`;
    const outer = '{ do: [{ c: { set: { by: outer } } }] }';
    expect(await output(tried(outer, inner('418')))).toMatchObject({ after: { by: 'inner' } });
    expect(await output(tried(outer, inner('500')))).toMatchObject({ after: { by: 'outer' } });
    const none = '{ errors: { with: { status: 501 } } }';
    const at = '/do/0/tried/try/0/inner/try/0/bad';
    expect(await error(tried(none, inner('500')))).toEqual({ ...RAISED, instance: at });
  });

  test('that a condition of the catch makes, and that is an error of the try [TR-08]', async () => {
    const failed = await error(tried('{ when: .title | error }'));
    expect(failed).toMatchObject({ status: 400, instance: '/do/0/tried' });
  });
});

describe('what is done about it', () => {
  test('makes the output [TR-13]', async () => {
    const body = tried(
      oneLine`
        { do: [{ a: { set: { a: '\${ . }' } } }, { b: { set: { b: '\${ .a.x }',
        e: '\${ $error.status }' } } }] }`,
      RAISE,
      "output: { as: '. + { made: true }' }",
    );
    expect(await output(body, { x: 7 })).toEqual({
      after: { b: 7, e: 418, made: true },
      last: true,
    });
  });

  test('may be nothing: then the input is the output [TR-14]', async () => {
    const list = `{ a: { set: { lost: true } } }, ${RAISE}`;
    for (const caught of ['{}', '{ errors: { with: { status: 418 } } }', '{ do: [] }']) {
      expect(await output(tried(caught, list), { x: 7 })).toEqual({ after: { x: 7 }, last: true });
    }
    const shaped = tried('{}', list, 'input: { from: .x }');
    expect(await output(shaped, { x: 7 })).toEqual({ after: 7, last: true });
  });

  test('may fail in its turn, and that is caught further out alone [TR-15]', async () => {
    const again = `{ do: [{ worse: { raise: { error: { type: 'about:blank', status: 599 } } } }] }`;
    const failed = await error(tried(again));
    expect(failed).toMatchObject({ status: 599, instance: '/do/0/tried/catch/do/0/worse' });
    const inner = `{ inner: { try: [${RAISE}], catch: ${again} } }`;
    const outer = "{ do: [{ c: { set: { status: '${ $error.status }' } } }] }";
    expect(await output(tried(outer, inner))).toMatchObject({ after: { status: 599 } });
  });

  test.each([
    ['last', { caught: true, last: true }],
    ['exit', { caught: true }],
    ['end', { caught: true }],
    ['continue', { after: { caught: true }, last: true }],
  ])('goes on by its own way: %s [TR-17]', async (then, expected) => {
    const body = (more: string): string =>
      tried(`{ ${CAUGHT}, then: ${then} }`, RAISE, `then: after${more}`);
    expect(await output(body(''))).toEqual(expected);
    expect(await output(body(', timeout: { after: PT1H }'))).toEqual(expected);
    expect(await output(body(', input: { from: . }'))).toEqual(expected);
    const fine = tried(`{ ${CAUGHT}, then: ${then} }`, '{ a: { set: { a: 1 } } }', 'then: last');
    expect(await output(fine)).toEqual({ a: 1, last: true });
  });

  test('may be to go on elsewhere, and nothing else [TR-17]', async () => {
    expect(await output(tried('{ then: last }'), { x: 1 })).toEqual({ x: 1, last: true });
    const retried = '{ then: last, retry: { limit: { attempt: { count: 1 } } } }';
    expect(await output(tried(retried), { x: 1 })).toEqual({ x: 1, last: true });
  });
});

describe('a timeout', () => {
  test('inside of what is tried can be caught [TR-30]', async () => {
    const slow = '{ slow: { wait: PT1H, timeout: { after: PT1S } } }';
    const body = tried(
      oneLine`
        { errors: { with: { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/timeout',
        status: 408 } }, do: [{ c: { set: '\${ $error.instance }' } }] }`,
      slow,
    );
    expect(await output(body)).toEqual({ after: '/do/0/tried/try/0/slow', last: true });
  });
});
