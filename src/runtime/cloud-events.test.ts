/** CloudEvents as they are handed in, and what is no event or no message. */
import { describe, expect, test } from 'vitest';
import type { CloudEvent } from '../model/cloud-event.ts';
import { World } from '../testing/world.ts';
import type { Engine } from './engine.ts';

const EVENT: CloudEvent = {
  ...{ specversion: '1.0', id: '1', source: 'https://example.com/desk', type: 'com.example.news' },
  ...{ subject: 'k', time: '2026-01-31T12:00:00.5+01:00', dataschema: 'https://example.com/s' },
  ...{ datacontenttype: 'application/json', data: { sum: 5 }, traceparent: '00-ab', retries: 3 },
};

async function opened(limits = {}): Promise<Engine> {
  return new World().open([], { worker: false, limits });
}

async function refused(event: Record<string, unknown>): Promise<string> {
  const engine = await opened();
  const message = await engine.publish(event as unknown as CloudEvent).then(
    () => 'nothing was wrong',
    (thrown: { code: string; message: string }) => `${thrown.code}: ${thrown.message}`,
  );
  expect(await engine.inbox.list()).toMatchObject({ messages: [] });
  return message;
}

describe('an event', () => {
  test('is kept whole, by its source and id, under its subject', async () => {
    const engine = await opened();
    const published = await engine.publish(EVENT);
    const id = 'https://example.com/desk 1';
    expect(published).toEqual({ outcome: 'buffered', id, instances: [] });
    const { messages } = await engine.inbox.list();
    expect(messages).toMatchObject([
      { id, type: 'com.example.news', key: 'k', instance: null, data: { sum: 5 }, event: EVENT },
    ]);
    expect(await engine.publish({ ...EVENT, data: 'other' })).toMatchObject({
      outcome: 'duplicate',
    });
  });

  test('without a subject has no key; what is null is as good as left out', async () => {
    const engine = await opened();
    const { subject: _, ...rest } = EVENT;
    await engine.publish({ ...rest, comexampleother: null, data: null });
    const { comexampleother: __, ...event } = { ...rest, comexampleother: null, data: null };
    expect((await engine.inbox.list()).messages).toMatchObject([{ key: null, data: null, event }]);
  });

  test('with a long source and id is known by a hash of both', async () => {
    const engine = await opened();
    const long = { ...EVENT, source: `/${'s'.repeat(400)}` };
    const fits = await engine.publish({ ...long, id: 'i'.repeat(98) });
    expect(fits.id).toHaveLength(500);
    const hashed = await engine.publish({ ...long, id: 'i'.repeat(99) });
    expect(hashed.id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await engine.publish({ ...long, id: 'i'.repeat(99) })).toMatchObject({
      ...{ outcome: 'duplicate', id: hashed.id },
    });
    expect((await engine.publish({ ...long, id: 'i'.repeat(100) })).id).not.toBe(hashed.id);
  });

  test('has as much room as any message, with all that it says', async () => {
    const size = JSON.stringify({ $cloudevent: EVENT }).length;
    const fits = await opened({ VALUE_CHARS_MAX: size });
    expect((await fits.publish(EVENT)).outcome).toBe('buffered');
    const short = await opened({ VALUE_CHARS_MAX: size - 1 });
    await expect(short.publish(EVENT)).rejects.toMatchObject({ code: 'message.invalid' });
  });
});

describe('what is no event is refused, and says why', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ specversion: '0.3' }, 'the specversion of an event is "1.0"; came "0.3"'],
    [{ specversion: 1 }, 'the specversion of an event is "1.0"; came 1'],
    [{ id: '' }, 'the id of an event is a text that is not empty; came ""'],
    [{ id: undefined }, 'the id of an event is a text that is not empty; came undefined'],
    [{ source: 5 }, 'the source of an event is a text that is not empty; came 5'],
    [{ source: '/a b' }, 'the source of an event is a URI; came "/a b"'],
    [{ type: null }, 'the type of an event is a text that is not empty; came undefined'],
    [{ type: '$any' }, 'the type of a message is a text of 1 to 500 characters, and not "$any"'],
    [{ subject: '' }, 'the subject of an event is a text that is not empty; came ""'],
    [{ subject: '$any' }, 'the key of a message is a text of 1 to 500 characters'],
    [{ subject: 's'.repeat(501) }, 'the key of a message is a text of 1 to 500 characters'],
    [{ type: 't'.repeat(501) }, 'the type of a message is a text of 1 to 500 characters'],
    [{ time: 'yesterday' }, 'the time of an event is a moment such as "2026-01-31T12:00:00Z"'],
    [{ time: '2026-02-29T12:00:00Z' }, 'the time of an event is a moment'],
    [{ time: '2026-01-31T24:00:00Z' }, 'the time of an event is a moment'],
    [{ time: '2026-01-31 12:00:00' }, 'the time of an event is a moment'],
    [{ dataschema: 'no uri' }, 'the dataschema of an event is a URI; came "no uri"'],
    [{ datacontenttype: 7 }, 'the datacontenttype of an event is a text'],
    [{ data_base64: 'AAE=' }, 'an event has "data" or "data_base64", and not both'],
    [{ data: undefined, data_base64: 'A' }, 'the data_base64 of an event is a text in Base64'],
    [{ traceParent: 'x' }, 'lower-case letters and digits; came "traceParent"'],
    [{ ['x'.repeat(51)]: 'x' }, 'has 1 to 50 lower-case letters and digits'],
    [{ more: { a: 1 } }, 'the attribute "more" of an event is a text, true, false or a whole'],
    [{ more: 1.5 }, 'the attribute "more" of an event is a text, true, false or a whole'],
    [{ more: 2 ** 31 }, 'the attribute "more" of an event is a text, true, false or a whole'],
  ])('%j', async (odd, why) => {
    const said = await refused({ ...EVENT, ...odd });
    expect(said).toContain('message.invalid: ');
    expect(said).toContain(why);
  });

  test.each([
    ['a number of its own', { n: 1n }],
    ['bytes', new Uint8Array(2)],
  ])('data that is %s', async (_what, data) => {
    const said = await refused({ ...EVENT, data });
    expect(said).toContain('message.invalid: an event is JSON');
    expect(said).toContain('bytes go as "data_base64"');
  });

  test('and what is just within is kept', async () => {
    const engine = await opened();
    const odd = {
      ...{ subject: 's'.repeat(500), type: 't'.repeat(500), time: '2024-02-29T23:59:60z' },
      ...{ ['x'.repeat(50)]: 2 ** 31 - 1, flag: true, source: 'urn:uuid:1' },
    };
    expect((await engine.publish({ ...EVENT, ...odd })).outcome).toBe('buffered');
  });
});

describe('a message is refused', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ type: '$any', key: 'k' }, 'the type of a message is'],
    [{ type: 'news', key: '$any' }, 'the key of a message is'],
    [{ type: 'news', data: { $cloudevent: 1 } }, 'the data of a message has no "$cloudevent"'],
    [{ type: 'news', data: { $cloudevent: EVENT } }, 'publish the event itself instead'],
  ])('%j', async (message, why) => {
    expect(await refused(message)).toContain(why);
  });

  test('and data that has such a name further down is not', async () => {
    const engine = await opened();
    const data = { inner: { $cloudevent: 1 } };
    expect((await engine.publish({ type: 'news', data })).outcome).toBe('buffered');
    expect((await engine.inbox.list()).messages).toMatchObject([{ key: null, data }]);
  });
});
