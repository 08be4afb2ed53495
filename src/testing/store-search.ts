/** Finding instances: by what is asked, newest first, and never by reading everything at once. */
import { describe, expect, test } from 'vitest';
import type { Attribute } from '../model/attribute.ts';
import type { Fault, Head, Stalled } from '../model/instance.ts';
import type { FindRequest, Found, FoundInstance } from '../stores/instances.ts';
import type { Commit } from '../stores/store.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import { at, finish, idOf, next, sleeping, start, token, tokenId } from './store-commits.ts';
import { isDeepFrozen } from './store-state.ts';

export function searchCases(open: OpenBench): void {
  describe('finding instances', () => {
    pageCases(open);
    filterCases(open);
    statusCases(open);
    faultCases(open);
    walkCases(open);
  });
  describe('attributes', () => {
    attributeCases(open);
  });
}

const ANY: FindRequest = {
  flow: null,
  version: null,
  statuses: null,
  stalled: false,
  key: null,
  tenant: null,
  parent: null,
  created: { from: null, to: null },
  ended: { from: null, to: null },
  fault: null,
  attributes: [],
  before: null,
  limit: 100,
  walk: 1_000,
};

function find(bench: Bench, request: Partial<FindRequest> = {}): Promise<Found> {
  return bench.store.instances.find({ ...ANY, ...request });
}

async function names(bench: Bench, request: Partial<FindRequest> = {}): Promise<string> {
  const { instances } = await find(bench, request);
  return instances.map(({ id }) => id).join('');
}

async function only(bench: Bench, request: Partial<FindRequest> = {}): Promise<FoundInstance> {
  const { instances } = await find(bench, request);
  expect(instances).toHaveLength(1);
  return instances[0] as FoundInstance;
}

function born(name: string, head: Partial<Head> = {}): Commit {
  return start(name, { head });
}

function pageCases(open: OpenBench): void {
  test('they come newest first, by their ids, page by page', async () => {
    const bench = await open();
    await bench.given(...['c', 'a', 'e', 'b', 'd'].map((name) => born(name)));
    const first = await find(bench, { limit: 2 });
    expect([first.instances.map(({ id }) => id), first.next]).toEqual([['e', 'd'], 'd']);
    const second = await find(bench, { limit: 2, before: 'd' });
    expect([second.instances.map(({ id }) => id), second.next]).toEqual([['c', 'b'], 'b']);
    const third = await find(bench, { limit: 2, before: 'b' });
    expect([third.instances.map(({ id }) => id), third.next]).toEqual([['a'], null]);
  });

  test('a page that is full and the last says so', async () => {
    const bench = await open();
    await bench.given(born('a'), born('b'));
    expect((await find(bench, { limit: 2 })).next).toBeNull();
  });

  test('a page goes on from an id that is not there', async () => {
    const bench = await open();
    await bench.given(born('a'), born('c'));
    expect(await names(bench, { before: 'b' })).toBe('a');
  });

  test('where there are none, none are found', async () => {
    expect(await find(await open())).toEqual({ instances: [], next: null });
  });

  test('what is found says what the instance is, frozen', async () => {
    const bench = await open();
    const fault: Fault = { code: 'pay.declined', message: 'no money', node: null };
    const parent = { instance: idOf('p'), token: tokenId(7) };
    const head = { key: 'k', tenant: 't', priority: 3, parent, flowVersion: 2 };
    await bench.given(start('a', { head }));
    await bench.given(
      finish('a', 1, { head: { ...head, status: 'failed', fault, outcome: 'compensated' } }),
    );
    const found = await only(bench);
    expect(found).toEqual({
      ...{ id: 'a', flow: 'order', flowVersion: 2, status: 'failed', key: 'k', tenant: 't' },
      ...{ priority: 3, fault, stalled: null, outcome: 'compensated', parent, attributes: {} },
      ...{ createdAt: at(0), updatedAt: at(2), endedAt: at(2) },
    });
    expect(isDeepFrozen(found)).toBe(true);
  });
}

