import { expect, test } from 'vitest';
import type { Code, CodeView, Flow } from '../../model/definition.ts';
import type { NodeId } from '../../model/ids.ts';
import { text } from '../../testing/text.ts';
import { flow } from './flow.ts';
import { codes, drawn, same, type Untyped, wrong } from '../../testing/flow-text.ts';

const error = { code: 'card.declined', message: 'no', node: 'charge' as NodeId };
const view: CodeView = { input: 1, results: {}, vars: {}, item: null, index: null, error };

function codeOf({ definition }: Flow, node: string, slot: string): Code {
  return definition.code.get(node)?.[slot] ?? (() => `"${node}" has no "${slot}"`);
}

test('a try leads on by one edge, and to what is done instead by another', () => {
  const tried = flow('tried')
    .try('pay', (b) => b.step('charge', () => 1).step('book', () => 2), {
      do: (b) => b.step('tell', () => 3),
    })
    .step('after', () => 4)
    .end();
  expect(drawn(tried)).toBe(text`
    (:start) start
    pay try {"body":"charge","done":"pay->pay/:end","caught":"pay->pay/:catch"}
      charge step <handler>
      book step <handler>
    (pay/:catch) scope {"body":"tell","promote":true}
      tell step <handler>
    (pay/:end) pass
    after step <handler>
    (:end) end {"output":"results"}
    :start->pay
    charge->book
    pay->pay/:end
    pay->pay/:catch
    pay/:catch->pay/:end
    pay/:end->after
    after->:end
  `);
});

test('a try that only tries again catches nothing', () => {
  const tried = flow('tried')
    .try('pay', (b) => b, { retry: { maxAttempts: 3 } })
    .end();
  const { nodes, edges } = tried.definition.draft;
  expect(nodes.map(({ id }) => id)).toEqual([':start', 'pay', 'pay/:start', 'pay/:end', ':end']);
  expect(edges.map(({ id }) => id)).toEqual([':start->pay', 'pay->pay/:end', 'pay/:end->:end']);
  expect(nodes[1]?.settings).toEqual({
    body: 'pay/:start',
    done: 'pay->pay/:end',
    retry: {
      ...{ maxAttempts: 3, delayMs: 1_000, backoff: 'fixed', maxDelayMs: 300_000, jitter: 0 },
    },
  });
});

test('what a try asks is asked of the error', () => {
  const seen: unknown[][] = [];
  const tried = flow('tried')
    .try('pay', (b) => b, {
      catch: {
        errors: ['card.declined', 'card.expired'],
        when: (...given) => seen.push(given) > 0,
      },
      do: (b) => b,
      retry: { maxAttempts: 2, when: (...given) => seen.push(given) > 0 },
    })
    .end();
  const [, node] = tried.definition.draft.nodes;
  expect(node?.settings).toMatchObject({
    errors: ['card.declined', 'card.expired'],
    asks: true,
    retry: { maxAttempts: 2, asks: true },
  });
  expect(Object.keys(tried.definition.code.get('pay') ?? {})).toEqual(['when', 'retry.when']);
  expect(codeOf(tried, 'pay', 'when')(view)).toBe(true);
  expect(codeOf(tried, 'pay', 'retry.when')(view)).toBe(true);
  expect(seen).toEqual([[error, view], [error]]);
});

