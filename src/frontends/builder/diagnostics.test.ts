/** What those see who write JavaScript, or cast: every mistake, at once, and never a throw. */
import { expect, test } from 'vitest';
import { codes, same, type Untyped, untyped, wrong } from '../../testing/flow-text.ts';

function as(name: unknown): string[] {
  return codes((b) => b.step(name, () => 1));
}

test('all mistakes are reported at once', () => {
  const build = (b: Untyped) =>
    b
      .step('pay', 'not a function', { retries: 3 })
      .sleep('nap', 'soon')
      .choose('way', { vip: { when: true, do: same } }, {})
      .parallel('fan', { only: same })
      .repeat('loop', { times: 0 }, same)
      .step('pay', () => 1);
  expect(wrong(build, 'bad name', { version: 0 })).toEqual([
    'flow.bad-name - a flow name begins with a letter, digit or _ and goes on with letters, ' +
      'digits, _ . or -, 200 at most; came "bad name"',
    'flow.bad-version - the version of flow "bad name" is a whole number, 1 or more; came 0',
    'option.unknown at pay - step "pay" has no option "retries"; it knows "retry", "timeout", ' +
      '"deadline", "undo", "priority", "onFailure", "transactional", "limit"',
    'handler.not-a-function at pay - step "pay" needs a function as its handler; ' +
      'came "not a function"',
    `sleep.bad-duration at nap - "nap": a duration is milliseconds, '30s', '1h30m', '7d' or ` +
      `ISO 8601 such as 'PT15M'; came "soon"`,
    'choose.no-otherwise at way - "way" needs { otherwise: (b) => b }: ' +
      'what to do when no arm holds',
    'code.not-a-function at way - "when.vip" of "way" is a function of the view; came true',
    'parallel.too-few-branches at fan - "fan" takes branches as { name: (b) => b… }, ' +
      'two or more; came 1 of them',
    'repeat.bad-times at loop - "loop" repeats a whole number of times, 1 or more, or as a ' +
      'closure says; came 0',
    'node.duplicate-name at pay - two nodes are named "pay"; names are unique in a flow, ' +
      'so rename one of them',
  ]);
});

test('a name is printable text of 1 to 100 characters that no id is made of', () => {
  expect(as('a')).toEqual([]);
  expect(as('x'.repeat(100))).toEqual([]);
  expect(as('Prüfung 2: größer als 5?')).toEqual([]);
  expect(as('x'.repeat(101))).toEqual(['node.bad-name']);
  for (const name of [
    '',
    'a/b',
    ':a',
    '__proto__',
    'a\nb',
    'a->b',
    '\ud800',
    7,
    undefined,
    null,
    {},
  ]) {
    expect(as(name)).toEqual(['node.bad-name']);
  }
  const odd = { 'a/b': same, ':c': same };
  expect(codes((b) => b.parallel('p', odd))).toEqual(['node.bad-name', 'node.bad-name']);
});

test('a name is used once, in whatever region', () => {
  const build = (b: Untyped) =>
    b
      .parallel('fan', {
        one: (b: Untyped) => b.step('x', () => 1),
        two: (b: Untyped) => b.scope('x', same),
      })
      .step('fan', () => 1);
  expect(wrong(build)).toMatchObject(
    [/node.duplicate-name at x/, /node.duplicate-name at fan/].map((pattern) =>
      expect.stringMatching(pattern),
    ),
  );
});

test('what is wrong with the flow itself is said of no node', () => {
  const options = { version: 1.5, vars: [], serves: [1, 'x'], input: {}, retention: '7d' };
  expect(wrong(same, 'ok', options)).toEqual([
    'option.unknown - flow "ok" has no option "retention"; ' +
      'it knows "version", "input", "vars", "serves", "saga", "onUndoFailure", "onFailure", ' +
      '"limit", "search"',
    'flow.bad-version - the version of flow "ok" is a whole number, 1 or more; came 1.5',
    'flow.bad-vars - the vars of flow "ok" are an object of JSON values; came an array',
    'flow.bad-input - the input of flow "ok" is a Standard Schema (zod, valibot, arktype, …); ' +
      'came an object without "~standard"',
    'flow.bad-serves - flow "ok" serves a list of versions older than its own; came 1, "x"',
  ]);
  expect(codes(same, 'ok', { vars: { at: new Date(0) } })).toEqual(['flow.bad-vars']);
  expect(codes(same, 'ok', { version: 2, serves: [1] })).toEqual([]);
  expect(codes(same, 'ok', { version: 2, serves: [2] })).toEqual(['flow.bad-serves']);
  expect(codes(same, 'ok', { version: 2, serves: 1 })).toEqual(['flow.bad-serves']);
  expect(codes(same, 'ok', 'options')).toEqual(['option.not-an-object']);
  expect(codes(same, 'x'.repeat(200))).toEqual([]);
  for (const name of ['x'.repeat(201), '', '-a', 'a/b', 7]) {
    expect(codes(same, name)).toEqual(['flow.bad-name']);
  }
});

