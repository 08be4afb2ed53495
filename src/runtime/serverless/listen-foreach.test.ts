/** What is done for each event that is consumed: LI-17, LI-18. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { eventOf, heard, hearing } from '../../testing/listeners.ts';

const THREE = "{ any: [{ with: { type: a } }], until: '${ length == 3 }' }";

const RAISES = "raise: { error: { type: 'about:blank', status: 500 } }";

/** Notes in the context what happens, in order. */
function notes(text: string): string {
  return `export: { as: '$context + { log: (($context.log // []) + [${text}]) }' }`;
}

describe('for each event', () => {
  const slow = `
      do:
        - hear:
            listen: { to: ${THREE} }
            foreach:
              item: event
              at: place
              do:
                - begins: { set: '\${ . }', ${notes('"begins \\($event) at \\($place)"')} }
                - works: { wait: PT1M }
                - ends: { set: '\${ . }', ${notes('"ends \\($event)"')} }
      output: { as: $context.log }
  `;
  const ALL = [1, 2, 3].flatMap((n) => [`begins ${n} at ${n - 1}`, `ends ${n}`]);

  test('all is done before anything is for the next, in the order they came [LI-17]', async () => {
    const { tell, outcome, test: engine } = await hearing(slow);
    await tell(eventOf('a', 1), eventOf('a', 2), eventOf('a', 3));
    await engine.advance('2m');
    expect(await outcome()).toBe('waiting');
    await engine.advance('1m');
    expect(await outcome()).toEqual(ALL);
    await engine.close();
  });

  test('what comes while something is done for one, and after, is not missed [LI-17]', async () => {
    const { tell, outcome, test: engine } = await hearing(slow);
    await tell(eventOf('a', 1));
    await engine.advance('30s');
    await tell(eventOf('a', 2));
    await engine.advance('1h');
    await tell(eventOf('a', 3), eventOf('a', 4));
    await engine.advance('1h');
    expect(await outcome()).toEqual(ALL);
    await engine.close();
  });

  test.each([
    ['as they come', {}],
    ['with a crash after every commit', { crashAfterEveryCommit: true }],
    ['with everything handed in twice', { duplicateDeliveries: true }],
  ])('a hundred of them keep their order: %s [LI-17]', async (_how, chaos) => {
    const body = `
      do:
        - hear:
            listen: { to: { any: [{ with: { type: a } }], until: '\${ length == 100 }' } }
            foreach: { do: [{ twice: { set: { n: '\${ $item * 2 }' } } }], output: { as: .n } }
    `;
    const events = Array.from({ length: 100 }, (_, n) => eventOf('a', n));
    expect(await heard(body, events, { chaos })).toEqual(events.map((_, n) => n * 2));
  });

  test('the tasks begin with the input of the listener [LI-17]', async () => {
    const body = `
      do:
        - hear:
            input: { from: .inner }
            listen: { to: { one: { with: { type: a } } } }
            foreach:
              do: [{ only: { set: { data: '\${ . }', item: '\${ $item }', at: '\${ $index }' } } }]
              output: { as: . }
    `;
    expect(await heard(body, [eventOf('a', 1)], { input: { inner: { x: 1 } } })).toEqual([
      { data: { x: 1 }, item: 1, at: 0 },
    ]);
  });

  test('that fails the listener fails, and nothing is done for the next [LI-17]', async () => {
    const body = `
      do:
        - tried:
            try:
              - hear:
                  listen: { to: ${THREE} }
                  foreach:
                    do:
                      - check: { if: $item == 2, ${RAISES} }
                      - note: { set: '\${ . }', ${notes('$item')} }
            catch:
              do:
                - caught: { set: { error: '\${ $error.instance }', log: '\${ $context.log }' } }
    `;
    expect(
      await heard(
        body,
        [1, 2, 3].map((n) => eventOf('a', n)),
      ),
    ).toEqual({
      error: '/do/0/tried/try/0/hear/foreach/do/0/check',
      log: [1],
    });
  });

  test('events that end it let what was begun come to its end [LI-09, LI-17]', async () => {
    const body = slow.replace(
      THREE,
      '{ any: [{ with: { type: a } }], until: { one: { with: { type: stop } } } }',
    );
    const { tell, outcome, test: engine } = await hearing(body);
    await tell(eventOf('a', 1), eventOf('a', 2), eventOf('stop'), eventOf('a', 3));
    expect(await outcome()).toBe('waiting');
    await engine.advance('2m');
    expect(await outcome()).toEqual(ALL.slice(0, 4));
    await engine.close();
  });

  test('a timeout ends what is being done for one [LI-19]', async () => {
    const body = slow.replace('foreach:', 'timeout: { after: PT90S }\n            foreach:');
    const { tell, outcome, test: engine } = await hearing(body);
    await tell(eventOf('a', 1), eventOf('a', 2), eventOf('a', 3));
    await engine.advance('90s');
    expect(await outcome()).toMatchObject({ status: 408, instance: '/do/0/hear' });
    await engine.close();
  });

  test('another listener may be inside, for events of its own [LI-17]', async () => {
    const body = `
      do:
        - hear:
            listen: { to: { any: [{ with: { type: asked } }], until: '\${ length == 2 }' } }
            foreach:
              item: asked
              do:
                - answer:
                    listen:
                      to:
                        one:
                          with: { type: answered }
                          correlate: { id: { from: .data.id, expect: '\${ $asked.id }' } }
              output: { as: '.[0].text' }
    `;
    const answer = (id: number, text: string) => eventOf('answered', { id, text });
    const { tell, outcome, test: engine } = await hearing(body);
    await tell(eventOf('asked', { id: 1 }), eventOf('asked', { id: 2 }));
    await tell(answer(2, 'too early'), answer(1, 'one'));
    expect(await outcome()).toBe('waiting');
    await tell(answer(2, 'two'));
    expect(await outcome()).toEqual(['one', 'two']);
    await engine.close();
  });
});

