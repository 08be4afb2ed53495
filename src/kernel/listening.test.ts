/** Listening: every event is told to all of an instance that listen to it, once and in order. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { CLOUD_EVENT } from '../model/cloud-event.ts';
import type { InstanceId, Instant, TokenId } from '../model/ids.ts';
import type { Message } from '../model/input.ts';
import { EAR, type Ear, forgetEars, knowEars } from '../testing/ears.ts';
import { withoutCode } from '../testing/play.ts';
import { draw, started, type Story } from '../testing/story.ts';
import { emptyInstance, type Instance } from './instance.ts';
import { touchedBy } from './touched.ts';

beforeAll(knowEars);
afterAll(forgetEars);

const NEWS: Message = { id: 'm1', type: 'news', key: 'k', data: { sum: 1 } };

/** Two ears side by side. */
function two(left: Partial<Ear> = {}, right: Partial<Ear> = {}): Story {
  const ear = (settings: Partial<Ear>) => ({ kind: EAR, settings: { count: 2, ...settings } });
  const drawing = draw(
    [
      ...['fork -> left', 'fork -> right', 'left -> left', 'right -> right'],
      ...['left -> join', 'right -> join', 'join -> end'],
    ],
    {
      fork: { kind: 'fork' },
      left: ear(left),
      right: ear(right),
      join: { kind: 'join' },
      end: { kind: 'end' },
    },
  );
  return started(drawing);
}

/** It comes for those who listen; the token is of no matter. */
function comes(story: Story, message: Partial<Message> = {}, published = story.now): string {
  return story.tell({
    ...{ type: 'message', at: story.now as Instant, token: 0 as TokenId },
    ...{ message: { ...NEWS, ...message }, published: published as Instant },
  });
}

function heardBy(story: Story): Readonly<Record<string, Json>> {
  const [root] = story.instance.scopes.values();
  const { left, right } = {
    left: root?.vars.get('heard left'),
    right: root?.vars.get('heard right'),
  };
  return { left: left ?? [], right: right ?? [] };
}

describe('an event', () => {
  test('is told to all that listen to it in one stride', () => {
    const story = two({ type: 'news' }, {});
    comes(story);
    expect(heardBy(story)).toEqual({ left: ['m1'], right: ['m1'] });
    comes(story, { id: 'm2', type: 'other' });
    expect(heardBy(story)).toEqual({ left: ['m1'], right: ['m1', 'm2'] });
    comes(story, { id: 'm3' });
    expect(story.head.status).toBe('completed');
  });

  test('is not for a key, a type or an instance that nobody listens to', () => {
    const story = two({ type: 'news', key: 'other' }, { type: 'paid' });
    comes(story);
    comes(story, { key: '' });
    comes(story, { key: '', instance: 'i2' as InstanceId });
    expect(heardBy(story)).toEqual({ left: [], right: [] });
    comes(story, { key: '', instance: 'i1' as InstanceId });
    expect(heardBy(story)).toEqual({ left: ['m1'], right: [] });
  });

  test('of before it began is not told; of the same moment it is', () => {
    const story = two({}, { lookBackMs: 5 });
    story.now = 100;
    comes(story, {}, -6);
    comes(story, { id: 'm2' }, -5);
    comes(story, { id: 'm3' }, 0);
    expect(heardBy(story)).toEqual({ left: ['m3'], right: ['m2', 'm3'] });
  });

  test('wakes the one who waits for it, too, with its data', () => {
    const drawing = draw(['fork -> ear', 'fork -> wait', 'wait -> end'], {
      fork: { kind: 'fork' },
      ear: { kind: EAR, settings: { count: 1 } },
      wait: { kind: 'wait', settings: { event: 'news', key: 'k' } },
      end: { kind: 'end', settings: { output: 'results' } },
    });
    const story = started(drawing);
    const waiting = story.instance.tokens.values().find(({ node }) => node === 'wait');
    const event = { specversion: '1.0', id: 'e1', source: '/s', type: 'news', data: { sum: 2 } };
    const message = { ...NEWS, data: { [CLOUD_EVENT]: event } };
    const token = waiting?.id ?? (0 as TokenId);
    story.tell({ type: 'message', at: 0 as Instant, token, message, published: 0 as Instant });
    expect(story.head).toMatchObject({ status: 'completed', output: { wait: { sum: 2 } } });
    expect(story.history.at(-1)?.changes).toContainEqual(
      expect.objectContaining({
        did: 'wake-token',
        wake: expect.objectContaining({ payload: event, arm: 'heard' }),
      }),
    );
  });

  test('of a suspended instance is told to nobody', () => {
    const story = two();
    story.tell({ type: 'suspend', at: 0 as Instant });
    expect(comes(story)).toBe('\n\n');
    story.tell({ type: 'resume', at: 0 as Instant });
    comes(story);
    expect(heardBy(story)).toEqual({ left: ['m1'], right: ['m1'] });
  });
});

