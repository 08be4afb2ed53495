/** Letters that were given up, the list of all there are, and how cases about them ask. */
import { describe, expect, test } from 'vitest';
import { assert } from '../base/assert.ts';
import type { Touched } from '../model/commit.ts';
import type { Letter } from '../model/letter.ts';
import type {
  ClaimedLetter,
  FailedLetter,
  LetterHeld,
  LetterListRequest,
  LetterRequest,
  LetterRow,
} from '../stores/letters.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import { idOf, letter, next, start } from './store-commits.ts';
import { isDeepFrozen } from './store-state.ts';

export const LEASE_MS = 1_000;

export function writing(...letters: readonly (string | Letter)[]): { rows: Partial<Touched> } {
  return {
    rows: { letters: letters.map((one) => (typeof one === 'string' ? letter(one) : one)) },
  };
}

export function claim(
  bench: Bench,
  request: Partial<LetterRequest> = {},
): Promise<readonly ClaimedLetter[]> {
  const usual = { worker: 'ann', types: null, limit: 10, leaseMs: LEASE_MS };
  return bench.store.letters.claim({ ...usual, ...request });
}

export async function claimFirst(
  bench: Bench,
  request: Partial<LetterRequest> = {},
): Promise<ClaimedLetter> {
  const [first] = await claim(bench, { limit: 1, ...request });
  assert(first !== undefined, 'there is a letter to claim');
  return first;
}

export function heldOf({ id, instance, version, worker }: ClaimedLetter): LetterHeld {
  return { id, instance, version, worker };
}

export function failure(held: ClaimedLetter, fields: Partial<FailedLetter> = {}): FailedLetter {
  return { held: heldOf(held), expired: false, error: 'no', afterMs: 100, ...fields };
}

export function list(
  bench: Bench,
  request: Partial<LetterListRequest> = {},
): Promise<readonly LetterRow[]> {
  const all = { status: null, type: null, instance: null, after: 0, limit: 100 };
  return bench.store.letters.list({ ...all, ...request });
}

export function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

export function standings(rows: readonly LetterRow[]): string[] {
  return rows.map(({ id, status, attempts }) => `${id} ${status} ${attempts}`);
}

export function deadLetterCases(open: OpenBench): void {
  describe('dead letters', () => {
    deathCases(open);
  });
  describe('the list of letters', () => {
    listCases(open);
  });
}

function deathCases(open: OpenBench): void {
  async function withDead(bench: Bench): Promise<void> {
    await bench.given(start('a', writing('l1', 'l2', 'l3')));
    bench.setTime(1);
    await bench.store.letters.failed([failure(await claimFirst(bench), { afterMs: null })]);
  }

  test('a dead letter is not claimed, and holds nobody back', async () => {
    const bench = await open();
    await withDead(bench);
    expect(standings(await list(bench, { status: 'dead' }))).toEqual(['l1 dead 1']);
    expect(idsOf(await claim(bench))).toEqual(['l2']);
  });

  test('requeued it is as new, at its old place', async () => {
    const bench = await open();
    const { letters } = bench.store;
    await withDead(bench);
    expect(await letters.requeue(['l3', 'unknown', 'l1', 'l1'])).toEqual(['l1']);
    expect(await letters.requeue(['l1'])).toEqual([]);
    expect(await letters.requeue([])).toEqual([]);
    expect(standings(await list(bench))).toEqual(['l1 ready 0', 'l2 ready 0', 'l3 ready 0']);
    expect(await claim(bench)).toMatchObject([{ id: 'l1', attempts: 0 }]);
  });

  test('requeued while one behind it is on its way, it waits for that one', async () => {
    const bench = await open();
    await withDead(bench);
    const second = await claimFirst(bench);
    await bench.store.letters.requeue(['l1']);
    expect(await claim(bench)).toEqual([]);
    await bench.store.letters.sent([heldOf(second)]);
    expect(idsOf(await claim(bench))).toEqual(['l1']);
  });

  test('several are requeued in the order of writing', async () => {
    const bench = await open();
    await bench.given(start('a', writing('z')), start('b', writing('m')));
    const dead = (await claim(bench)).map((one) => failure(one, { afterMs: null }));
    await bench.store.letters.failed(dead);
    expect(await bench.store.letters.requeue(['m', 'z'])).toEqual(['z', 'm']);
  });
}

function listCases(open: OpenBench): void {
  test('what is asked for, page by page, in the order of writing', async () => {
    const bench = await open();
    const of = (id: string, type: string) => letter(id, { type });
    await bench.given(start('b', writing(of('l1', 'x'), of('l2', 'y'))));
    await bench.given(start('a', writing(of('l3', 'x'))), next('b', 1, writing(of('l4', 'x'))));
    bench.setTime(1);
    await bench.store.letters.failed([failure(await claimFirst(bench), { afterMs: null })]);
    expect(idsOf(await list(bench, { type: 'x' }))).toEqual(['l1', 'l3', 'l4']);
    expect(idsOf(await list(bench, { instance: idOf('b') }))).toEqual(['l1', 'l2', 'l4']);
    expect(idsOf(await list(bench, { status: 'ready', type: 'x' }))).toEqual(['l3', 'l4']);
    expect(await list(bench, { instance: idOf('nobody') })).toEqual([]);
    const first = await list(bench, { limit: 2 });
    const rest = await list(bench, { after: first.at(-1)?.place ?? 0, limit: 9 });
    expect([idsOf(first), idsOf(rest)]).toEqual([
      ['l1', 'l2'],
      ['l3', 'l4'],
    ]);
    expect(first.every(isDeepFrozen)).toBe(true);
  });
}
