import { expect, test } from 'vitest';
import { text } from '../../testing/text.ts';
import { flow } from './flow.ts';
import { codes, drawn, type Untyped, untyped, wrong } from '../../testing/flow-text.ts';

const bill = flow<{ lines: string[] }>('bill', { version: 3 }).end();
const tick = flow('tick').end();

test('a call names the flow, and the version of one that is here', () => {
  const called = flow('called')
    .call('fixed', bill, { lines: ['a'] }, { key: 'k' })
    .call('asked', bill, () => ({ lines: [] }), { key: () => 'k' })
    .call('bare', tick)
    .call('null', 'by.name', null)
    .end();
  expect(drawn(called)).toBe(text`
    (:start) start
    fixed call {"flow":"bill","version":3,"input":{"lines":["a"]},"key":"k"}
    asked call {"flow":"bill","version":3,"inputCode":true,"keyCode":true} <input key>
    bare call {"flow":"tick","version":1}
    null call {"flow":"by.name","input":null}
    (:end) end {"output":"results"}
    :start->fixed
    fixed->asked
    asked->bare
    bare->null
    null->:end
  `);
  expect(called.definition.diagnostics).toEqual([]);
});

test('the flows that are called come with the one that calls, each once', () => {
  const called = flow('called')
    .call('a', tick)
    .parallel('fan', {
      one: (b) => b.call('b', bill, { lines: [] }),
      two: (b) => b.scope('s', (b) => b.call('c', tick).call('d', 'by-name')),
    })
    .end();
  expect(called.definition.calls).toEqual([tick, bill]);
  expect(called.definition.calls?.[0]).toBe(tick);
  expect(flow('alone').call('a', 'by-name').end().definition).not.toHaveProperty('calls');
});

test('everything wrong with a call is said at once', () => {
  const build = (b: Untyped) =>
    b
      .call('a')
      .call('b', 'no such name', { at: new Date(0) }, { key: 3, id: 'x' })
      .call('c', untyped('open'))
      .call('d', 'ok', 1, 'k');
  const rule = 'calls a finished flow, made by .end(), or the name of one; came';
  expect(wrong(build)).toEqual([
    `call.no-flow at a - "a" ${rule} nothing`,
    `call.no-flow at b - "b" ${rule} "no such name"`,
    'call.bad-input at b - the input of "b" is JSON or a closure: ' +
      '"/at" is a Date; use date.toISOString()',
    'option.unknown at b - call "b" has no option "id"; it knows "key"',
    'call.bad-key at b - the key of "b" is a text or a closure; came 3',
    `call.no-flow at c - "c" ${rule} an object`,
    'option.not-an-object at d - call "d" takes an object with "key"; came "k"',
  ]);
  const late = async () => 1;
  expect(codes((b) => b.call('a', 'x', late, { key: late }))).toEqual([
    'code.not-synchronous',
    'code.not-synchronous',
  ]);
});