function filterCases(open: OpenBench): void {
  test('by flow, by version, by tenant, by both', async () => {
    const bench = await open();
    await bench.given(born('a', { tenant: 'x' }), born('b', { flow: 'other', tenant: 'x' }));
    await bench.given(born('c', { flowVersion: 2 }), born('d', { tenant: 'y' }));
    expect(await names(bench, { flow: 'order' })).toBe('dca');
    expect(await names(bench, { flow: 'other' })).toBe('b');
    expect(await names(bench, { flow: 'none' })).toBe('');
    expect(await names(bench, { flow: 'order', version: 2 })).toBe('c');
    expect(await names(bench, { version: 1 })).toBe('dba');
    expect(await names(bench, { tenant: 'x' })).toBe('ba');
    expect(await names(bench, { tenant: 'x', flow: 'order' })).toBe('a');
  });

  test('by key, also those that are over and whose key is another one’s by now', async () => {
    const bench = await open();
    await bench.given(born('a', { key: 'k' }), finish('a', 1, { head: { key: 'k' } }));
    await bench.given(born('b', { key: 'k' }), born('c', { key: 'l' }));
    expect(await names(bench, { key: 'k' })).toBe('ba');
    expect(await names(bench, { key: 'k', statuses: ['completed'] })).toBe('a');
  });

  test('by the instance that called them', async () => {
    const bench = await open();
    const parent = { instance: idOf('p'), token: tokenId(2) };
    await bench.given(born('a', { parent }), born('b', { parent, flow: 'other' }), born('p'));
    expect(await names(bench, { parent: 'p' })).toBe('ba');
    expect(await names(bench, { parent: 'p', flow: 'other' })).toBe('b');
    expect(await names(bench, { parent: 'q' })).toBe('');
  });

  test('by when they began and ended: from a moment on, and before another', async () => {
    const bench = await open();
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      await bench.given(born(name, { createdAt: at(index * 10) }));
    }
    await bench.given(finish('b', 1, { head: { createdAt: at(10), endedAt: at(50) } }));
    expect(await names(bench, { created: { from: at(10), to: null } })).toBe('cb');
    expect(await names(bench, { created: { from: null, to: at(10) } })).toBe('a');
    expect(await names(bench, { created: { from: at(10), to: at(20) } })).toBe('b');
    expect(await names(bench, { ended: { from: at(50), to: null } })).toBe('b');
    expect(await names(bench, { ended: { from: null, to: at(50) } })).toBe('');
    expect(await names(bench, { ended: { from: null, to: at(51) } })).toBe('b');
  });

  test('names of any script, and such as look like something else', async () => {
    const bench = await open();
    const odd = ['grüße 日本 😀', "'; drop table instance; --", '%', '\0null', '{"a":1}'];
    for (const [index, key] of odd.entries()) await bench.given(born(`${index}`, { key }));
    for (const [index, key] of odd.entries()) expect(await names(bench, { key })).toBe(`${index}`);
  });
}

function statusCases(open: OpenBench): void {
  const given = async (bench: Bench): Promise<void> => {
    const busy = { rows: { tokens: [token(2), sleeping(3, 99)] } };
    const asleep = { rows: { tokens: [sleeping(2, 99)] } };
    const fault: Fault = { code: 'boom', message: 'it broke', node: null };
    await bench.given(start('a', busy), start('b', asleep));
    await bench.given(start('c', { ...asleep, head: { status: 'suspended' } }));
    await bench.given(start('d', { ...busy, head: { status: 'compensating', fault } }));
    await bench.given(start('e'), finish('e', 1));
    await bench.given(start('f'), finish('f', 1, { head: { status: 'failed', fault } }));
    await bench.given(start('g'), finish('g', 1, { head: { status: 'canceled' } }));
  };

  test('each status has its own, as people are shown it', async () => {
    const bench = await open();
    await given(bench);
    const { instances } = await find(bench);
    expect(Object.fromEntries(instances.map(({ id, status }) => [id, status]))).toEqual({
      ...{ a: 'running', b: 'waiting', c: 'suspended', d: 'compensating' },
      ...{ e: 'completed', f: 'failed', g: 'canceled' },
    });
    for (const { id, status } of instances) {
      expect(await names(bench, { statuses: [status] })).toBe(id);
      expect(await names(bench, { statuses: [status], flow: 'order' })).toBe(id);
      expect(await names(bench, { statuses: [status], flow: 'other' })).toBe('');
    }
  });

  test('several at once, open ones, ended ones and both', async () => {
    const bench = await open();
    await given(bench);
    expect(await names(bench, { statuses: ['running', 'waiting', 'compensating'] })).toBe('dba');
    expect(await names(bench, { statuses: ['failed', 'canceled'] })).toBe('gf');
    expect(await names(bench, { statuses: ['failed', 'waiting'] })).toBe('fb');
    expect(await names(bench, { statuses: [] })).toBe('');
  });

  test('one that somebody has claimed is running', async () => {
    const bench = await open();
    await bench.given(start('a'));
    await bench.claimFirst();
    expect((await only(bench, { statuses: ['running'] })).status).toBe('running');
  });

  test('open ones are paged, past chains that are over', async () => {
    const bench = await open();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const link = token(2, { seq: 0 });
      await bench.given(start(name, { rows: { tokens: [link, token(3, { seq: 1 })] } }));
    }
    const done = [2, 3].map((id) => token(id, { seq: id - 2, status: 'completed', handler: null }));
    const ended = { tokens: done, endedTokens: [] };
    await bench.given(finish('d', 1, { rows: ended }), finish('b', 1, { rows: ended }));
    const page = await find(bench, { statuses: ['running'], limit: 2 });
    expect([page.instances.map(({ id }) => id), page.next]).toEqual([['e', 'c'], 'c']);
    expect(await names(bench, { statuses: ['running'], before: 'c' })).toBe('a');
  });

  test('those that are stalled', async () => {
    const bench = await open();
    const stalled: Stalled = { reason: 'join', joins: [] };
    await bench.given(born('a', { stalled }), born('b'), born('c', { stalled, flow: 'other' }));
    expect(await names(bench, { stalled: true })).toBe('ca');
    expect(await names(bench, { stalled: true, flow: 'order' })).toBe('a');
    expect((await only(bench, { stalled: true, flow: 'order' })).stalled).toEqual(stalled);
    await bench.given(next('c', 1, { head: { flow: 'other' } }));
    expect(await names(bench, { stalled: true })).toBe('a');
  });
}

