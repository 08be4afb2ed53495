/** What is kept for reading: history, snapshots, notes; and that values come back as they went. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import type { Change } from '../model/change.ts';
import type { InstanceRows } from '../model/instance.ts';
import type { OpenBench } from './store-bench.ts';
import {
  at,
  finish,
  idOf,
  latch,
  next,
  scope,
  start,
  token,
  tokenId,
  undo,
  value,
} from './store-commits.ts';
import { isDeepFrozen } from './store-state.ts';

export function recordCases(open: OpenBench): void {
  describe('history', () => {
    historyCases(open);
  });
  describe('snapshots', () => {
    snapshotCases(open);
  });
  describe('dropped results', () => {
    droppedCases(open);
  });
  describe('walking all instances', () => {
    scanCases(open);
  });
  describe('values', () => {
    valueCases(open);
  });
}

function historyCases(open: OpenBench): void {
  const changes: readonly Change[] = [
    { did: 'enter-token', token: tokenId(2) },
    { did: 'set-output', output: { b: 1, a: 2 } },
  ];

  test('each commit is a row: number, moment, id and changes in order', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { changes } }));
    const [row] = await bench.store.history({ instance: idOf('a'), after: 0, limit: 9 });
    expect(row).toEqual({ n: 1, at: at(1), commitId: 'a/1', changes });
    expect(JSON.stringify(row?.changes)).toBe(JSON.stringify(changes));
    expect(isDeepFrozen(row)).toBe(true);
  });

  test('rows are numbered by the version, from 1 and without gaps', async () => {
    const bench = await open();
    await bench.given(start('a'), start('b'), next('a', 1), next('b', 1), next('a', 2));
    await bench.commit(next('a', 1));
    expect(await bench.historyNumbers('a')).toEqual([1, 2, 3]);
    expect(await bench.historyNumbers('b')).toEqual([1, 2]);
  });

  test('history is read in pages', async () => {
    const bench = await open();
    await bench.given(start('a'), ...[1, 2, 3, 4].map((version) => next('a', version)));
    const page = async (after: number): Promise<number[]> => {
      const rows = await bench.store.history({ instance: idOf('a'), after, limit: 2 });
      return rows.map(({ n }) => n);
    };
    expect([await page(0), await page(2), await page(4), await page(5)]).toEqual([
      [1, 2],
      [3, 4],
      [5],
      [],
    ]);
  });

  test('after a lost reply, the row after the expected one tells whose it was', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1, { commitId: 'mine' }), next('a', 2));
    const [row] = await bench.store.history({ instance: idOf('a'), after: 1, limit: 1 });
    expect(row?.commitId).toBe('mine');
  });

  test('an instance that never started has no history', async () => {
    expect(await (await open()).historyNumbers('a')).toEqual([]);
  });

  test('history outlives its instance', async () => {
    const bench = await open();
    await bench.given(start('a'), finish('a', 1));
    expect(await bench.historyNumbers('a')).toEqual([1, 2]);
  });
}

function snapshotCases(open: OpenBench): void {
  const rows = (version: number): InstanceRows => ({
    head: next('a', version - 1).touched.head,
    tokens: [token(2)],
    scopes: [scope(1, { vars: { version } })],
    latches: [latch(4)],
    undos: [undo(5)],
  });

  test('the newest snapshot at or before a commit is found', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1, { snapshot: rows(2) }), next('a', 2));
    await bench.given(next('a', 3, { snapshot: rows(4) }), next('a', 4));
    const versionAt = async (n: number): Promise<number | undefined> =>
      (await bench.store.snapshot(idOf('a'), n))?.head.version;
    expect(await versionAt(1)).toBeUndefined();
    expect([await versionAt(2), await versionAt(3), await versionAt(4)]).toEqual([2, 2, 4]);
    expect(await versionAt(99)).toBe(4);
  });

  test('a snapshot comes back whole and frozen', async () => {
    const bench = await open();
    await bench.given(start('a', { snapshot: rows(1) }));
    const found = await bench.store.snapshot(idOf('a'), 1);
    expect(found).toEqual(rows(1));
    expect(isDeepFrozen(found)).toBe(true);
  });

  test('an instance without snapshots has none', async () => {
    const bench = await open();
    await bench.given(start('a'));
    expect(await bench.store.snapshot(idOf('a'), 1)).toBeUndefined();
    expect(await bench.store.snapshot(idOf('b'), 1)).toBeUndefined();
  });
}

function droppedCases(open: OpenBench): void {
  test('a result that came too late is noted, outside of history', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const note = { instance: idOf('a'), token: tokenId(2), version: 1, worker: 'ann', at: at(5) };
    await bench.store.drop({ ...note, reason: 'fenced' });
    await bench.store.drop({ ...note, reason: 'gone', version: 3 });
    await bench.store.drop({ ...note, reason: 'other', instance: idOf('b') });
    expect(await bench.store.dropped(idOf('a'))).toEqual([
      { ...note, reason: 'fenced' },
      { ...note, reason: 'gone', version: 3 },
    ]);
    expect(await bench.historyNumbers('a')).toEqual([1]);
  });

  test('an instance whose results all came in time has no notes', async () => {
    expect(await (await open()).store.dropped(idOf('a'))).toEqual([]);
  });
}

function scanCases(open: OpenBench): void {
  test('all instances are walked in ascending order, page by page', async () => {
    const bench = await open();
    await bench.given(start('c'), start('a'), start('e'), start('b'), start('d'));
    await bench.given(finish('b', 1));
    expect(await bench.store.scan(null, 2)).toEqual(['a', 'b']);
    expect(await bench.store.scan(idOf('b'), 2)).toEqual(['c', 'd']);
    expect(await bench.store.scan(idOf('d'), 2)).toEqual(['e']);
    expect(await bench.store.scan(idOf('e'), 2)).toEqual([]);
  });

  test('a walk goes on from an id that is not there', async () => {
    const bench = await open();
    await bench.given(start('a'), start('c'));
    expect(await bench.store.scan(idOf('b'), 9)).toEqual(['c']);
  });
}

const VALUES: Readonly<Record<string, string>> = {
  'text of any script': '"grüße, 日本語, 😀, \\ud800 alone"',
  'control characters': '"\\u0000 \\u001f \\n \\t \\" \\\\ / \\u2028"',
  'a key called __proto__': '{"__proto__":{"admin":true},"constructor":null}',
  'keys in their order': '{"z":1,"a":2,"m":{"y":1,"b":2},"":3}',
  'large and small numbers':
    '[9007199254740991,-9007199254740991,1.7976931348623157e+308,5e-324,0.1]',
  'text that looks like something else': '["null","1","true","{}","select 1; --","\'"]',
  'nothing at all': '[null,[],{},"",0,false]',
  'deep nesting': `${'[{"a":'.repeat(100)}1${'}]'.repeat(100)}`,
  'a long text': JSON.stringify('0123456789'.repeat(50_000)),
};

function valueCases(open: OpenBench): void {
  test.each(Object.entries(VALUES))(
    '%s come back as they went, everywhere',
    async (_what, text) => {
      const bench = await open();
      const json = JSON.parse(text) as Json;
      const wake = { reason: 'event', payload: json } as const;
      const rows = {
        changes: [{ did: 'set-output', output: json }] as const,
        tokens: [token(2, { wake })],
        scopes: [scope(1, { item: json })],
        values: [value('results', 'x', json), value('vars', 'y', json)],
      };
      await bench.given(start('a', { head: { input: json, output: json }, rows }));
      await bench.store.publish({ id: 'm', type: 't', key: 'k', data: json, ttlMs: 1 });
      await bench.given(
        next('a', 1, { rows: { subscribed: [{ token: tokenId(2), type: 't', key: 'k' }] } }),
      );
      const { head, tokens, scopes } = await bench.load('a');
      const [history] = await bench.store.history({ instance: idOf('a'), after: 0, limit: 1 });
      const [delivery] = await bench.store.deliverable(1);
      const [change] = history?.changes ?? [];
      const found = [
        head.input,
        tokens[0]?.wake?.payload,
        scopes[0]?.item,
        scopes[0]?.results.x,
        scopes[0]?.vars.y,
        change?.did === 'set-output' && change.output,
        delivery?.message.data,
      ];
      expect(found.map((each) => JSON.stringify(each))).toEqual(
        found.map(() => JSON.stringify(json)),
      );
    },
  );
}
