/** What the builder draws: each method as nodes, edges and code. */
import { expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { compile } from '../../compile/compile.ts';
import { kinds } from '../../nodes/index.ts';
import { text } from '../../testing/text.ts';
import { event } from './event-type.ts';
import type { Flow } from '../../model/definition.ts';
import { flow, type FlowOptions } from './flow.ts';
import { drawn } from '../../testing/flow-text.ts';
import type { NoVars } from './frames.ts';

test('a flow begins and ends with nodes nobody wrote', () => {
  const bare = flow('bare').end();
  expect(drawn(bare)).toBe(text`
    (:start) start
    (:end) end {"output":"results"}
    :start->:end
  `);
  expect(bare).toMatchObject({ name: 'bare', version: 1 });
  expect(bare.definition).toMatchObject({ serves: [], diagnostics: [] });
  expect(bare.definition.draft).toMatchObject({ name: 'bare', version: 1, start: ':start' });
  expect(bare.definition.draft).not.toHaveProperty('vars');
  expect(bare.definition).not.toHaveProperty('schema');
});

test('what the flow was told stands in its definition', () => {
  const input = {
    '~standard': { version: 1, vendor: 'test', validate: () => ({ value: 1 }) },
  } as const;
  const told = flow('told', { version: 3, serves: [1, 2], vars: { left: 3 }, input }).end();
  expect(told.version).toBe(3);
  expect(told.definition.serves).toEqual([1, 2]);
  expect(told.definition.schema).toBe(input);
  expect(told.definition.draft).toMatchObject({ version: 3, vars: { left: 3 } });
});

test('what is to happen when something fails stands in the draft, if it is not so anyway', () => {
  const draftOf = (options: FlowOptions<Json, Json, NoVars>) =>
    flow('f', options).end().definition.draft;
  const asked = { saga: 'scope', onUndoFailure: 'halt', onFailure: 'incident' } as const;
  expect(draftOf(asked)).toMatchObject(asked);
  expect(draftOf({ saga: 'none' })).toHaveProperty('saga', 'none');
  const usual = { saga: 'instance', onUndoFailure: 'continue', onFailure: 'fail' } as const;
  expect(draftOf(usual)).toEqual(draftOf({}));
  for (const name of Object.keys(usual)) expect(draftOf(usual)).not.toHaveProperty(name);
});

test('nodes are wired in the order they are written', () => {
  const work = () => 1;
  const line = flow('line')
    .step('first', work)
    .step('urgent', work, { priority: 5 })
    .set('sum', () => ({ left: 1 }))
    .set('all', () => 1, { in: 'instance' })
    .end(() => 'done');
  expect(drawn(line)).toBe(text`
    (:start) start
    first step <handler>
    urgent step {"priority":5} <handler>
    sum set {"in":"scope"} <value>
    all set {"in":"instance"} <value>
    (:end) end {"output":"code"} <output>
    :start->first
    first->urgent
    urgent->sum
    sum->all
    all->:end
  `);
  expect(line.definition.handlers.get('first')).toBe(work);
});

test('waits hold numbers, texts or closures', () => {
  const rest = flow('rest')
    .sleep('nap', '1h30m')
    .sleep('asked', () => '1d')
    .waitFor('paid', { event: event<{ amount: number }>('payment.received'), timeout: '15m' })
    .waitFor('fixed', { event: 'ping', key: 'all' })
    .waitFor('keyed', { event: 'pong', key: () => 'k' })
    .end();
  expect(drawn(rest)).toBe(text`
    (:start) start
    nap sleep {"ms":5400000}
    asked sleep <duration>
    paid wait {"event":"payment.received","timeoutMs":900000}
    fixed wait {"event":"ping","key":"all"}
    keyed wait {"event":"pong","keyCode":true} <key>
    (:end) end {"output":"results"}
    :start->nap
    nap->asked
    asked->paid
    paid->fixed
    fixed->keyed
    keyed->:end
  `);
});

test('each arm of a choose is a scope, and all of them meet', () => {
  const routed = flow('routed')
    .choose(
      'size',
      {
        big: { when: () => true, do: (b) => b.step('review', () => 1).step('sign', () => 2) },
        small: { when: () => false, do: (b) => b },
      },
      { otherwise: (b) => b.sleep('pause', 5) },
    )
    .step('after', () => 1)
    .end();
  expect(drawn(routed)).toBe(text`
    (:start) start
    size choose {"otherwise":"size->size/:otherwise"} <when.big when.small>
    | arm {"edge":"size->size/big","slot":"when.big"}
    | arm {"edge":"size->size/small","slot":"when.small"}
    (size/big) scope {"body":"review","promote":true}
      review step <handler>
      sign step <handler>
    (size/small) scope {"body":"size/small/:start","promote":true}
      (size/small/:start) pass
    (size/:otherwise) scope {"body":"pause","promote":true}
      pause sleep {"ms":5}
    (size/:end) pass
    after step <handler>
    (:end) end {"output":"results"}
    :start->size
    review->sign
    size->size/big
    size/big->size/:end
    size->size/small
    size/small->size/:end
    size->size/:otherwise
    size/:otherwise->size/:end
    size/:end->after
    after->:end
  `);
});

test('with many the arms of a choose meet in an inclusive join', () => {
  const sized = (many: { many?: boolean }) =>
    flow('sized')
      .choose('size', { big: { when: () => true, do: (b) => b } }, { otherwise: (b) => b, ...many })
      .end();
  expect(drawn(sized({ many: true }))).toBe(text`
    (:start) start
    size choose {"otherwise":"size->size/:otherwise","many":true} <when.big>
    | arm {"edge":"size->size/big","slot":"when.big"}
    (size/big) scope {"body":"size/big/:start","promote":true}
      (size/big/:start) pass
    (size/:otherwise) scope {"body":"size/:otherwise/:start","promote":true}
      (size/:otherwise/:start) pass
    (size/:join) inclusive
    (:end) end {"output":"results"}
    :start->size
    size->size/big
    size/big->size/:join
    size->size/:otherwise
    size/:otherwise->size/:join
    size/:join->:end
  `);
  expect(drawn(sized({ many: false }))).toBe(drawn(sized({})));
});

test('the branches of a race lie in a scope, and the first to end wins', () => {
  const raced = flow('raced')
    .race('any', {
      fast: (b) => b.step('ask', () => 1),
      slow: (b) => b.sleep('nap', '1s').step('guess', () => 2),
    })
    .end();
  expect(drawn(raced)).toBe(text`
    (:start) start
    any scope {"body":"any/:fork","promote":true}
      (any/:fork) fork
      (any/fast) scope {"body":"ask","promote":true}
        ask step <handler>
      (any/slow) scope {"body":"nap","promote":true}
        nap sleep {"ms":1000}
        guess step <handler>
      (any/:win) win
    (:end) end {"output":"results"}
    :start->any
    nap->guess
    any/:fork->any/fast
    any/fast->any/:win
    any/:fork->any/slow
    any/slow->any/:win
    any->:end
  `);
});

test('a scope says how far undoing reaches, or does as its flow does', () => {
  const sagasIn = (options: FlowOptions<Json, Json, NoVars>) =>
    flow('f', options)
      .scope('plain', (b) => b.scope('inner', (b) => b))
      .scope('told', (b) => b, { saga: 'none' })
      .end()
      .definition.draft.nodes.flatMap(({ id, kind, settings }) =>
        kind === 'scope' ? [[id, settings['saga']]] : [],
      );
  const plain = [
    ['plain', undefined],
    ['inner', undefined],
    ['told', 'none'],
  ];
  expect(sagasIn({})).toEqual(plain);
  expect(sagasIn({ saga: 'none' })).toEqual(plain);
  expect(sagasIn({ saga: 'scope' })).toEqual([
    ['plain', 'scope'],
    ['inner', 'scope'],
    ['told', 'none'],
  ]);
});

test('each branch of a parallel is a scope, and they join', () => {
  const fanned = flow('fanned')
    .parallel('fan', {
      goods: (b) => b.step('ship', () => 1),
      paper: (b) => b.parallel('copies', { one: (b) => b, two: (b) => b.step('print', () => 1) }),
    })
    .end();
  expect(drawn(fanned)).toBe(text`
    (:start) start
    fan fork
    (fan/goods) scope {"body":"ship","promote":true}
      ship step <handler>
    (fan/paper) scope {"body":"copies","promote":true}
      copies fork
      (copies/one) scope {"body":"copies/one/:start","promote":true}
        (copies/one/:start) pass
      (copies/two) scope {"body":"print","promote":true}
        print step <handler>
      (copies/:join) join
    (fan/:join) join
    (:end) end {"output":"results"}
    :start->fan
    copies->copies/one
    copies/one->copies/:join
    copies->copies/two
    copies/two->copies/:join
    fan->fan/goods
    fan/goods->fan/:join
    fan->fan/paper
    fan/paper->fan/:join
    fan/:join->:end
  `);
});

test('a repeat and a scope open their regions themselves', () => {
  const looped = flow('looped')
    .repeat('thrice', { times: 3 }, (b) => b.step('a', () => 1))
    .repeat('asked', { times: () => 3 }, (b) => b)
    .repeat('before', { while: () => true }, (b) => b.scope('own', (b) => b.step('b', () => 1)))
    .repeat('after', { until: () => true }, (b) => b.step('c', () => 1))
    .end();
  expect(drawn(looped)).toBe(text`
    (:start) start
    thrice repeat {"body":"a","check":"times","times":3}
      a step <handler>
    asked repeat {"body":"asked/:start","check":"times"} <times>
      (asked/:start) pass
    before repeat {"body":"own","check":"while"} <while>
      own scope {"body":"b","promote":true}
        b step <handler>
    after repeat {"body":"c","check":"until"} <until>
      c step <handler>
    (:end) end {"output":"results"}
    :start->thrice
    thrice->asked
    asked->before
    before->after
    after->:end
  `);
});

test('nothing follows a terminate', () => {
  const stopped = flow('stopped')
    .choose(
      'gate',
      { shut: { when: () => true, do: (b) => b.terminate('refuse', () => 'no') } },
      { otherwise: (b) => b },
    )
    .terminate('stop')
    .end();
  expect(drawn(stopped)).toBe(text`
    (:start) start
    gate choose {"otherwise":"gate->gate/:otherwise"} <when.shut>
    | arm {"edge":"gate->gate/shut","slot":"when.shut"}
    (gate/shut) scope {"body":"refuse","promote":true}
      refuse terminate {"output":"code"} <output>
    (gate/:otherwise) scope {"body":"gate/:otherwise/:start","promote":true}
      (gate/:otherwise/:start) pass
    (gate/:end) pass
    stop terminate {"output":"none"}
    :start->gate
    gate->gate/shut
    gate/shut->gate/:end
    gate->gate/:otherwise
    gate/:otherwise->gate/:end
    gate/:end->stop
  `);
  expect(stopped.definition.diagnostics).toEqual([]);
});

test('what is drawn compiles, and the code its plan asks for is there', () => {
  const every = flow('every')
    .set('a', () => 1)
    .sleep('b', () => 1)
    .choose(
      'c',
      { x: { when: () => true, do: (b) => b.step('d', () => 1).terminate('e', () => 1) } },
      { otherwise: (b) => b },
    )
    .parallel('f', { y: (b) => b.waitFor('g', { event: 'h', key: () => 'k' }), z: (b) => b })
    .repeat('i', { while: () => false }, (b) => b.scope('j', (b) => b))
    .repeat('k', { times: () => 3 }, (b) => b.step('l', () => 1));
  for (const { definition } of [every.end(), every.end(() => 1), every.terminate('m').end()]) {
    const plan = compile(definition.draft, kinds);
    expect(plan.ok ? [] : plan.problem).toEqual([]);
    if (!plan.ok) continue;
    for (const { id, code } of plan.value.nodes.values()) {
      expect(Object.keys(definition.code.get(id) ?? {})).toEqual(code);
    }
  }
});

test('two flows grow from one prefix without touching each other', () => {
  const prefix = flow('prefix').step('common', () => 1);
  const left = prefix.step('left', () => 1).end();
  const right = prefix.step('right', () => 1).end();
  const names = ({ definition }: Flow) => definition.draft.nodes.map(({ id }) => id);
  expect(names(left)).toEqual([':start', 'common', 'left', ':end']);
  expect(names(right)).toEqual([':start', 'common', 'right', ':end']);
  expect(names(prefix.end())).toEqual([':start', 'common', ':end']);
  expect([...right.definition.handlers.keys()]).toEqual(['common', 'right']);
});

test('a thousand steps are a thousand links', () => {
  const nameOf = (i: number): string => `${i}`;
  let long = flow('long').step(nameOf(0), () => 0);
  for (let i = 1; i < 1_000; i += 1) long = long.step(nameOf(i), () => i);
  const { draft, handlers, diagnostics } = long.end().definition;
  expect(draft.nodes).toHaveLength(1_002);
  expect(draft.edges).toHaveLength(1_001);
  expect(draft.edges.at(-1)?.id).toBe('999->:end');
  expect(handlers.size).toBe(1_000);
  expect(diagnostics).toEqual([]);
});