describe('what comes of each', () => {
  const events = [eventOf('a', { n: 1 }), eventOf('a', { n: 2 }), eventOf('a', { n: 3 })];
  const body = (foreach: string): string => `
      do:
        - hear: { listen: { to: ${THREE} }, foreach: ${foreach} }
      output: { as: '{ heard: ., context: $context }' }
  `;
  const doing = "do: [{ add: { set: { m: '${ $item.n + 10 }' } } }]";

  test('stands in the output as output.as has it [LI-18]', async () => {
    const each = `{ ${doing}, output: { as: '{ was: $item.n, is: .m, at: $index }' } }`;
    const { heard: all } = (await heard(body(each), events)) as JsonObject;
    expect(all).toEqual([1, 2, 3].map((n) => ({ was: n, is: n + 10, at: n - 1 })));
  });

  test('is the event itself where nothing is made of it [LI-18]', async () => {
    const { heard: all } = (await heard(body(`{ ${doing} }`), events)) as JsonObject;
    expect(all).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test('updates the context by export.as, after each [LI-18]', async () => {
    const sum = "export: { as: '{ sum: (($context.sum // 0) + .) }' }";
    const each = `{ ${doing}, output: { as: .m }, ${sum} }`;
    expect(await heard(body(each), events)).toEqual({ heard: [11, 12, 13], context: { sum: 36 } });
  });

  test('may be made without any task, of the event [LI-18]', async () => {
    const each = "{ output: { as: '.n * 2' }, export: { as: '{ last: ., at: $index }' } }";
    expect(await heard(body(each), events)).toEqual({
      heard: [2, 4, 6],
      context: { last: 6, at: 2 },
    });
  });

  test('must fit its schema [LI-18]', async () => {
    const schema = 'schema: { document: { properties: { m: { maximum: 12 } } } }';
    const each = `{ ${doing}, output: { ${schema} } }`;
    expect(await heard(body(each), events)).toMatchObject({
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/validation',
      instance: '/do/0/hear',
    });
  });

  test('is asked for by `until` as the events were read [LI-07, LI-18]', async () => {
    const until = "until: 'map(.n) | add >= 3'";
    const each = `{ ${doing}, output: { as: .m } }`;
    const asked = body(each).replace(THREE, `{ any: [{ with: { type: a } }], ${until} }`);
    expect(await heard(asked, events)).toMatchObject({ heard: [11, 12] });
  });
});