function faultCases(open: OpenBench): void {
  const given = async (bench: Bench): Promise<void> => {
    const faults: Record<string, Pick<Fault, 'code' | 'message'>> = {
      a: { code: 'pay.declined', message: 'card 4711 was declined' },
      b: { code: 'pay.timeout', message: 'no answer' },
      c: { code: 'ship.lost', message: 'No Answer from 4711' },
      d: { code: 'pay.declined', message: 'half \ud800 and \0 of 4711: "\\u0000"' },
    };
    for (const [name, fault] of Object.entries(faults)) {
      const ended = { status: 'failed', fault: { ...fault, node: null } } as const;
      await bench.given(start(name), finish(name, 1, { head: ended }));
    }
    await bench.given(start('e'), finish('e', 1), start('f'));
  };
  const nothing = { code: null, prefix: null, text: null, node: null };

  test('by the code of their fault, or how it begins', async () => {
    const bench = await open();
    await given(bench);
    expect(await names(bench, { fault: { ...nothing, code: 'pay.declined' } })).toBe('da');
    expect(await names(bench, { fault: { ...nothing, code: 'pay' } })).toBe('');
    expect(await names(bench, { fault: { ...nothing, prefix: 'pay.' } })).toBe('dba');
    expect(await names(bench, { fault: { ...nothing, prefix: '' } })).toBe('dcba');
  });

  test('by what the message contains, letter by letter', async () => {
    const bench = await open();
    await given(bench);
    expect(await names(bench, { fault: { ...nothing, text: '4711' } })).toBe('dca');
    expect(await names(bench, { fault: { ...nothing, text: 'no answer' } })).toBe('b');
    expect(await names(bench, { fault: { ...nothing, prefix: 'pay.', text: '4711' } })).toBe('da');
    expect(await names(bench, { fault: { ...nothing, text: '%' } })).toBe('');
  });
}

function walkCases(open: OpenBench): void {
  test('a walk that has gone far enough ends, and the next page goes on there', async () => {
    const bench = await open();
    const all = Array.from({ length: 11 }, (_, index) => `i${String(index).padStart(2, '0')}`);
    await bench.given(...all.map((name, index) => born(name, { flowVersion: index < 2 ? 2 : 1 })));
    const pages: string[] = [];
    let before: string | null = null;
    for (;;) {
      const page: Found = await find(bench, { version: 2, walk: 4, limit: 3, before });
      pages.push(page.instances.map(({ id }) => id).join());
      before = page.next;
      if (before === null) break;
    }
    expect(pages).toEqual(['', '', 'i01,i00']);
  });

  test('long walks go on in strides and miss none', async () => {
    const bench = await open();
    const all = Array.from({ length: 40 }, (_, index) => `i${String(index).padStart(2, '0')}`);
    await bench.given(...all.map((name, index) => born(name, { flowVersion: 1 + (index % 7) })));
    const page = await find(bench, { version: 1, limit: 9 });
    expect(page.instances.map(({ id }) => id)).toEqual(['i35', 'i28', 'i21', 'i14', 'i07', 'i00']);
    expect(page.next).toBeNull();
  });
}

