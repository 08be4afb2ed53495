/** What expressions see by name: EX-14 to EX-16 and EX-19 to EX-26. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { error, output } from '../../testing/workflows.ts';
import { createTestEngine } from '../../testing/test-engine.ts';
import { workflow } from '../../testing/workflows.ts';

describe('a task sees', () => {
  test('the context and its input [EX-14, EX-15]', async () => {
    const body = `
      do:
        - first: { set: { a: 1 }, export: { as: '{ kept: .a }' } }
        - second:
            input: { from: '{ b: .a }' }
            set: { context: '\${ $context }', input: '\${ $input }' }
    `;
    expect(await output(body)).toEqual({ context: { kept: 1 }, input: { b: 1 } });
  });

  test('its output where it exports it [EX-16]', async () => {
    const body = `
      do:
        - first: { set: { a: 1 }, export: { as: '{ output: $output }' } }
        - second: { set: { context: '\${ $context }' } }
    `;
    expect(await output(body)).toEqual({ context: { output: { a: 1 } } });
  });

  test('itself [EX-20]', async () => {
    const body = `
      do:
        - outer:
            do:
              - 'a/b~c':
                  input: { from: .x }
                  set: { v: 1 }
                  metadata: { note: hi }
                  output: { as: $task }
    `;
    const now = Date.UTC(2026, 1, 3, 4, 5, 6, 789);
    expect(await output(body, { x: 7 }, { now })).toEqual({
      name: 'a/b~c',
      reference: '/do/0/outer/do/0/a~1b~0c',
      definition: {
        input: { from: '.x' },
        set: { v: 1 },
        metadata: { note: 'hi' },
        output: { as: '$task' },
      },
      input: { x: 7 },
      output: { v: 1 },
      startedAt: {
        iso8601: '2026-02-03T04:05:06.789Z',
        epoch: { seconds: Math.floor(now / 1_000), milliseconds: now },
      },
    });
  });

  test('its own raw input, and not that of a task around it [EX-20, DF-13]', async () => {
    const body = (more: string): string => `
      do:
        - outer:
            input: { from: '{ a: 1 }' }
            do: [{ inner: { ${more}, set: { raw: '\${ $task.input }' },
                output: { as: '. + { again: $task.input }' } } }]
    `;
    const seen = { raw: { a: 1 }, again: { a: 1 } };
    expect(await output(body('timeout: { after: PT1H }'), { x: 1 })).toEqual(seen);
    expect(await output(body('metadata: {}'), { x: 1 })).toEqual(seen);
    const made = body("timeout: { after: PT1H }, input: { from: '{ b: 2 }' }");
    expect(await output(made, { x: 1 })).toEqual(seen);
  });

  test('itself by name and place in every condition and time of its own [EX-20]', async () => {
    const body = `
      do:
        - loop:
            timeout: { after: '\${ if $task.name == "loop" then "PT1H" else error("timeout")
                end }' }
            for: { in: '[1, 2]' }
            while: $task.name == "loop" and $task.reference == "/do/0/loop"
            do: [{ seen: { set: { count: '\${ .count + 1 }' } } }]
    `;
    expect(await output(body, { count: 0 })).toEqual({ count: 2 });
  });

  test('when it began, and not when the workflow did [EX-20, EX-21]', async () => {
    const body = `
      do:
        - pause: { wait: PT90S }
        - only: { set: { task: '\${ $task.startedAt }', workflow: '\${ $workflow.startedAt }' } }
    `;
    const now = Date.UTC(2026, 0);
    const moment = (ms: number): Json => ({
      iso8601: new Date(ms).toISOString(),
      epoch: { seconds: ms / 1_000, milliseconds: ms },
    });
    expect(await output(body, {}, { now })).toEqual({
      task: moment(now + 90_000),
      workflow: moment(now),
    });
  });

  test('the workflow [EX-21, DOC-05]', async () => {
    const body = `
      input: { from: .inner }
      do: [{ only: { set: '\${ $workflow }' } }]
    `;
    const flow = workflow(body, { name: 'seen', version: '1.2.3' });
    const kit = createTestEngine({ flows: [flow] });
    const run = await kit.start(flow, { inner: { a: 1 } });
    await kit.runUntilIdle();
    const seen = (await run.result()) as JsonObject;
    await kit.close();
    expect(seen).toMatchObject({ id: run.id, input: { inner: { a: 1 } } });
    expect(seen['definition']).toEqual({
      document: { dsl: '1.0.3', namespace: 'test', name: 'seen', version: '1.2.3' },
      input: { from: '.inner' },
      do: [{ only: { set: '${ $workflow }' } }],
    });
  });

  test('the runtime, and what the host says of it [EX-22]', async () => {
    const body = "do: [{ only: { set: '${ $runtime }' } }]";
    const seen = await output(body, {}, { serverless: { metadata: { region: 'north' } } });
    expect(seen).toMatchObject({ name: 'perdure', metadata: { region: 'north' } });
    expect((seen as JsonObject)['version']).toMatch(/^\d+\.\d+\.\d+/);
    expect(await output(body)).toMatchObject({ metadata: {} });
  });

  test('the variables of loops around it, in all it says [EX-23]', async () => {
    const body = `
      do:
        - loop:
            for: { in: '["x"]' }
            do:
              - inner:
                  for: { each: pet, at: n, in: '["a", "b"]' }
                  do:
                    - deep:
                        do:
                          - last:
                              if: $pet != "a"
                              input: { from: '{ from: [$item, $index, $pet, $n] }' }
                              set: { set: '\${ [$item, $index, $pet, $n] }', from: '\${ .from }' }
                              output: { as: '. + { as: $pet }' }
                              export: { as: '{ kept: [$item, $pet] }' }
        - end: { set: { last: '\${ . }', context: '\${ $context }' } }
    `;
    const all = ['x', 0, 'b', 1];
    expect(await output(body)).toEqual({
      last: { set: all, from: all, as: 'b' },
      context: { kept: ['x', 'b'] },
    });
  });

  test('the variables of loops after it has waited, and in a loop that it is [EX-23]', async () => {
    const body = `
      do:
        - loop:
            for: { in: '[1, 2]' }
            do:
              - pause: { wait: '\${ "PT\\($item)S" }', output: { as: '. + { last: $item }' } }
              - inner: { for: { in: '[$item]', each: other },
                  do: [{ a: { set: '\${ . + { deep: $other } }' } }] }
    `;
    expect(await output(body)).toEqual({ last: 2, deep: 2 });
  });

  test('the error that is caught, in conditions and in what is done about it [EX-24]', async () => {
    const raise = "a: { raise: { error: { type: 'about:blank', status: 418, title: T } } }";
    const body = (as: string, name: string): string => `
      do:
        - tried:
            try: [{ ${raise} }]
            catch:
              ${as}
              when: $${name}.status == 418
              retry: { when: $${name}.title == "T", exceptWhen: '$${name}.status == 500',
                  delay: { seconds: 1 }, limit: { attempt: { count: 1 } } }
              do:
                - b: { set: { pause: '\${ $${name}.title }' }, then: c }
                - c: { do: [{ d: { set: '\${ . + { error: $${name} } }' } }] }
    `;
    const seen = { type: 'about:blank', status: 418, title: 'T', instance: '/do/0/tried/try/0/a' };
    expect(await output(body('', 'error'))).toEqual({ pause: 'T', error: seen });
    expect(await output(body('as: problem', 'problem'))).toEqual({ pause: 'T', error: seen });
  });

  test('null where a variable has no meaning [EX-25]', async () => {
    const body = `
      output: { as: '{ input: $input, task: $task.name, authorization: $authorization, last: . }' }
      do: [{ only: { set: { output: '\${ $output }', authorization: '\${ $authorization }' } } }]
    `;
    expect(await output(body)).toEqual({
      ...{ input: null, task: '', authorization: null },
      last: { output: null, authorization: null },
    });
  });
});

describe('what arrives as data', () => {
  test('is never evaluated, however it looks [EX-26]', async () => {
    const evil = '${ error("evaluated") }';
    const body = `
      input: { from: '{ evil: .evil, list: [.evil] }' }
      output: { as: '{ last: ., context: $context }' }
      do:
        - pass: { input: { from: . }, set: { evil: '\${ .evil }', nested: '\${ { list } }' } }
        - kept: { set: '\${ . }', export: { as: . } }
        - loop: { for: { in: '[.evil]' }, do: [{ a: { set: '\${ $item }' } }] }
        - said: { emit: { event: { with: { type: x, data: '\${ . }' } } }, output: { as: .data } }
        - tried:
            try: [{ a: { raise: { error: { type: 'about:blank', status: 500,
                detail: '\${ . }' } } } }]
            catch: { do: [{ b: { set: { caught: '\${ $error.detail }' } } }] }
    `;
    const context = { evil, nested: { list: [evil] } };
    expect(await output(body, { evil })).toEqual({ last: { caught: evil }, context });
    const loose = `evaluate: { mode: loose }\n${body.replaceAll(/^ {6}/gm, '')}`;
    expect(await output(loose, { evil })).toEqual({ last: { caught: evil }, context });
  });
});

describe('how a call was authenticated', () => {
  let server: LocalServer;

  beforeAll(async () => {
    server = await startHttpServer(({ headers }) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sent: headers['authorization'] ?? null }),
    }));
  });

  afterAll(async () => {
    await server.close();
  });

  const called = (authentication: string, more = ''): string => `
      do:
        - call:
            call: http
            with:
              method: GET
              endpoint: { uri: '${server.url}/who', authentication: ${authentication} }
            output: { as: '{ auth: $authorization, sent: .sent }' }
            export: { as: '{ auth: $authorization, got: . }' }
            ${more}
        - last: { set: { output: '\${ . }', context: '\${ $context }',
            later: '\${ $authorization }' } }
  `;
  const allowed = { http: { allow: ['127.0.0.1'] } };

  test.each([
    ['{ basic: { username: ann, password: pass } }', 'Basic', btoa('ann:pass')],
    ['{ bearer: { token: abc } }', 'Bearer', 'abc'],
    ["{ bearer: { token: '${ .token }' } }", 'Bearer', 'made'],
  ])('is known to what is made of its output: %s [EX-19]', async (policy, scheme, parameter) => {
    const auth = { scheme, parameter };
    const shown = { auth, sent: `${scheme} ${parameter}` };
    expect(await output(called(policy), { token: 'made' }, allowed)).toEqual({
      ...{ output: shown, context: { auth, got: shown }, later: null },
    });
  });

  test('is known in a task with a timeout, and one that is made anew [EX-19]', async () => {
    const policy = '{ bearer: { token: abc } }';
    const auth = { scheme: 'Bearer', parameter: 'abc' };
    const shown = { auth, sent: 'Bearer abc' };
    const seen = { output: shown, context: { auth, got: shown }, later: null };
    expect(await output(called(policy, 'timeout: { after: PT1H }'), {}, allowed)).toEqual(seen);
    expect(await output(called(policy, 'input: { from: . }'), {}, allowed)).toEqual(seen);
  });

  test('is null where it was not [EX-19]', async () => {
    const body = `
      do:
        - call:
            call: http
            with: { method: GET, endpoint: '${server.url}/who' }
            output: { as: '{ auth: $authorization, sent: .sent }' }
    `;
    expect(await output(body, {}, allowed)).toEqual({ auth: null, sent: null });
    const failed = await error(body.replace('.sent }', '.sent } | error'), {}, allowed);
    expect(failed).toMatchObject({ status: 400, instance: '/do/0/call' });
  });
});
