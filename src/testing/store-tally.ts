/** What went wrong in instances: finding those of a cause, and counting all of them by it. */
import { describe, expect, test } from 'vitest';
import type { NodeId } from '../model/ids.ts';
import type { Fault, Head, Token } from '../model/instance.ts';
import type { FaultSought, Tally, TallyRequest } from '../stores/instances.ts';
import type { Commit } from '../stores/store.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import { finish, next, sleeping, start, token } from './store-commits.ts';
import { isDeepFrozen } from './store-state.ts';

export function tallyCases(open: OpenBench): void {
  describe('finding what waits to be mended', () => {
    incidentCases(open);
  });
  describe('counting instances', () => {
    groupCases(open);
    causeCases(open);
    messageCases(open);
  });
}

function faultOf(code: string, message: string, node: string | null = null): Fault {
  return { code, message, node: node as NodeId | null };
}

/** A token that waits for someone to mend it. */
function parked(id: number, code: string, message: string, node = 'pay'): Token {
  return token(id, {
    ...{ status: 'waiting', handler: null, wait: { on: 'incident', can: ['retry'] } },
    ...{ node: node as NodeId, lastError: faultOf(code, message, node) },
  });
}

function parking(name: string, tokens: readonly Token[], head: Partial<Head> = {}): Commit {
  return start(name, { head, rows: { tokens } });
}

async function failing(bench: Bench, name: string, fault: Fault, head: Partial<Head> = {}) {
  await bench.given(start(name, { head }));
  await bench.given(finish(name, 1, { head: { ...head, status: 'failed', fault } }));
}

async function names(bench: Bench, sought: Partial<FaultSought>, limit = 100): Promise<string> {
  const { instances } = await bench.store.instances.find({
    ...{ flow: null, version: null, statuses: null, stalled: false, key: null, tenant: null },
    ...{ parent: null, created: { from: null, to: null }, ended: { from: null, to: null } },
    fault: { code: null, prefix: null, text: null, node: null, ...sought },
    ...{ attributes: [], before: null, limit, walk: 1_000 },
  });
  return instances.map(({ id }) => id).join('');
}

function tally(bench: Bench, request: Partial<TallyRequest> = {}): Promise<Tally> {
  return bench.store.instances.tally({ flow: null, tenant: null, walk: 1_000, ...request });
}

function incidentCases(open: OpenBench): void {
  const given = async (bench: Bench): Promise<void> => {
    await failing(bench, 'a', faultOf('bank.down', 'no answer', 'pay'));
    await failing(bench, 'b', faultOf('bank.down', 'no answer', 'refund'));
    await bench.given(parking('c', [parked(2, 'bank.down', 'no answer at all')]));
    await bench.given(parking('d', [token(2), parked(3, 'bank.full', 'come back', 'refund')]));
    await bench.given(parking('e', [sleeping(2, 99)]), start('f'), start('g'), finish('g', 1));
  };

  test('it is found by its code, how that begins, and what it says', async () => {
    const bench = await open();
    await given(bench);
    expect(await names(bench, { code: 'bank.down' })).toBe('cba');
    expect(await names(bench, { prefix: 'bank.' })).toBe('dcba');
    expect(await names(bench, { prefix: '' })).toBe('dcba');
    expect(await names(bench, { text: 'no answer' })).toBe('cba');
    expect(await names(bench, { text: 'at all' })).toBe('c');
    expect(await names(bench, { prefix: 'bank.' }, 2)).toBe('dc');
  });

  test('by where it happened, as one that failed is', async () => {
    const bench = await open();
    await given(bench);
    expect(await names(bench, { node: 'pay' })).toBe('ca');
    expect(await names(bench, { node: 'refund' })).toBe('db');
    expect(await names(bench, { node: 'refund', code: 'bank.down' })).toBe('b');
    expect(await names(bench, { node: 'ship' })).toBe('');
  });

  test('all that is asked for holds for one token, and not for two together', async () => {
    const bench = await open();
    const tokens = [parked(2, 'x', 'one', 'pay'), parked(3, 'y', 'two', 'ship')];
    await bench.given(parking('a', tokens));
    expect(await names(bench, { code: 'x', node: 'pay' })).toBe('a');
    expect(await names(bench, { code: 'x', node: 'ship' })).toBe('');
  });

  test('what failed before and is tried again, or waits for something else, is not', async () => {
    const bench = await open();
    const lastError = faultOf('bank.down', 'no answer', 'pay');
    const again = token(2, { lastError });
    const asleep = { ...sleeping(2, 99), lastError };
    await bench.given(parking('a', [again]), parking('b', [asleep]));
    await bench.given(parking('c', [parked(2, 'bank.down', 'no answer')]));
    expect(await names(bench, { code: 'bank.down' })).toBe('c');
    await bench.given(next('c', 1, { rows: { tokens: [again] } }));
    expect(await names(bench, { code: 'bank.down' })).toBe('');
  });

  test('one with many of them is found once, and hides nobody behind it', async () => {
    const bench = await open();
    const many = Array.from({ length: 60 }, (_, index) => parked(index + 2, 'x', 'no'));
    await bench.given(parking('b', many), parking('a', [parked(2, 'x', 'no')]));
    expect(await names(bench, { code: 'x' }, 1)).toBe('b');
    expect(await names(bench, { code: 'x' }, 2)).toBe('ba');
  });
}