function attributeCases(open: OpenBench): void {
  const tagged = (name: string, tags: Record<string, Attribute>): Commit =>
    start(name, {
      rows: { tags: Object.entries(tags).map(([key, value]) => ({ name: key, value })) },
    });

  test('they come with what is found, as they went', async () => {
    const bench = await open();
    const tags = { customer: 'grüße 日本 "\0"', total: 0.1, vip: false, n: -7, __proto: 'x' };
    await bench.given(tagged('a', tags));
    expect((await only(bench)).attributes).toEqual(tags);
  });

  test('by one, and by several at once', async () => {
    const bench = await open();
    await bench.given(tagged('a', { customer: 'ann', vip: true }));
    await bench.given(tagged('b', { customer: 'bob', vip: true }), tagged('c', { vip: false }));
    expect(await names(bench, { attributes: [{ name: 'customer', is: 'ann' }] })).toBe('a');
    expect(await names(bench, { attributes: [{ name: 'vip', is: true }] })).toBe('ba');
    const both = [
      { name: 'vip', is: true },
      { name: 'customer', is: 'bob' },
    ];
    expect(await names(bench, { attributes: both })).toBe('b');
    expect(await names(bench, { attributes: both, flow: 'other' })).toBe('');
  });

  test('a text, a number and a boolean are not the same, whatever they look like', async () => {
    const bench = await open();
    await bench.given(tagged('a', { x: '1' }), tagged('b', { x: 1 }));
    await bench.given(tagged('c', { x: 'true' }), tagged('d', { x: true }));
    for (const [is, found] of [
      ['1', 'a'],
      [1, 'b'],
      ['true', 'c'],
      [true, 'd'],
    ] as const) {
      expect(await names(bench, { attributes: [{ name: 'x', is }] })).toBe(found);
    }
  });

  test('numbers by a range, with both its ends or one', async () => {
    const bench = await open();
    const totals = { a: 9.99, b: 10, c: 15, d: 20, e: 20.01, f: -1e21 };
    for (const [name, total] of Object.entries(totals)) {
      await bench.given(tagged(name, { total }));
    }
    await bench.given(tagged('g', { total: '15' }), tagged('h', { other: 15 }));
    const range = (low: number | null, high: number | null): Promise<string> =>
      names(bench, { attributes: [{ name: 'total', low, high }] });
    expect(await range(10, 20)).toBe('dcb');
    expect(await range(10, null)).toBe('edcb');
    expect(await range(null, 10)).toBe('fba');
    expect(await range(21, 22)).toBe('');
    const page = await find(bench, {
      attributes: [{ name: 'total', low: 10, high: 20 }],
      limit: 2,
    });
    expect([page.instances.map(({ id }) => id), page.next]).toEqual([['d', 'c'], 'c']);
  });

  test('an equal one and a range together', async () => {
    const bench = await open();
    await bench.given(tagged('a', { customer: 'ann', total: 5 }));
    await bench.given(tagged('b', { customer: 'ann', total: 50 }), tagged('c', { total: 50 }));
    const attributes = [
      { name: 'total', low: 10, high: null },
      { name: 'customer', is: 'ann' },
    ];
    expect(await names(bench, { attributes })).toBe('b');
  });

  test('a later one takes the place of an earlier one, and null takes it away', async () => {
    const bench = await open();
    await bench.given(tagged('a', { total: 5, customer: 'ann' }));
    const tags = [
      { name: 'total', value: 'many' },
      { name: 'customer', value: null },
    ];
    await bench.given(next('a', 1, { rows: { tags } }));
    expect((await only(bench)).attributes).toEqual({ total: 'many' });
    expect(await names(bench, { attributes: [{ name: 'total', is: 5 }] })).toBe('');
    expect(await names(bench, { attributes: [{ name: 'total', low: 0, high: 9 }] })).toBe('');
    expect(await names(bench, { attributes: [{ name: 'customer', is: 'ann' }] })).toBe('');
  });

  test('they outlive the end of the instance', async () => {
    const bench = await open();
    await bench.given(tagged('a', { customer: 'ann' }), finish('a', 1));
    expect((await only(bench)).attributes).toEqual({ customer: 'ann' });
  });

  test('a commit that does not come about leaves none', async () => {
    const bench = await open();
    await bench.given(tagged('a', { customer: 'ann' }), next('a', 1));
    const late = next('a', 1, { rows: { tags: [{ name: 'customer', value: 'bob' }] } });
    expect(await bench.commit(late)).toEqual({ outcome: 'stale' });
    expect((await only(bench)).attributes).toEqual({ customer: 'ann' });
  });
}
