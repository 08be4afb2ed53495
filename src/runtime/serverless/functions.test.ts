/** Functions: of the definition itself, of catalogs and of URLs: FN rows and CA-01. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { createTestEngine } from '../../testing/test-engine.ts';
import { error, oneLine, output, workflow } from '../../testing/workflows.ts';

/** A `fetch` that has these texts, and keeps what it was asked. */
function library(texts: Readonly<Record<string, string>>): {
  readonly http: { readonly fetch: typeof fetch };
  readonly asked: { readonly url: string; readonly authorization: string | null }[];
} {
  const asked: { url: string; authorization: string | null }[] = [];
  const answer: typeof fetch = async (input, init) => {
    const { url, headers } = new Request(input, init);
    asked.push({ url, authorization: headers.get('authorization') });
    const text = Object.hasOwn(texts, url) ? texts[url] : undefined;
    if (text === undefined) return new Response('nothing there', { status: 404 });
    return new Response(text, { headers: { 'content-type': 'application/yaml' } });
  };
  return { http: { fetch: answer }, asked };
}

const DOUBLE = "set: { doubled: '${ .n * 2 }' }";
const CALL = (name: string): string => `do: [{ it: { call: '${name}', with: { n: '\${ .x }' } } }]`;

describe('a function of the definition', () => {
  test('is called with its arguments as its input [FN-01]', async () => {
    const body = `use: { functions: { double: { ${DOUBLE} } } }\n${CALL('double')}`;
    expect(await output(body, { x: 21 })).toEqual({ doubled: 42 });
    const bare = `
      use: { functions: { see: { set: '\${ . }' } } }
      do: [{ it: { call: see } }, { again: { call: see, with: {} } }]
    `;
    // Without arguments it has the input of the task.
    expect(
      await output(bare.replace(', { again: { call: see, with: {} } }', ''), { x: 1 }),
    ).toEqual({ x: 1 });
    expect(await output(bare, { x: 1 })).toEqual({});
  });

  test('checks its arguments [FN-02]', async () => {
    const schema =
      'input: { schema: { document: { required: [n], properties: { n: { type: number } } } } }';
    const body = `use: { functions: { double: { ${schema}, ${DOUBLE} } } }\n${CALL('double')}`;
    expect(await output(body, { x: 2 })).toEqual({ doubled: 4 });
    const failed = await error(body, { x: 'two' });
    expect(failed).toMatchObject({ status: 400, instance: '/use/functions/double' });
    expect(failed['type']).toContain('/validation');
  });

  test('makes its output, and then the task that calls it does [FN-03]', async () => {
    const body = (schema: string): string => `
      use:
        functions:
          double: { ${DOUBLE}, output: { as: .doubled, schema: { document: { type: number } } } }
      do:
        - it:
            call: double
            with: { n: '\${ .x }' }
            output: { as: '{ made: ., input: $input, raw: $task.output }',
                schema: { document: { required: [${schema}] } } }
            export: { as: '{ kept: .made }' }
        - last: { set: '\${ . + $context }' }
    `;
    const made = { made: 4, input: { x: 2 }, raw: 4, kept: 4 };
    expect(await output(body('made'), { x: 2 })).toEqual(made);
    expect(await error(body('other'), { x: 2 })).toMatchObject({ instance: '/do/0/it' });
  });

  test.each([
    ['do', "do: [{ a: { set: '${ .n + 1 }' } }, { b: { set: '${ . * 10 }' } }]", 30],
    ['for', "for: { in: '[range(.n)]' }, do: [{ a: { set: '${ [.] }' } }]", [[{ n: 2 }]]],
    [
      'try',
      oneLine`
        try: [{ a: { set: '\${ error(1) }' } }],
        catch: { do: [{ b: { set: { caught: '\${ $error.status }' } } }] }`,
      { caught: 400 },
    ],
    [
      'fork',
      "fork: { branches: [{ a: { set: '${ .n }' } }, { b: { wait: PT1S } }] }",
      [2, { n: 2 }],
    ],
    ['switch', 'switch: [{ a: { when: .n == 2, then: end } }]', { n: 2 }],
    ['wait', 'wait: PT1S, output: { as: .n }', 2],
    [
      'run',
      'run: { workflow: { namespace: test, name: other, version: latest } }',
      { other: { n: 2 } },
    ],
    ['emit', "emit: { event: { with: { type: x, data: '${ .n }' } } }, output: { as: .data }", 2],
    ['another call', 'call: inner', { inner: { n: 2 } }],
    ['a task with a timeout', 'timeout: { after: PT1H }, wait: PT1S', { n: 2 }],
  ])('may be any task: %s [FN-04]', async (_, task, expected) => {
    const body = `
      use: { functions: { f: { ${task} }, inner: { set: { inner: '\${ . }' } } } }
      do: [{ it: { call: f, with: { n: '\${ .x }' } } }]
    `;
    const other = workflow("do: [{ a: { set: { other: '${ . }' } } }]", { name: 'other' });
    expect(await output(body, { x: 2 }, { others: [other] })).toEqual(expected);
  });

  test('sees its arguments and the context, and nothing of its caller [FN-12]', async () => {
    const body = `
      use:
        functions:
          see:
            do:
              - a:
                  set: { dot: '\${ . }', input: '\${ $input }', context: '\${ $context }',
                      raw: '\${ $task.input }', whole: '\${ $workflow.input }' }
                  export: { as: '$context + { seen: true }' }
      do:
        - loop:
            for: { in: '[7]' }
            do: [{ it: { call: see, with: { n: '\${ $item }' } } }]
        - last: { set: '\${ . + { after: $context } }' }
    `;
    const args = { n: 7 };
    expect(await output(body, { x: 1 })).toEqual({
      ...{ dot: args, input: args, raw: args, context: { x: 1 }, whole: { x: 1 } },
      after: { x: 1, seen: true },
    });
    const loops = body.replace("dot: '${ . }'", "dot: '${ $item }'");
    expect(() => workflow(loops)).toThrow(/\$item/);
  });

  test('is itself as $task, called where it is called [FN-12]', async () => {
    const body = `
      use: { functions: { see: { metadata: { a: 1 }, set: { name: '\${ $task.name }',
          at: '\${ $task.reference }', definition: '\${ $task.definition.metadata }' } } } }
      do: [{ list: { do: [{ it: { call: see, timeout: { after: PT1H } } }] } }]
    `;
    expect(await output(body)).toEqual({
      ...{ name: 'see', at: '/do/0/list/do/0/it', definition: { a: 1 } },
    });
  });

  test('may be called often, in one place and in many [FN-01]', async () => {
    const body = `
      use: { functions: { add: { do: [{ p: { wait: PT1S } },
          { s: { set: { n: '\${ .n + 1 }' } } }] } } }
      do:
        - loop: { for: { in: '[1, 2, 3]' }, do: [{ one: { call: add, with: { n: '\${ .n }' } } }] }
        - two: { fork: { branches: [{ a: { call: add, with: { n: '\${ .n }' } } },
            { b: { call: add, with: { n: 10 } } }] } }
    `;
    expect(await output(body, { n: 0 })).toEqual([{ n: 4 }, { n: 11 }]);
  });

  test('cannot call itself [FN-04]', () => {
    const body = `
      use: { functions: { f: { call: g }, g: { do: [{ a: { call: f } }] } } }
      do: [{ it: { call: f } }]
    `;
    expect(() => workflow(body)).toThrow(/f → g → f/);
  });

  test('that is nowhere is refused with the definition [CA-01, FN-01]', () => {
    expect(() => workflow('do: [{ it: { call: nothing } }]')).toThrow(/unknown-function/);
  });
});