function groupCases(open: OpenBench): void {
  const told = async (bench: Bench, request: Partial<TallyRequest> = {}): Promise<string[]> => {
    const { groups } = await tally(bench, request);
    return groups.map(
      ({ flow, version, status, count }) => `${flow}@${version} ${status} ${count}`,
    );
  };
  const given = async (bench: Bench): Promise<void> => {
    await bench.given(start('a'), start('b'), parking('c', [sleeping(2, 99)]));
    await bench.given(start('d', { head: { flowVersion: 2, tenant: 'x' } }));
    await bench.given(start('e', { head: { flow: 'other', tenant: 'x' } }));
    await bench.given(start('f', { head: { flow: 'other' } }));
    await bench.given(finish('f', 1, { head: { flow: 'other' } }));
  };

  test('where there are none, all of none are counted', async () => {
    const nothing = { counted: 0, isAll: true, groups: [], causes: [] };
    expect(await tally(await open())).toEqual(nothing);
    expect(await tally(await open(), { flow: 'none', tenant: 'x' })).toEqual(nothing);
  });

  test('they are counted by flow, version and the status that people are shown', async () => {
    const bench = await open();
    await given(bench);
    const order = ['order@1 running 2', 'order@1 waiting 1', 'order@2 running 1'];
    const other = ['other@1 completed 1', 'other@1 running 1'];
    expect(await told(bench)).toEqual([...order, ...other]);
    expect(await told(bench, { flow: 'other' })).toEqual(other);
    expect(await told(bench, { tenant: 'x' })).toEqual(['order@2 running 1', 'other@1 running 1']);
    expect(await told(bench, { tenant: 'x', flow: 'other' })).toEqual(['other@1 running 1']);
    expect(await tally(bench)).toMatchObject({ counted: 6, isAll: true });
    expect(isDeepFrozen(await tally(bench))).toBe(true);
  });

  test('what somebody has claimed does not wait', async () => {
    const bench = await open();
    await bench.given(parking('a', [token(2), sleeping(3, 99)]));
    await bench.claimFirst();
    expect(await told(bench)).toEqual(['order@1 running 1']);
  });

  test('of more than are walked the newest are counted, and it says so', async () => {
    const bench = await open();
    await given(bench);
    expect(await tally(bench, { walk: 6 })).toMatchObject({ counted: 6, isAll: true });
    expect(await tally(bench, { walk: 2 })).toMatchObject({ counted: 2, isAll: false });
    expect(await told(bench, { walk: 2 })).toEqual(['other@1 completed 1', 'other@1 running 1']);
    expect(await told(bench, { walk: 1, flow: 'order' })).toEqual(['order@2 running 1']);
    const rest = await tally(bench, { walk: 1, tenant: 'x', flow: 'order' });
    expect(rest).toEqual({ counted: 0, isAll: false, groups: [], causes: [] });
  });
}

