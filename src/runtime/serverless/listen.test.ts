/** Events that a workflow consumes: LI rows, but for `foreach` and correlation. */
import { describe, expect, test } from 'vitest';
import { createTestEngine } from '../../testing/test-engine.ts';
import { eventOf, heard, hearing } from '../../testing/listeners.ts';
import { output, workflow } from '../../testing/workflows.ts';

const FOR_A = 'listen: { to: { one: { with: { type: a } } } }';
const TIMEOUT = 'https://serverlessworkflow.io/spec/1.0.0/errors/timeout';

/** A workflow of one task, which listens. */
function listens(to: string, more = ''): string {
  return `do: [{ hear: { listen: { to: ${to}${more} } } }]`;
}

describe('how many events', () => {
  test('one that fits is a list of one [LI-01, LI-05]', async () => {
    const body = listens('{ one: { with: { type: a } } }');
    expect(await heard(body, [eventOf('b', 1)])).toBe('waiting');
    expect(await heard(body, [eventOf('b', 1), eventOf('a', 2), eventOf('a', 3)])).toEqual([2]);
  });

  test('the first that fits any of several filters [LI-02]', async () => {
    const body = listens('{ any: [{ with: { type: a } }, { with: { type: b } }] }');
    expect(await heard(body, [eventOf('c', 1), eventOf('b', 2), eventOf('a', 3)])).toEqual([2]);
  });

  test('any at all, of no filters [LI-03]', async () => {
    expect(await heard(listens('{ any: [] }'), [eventOf('whatever', 1)])).toEqual([1]);
    expect(await heard(listens('{ any: [] }'), [{ type: 'plain', data: 1 }])).toEqual([1]);
  });

  test.each([
    ['as they are written', ['a', 'b']],
    ['the other way round', ['b', 'a']],
  ])('one for each filter, whoever comes first: %s [LI-04, LI-05]', async (_how, types) => {
    const body = listens('{ all: [{ with: { type: a } }, { with: { type: b } }] }');
    const [first = '', second = ''] = types;
    expect(await heard(body, [eventOf(first, first)])).toBe('waiting');
    expect(await heard(body, [eventOf(first, first), eventOf(first, 'surplus')])).toBe('waiting');
    const events = [eventOf(first, first), eventOf('c', 'c'), eventOf(second, second)];
    expect(await heard(body, events)).toEqual([first, second]);
  });

  test('an event fills the first filter that it fits and that has none [LI-04]', async () => {
    const body = listens('{ all: [{ with: { source: .* } }, { with: { type: a } }] }');
    expect(await heard(body, [eventOf('a', 1), eventOf('a', 2)])).toEqual([1, 2]);
    expect(await heard(body, [eventOf('b', 1), eventOf('b', 2)])).toBe('waiting');
  });

  test('none, of all of none [LI-04]', async () => {
    expect(await output(listens('{ all: [] }'))).toEqual([]);
  });
});

describe('what is read of them', () => {
  const event = eventOf('a', { x: 1 }, { subject: 's', extension: 'e' });

  test('their data, unless the task says otherwise [LI-06]', async () => {
    const to = '{ one: { with: { type: a } } }';
    expect(await heard(listens(to), [event])).toEqual([{ x: 1 }]);
    expect(await heard(listens(to, ', read: data'), [event])).toEqual([{ x: 1 }]);
  });

  test.each(['envelope', 'raw'])('all of them: %s [LI-06]', async (read) => {
    const body = listens('{ one: { with: { type: a } } }', `, read: ${read}`);
    expect(await heard(body, [event])).toEqual([event]);
  });

  test('what was published as a message is an event, too [LI-06]', async () => {
    const body = listens('{ one: { with: { type: a } } }', ', read: envelope');
    const made = { specversion: '1.0', source: '/perdure', type: 'a', data: 1 };
    const more = { datacontenttype: 'application/json' };
    const plain = await heard(body, [{ type: 'a', data: 1, id: 'm' }]);
    expect(plain).toEqual([{ ...made, ...more, id: 'm' }]);
    const keyed = await heard(body, [{ type: 'a', key: 'k', data: 1, id: 'm' }]);
    expect(keyed).toEqual([{ ...made, ...more, id: 'm', subject: 'k' }]);
  });

  test('what is sent to an instance alone is heard by it [LI-06]', async () => {
    const { run, test: engine, outcome } = await hearing(listens('{ one: { with: { type: a } } }'));
    await run.send('a', { x: 2 });
    await engine.runUntilIdle();
    expect(await outcome()).toEqual([{ x: 2 }]);
    await engine.close();
  });

  test('bytes are the data of whoever reads them as they came [LI-06]', async () => {
    const { data: _, ...bytes } = { ...eventOf('a'), data_base64: 'AAEC' };
    const body = listens('{ one: { with: { type: a } } }');
    expect(await heard(body, [bytes])).toEqual(['AAEC']);
  });
});

