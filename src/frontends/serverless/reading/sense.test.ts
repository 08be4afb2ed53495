/** What makes sense is left alone: the other side of every check. */
import { describe, expect, test } from 'vitest';
import { definition } from '../../../testing/serverless-snippets.ts';
import { CRON_CHARS_MAX } from './check-schedule.ts';
import { readWorkflow } from './reading.ts';

function codesOf(body: string): readonly string[] {
  const { errors, warnings } = readWorkflow(definition(body));
  return [...errors, ...warnings].map(({ code }) => code);
}

describe('jumps', () => {
  test('the same name may be used in another list, and each list means its own [DOC-12]', () => {
    const body = `
do:
  - a: { do: [{ b: { wait: PT1S, then: c } }, { c: { wait: PT1S } }], then: b }
  - b: { do: [{ a: { wait: PT1S } }, { c: { wait: PT1S, then: a } }] }
  - c: { fork: { branches: [{ a: { wait: PT1S, then: exit } }, { b: { wait: PT1S } }] } }
`;
    expect(codesOf(body)).toEqual([]);
  });

  test('a jump back and to itself stays in its list [DOC-13]', () => {
    expect(codesOf('do: [{ a: { wait: PT1S, then: a } }, { b: { wait: PT1S, then: a } }]')).toEqual(
      [],
    );
  });

  test('a function cannot go on with itself, having no list to be in [DOC-14]', () => {
    const body = 'use: { functions: { f: { wait: PT1S, then: f } } }\ndo: [{ a: { call: f } }]';
    expect(codesOf(body)).toEqual(['serverless.jump-out-of-scope']);
  });

  test('a case without a condition may stand anywhere, once [DOC-15]', () => {
    const cases = '[{ x: { then: end } }, { y: { when: .z, then: end } }]';
    expect(codesOf(`do: [{ a: { switch: ${cases} } }]`)).toEqual([]);
  });
});

describe('secrets in expressions', () => {
  const asked = (expression: string, more = ''): readonly string[] =>
    codesOf(`
use: { secrets: [mine, 'my key'] }
do:
  - a: { if: ${JSON.stringify(expression)}, wait: PT1S${more} }
`);

  test.each([
    '$secrets.mine',
    '$secrets["my key"].value',
    '$secrets."my key"',
    '$secret.mine.user',
    '$secrets[.name]',
    '$secretsOfMine.other',
    '. as $secret | $secret.other',
    '.list | map(. as {secrets: $secrets} | $secrets.other)',
    'def f($secret): $secret.other; f(.)',
    '"$secret is a word" | length > 0',
  ])('%s is fine', (expression) => {
    expect(asked(expression)).toEqual([]);
  });

  test.each([
    '$secrets.other',
    '${ $secrets.other }',
    '"Bearer \\($secrets.other.token)"',
    '$secret["other"]',
    '$secrets . other',
    '$secrets."other"',
  ])('%s names a secret that is not declared [DOC-17]', (expression) => {
    expect(asked(expression)).toEqual(['serverless.unknown-secret']);
  });

  test('a loop may call its variable so, and then it is that', () => {
    const body = `
do:
  - a:
      for: { each: secret, in: .list }
      do: [{ b: { if: $secret.anything, wait: PT1S } }]
`;
    expect(codesOf(body)).toEqual([]);
  });

  test('text that only looks like one is not looked at', () => {
    expect(codesOf('do: [{ a: { set: { b: $secrets.other } } }]')).toEqual([]);
  });

  test('in a function and in an extension they are looked for, too [DOC-17]', () => {
    const body = `
use:
  functions: { f: { set: { a: '\${ .x }' }, if: $secrets.one } }
  extensions:
    - e: { extend: all, when: $secrets.two, before: [{ b: { if: $secrets.three, wait: PT1S } }] }
do:
  - a: { call: f }
`;
    expect(codesOf(body)).toEqual(Array.from({ length: 3 }, () => 'serverless.unknown-secret'));
  });
});

describe('cron', () => {
  test.each(['0 0 * * *', '*/5 * * * *', '0 0 1 1 *', '0 */10 8-18 * * MON-FRI', ' 0  0 * * * '])(
    '%j says times [DOC-20]',
    (cron) => {
      const body = `schedule: { cron: ${JSON.stringify(cron)} }\ndo: [{ a: { wait: PT1S } }]`;
      expect(codesOf(body)).toEqual([]);
    },
  );

  test('an expression has a length', () => {
    const cron = (length: number): string => {
      const minutes = '0,'.repeat(length).slice(0, length - 8);
      return `${minutes.endsWith(',') ? `${minutes.slice(0, -1)}0` : minutes} 0 * * *`;
    };
    const read = (length: number): readonly string[] =>
      codesOf(`schedule: { cron: '${cron(length)}' }\ndo: [{ a: { wait: PT1S } }]`);
    expect(cron(CRON_CHARS_MAX)).toHaveLength(CRON_CHARS_MAX);
    expect(read(CRON_CHARS_MAX)).toEqual([]);
    expect(read(CRON_CHARS_MAX + 1)).toEqual(['serverless.bad-cron']);
  });
});

describe('durations', () => {
  test.each([
    'P100Y',
    'P36500D',
    'PT876000H',
    '{ days: 36500 }',
    '{ milliseconds: 3153600000000 }',
  ])('%s is a hundred years [WA-02]', (duration) => {
    expect(codesOf(`do: [{ a: { wait: ${duration} } }]`)).toEqual([]);
  });

  test.each(['P100YT1S', 'P36501D', 'PT876001H', '{ milliseconds: 3153600000001 }'])(
    '%s is more',
    (duration) => {
      expect(codesOf(`do: [{ a: { wait: ${duration} } }]`)).toEqual([
        'serverless.duration-too-long',
      ]);
    },
  );

  test.each(['PT30S', 'P1DT2H', 'P2W', 'P1Y', 'P3M', 'P1Y2M3W4DT5H6M7.5S', 'PT0.5S'])(
    '%s is one [WA-02]',
    (duration) => {
      expect(codesOf(`do: [{ a: { wait: ${duration} } }]`)).toEqual([]);
    },
  );
});

describe('calls', () => {
  test('of an agent one may give a card, a server, or both [A2-02]', () => {
    const card = 'agentCard: { endpoint: https://example.com }';
    const server = 'server: https://example.com';
    for (const which of [card, server, `${card}, ${server}`]) {
      expect(codesOf(`do: [{ a: { call: a2a, with: { method: tasks/get, ${which} } } }]`)).toEqual(
        [],
      );
    }
  });

  test.each([0, 65_535])('%i is a port [GR-07]', (port) => {
    const service = `{ name: B, host: a.example.com, port: ${port} }`;
    const given = `{ proto: { endpoint: a.proto }, service: ${service}, method: C }`;
    expect(codesOf(`do: [{ a: { call: grpc, with: ${given} } }]`)).toEqual([]);
  });

  test('what a call is given is data, whatever it is called', () => {
    const body = `
do:
  - a:
      call: http
      with:
        method: post
        endpoint: https://example.com
        body: { authentication: { use: nobody }, retry: nothing, then: nowhere, timeout: never }
`;
    expect(codesOf(body)).toEqual([]);
  });
});