test('closures are functions, and synchronous', () => {
  const later = async () => true;
  const build = (b: Untyped) =>
    b
      .set('a', 3)
      .set('b', later)
      .sleep('c', later)
      .waitFor('d', { event: 'e', key: later })
      .repeat('f', { until: later }, same)
      .terminate('g', 'bye');
  expect(wrong(build)).toEqual([
    'code.not-a-function at a - "value" of "a" is a function of the view; came 3',
    ...['value" of "b', 'duration" of "c', 'key" of "d', 'until" of "f'].map(
      (place) =>
        `code.not-synchronous at ${place.at(-1)} - "${place}" returns a promise, and a closure ` +
        'is synchronous and pure; do the work in a step and read its result here',
    ),
    'code.not-a-function at g - "output" of "g" is a function of the view; came "bye"',
  ]);
  expect(codes((b) => ({ ...b, end: () => b.end(3) }))).toEqual(['code.not-a-function']);
});

test('a body returns the builder it was given', () => {
  const other = untyped('other').step('x', () => 1);
  const build = (b: Untyped) =>
    b
      .scope('none', undefined)
      .scope('nothing', (b: Untyped) => void b.step('lost', () => 1))
      .scope('ended', (b: Untyped) => b.end())
      .scope('other', () => other)
      .scope('throws', () => {
        throw new TypeError('b.frobnicate is not a function');
      });
  const what = 'returns the builder it was given; came';
  expect(wrong(build)).toEqual([
    'body.not-a-function at none - the body of "none" is a function (b) => b…; came nothing',
    `body.not-returned at nothing - the body of "nothing" ${what} nothing`,
    `body.not-returned at ended - the body of "ended" ${what} a finished flow; ` +
      'leave .end() to the top of the flow',
    `body.not-returned at other - the body of "other" ${what} the builder of another place`,
    'body.threw at throws - the body of "throws" threw TypeError: b.frobnicate is not a function',
  ]);
});

test('arms and branches come by name', () => {
  const build = (b: Untyped) =>
    b
      .choose('a', {}, { otherwise: same })
      .choose('b', { x: 3, y: { when: () => true } }, { otherwise: same, many: 'all' })
      .choose('c', { 10: { when: () => true, do: same } }, { otherwise: 3 })
      .parallel('d', [same, same]);
  expect(wrong(build)).toEqual([
    'choose.bad-arms at a - "a" takes arms as { name: { when, do } }, one or more; came an object',
    'option.not-an-object at b - arm "x" of "b" takes an object with "when", "do"; came 3',
    'choose.bad-many at b - many of "b" is true or false; came "all"',
    'body.not-a-function at b/y - the body of "b/y" is a function (b) => b…; came nothing',
    'choose.arm-is-a-number at c - JavaScript moves the key "10" of "c" to the front, and arms ' +
      'are tried in order; call it "n10"',
    'body.not-a-function at c/:otherwise - the body of "c/:otherwise" is a function (b) => b…; ' +
      'came 3',
    'parallel.too-few-branches at d - "d" takes branches as { name: (b) => b… }, two or more; ' +
      'came an array',
  ]);
});

test('a repeat has exactly one check', () => {
  const by = (check: unknown) => wrong((b) => b.repeat('r', check, same));
  const rule = 'repeat.bad-check at r - "r" repeats by one of while, until, times; came';
  expect(by({})).toEqual([`${rule} an object`]);
  expect(by(undefined)).toEqual([`${rule} nothing`]);
  expect(by({ while: () => true, times: 3 })).toEqual([`${rule} while and times`]);
  expect(by({ times: 1 })).toEqual([]);
  expect(by({ times: 1, every: '1s' })).toEqual([
    'option.unknown at r - repeat "r" has no option "every"; it knows "while", "until", "times"',
  ]);
  for (const times of [0, -1, 1.5, Number.NaN, '3']) expect(by({ times })).toHaveLength(1);
});