describe('until', () => {
  test('a condition holds for all that was heard, asked after each [LI-07]', async () => {
    const body = listens("{ any: [{ with: { type: a } }], until: '${ (map(.n) | add) >= 6 }' }");
    const events = [1, 2, 3, 4].map((n) => eventOf('a', { n }));
    expect(await heard(body, events.slice(0, 2))).toBe('waiting');
    expect(await heard(body, events)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test('a condition sees what was read of events, and the input [LI-07]', async () => {
    const until = 'until: \'any(.[]; .type == "a" and .data == $input.last)\'';
    const body = listens(`{ any: [], ${until} }`, ', read: envelope');
    const events = [eventOf('b', 2), eventOf('a', 1), eventOf('a', 2), eventOf('a', 3)];
    const all = (await heard(body, events, { input: { last: 2 } })) as unknown[];
    expect(all).toEqual(events.slice(0, 3));
  });

  test('a condition that fails fails the task, with its place [LI-07]', async () => {
    const body = listens('{ any: [], until: \'${ error("no") }\' }');
    expect(await heard(body, [eventOf('a')])).toMatchObject({
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/expression',
      instance: '/do/0/hear',
    });
  });

  test('what never holds: for ever, while what is done for each goes on [LI-08]', async () => {
    const body = `
      do:
        - hear:
            listen: { to: { any: [{ with: { type: a } }], until: '\${ false }' } }
            foreach:
              do: [{ tell: { emit: { event: { with: { type: got, data: '\${ $item }' } } } } }]
    `;
    const told: unknown[] = [];
    const outbox = ({ type, data }: { type: string; data: unknown }): void => {
      if (type === 'got') told.push(data);
    };
    const { test: engine, tell, outcome, run } = await hearing(body, { outbox });
    for (let n = 0; n < 5; n += 1) {
      await tell(eventOf('a', n));
      await engine.advance('30d');
      expect(await outcome()).toBe('waiting');
    }
    expect(told).toEqual([0, 1, 2, 3, 4]);
    await run.cancel();
    expect((await run.inspect()).status).toBe('canceled');
    await engine.close();
  });

  test.each([
    ['one', '{ one: { with: { type: stop } } }'],
    ['any', '{ any: [{ with: { type: end } }, { with: { type: stop } }] }'],
  ])('an event ends it, which is not part of what was heard: %s [LI-09]', async (_how, until) => {
    const body = listens(`{ any: [{ with: { type: a } }], until: ${until} }`);
    const events = [eventOf('a', 1), eventOf('b', 2), eventOf('a', 3)];
    expect(await heard(body, events)).toBe('waiting');
    expect(await heard(body, [...events, eventOf('stop', 4), eventOf('a', 5)])).toEqual([1, 3]);
    expect(await heard(body, [eventOf('stop', 4)])).toEqual([]);
  });

  test('several events have ended it together [LI-09]', async () => {
    const until = '{ all: [{ with: { type: x } }, { with: { type: y } }] }';
    const body = listens(`{ any: [{ with: { type: a } }], until: ${until} }`);
    const before = [eventOf('y', 0), eventOf('a', 1), eventOf('y', 0), eventOf('a', 2)];
    expect(await heard(body, before)).toBe('waiting');
    expect(await heard(body, [...before, eventOf('x', 0)])).toEqual([1, 2]);
  });

  test('an event that both is for ends it [LI-09]', async () => {
    const body = listens('{ any: [], until: { one: { with: { type: stop } } } }');
    expect(await heard(body, [eventOf('a', 1), eventOf('stop', 2)])).toEqual([1]);
  });
});

describe('a listener', () => {
  const body = listens('{ one: { with: { type: a } } }');

  test('is shown as waiting [LI-23]', async () => {
    const { run, test: engine, tell } = await hearing(body);
    expect((await run.inspect()).status).toBe('waiting');
    const { instances } = await engine.engine.list({ status: ['waiting'] });
    expect(instances.map(({ id }) => id)).toEqual([run.id]);
    await tell(eventOf('a'));
    expect((await run.inspect()).status).toBe('completed');
    await engine.close();
  });

  test('hears nothing from before it began, but all from then on [LI-01]', async () => {
    const late = `do: [{ pause: { wait: PT1H } }, { hear: { ${FOR_A} } }]`;
    const { test: engine, tell, outcome } = await hearing(late);
    await tell(eventOf('a', 1));
    await engine.advance('2h');
    expect(await outcome()).toBe('waiting');
    await tell(eventOf('a', 2));
    expect(await outcome()).toEqual([2]);
    await engine.close();
  });

  test('that takes too long fails with a timeout, and hears no more [LI-19]', async () => {
    const timed = `do: [{ hear: { ${FOR_A}, timeout: { after: PT1H } } }]`;
    const { test: engine, tell, outcome, run } = await hearing(timed);
    await engine.advance('59m');
    expect(await outcome()).toBe('waiting');
    await engine.advance('1m');
    expect(await outcome()).toMatchObject({ type: TIMEOUT, status: 408, instance: '/do/0/hear' });
    const { version } = await run.inspect();
    await tell(eventOf('a', 1));
    expect((await run.inspect()).version).toBe(version);
    expect(await engine.store.deliverable(9)).toEqual([]);
    await engine.close();
  });

  test('that takes too long may be tried again, and hears anew [LI-19]', async () => {
    const again = `
      do:
        - tried:
            try: [{ hear: { ${FOR_A}, timeout: { after: PT1H } } }]
            catch: { errors: { with: { status: 408 } }, do: [{ late: { set: { late: true } } }] }
        - other: { listen: { to: { one: { with: { type: b } } } }, output: { as: '[., $context]' } }
    `;
    const { test: engine, tell, outcome } = await hearing(again);
    await engine.advance('1h');
    await tell(eventOf('a', 1), eventOf('b', 2));
    expect(await outcome()).toEqual([[2], {}]);
    await engine.close();
  });

  test('hears the same event once: the same source and id are the same [LI-21]', async () => {
    const both = listens("{ any: [{ with: { type: a } }], until: '${ length == 2 }' }");
    const event = eventOf('a', 1, { id: 'same' });
    const twice = [event, { ...event, data: 2 }];
    expect(await heard(both, twice)).toBe('waiting');
    const other = { ...event, source: '/other', data: 3 };
    expect(await heard(both, [...twice, other])).toEqual([1, 3]);
  });

  test('is woken beside every other one that waits for the same event [LI-22]', async () => {
    const flow = workflow(body);
    const engine = createTestEngine({ flows: [flow] });
    const runs = await Promise.all(Array.from({ length: 20 }, () => engine.start(flow, {})));
    await engine.runUntilIdle();
    const { instances } = await engine.engine.publish(eventOf('a', 7));
    expect(new Set(instances)).toEqual(new Set(runs.map(({ id }) => id)));
    await engine.runUntilIdle();
    expect(await Promise.all(runs.map((run) => run.result()))).toEqual(runs.map(() => [7]));
    await engine.close();
  });

  test('and another in the same workflow both hear an event [LI-22]', async () => {
    const two = `
      do:
        - both:
            fork:
              branches:
                - first: { ${FOR_A} }
                - second:
                    listen: { to: { all: [{ with: { type: a } }, { with: { type: b } }] } }
    `;
    expect(await heard(two, [eventOf('a', 1)])).toBe('waiting');
    expect(await heard(two, [eventOf('a', 1), eventOf('b', 2)])).toEqual([[1], [1, 2]]);
  });

  test('that comes after another hears only what comes after that began [LI-01]', async () => {
    const one = '{ listen: { to: { one: { with: { type: a } } } } }';
    const both = `do: [{ first: ${one} }, { second: ${one} }]`;
    expect(await heard(both, [eventOf('a', 1)])).toBe('waiting');
    expect(await heard(both, [eventOf('a', 1), eventOf('a', 2)])).toEqual([2]);
  });

  test('hears nothing while suspended, and then all of it [LI-20]', async () => {
    const both = listens("{ any: [{ with: { type: a } }], until: '${ length == 2 }' }");
    const { run, tell, outcome, test: engine } = await hearing(both);
    await run.suspend();
    await tell(eventOf('a', 1), eventOf('a', 2));
    expect(await outcome()).toBe('suspended');
    await run.resume();
    await engine.runUntilIdle();
    expect(await outcome()).toEqual([1, 2]);
    await engine.close();
  });
});

describe('whatever crashes', () => {
  const body = listens("{ any: [{ with: { type: a } }], until: '${ length == 5 }' }");
  const events = [1, 2, 3, 4, 5].map((n) => eventOf('a', n));

  test.each([
    ['after every commit', { crashAfterEveryCommit: true }],
    ['and everything is handed in twice', { duplicateDeliveries: true }],
  ])('each event is heard once, in order: %s [LI-20]', async (_how, chaos) => {
    expect(await heard(body, events, { chaos })).toEqual([1, 2, 3, 4, 5]);
  });
});
