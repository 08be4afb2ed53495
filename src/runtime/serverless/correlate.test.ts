/** Events that belong together: LI-14 to LI-16. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { eventOf, heard, hearing } from '../../testing/listeners.ts';
import { Receiver } from '../../testing/receiver.ts';

const reading = (room: Json, value: Json, type = 'reading') =>
  eventOf(type, { room, value }, { roomid: JSON.stringify(room) });

describe('the first value of a key', () => {
  const all = (correlate: string): string => `
      do:
        - hear:
            listen:
              to:
                all:
                  - { with: { type: reading }, correlate: ${correlate} }
                  - { with: { type: smoke }, correlate: ${correlate} }
  `;
  const byRoom = all('{ room: { from: .roomid } }');

  test('is that of every other event, whatever filter it is for [LI-14]', async () => {
    const first = reading(1, 20);
    expect(await heard(byRoom, [first, reading(2, 'other', 'smoke')])).toBe('waiting');
    const events = [first, reading(2, 'other', 'smoke'), reading(1, 'same', 'smoke')];
    expect(await heard(byRoom, events)).toEqual([
      { room: 1, value: 20 },
      { room: 1, value: 'same' },
    ]);
  });

  test('is fixed by whichever comes first, and by one that fits alone [LI-14]', async () => {
    const smoke = reading(2, 'first', 'smoke');
    const events = [eventOf('none', {}, { roomid: '1' }), smoke, reading(1, 20), reading(2, 21)];
    expect(await heard(byRoom, events)).toEqual([
      { room: 2, value: 'first' },
      { room: 2, value: 21 },
    ]);
  });

  test('may be made of the data, and be anything [LI-14]', async () => {
    const body = all("{ room: { from: '${ .data.room }' } }");
    const room = { house: 'a', floor: 1 };
    const same = { floor: 1, house: 'a' };
    const events = [
      reading(room, 1),
      reading({ house: 'b' }, 2, 'smoke'),
      reading(same, 3, 'smoke'),
    ];
    expect(await heard(body, events)).toMatchObject([{ value: 1 }, { value: 3 }]);
  });

  test('each of several keys has its own [LI-14]', async () => {
    const body = all("{ room: { from: .roomid }, kind: { from: '.data.value | type' } }");
    const events = [reading(1, 1), reading(1, 'text', 'smoke'), reading(2, 1, 'smoke')];
    expect(await heard(body, events)).toBe('waiting');
    expect(await heard(body, [...events, reading(1, 2, 'smoke')])).toHaveLength(2);
  });

  test('holds for all events until the end, and not for the next listener [LI-14]', async () => {
    const body = `
      do:
        - twice:
            for: { in: '[1, 2]' }
            do:
              - hear:
                  listen:
                    to:
                      any: [{ with: { type: reading }, correlate: { room: { from: .roomid } } }]
                      until: '\${ length == 2 }'
                  output: { as: 'map(.room)' }
                  export: { as: '$context + { ("p" + ($index | tostring)): . }' }
      output: { as: $context }
    `;
    const events = [reading(1, 1), reading(2, 1), reading(1, 2), reading(2, 2)];
    const more = [reading(1, 3), reading(3, 1), reading(2, 3)];
    expect(await heard(body, [...events, ...more], { input: {} })).toEqual({
      p0: [1, 1],
      p1: [2, 2],
    });
  });

  test('an event without one belongs to nothing [LI-14]', async () => {
    const body = all("{ room: { from: '.data.room' } }");
    expect(await heard(body, [eventOf('reading', {}), eventOf('smoke', {})])).toBe('waiting');
  });
});

describe('a value that is expected', () => {
  const one = (expect: string): string =>
    `
      do:
        - hear:
            listen:
              to:
                one:
                  with: { type: reading }
                  correlate: { room: { from: .roomid, expect: ${expect} } }
    `;

  test('may be a constant [LI-15]', async () => {
    expect(await heard(one('"1"'), [reading(2, 'a')])).toBe('waiting');
    expect(await heard(one('"1"'), [reading(2, 'a'), reading(1, 'b')])).toMatchObject([
      { value: 'b' },
    ]);
  });

  test('may be made of the input of the task [LI-15]', async () => {
    const input = { room: 2 };
    for (const expression of ["'${ .room | tostring }'", "'${ $input.room | tostring }'"]) {
      const events = [reading(1, 'a'), reading(2, 'b')];
      expect(await heard(one(expression), events, { input })).toMatchObject([{ value: 'b' }]);
    }
  });

  test('is a value, and no condition [LI-15]', async () => {
    expect(await heard(one("'${ true }'"), [reading(1, 'a')])).toBe('waiting');
  });

  test('is for its own filter alone [LI-15]', async () => {
    const body = `
      do:
        - hear:
            listen:
              to:
                all:
                  - { with: { type: reading }, correlate: { room: { from: .roomid, expect: '1' } } }
                  - { with: { type: smoke }, correlate: { room: { from: .roomid } } }
    `;
    const events = [reading(2, 'a'), reading(1, 'b'), reading(2, 'c', 'smoke')];
    expect(await heard(body, events)).toBe('waiting');
    const more = [...events, reading(1, 'd', 'smoke')];
    expect(await heard(body, more)).toMatchObject([{ value: 'b' }, { value: 'd' }]);
  });
});

describe('the keys', () => {
  test('are told when all events were consumed [LI-16]', async () => {
    const outbox = new Receiver();
    const body = `
      do:
        - hear:
            listen:
              to:
                any:
                  - with: { type: reading }
                    correlate:
                      room: { from: .roomid }
                      house: { from: .data.value, expect: '\${ 7 }' }
                until: '\${ length == 2 }'
    `;
    const { tell, test: engine, run } = await hearing(body, { outbox });
    await tell(reading(1, 7), reading(2, 7), reading(1, 7));
    await engine.close();
    const told = outbox.taken.filter(({ type }) => type.includes('correlation'));
    const name = `workflow-${run.id}.test`;
    const at = '2026-01-01T00:00:00.000Z';
    expect(told.map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'io.serverlessworkflow.workflow.correlation-started.v1',
        data: { name, startedAt: at },
      },
      {
        type: 'io.serverlessworkflow.workflow.correlation-completed.v1',
        data: { name, completedAt: at, correlationKeys: { room: '1', house: 7 } },
      },
    ]);
  });
});
