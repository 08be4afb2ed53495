import { expect, test } from 'vitest';
import type { Flow } from '../../model/definition.ts';
import { text } from '../../testing/text.ts';
import { event } from './event-type.ts';
import { flow } from './flow.ts';
import { codes, drawn, same, type Untyped, untyped, wrong } from '../../testing/flow-text.ts';

const paid = event<{ amount: number }>('payment.received');

test('the first of several is one node with its arms in order', () => {
  const first = flow('first')
    .firstOf('answer', {
      paid: { event: paid },
      fixed: { event: 'ping', key: 'all' },
      keyed: { event: 'pong', key: () => 'k' },
      late: { after: '7d' },
      asked: { after: () => '1d' },
      now: { after: 0 },
    })
    .end();
  expect(drawn(first)).toBe(text`
    (:start) start
    answer first <key.keyed after.asked>
    | arm {"arm":"paid","event":"payment.received","key":null,"keyCode":false}
    | arm {"arm":"fixed","event":"ping","key":"all","keyCode":false}
    | arm {"arm":"keyed","event":"pong","key":null,"keyCode":true}
    | arm {"arm":"late","afterMs":604800000}
    | arm {"arm":"asked","afterMs":null}
    | arm {"arm":"now","afterMs":0}
    (:end) end {"output":"results"}
    :start->answer
    answer->:end
  `);
  expect(first.definition.diagnostics).toEqual([]);
});

test('everything wrong with the arms of a firstOf is said at once', () => {
  const late = async () => 'k';
  const build = (b: Untyped) =>
    b
      .firstOf('a')
      .firstOf('b', {})
      .firstOf('c', {
        none: {},
        both: { event: 'x', after: '1s' },
        keyed: { after: '1s', key: 'k' },
        odd: 3,
        7: { event: 'x' },
        'x/y': { event: '', key: 3 },
        slow: { event: 'x', key: late, timeout: '1s' },
        when: { after: 'soon' },
        later: { after: late },
      });
  const rule = 'takes arms as { name: { event, key } } or { name: { after } }, one or more; came';
  const promise = 'returns a promise, and a closure is synchronous and pure; do the work in a';
  expect(wrong(build)).toEqual([
    `first.bad-arms at a - "a" ${rule} nothing`,
    `first.bad-arms at b - "b" ${rule} an object`,
    'first.arm-is-a-number at c - JavaScript moves the key "7" of "c" to the front, and arms are ' +
      'tried in order; call it "n7"',
    'first.bad-arm at c - arm "none" of "c" has either an event or an after; came neither',
    'first.bad-arm at c - arm "both" of "c" has either an event or an after; came both',
    'first.bad-key at c - arm "keyed" of "c" waits for a time, which has no key',
    'option.not-an-object at c - arm "odd" of "c" takes an object with "event", "key", "after"; ' +
      'came 3',
    `node.bad-name at c - a name contains neither '/' nor '->'; came "x/y"`,
    'first.bad-key at c - the key of arm "x/y" of "c" is a text or a closure; came 3',
    `first.no-event at c - arm "x/y" of "c" waits for an event, a text or event('…'); came ""`,
    'option.unknown at c - arm "slow" of "c" has no option "timeout"; ' +
      'it knows "event", "key", "after"',
    `code.not-synchronous at c - "key.slow" of "c" ${promise} step and read its result here`,
    expect.stringMatching(/^first.bad-after at c - arm "when" of "c": .*; came "soon"$/),
    `code.not-synchronous at c - "after.later" of "c" ${promise} step and read its result here`,
  ]);
});

test('an event is emitted as it is, with its parts, or as a closure says', () => {
  const sent = flow('sent')
    .emit('plain', 'ping')
    .emit('typed', event<null>('pong'))
    .emit('full', { type: 'ping', key: 'all', data: { n: [1, null] } })
    .emit('asked', { type: paid, key: () => 'k', data: () => ({ amount: 1 }) })
    .emit('null', { type: 'ping', data: null })
    .emit('all', () => ({ type: 'ping' }))
    .emit('out', 'ping', { outbox: true })
    .emit('in', 'ping', { outbox: false })
    .emit('both', () => ({ type: 'ping' }), { outbox: true })
    .end();
  expect(drawn(sent)).toBe(text`
    (:start) start
    plain emit {"type":"ping"}
    typed emit {"type":"pong"}
    full emit {"type":"ping","key":"all","data":{"n":[1,null]}}
    asked emit {"type":"payment.received","keyCode":true,"dataCode":true} <key data>
    null emit {"type":"ping","data":null}
    all emit {"eventCode":true} <event>
    out emit {"type":"ping","outbox":true}
    in emit {"type":"ping"}
    both emit {"eventCode":true,"outbox":true} <event>
    (:end) end {"output":"results"}
    :start->plain
    plain->typed
    typed->full
    full->asked
    asked->null
    null->all
    all->out
    out->in
    in->both
    both->:end
  `);
  expect(sent.definition.diagnostics).toEqual([]);
});

test('the type that a closure names is a text in the end', () => {
  const view = { input: null, results: {}, vars: {}, item: null, index: null };
  const data = { amount: 1 };
  const said = (made: () => unknown) => {
    const { definition } = untyped('sent').emit('e', made).end() as unknown as Flow;
    return definition.code.get('e')?.['event']?.(view);
  };
  expect(said(() => ({ type: paid, data }))).toEqual({ type: 'payment.received', data });
  expect(said(() => ({ type: 'ping' }))).toEqual({ type: 'ping' });
  for (const odd of [null, 'ping', 3, []]) expect(said(() => odd)).toEqual(odd);
});

test('everything wrong with an event is said at once', () => {
  const build = (b: Untyped) =>
    b
      .emit('a')
      .emit('b', { type: '', key: 3, data: { at: new Date(0) }, ttl: '1d' })
      .emit('c', { type: { name: 'x' } })
      .emit('d', 'x', { outbox: 'yes', to: 'me' });
  const rule = "an event, a text or event('…'); came";
  expect(wrong(build)).toEqual([
    `emit.no-event at a - "a" emits ${rule} nothing`,
    'option.unknown at b - emit "b" has no option "ttl"; it knows "type", "key", "data"',
    'emit.bad-key at b - the key of "b" is a text or a closure; came 3',
    'emit.bad-data at b - the data of "b" is JSON or a closure: ' +
      '"/at" is a Date; use date.toISOString()',
    `emit.no-event at b - "b" emits ${rule} ""`,
    `emit.no-event at c - "c" emits ${rule} an object`,
    'option.unknown at d - emit "d" has no option "to"; it knows "outbox"',
    'emit.bad-outbox at d - "outbox" of "d" is true or false; came "yes"',
  ]);
  const late = async () => ({ type: 'x' });
  for (const event of [late, { type: 'x', key: late }, { type: 'x', data: late }]) {
    expect(codes((b) => b.emit('e', event))).toEqual(['code.not-synchronous']);
  }
  expect(codes(same)).toEqual([]);
});