describe('a function that stands elsewhere', () => {
  const URL = 'https://example.com/functions/double/function.yaml';

  test('is called by its URL [FN-05]', async () => {
    const { http, asked } = library({ [URL]: DOUBLE });
    expect(await output(CALL(URL), { x: 21 }, { http })).toEqual({ doubled: 42 });
    expect(asked.map(({ url }) => url)).toEqual([URL]);
  });

  test('is described to its tasks as one of the definition is [FN-05]', async () => {
    const { http } = library({
      [URL]: `
metadata: { a: 1 }
set:
  name: '\${ $task.name }'
  definition: '\${ $task.definition.metadata }'
  at: '\${ $task.reference }'
`,
    });
    expect(await output(CALL(URL), { x: 1 }, { http })).toEqual({
      ...{ name: URL, definition: { a: 1 }, at: '/do/0/it' },
    });
  });

  const CATALOG = 'use: { catalogs: { shared: { endpoint: https://example.com/catalog/ } } }';

  test('is found in its catalog by name and version [FN-06]', async () => {
    const place = 'https://example.com/catalog/functions/double/1.0.0/function.yaml';
    const { http, asked } = library({ [place]: DOUBLE });
    const body = `${CATALOG}\n${CALL('double:1.0.0@shared')}`;
    expect(await output(body, { x: 2 }, { http })).toEqual({ doubled: 4 });
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['https://github.com/o/r/tree/main/cat', 'https://raw.githubusercontent.com/o/r/main/cat'],
    ['https://github.com/o/r', 'https://raw.githubusercontent.com/o/r/HEAD'],
    ['https://gitlab.com/o/r/-/tree/main', 'https://gitlab.com/o/r/-/raw/main'],
    ['https://gitlab.com/g/o/r/-/tree/v1/c', 'https://gitlab.com/g/o/r/-/raw/v1/c'],
  ])('is read from where a page for people shows it: %s [FN-07]', async (page, raw) => {
    const { http } = library({ [`${raw}/functions/double/1.0.0/function.yaml`]: DOUBLE });
    const body = `
      use: { catalogs: { shared: { endpoint: ${page} } } }
      ${CALL('double:1.0.0@shared')}
    `;
    expect(await output(body, { x: 2 }, { http })).toEqual({ doubled: 4 });
  });

  test.each([
    ['https://github.com/o/r/f@v1', 'https://raw.githubusercontent.com/o/r/v1/f/function.yaml'],
    [
      'https://github.com/o/r/tree/v1/f',
      'https://raw.githubusercontent.com/o/r/v1/f/function.yaml',
    ],
    ['https://github.com/o/r/blob/v1/f.yaml', 'https://raw.githubusercontent.com/o/r/v1/f.yaml'],
  ])('may be named by a reference of a repository: %s [FN-07]', async (name, place) => {
    const { http, asked } = library({ [place]: DOUBLE });
    expect(await output(CALL(name), { x: 2 }, { http })).toEqual({ doubled: 4 });
    expect(asked.map(({ url }) => url)).toEqual([place]);
  });

  test('is fetched with the authentication of its catalog [FN-08]', async () => {
    const place = 'https://example.com/catalog/functions/double/1.0.0/function.yaml';
    const policies: readonly (readonly [string, string])[] = [
      ['{ bearer: { token: abc } }', 'Bearer abc'],
      ['{ basic: { use: api } }', `Basic ${btoa('ann:pass')}`],
      [
        oneLine`
          { basic: { username: '\${ $secrets.api.username }',
          password: '\${ $secrets.api.password }' } }`,
        `Basic ${btoa('ann:pass')}`,
      ],
      ['{ use: named }', 'Bearer named'],
    ];
    for (const [policy, sent] of policies) {
      const { http, asked } = library({ [place]: DOUBLE });
      const body = `
      use:
        secrets: [api]
        authentications: { named: { bearer: { token: named } } }
        catalogs: { shared: { endpoint: { uri: https://example.com/catalog,
            authentication: ${policy} } } }
      ${CALL('double:1.0.0@shared')}
      `;
      const secrets = { api: { username: 'ann', password: 'pass' } };
      expect(await output(body, { x: 2 }, { http, secrets })).toEqual({ doubled: 4 });
      expect(asked).toEqual([{ url: place, authorization: sent }]);
    }
  });

  test('is found in the catalog of the host, which need not be declared [FN-09]', async () => {
    const place = 'https://example.com/ours/functions/double/1.0.0/function.yaml';
    const { http } = library({ [place]: DOUBLE });
    const serverless = { catalog: 'https://example.com/ours/' };
    const body = CALL('double:1.0.0@default');
    expect(await output(body, { x: 2 }, { http, serverless })).toEqual({ doubled: 4 });
    await expect(output(body, { x: 2 }, { http })).rejects.toMatchObject({
      code: 'definition.invalid',
      message: expect.stringContaining('serverless.catalog'),
    });
  });

  test('is found in a catalog that is called default in its place [FN-10]', async () => {
    const place = 'https://example.com/theirs/functions/double/1.0.0/function.yaml';
    const { http } = library({ [place]: DOUBLE });
    const serverless = { catalog: 'https://example.com/ours/' };
    const body = `
      use: { catalogs: { default: { endpoint: https://example.com/theirs } } }
      ${CALL('double:1.0.0@default')}
    `;
    expect(await output(body, { x: 2 }, { http, serverless })).toEqual({ doubled: 4 });
  });

  test('stays for an instance what it was when that began [FN-11]', async () => {
    const texts: Record<string, string> = {
      [URL]: 'do: [{ p: { wait: PT1H } }, { s: { set: { version: 1 } } }]',
    };
    const answer: typeof fetch = async (input) =>
      new Response(texts[String(input instanceof Request ? input.url : input)]);
    const flow = workflow(CALL(URL));
    const kit = createTestEngine({ flows: [flow], http: { fetch: answer } });
    const run = await kit.start(flow, { x: 1 });
    await kit.runUntilIdle();
    texts[URL] = 'set: { version: 2 }';
    const again = createTestEngine({ flows: [flow], http: { fetch: answer } });
    const later = await again.start(flow, { x: 1 });
    await again.runUntilIdle();
    expect(await later.result()).toEqual({ version: 2 });
    await again.close();
    kit.engine.restartWorker();
    await kit.advance('1h');
    expect(await run.result()).toEqual({ version: 1 });
    const { plan } = (await run.inspect()) as unknown as { plan: string };
    expect(JSON.stringify(await kit.store.loadPlan(plan as never))).toContain('version');
    await kit.close();
  });

  test('may call functions that stand elsewhere in turn [FN-05]', async () => {
    const inner = 'https://example.com/inner.yaml';
    const { http } = library({
      [URL]: `do: [{ a: { call: '${inner}', with: { n: '\${ .n + 1 }' } } }]`,
      [inner]: DOUBLE,
    });
    expect(await output(CALL(URL), { x: 1 }, { http })).toEqual({ doubled: 4 });
  });

  test('that cannot be had refuses the definition, with the reason [FN-05]', async () => {
    const { http } = library({});
    await expect(output(CALL(URL), {}, { http })).rejects.toMatchObject({
      code: 'definition.invalid',
      message: expect.stringMatching(/function\.yaml cannot be fetched: .*404/),
    });
  });

  test.each([
    ['no task', 'nothing: true'],
    ['no YAML', '{ : '],
    ['a bad expression', "set: { x: '${ .a + }' }"],
    ['a jump to nowhere', 'do: [{ a: { set: { x: 1 }, then: nowhere } }]'],
  ])('that is %s refuses the definition [FN-05]', async (_, text) => {
    const { http } = library({ [URL]: text });
    await expect(output(CALL(URL), {}, { http })).rejects.toMatchObject({
      code: 'definition.invalid',
    });
  });

  test('is refused where the host does not let it be reached [FN-05]', async () => {
    const near = CALL('http://127.0.0.1:1/function.yaml');
    const refused = (await output(near).catch((thrown: unknown) => thrown)) as { code: Json };
    expect(refused).toMatchObject({ code: 'definition.invalid' });
  });
});