test('everything wrong with a try is said at once', () => {
  const swallows = 'do: (b) => b swallows the error';
  const late = async () => true;
  const build = (b: Untyped) =>
    b
      .try('a', same)
      .try('b', same, { catch: { errors: 'x' } })
      .try('c', 3, { do: 4, catch: { errors: [], when: 5 }, retry: 6, finally: same })
      .try('d', same, { do: same, catch: { errors: ['x', 7], when: late, codes: [] } });
  expect(wrong(build)).toEqual([
    `try.no-answer at a - "a" needs { do }, { retry } or both: ${swallows}`,
    `try.no-answer at b - "b" needs { do }, { retry } or both: ${swallows}`,
    'try.bad-errors at b - the catch.errors of "b" are a list of codes, one or more texts; ' +
      'came "x"',
    'option.unknown at c - try "c" has no option "finally"; it knows "catch", "do", "retry"',
    'try.bad-errors at c - the catch.errors of "c" are a list of codes, one or more texts; ' +
      'came none',
    'code.not-a-function at c - "catch.when" of "c" is a function of the error and the view; ' +
      'came 5',
    'option.not-an-object at c - retry of "c" takes an object with "maxAttempts", "delay", ' +
      '"backoff", "maxDelay", "jitter", "when"; came 6',
    'body.not-a-function at c - the body of "c" is a function (b) => b…; came 3',
    'body.not-a-function at c/:catch - the body of "c/:catch" is a function (b) => b…; came 4',
    'option.unknown at d - catch of "d" has no option "codes"; it knows "errors", "when"',
    'try.bad-errors at d - the catch.errors of "d" are a list of codes, one or more texts; ' +
      'came "x", 7',
    'code.not-synchronous at d - "catch.when" of "d" returns a promise, and a closure is ' +
      'synchronous and pure; do the work in a step and read its result here',
  ]);
});

test('an error is raised by its parts, by its text, or by what a closure says', () => {
  const settingsOf = (failing: Flow) => failing.definition.draft.nodes[1]?.settings;
  const start = flow('failing');
  const full = { code: 'card.declined', message: 'no money', details: { tries: 3 } };
  expect(settingsOf(start.fail('f', full).end())).toEqual({ error: full });
  expect(settingsOf(start.fail('f', { code: 'card.declined' }).end())).toEqual({
    error: { code: 'card.declined', message: 'card.declined' },
  });
  expect(settingsOf(start.fail('f', 'not today').end())).toEqual({
    error: { code: 'flow.failed', message: 'not today' },
  });
  const again = () => 'again';
  const asked = start.fail('f', again).end();
  expect(settingsOf(asked)).toEqual({});
  expect(codeOf(asked, 'f', 'error')).toBe(again);
});

test('nothing follows a fail', () => {
  const refused = flow('refused')
    .try('pay', (b) => b.fail('stop', 'x'), {
      do: (b) => b.fail('again', ({ results }) => results.pay),
    })
    .fail('last', 'y')
    .end();
  expect(drawn(refused)).toBe(text`
    (:start) start
    pay try {"body":"stop","done":"pay->pay/:end","caught":"pay->pay/:catch"}
      stop fail {"error":{"code":"flow.failed","message":"x"}}
    (pay/:catch) scope {"body":"again","promote":true}
      again fail <error>
    (pay/:end) pass
    last fail {"error":{"code":"flow.failed","message":"y"}}
    :start->pay
    pay->pay/:end
    pay->pay/:catch
    pay/:catch->pay/:end
    pay/:end->last
  `);
  expect(refused.definition.diagnostics).toEqual([]);
});

test('an error of any other kind is refused in words', () => {
  const by = (error: unknown) => wrong((b) => b.scope('s', (b: Untyped) => b.fail('f', error)));
  const rule =
    'fail.bad-error at f - fail "f" takes a text, { code, message, details } or a closure';
  expect(by(undefined)).toEqual([`${rule}; came nothing`]);
  expect(by('')).toEqual([`${rule}; came ""`]);
  expect(by({ message: 3, details: [], cause: 'x' })).toEqual([
    'option.unknown at f - fail "f" has no option "cause"; it knows "code", "message", "details"',
    'fail.bad-error at f - the code of fail "f" is a text; came nothing',
    'fail.bad-error at f - the message of fail "f" is a text; came 3',
    'fail.bad-error at f - the details of fail "f" are an object of JSON values; came an array',
  ]);
  expect(codes((b) => b.scope('s', (b: Untyped) => b.fail('f', async () => 'x')))).toEqual([
    'code.not-synchronous',
  ]);
});