function causeCases(open: OpenBench): void {
  test('what failed and what waits to be mended is told by cause, the most first', async () => {
    const bench = await open();
    await failing(bench, 'a', faultOf('bank.down', 'no', 'pay'));
    await failing(bench, 'b', faultOf('bank.down', 'no', 'pay'));
    await failing(bench, 'c', faultOf('bank.down', 'no'));
    await bench.given(
      parking(
        'd',
        [1, 2, 3].map((n) => parked(n + 1, 'bank.down', 'no')),
      ),
    );
    await bench.given(start('e'), parking('f', [sleeping(2, 99)]), start('g'), finish('g', 1));
    const messages = (count: number) => [{ message: 'no', count }];
    const order = { flow: 'order', code: 'bank.down' };
    expect((await tally(bench)).causes).toEqual([
      { ...order, node: 'pay', kind: 'incident', count: 3, newest: 'd', messages: messages(3) },
      { ...order, node: 'pay', kind: 'failed', count: 2, newest: 'b', messages: messages(2) },
      { ...order, node: null, kind: 'failed', count: 1, newest: 'c', messages: messages(1) },
    ]);
  });

  test('of the flow and the tenant that is asked for, and of the newest', async () => {
    const bench = await open();
    await failing(bench, 'a', faultOf('old', 'no'));
    await failing(bench, 'b', faultOf('one', 'no'), { tenant: 'x' });
    await bench.given(parking('c', [parked(2, 'two', 'no')], { flow: 'other', tenant: 'x' }));
    const codes = async (request: Partial<TallyRequest>): Promise<string> => {
      const { causes } = await tally(bench, request);
      return causes.map(({ code }) => code).join();
    };
    expect(await codes({})).toBe('two,one,old');
    expect(await codes({ walk: 2 })).toBe('two,one');
    expect(await codes({ flow: 'order' })).toBe('one,old');
    expect(await codes({ tenant: 'x' })).toBe('two,one');
    expect(await codes({ tenant: 'x', flow: 'other' })).toBe('two');
  });

  test('one that is being undone has not failed yet, and what waits in it is told', async () => {
    const bench = await open();
    const fault = faultOf('bank.down', 'no', 'pay');
    const undoing = { status: 'compensating', fault } as const;
    await bench.given(parking('a', [parked(2, 'undo.failed', 'no')], undoing));
    await bench.given(parking('b', [parked(2, 'held', 'no')], { status: 'suspended' }));
    const { causes } = await tally(bench);
    expect(causes.map(({ code, kind }) => `${code} ${kind}`)).toEqual([
      'held incident',
      'undo.failed incident',
    ]);
  });
}

function messageCases(open: OpenBench): void {
  test('of a cause five messages are told, those that came most often first', async () => {
    const bench = await open();
    const said = ['f', 'a', 'b', 'b', 'c', 'd', 'e', 'a', 'b', 'g'];
    const tokens = said.map((message, index) => parked(index + 2, 'x', message));
    await bench.given(parking('i', tokens));
    const [cause] = (await tally(bench)).causes;
    expect(cause).toMatchObject({ count: 10 });
    expect(cause?.messages).toHaveLength(5);
    expect(cause?.messages.slice(0, 2)).toEqual([
      { message: 'b', count: 3 },
      { message: 'a', count: 2 },
    ]);
  });

  test('a message is cut, and those that are the same then are one', async () => {
    const bench = await open();
    const long = '😀'.repeat(200);
    const tokens = [parked(2, 'x', `${long}1`), parked(3, 'x', `${long}2`)];
    await bench.given(parking('a', tokens));
    const [cause] = (await tally(bench)).causes;
    expect(cause?.messages).toEqual([{ message: long, count: 2 }]);
  });

  test('two hundred causes are told', async () => {
    const bench = await open();
    const tokens = Array.from({ length: 201 }, (_, index) => parked(index + 2, `x${index}`, 'no'));
    await bench.given(parking('a', [...tokens, parked(300, 'x200', 'no')]));
    const { causes } = await tally(bench);
    expect(causes).toHaveLength(200);
    expect(causes[0]).toMatchObject({ code: 'x200', count: 2 });
  });
}