describe('one that has heard something and was not told yet', () => {
  test('keeps the next event from everybody, until it has been told', () => {
    const story = two({ type: 'news' }, {});
    withoutCode(story, () => comes(story));
    const one = story.instance.tokens.values().find(({ status }) => status === 'ready');
    expect(one?.wake).toMatchObject({ reason: 'event', listens: { since: 0 } });
    expect(comes(story, { id: 'm2' })).toBe('\n\n');
    expect(withoutCode(story, () => comes(story, { id: 'm2' }))).toBe('\n\n');
    story.go(one?.id ?? 0);
    expect(heardBy(story)).toEqual({ left: ['m1'], right: ['m1'] });
    comes(story, { id: 'm2' });
    expect(story.head.status).toBe('completed');
  });

  test('does not keep those from an event to which it does not listen', () => {
    const story = two({ type: 'news' }, { type: 'other' });
    withoutCode(story, () => comes(story));
    withoutCode(story, () => comes(story, { id: 'm2', type: 'other' }));
    expect(story.instance.tokens.values().map(({ status }) => status)).toEqual(['ready', 'ready']);
  });
});

describe('what somebody wakes it with', () => {
  test('is made an event', () => {
    const story = two({ type: 'news', key: 'k', count: 9 }, { count: 9 });
    const [left, right] = story.instance.tokens.values().map(({ id }) => id);
    const wakes = { type: 'wake', at: 0 as Instant, arm: null } as const;
    story.tell({ ...wakes, token: left ?? null, data: { sum: 3 } });
    const woken = story.history.at(-1)?.changes.find(({ did }) => did === 'wake-token');
    expect(woken).toMatchObject({
      wake: {
        payload: {
          ...{ specversion: '1.0', source: '/perdure', type: 'news', subject: 'k' },
          ...{ id: `i1/${left}@1`, data: { sum: 3 } },
        },
      },
    });
    const event = { specversion: '1.0', id: 'e1', source: '/s', type: 'other' };
    story.tell({ ...wakes, token: right ?? null, data: event });
    expect(heardBy(story)).toEqual({ left: [`i1/${left}@1`], right: ['e1'] });
    story.tell({ ...wakes, token: right ?? null, data: 5 });
    const last = story.history.at(-1)?.changes.find(({ did }) => did === 'wake-token');
    expect(last).toMatchObject({ wake: { payload: { type: 'perdure.woken', data: 5 } } });
  });
});

describe('the rows of those who listen', () => {
  const since = { since: 0 };

  function rowsOf(story: Story, happens: () => void, from?: Instance) {
    const before = from ?? story.instance;
    happens();
    const { changes = [] } = story.history.at(-1) ?? {};
    return touchedBy(before, { after: story.instance, changes });
  }

  test('begin with it, and are behind', () => {
    const story = two({ type: 'news' }, {});
    const rows = rowsOf(story, () => {}, emptyInstance('i1' as InstanceId));
    expect(rows.subscribed).toMatchObject([
      { type: 'news', key: '$any', live: 'behind', ...since },
      { type: '$any', key: '$any', live: 'behind', ...since },
    ]);
    expect(rows).toMatchObject({ turned: [], hushed: false });
  });

  test('stay as they are when it listens on', () => {
    const story = two({ type: 'news' }, {});
    const rows = rowsOf(story, () => comes(story));
    expect(rows).toMatchObject({ subscribed: [], unsubscribed: [], turned: [], hushed: false });
  });

  test('go over to the one that takes its place', () => {
    const story = two({ type: 'news', hop: true, count: 3 }, { count: 3 });
    const rows = rowsOf(story, () => comes(story));
    const left = story.instance.tokens.values().find(({ node }) => node === 'left');
    expect(rows).toMatchObject({
      subscribed: [{ token: left?.id, type: 'news', live: 'on', ...since }],
      unsubscribed: [expect.any(Number)],
      ...{ turned: [], hushed: false },
    });
  });

  test('say who is busy', () => {
    const story = two({ type: 'news' }, { type: 'other' });
    const [left] = story.instance.tokens.values().map(({ id }) => id);
    const told = rowsOf(story, () => withoutCode(story, () => comes(story)));
    expect(told).toMatchObject({ turned: [{ token: left, busy: true }], unsubscribed: [] });
    const gone = rowsOf(story, () => story.go(left ?? 0));
    expect(gone).toMatchObject({ turned: [{ token: left, busy: false }], unsubscribed: [] });
  });

  test('end with it, and the last one says so', () => {
    const story = two({ count: 1 }, { count: 1, type: 'other' });
    const first = rowsOf(story, () => comes(story));
    expect(first).toMatchObject({ unsubscribed: [expect.any(Number)], hushed: true });
    const last = rowsOf(story, () => comes(story, { type: 'other' }));
    expect(last).toMatchObject({ unsubscribed: [expect.any(Number)], hushed: true });
    expect(story.head.status).toBe('completed');
  });
});