test('waits and steps say what their options may be', () => {
  const build = (b: Untyped) =>
    b
      .waitFor('a')
      .waitFor('b', { event: '', key: 7, timeout: '1 month' })
      .step('c', () => 1, { priority: 'high' })
      .step('d', () => 1, 5)
      .set('e', () => 1, { in: 'flow' });
  expect(wrong(build)).toEqual([
    `wait.no-event at a - "a" waits for an event, a text or event('…'); came nothing`,
    expect.stringMatching(/^wait\.bad-timeout at b - .*; came "1 month"$/),
    'wait.bad-key at b - the key of "b" is a text or a closure; came 7',
    `wait.no-event at b - "b" waits for an event, a text or event('…'); came ""`,
    'step.bad-priority at c - the priority of "c" is a whole number; came "high"',
    'option.not-an-object at d - step "d" takes an object with "retry", "timeout", ' +
      '"deadline", "undo", "priority", "onFailure", "transactional", "limit"; came 5',
    `set.bad-place at e - "e" sets in 'scope' or in 'instance'; came "flow"`,
  ]);
});

test('a duration of any kind at all is refused in words', () => {
  const circle: unknown[] = [];
  circle.push(circle);
  for (const duration of [undefined, null, 5n, Symbol('s'), circle, {}, true, -1, 'P1M', '']) {
    expect(codes((b) => b.sleep('nap', duration))).toEqual(['sleep.bad-duration']);
  }
});

test('what stands after a terminate or a fail is refused', () => {
  const rule = 'and is never reached; a terminate or a fail is the last node of its body';
  expect(wrong((b) => b.terminate('stop').step('never', () => 1))).toEqual([
    `node.after-terminate at never - "never" comes after "stop" ${rule}`,
  ]);
  const build = (b: Untyped) => b.scope('s', (b: Untyped) => b.fail('no', 'x').sleep('late', 1));
  expect(wrong(build)).toEqual([`node.after-terminate at late - "late" comes after "no" ${rule}`]);
  const ended = (b: Untyped) => ({ ...b, end: () => b.terminate('stop').end(() => 1) });
  expect(wrong(ended)).toEqual([
    `node.after-terminate at :end - ":end" comes after "stop" ${rule}`,
  ]);
});

test('branches of a race come by name, two or more', () => {
  const build = (b: Untyped) =>
    b.race('a', { only: same }).race('b', same).race('c', { ':x': same });
  const rule = 'takes branches as { name: (b) => b… }, two or more; came';
  expect(wrong(build)).toEqual([
    `race.too-few-branches at a - "a" ${rule} 1 of them`,
    `race.too-few-branches at b - "b" ${rule} a function`,
    `race.too-few-branches at c - "c" ${rule} 1 of them`,
    expect.stringMatching(/^node.bad-name at c - .*; came ":x"$/),
  ]);
  const bodies = { x: 3, y: (b: Untyped) => b.step('z', 4) };
  expect(codes((b) => b.race('a', bodies))).toEqual([
    'body.not-a-function',
    'handler.not-a-function',
  ]);
});

test('what is to happen when something fails is one of a few words', () => {
  const options = { saga: 'flow', onUndoFailure: true, onFailure: 'retry' };
  const build = (b: Untyped) => b.scope('s', same, { saga: 3 }).scope('t', same, { sagas: 'none' });
  expect(wrong(build, 'f', options)).toEqual([
    `flow.bad-saga - the saga of flow "f" is 'none', 'scope' or 'instance'; came "flow"`,
    `flow.bad-on-undo-failure - the onUndoFailure of flow "f" is 'continue' or 'halt'; came true`,
    `flow.bad-on-failure - the onFailure of flow "f" is 'fail' or 'incident'; came "retry"`,
    `scope.bad-saga at s - the saga of "s" is 'none', 'scope' or 'instance'; came 3`,
    'option.unknown at t - scope "t" has no option "sagas"; it knows "saga"',
  ]);
});
