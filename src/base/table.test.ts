import { describe, expect, test } from 'vitest';
import { Dice } from '../testing/dice.ts';
import { Table } from './table.ts';

type Rows = Table<number, string>;
type Row = readonly [number, string];

function tableOf(...rows: readonly Row[]): Rows {
  const table = Table.empty<number, string>();
  for (const [key, value] of rows) table.set(key, value);
  return table;
}

const rowsIn = (table: Rows): Row[] => {
  const values = table.values();
  return table.keys().map((key, index) => [key, values[index] ?? '']);
};

function differences(before: Rows, after: Rows): unknown[] {
  const found: unknown[] = [];
  Table.eachDifference(before, after, found, (to, key, was, is) => to.push([key, was, is]));
  return found;
}

const many = (count: number): Rows =>
  tableOf(...Array.from({ length: count }, (_, key): Row => [key, `v${key}`]));

describe('a table', () => {
  test('has what was put in, sorted, and says how much', () => {
    const table = tableOf([5, 'e'], [1, 'a'], [3, 'c'], [1, 'A']);
    expect(rowsIn(table)).toEqual([
      [1, 'A'],
      [3, 'c'],
      [5, 'e'],
    ]);
    expect([table.size, table.first(), table.get(3), table.get(4)]).toEqual([3, 1, 'c', undefined]);
    expect([table.get(0), table.get(9)]).toEqual([undefined, undefined]);
  });

  test('is empty at first and again when everything is gone', () => {
    const table = tableOf([2, 'b']);
    table.delete(7);
    table.delete(1);
    table.delete(2);
    table.delete(2);
    expect([table.size, table.first(), table.keys(), table.values()]).toEqual([
      0,
      undefined,
      [],
      [],
    ]);
    table.set(4, 'd');
    expect(rowsIn(table)).toEqual([[4, 'd']]);
  });

  test('can be emptied and filled again, however much it held', () => {
    const table = many(100).branch();
    for (let key = 0; key < 100; key += 1) table.delete(key);
    expect([table.size, table.keys()]).toEqual([0, []]);
    for (let key = 0; key < 100; key += 1) table.set(key, 'again');
    expect([table.size, table.values().every((value) => value === 'again')]).toEqual([100, true]);
    expect(differences(many(100), table)).toHaveLength(100);
  });

  test('a branch writes for itself: whoever holds the earlier table reads the earlier rows', () => {
    const before = tableOf([1, 'a'], [2, 'b']);
    const after = before.branch();
    after.set(1, 'A');
    after.set(3, 'c');
    after.delete(2);
    expect(rowsIn(before)).toEqual(rowsIn(tableOf([1, 'a'], [2, 'b'])));
    expect(rowsIn(after)).toEqual(rowsIn(tableOf([1, 'A'], [3, 'c'])));
  });

  test('two branches of one table do not see each other, nor do theirs', () => {
    const table = many(100);
    const [one, two] = [table.branch(), table.branch()];
    one.set(50, 'one');
    two.set(50, 'two');
    const further = one.branch();
    further.set(50, 'further');
    expect([table, one, two, further].map((each) => each.get(50))).toEqual([
      'v50',
      'one',
      'two',
      'further',
    ]);
  });

  test('a table that was branched is not written to any more', () => {
    const table = tableOf([1, 'a']);
    table.branch();
    expect(() => table.set(2, 'b')).toThrow('is not written to any more');
    expect(() => table.delete(1)).toThrow('is not written to any more');
  });

  test('what differs is told with both values, and nothing else is', () => {
    const before = many(200);
    const after = before.branch();
    after.set(7, 'other');
    after.set(8, 'v8');
    after.delete(90);
    after.set(300, 'new');
    expect(differences(before, after)).toEqual([
      [7, 'v7', 'other'],
      [90, 'v90', undefined],
      [300, undefined, 'new'],
    ]);
    expect(differences(after, before)).toEqual([
      [7, 'other', 'v7'],
      [90, undefined, 'v90'],
      [300, 'new', undefined],
    ]);
    expect(differences(before, before.branch())).toEqual([]);
    expect(differences(Table.empty(), tableOf([1, 'a']))).toEqual([[1, undefined, 'a']]);
  });
});

test('a table does what a sorted Map does, whatever is done to it, and older ones stay', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const dice = new Dice(seed);
    const span = 1 + dice.roll(200);
    const held: { table: Rows; twin: Map<number, string> }[] = [];
    let [table, twin] = [Table.empty<number, string>(), new Map<number, string>()];
    for (let round = 0; round < 25; round += 1) {
      held.push({ table, twin });
      const branch = table.branch();
      const copy = new Map(twin);
      // Now and then nearly everything goes, so that chunks are emptied and made anew.
      const sparing = dice.roll(3);
      for (let i = dice.roll(400); i > 0; i -= 1) {
        const key = dice.roll(span);
        if (dice.roll(4) > sparing) {
          branch.delete(key);
          copy.delete(key);
        } else {
          branch.set(key, `${round}/${i}`);
          copy.set(key, `${round}/${i}`);
        }
      }
      for (const one of [...held.slice(-3), { table: branch, twin: copy }]) {
        expect(rowsIn(one.table), `seed ${seed} round ${round}`).toEqual(sorted(one.twin));
        expect(one.table.size).toBe(one.twin.size);
      }
      for (const one of held.slice(-3)) {
        expect(differences(one.table, branch)).toEqual(differing(one.twin, copy, span));
      }
      // Sometimes the next one is made from an older state instead.
      if (dice.roll(4) > 0) [table, twin] = [branch, copy];
    }
  }
});

function sorted(map: ReadonlyMap<number, string>): Row[] {
  return [...map].sort(([a], [b]) => a - b);
}

function differing(
  before: ReadonlyMap<number, string>,
  after: ReadonlyMap<number, string>,
  span: number,
): unknown[] {
  const keys = Array.from({ length: span }, (_, key) => key);
  return keys.flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    return was === is ? [] : [[key, was, is]];
  });
}

test('ten thousand rows: a change copies a little, not everything', () => {
  let table = many(10_000);
  const first = table;
  for (let key = 0; key < 10_000; key += 1) {
    table = table.branch();
    table.delete(key);
  }
  expect([first.size, table.size]).toEqual([10_000, 0]);
});
