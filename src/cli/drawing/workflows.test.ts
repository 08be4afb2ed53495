/** Serverless Workflows as they are drawn: from a file, by the command that people call. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CommandLine, shopHead as head } from '../../testing/command-line.ts';

const line = new CommandLine();
afterAll(() => line.remove());

const ORDER = `${head('order')}  - kind:
      switch:
        - toys: { when: .kind == "toys", then: wrap }
        - gifts: { when: .kind == "gift", then: wrap }
        - refused: { when: .kind == "live", then: end }
        - others: { then: fetch }
  - wrap:
      set: { wrapped: true }
      if: .paper
  - fetch:
      call: http
      with: { method: get, endpoint: 'https://shop.example/stock' }
      timeout: { after: PT5S }
      then: kind
`;

async function drawn(text: string, ...words: readonly string[]): Promise<string> {
  const { code, out, talk } = await line.run('graph', line.write('w.yaml', text), ...words);
  expect(code, talk).toBe(0);
  return out;
}

describe('a workflow is drawn', () => {
  test('as text, with the cases of a switch by their names', async () => {
    expect(`\n${await drawn(ORDER)}`).toBe(`
shop.order@1.0.0

                     ┌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┐
                     ▼               ╎
                 ┌────────┐          ╎
                 │  kind  │          ╎
                 │ one of │          ╎
                 └───┬────┘          ╎
          ┌──────────┴┬─────────┐    ╎
     toys, gifts    others   refused ╎
          │           └┐       ┌┘    ╎
          ▼            │       ▼     ╎
   ┌──────────────┐    │    ╭─────╮  ╎
   │     wrap     │    │    │ end │  ╎
   │  if .paper   │    │    ╰─────╯  ╎
   │ sets wrapped │    │             ╎
   └──────┬───────┘    │             ╎
          └─────┬──────┘             ╎
                ▼                    ╎
┌────────────────────────────────┐   ╎
│             fetch              │   ╎
│ GET https://shop.example/stock │   ╎
│          at most PT5S          │   ╎
└───────────────┬────────────────┘   ╎
                └╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┘
`);
  });

  test('with a frame around what a task is made of', async () => {
    const text = `${head('frames')}  - all:
      fork:
        branches:
          - one: { set: { n: 1 } }
          - two: { do: [{ inner: { wait: { seconds: 5 } } }] }
  - careful:
      try:
        - bad: { raise: { error: { type: 'https://shop.example/bad', status: 400, title: Bad } } }
      catch:
        as: trouble
        do:
          - mend: { emit: { event: { with: { type: bad.mended } } } }
  - loop:
      for: { each: n, in: .list }
      do:
        - hear: { listen: { to: { all: [{ with: { type: a } }, { with: { type: b } }] } } }
        - leave: { set: { n: 1 }, then: exit }
`;
    expect(`\n${await drawn(text)}`).toBe(`
shop.frames@1.0.0

╭─ all: all of ────────────────────────╮
│ ┌────────┐   ╭─ two ───────────────╮ │
│ │  one   │   │ ┌─────────────────┐ │ │
│ │ sets n │   │ │      inner      │ │ │
│ └────────┘   │ │ waits 5 seconds │ │ │
│              │ └─────────────────┘ │ │
│              ╰─────────────────────╯ │
╰──────────────────┬───────────────────╯
                   ▼
      ╭─ careful: try ───────────╮
      │    ╭─ try ──────────╮    │
      │    │ ┌────────────┐ │    │
      │    │ │    bad     │ │    │
      │    │ │ raises Bad │ │    │
      │    │ └────────────┘ │    │
      │    ╰───────┬────────╯    │
      │            │             │
      │         an error         │
      │            ▼             │
      │ ╭─ catch as trouble ───╮ │
      │ │ ┌──────────────────┐ │ │
      │ │ │       mend       │ │ │
      │ │ │ emits bad.mended │ │ │
      │ │ └──────────────────┘ │ │
      │ ╰──────────────────────╯ │
      ╰────────────┬─────────────╯
                   ▼
    ╭─ loop: for each n in .list ─╮
    │   ┌────────────────────┐    │
    │   │        hear        │    │
    │   │ listens to a and b │    │
    │   └─────────┬──────────┘    │
    │             ▼               │
    │         ┌────────┐          │
    │         │ leave  │          │
    │         │ sets n │          │
    │         └───┬────┘          │
    │             ▼               │
    │    ╭─────────────────╮      │
    │    │ leaves the loop │      │
    │    ╰─────────────────╯      │
    ╰─────────────────────────────╯
`);
  });

  test('for Mermaid [S-06]', async () => {
    const text = `${head('small')}  - a: { do: [{ b: { set: { n: 1 } } }] }
  - c: { call: greet, with: {} }
`;
    const use = `use: { functions: { greet: { run: { shell: { command: echo hi } } } } }\n`;
    expect(await drawn(text.replace('do:\n', `${use}do:\n`), '--format', 'mermaid')).toBe(`---
title: "shop.small@1.0.0"
---
flowchart TD
  subgraph n2 ["a"]
    n1["b<br>sets n"]
  end
  subgraph n4 ["c: calls greet"]
    n3["greet<br>runs echo hi"]
  end
  n2 --> n4
`);
  });

  test('as SVG, with everything escaped', async () => {
    const text = `${head('svg')}  - 'a<b': { set: { n: 1 } }\n`;
    const svg = await drawn(text, '--format', 'svg');
    expect(svg).toMatch(/^<svg .*<title>shop\.svg@1\.0\.0<\/title>/s);
    expect(svg).toContain('a&lt;b');
  });

  test('without what extensions do, which is named', async () => {
    const use = `use:
  extensions:
    - log: { extend: all, before: [{ note: { set: { n: 1 } } }], after: [{ sign: { wait: PT1S } }] }
`;
    const limit = 'timeout: { after: { minutes: 1 } }';
    const out = await drawn(`${head('ext', use)}  - a: { set: { n: 1 }, ${limit} }\n`);
    expect(out).toMatch(/a +│\n.*sets n.*\n.*at most 1 minutes.*\n.*with log/);
    expect(out).not.toMatch(/note|sign/);
  });
});

describe('an instance is drawn', () => {
  test('with a mark at the task that something goes on in, whatever does it', async () => {
    const text = `${head('marks')}  - hear:
      listen: { to: { one: { with: { type: a } } } }
      timeout: { after: P1D }
`;
    const here = ['--store', 'sqlite:marks.db'];
    await line.run('start', line.write('marks.yaml', text), ...here, '--id', 'm-1');
    const { out } = await line.run('graph', 'm-1', ...here);
    expect(out.match(/●.*?(?= *│)/g)).toEqual(['● waiting']);
    expect(out).toMatch(/hear +│\n.*listens to a.*\n.*at most P1D.*\n.*● waiting/);
  });
});

const examples = join(import.meta.dirname, '../../../../shared/dsl/examples');
const isAway = !existsSync(examples);
if (isAway) console.log(`the examples of the language are not at ${examples}: none is drawn`);

test.skipIf(isAway)('every example of the language can be drawn, in every format', async () => {
  const files = readdirSync(examples).map((name) => join(examples, name));
  for (const file of files) {
    for (const format of ['text', 'mermaid', 'svg']) {
      const { code, talk } = await line.run('graph', file, '--format', format);
      expect([file, code, talk]).toEqual([file, 0, '']);
    }
  }
});

const AT = 'endpoint: https://a.example';

/** Of each kind of task: how it is written, and what is said of it. */
const WORDS: readonly (readonly [string, string])[] = [
  ['call: http, with: { method: post, endpoint: { uri: "a:b" } }', 'POST a:b'],
  ['call: http, with: { method: get, endpoint: "${ .url }" }', 'GET .url'],
  [`call: openapi, with: { document: { ${AT} }, operationId: pets }`, 'openapi pets'],
  [
    `call: grpc, with: { proto: { ${AT} }, service: { name: A, host: a.example }, method: B }`,
    'grpc A/B',
  ],
  [`call: asyncapi, with: { document: { ${AT} }, operation: a, message: {} }`, 'asyncapi a'],
  [`call: mcp, with: { method: tools/list, transport: { http: { ${AT} } } }`, 'mcp tools/list'],
  ['call: a2a, with: { method: message/send, server: https://a.example }', 'a2a message/send'],
  ['set: "${ .all }"', 'sets .all'],
  ['set: { a: 1, b: 2 }', 'sets a, b'],
  ['wait: "${ .span }"', 'waits .span'],
  ['wait: { hours: 1, minutes: 30 }', 'waits 1 hours 30 minutes'],
  ['raise: { error: known }', 'raises known'],
  ['raise: { error: { type: https://a.example/bad, status: 400 } }', 'raises https://a.exam'],
  [
    'listen: { to: { any: [{ with: { type: a } }, { with: { source: b } }] } }',
    'listens to a or source "b"',
  ],
  ['listen: { to: { any: [] } }', 'listens to any event'],
  ['run: { workflow: { namespace: n, name: w, version: "1.0.0" } }', 'runs n.w'],
  ['run: { container: { image: "a:1" } }', 'runs a:1'],
  ['run: { script: { language: js, code: "1" } }', 'runs js'],
  ['fork: { compete: true, branches: [{ a: { set: { n: 1 } } }] }', 'the first of'],
  ['try: [{ a: { set: { n: 1 } } }], catch: { retry: { delay: PT1S } }', 'try, and again'],
  ['for: { in: [{ a: 1 }] }, do: [{ a: { set: { n: 1 } } }]', 'for each item in a list'],
  ['set: { a: 1 }, timeout: soon', 'at most soon'],
];

test.each(WORDS)('of the task { %s } it is said what it does', async (task, words) => {
  const use = `use:
  errors: { known: { type: https://a.example/known, status: 400 } }
  timeouts: { soon: { after: PT1S } }
`;
  expect(await drawn(`${head('words', use)}  - task: { ${task} }\n`)).toContain(words);
});

test('more of an expression than there is room for is cut', async () => {
  const long = (count: number): string => `.${'x'.repeat(count)}`;
  const text = `${head('long')}  - a: { if: ${long(36)}, set: { n: 1 } }
  - b: { if: ${long(37)}, set: { n: 1 } }
`;
  const out = await drawn(text);
  expect(out).toContain(`if ${long(36)} │`);
  expect(out).toContain(`if ${long(35)}… │`);
});
