import { describe, expect, test } from 'vitest';
import { Dice } from '../testing/dice.ts';
import { CowIndex, CowMap } from './cow.ts';

const rowsIn = (table: CowMap<string, number>): Map<string, number> => new Map(table.entries());

function touchedIn(table: CowMap<string, number>): Map<string, number | undefined> {
  const touched = new Map<string, number | undefined>();
  table.eachTouched((key, value) => touched.set(key, value));
  return touched;
}

describe('a table', () => {
  const start = (): CowMap<string, number> =>
    CowMap.of([
      ['a', 1],
      ['b', 2],
    ]);

  test('has what was put in, and says how much', () => {
    const table = start();
    expect(table.get('a')).toBe(1);
    expect(table.get('z')).toBeUndefined();
    expect(table.size).toBe(2);
    expect(CowMap.of<string, number>().size).toBe(0);
  });

  test('a branch writes for itself: whoever holds the earlier table reads the earlier rows', () => {
    const before = start();
    const after = before.branch();
    after.set('a', 10);
    after.set('c', 3);
    after.delete('b');
    expect(rowsIn(after)).toEqual(
      new Map([
        ['a', 10],
        ['c', 3],
      ]),
    );
    expect(rowsIn(before)).toEqual(rowsIn(start()));
    expect([before.size, after.size]).toEqual([2, 2]);
  });

  test('two branches of one table do not see each other', () => {
    const table = start();
    const [one, two] = [table.branch(), table.branch()];
    one.set('a', 10);
    two.delete('a');
    expect([one.get('a'), two.get('a'), table.get('a')]).toEqual([10, undefined, 1]);
  });

  test('what was touched is told with its row as it is now, or as gone', () => {
    const table = start().branch();
    table.set('a', 10);
    table.delete('b');
    table.set('c', 3);
    table.delete('c');
    expect(touchedIn(table)).toEqual(
      new Map([
        ['a', 10],
        ['b', undefined],
      ]),
    );
  });

  test('deleting what is not there changes nothing', () => {
    const table = start().branch();
    table.delete('z');
    expect(touchedIn(table).size).toBe(0);
    expect(table.size).toBe(2);
  });

  test('a row that went and came back is there once', () => {
    const table = start().branch();
    table.delete('a');
    table.set('a', 5);
    expect(table.size).toBe(2);
    expect(table.get('a')).toBe(5);
  });

  test('absorbing makes the branch the newest state, with nothing touched', () => {
    const table = start().branch();
    table.set('c', 3);
    table.delete('a');
    table.absorb();
    expect(touchedIn(table).size).toBe(0);
    expect(rowsIn(table.branch())).toEqual(
      new Map([
        ['b', 2],
        ['c', 3],
      ]),
    );
  });

  test('a stride that begins at an older state is caught', () => {
    const before = start();
    const after = before.branch();
    after.set('c', 3);
    after.absorb();
    expect(() => before.branch()).toThrow('a stride begins at the newest state');
  });

  test('of two branches only one can be absorbed', () => {
    const table = start();
    const [one, two] = [table.branch(), table.branch()];
    one.set('c', 3);
    two.set('c', 4);
    one.absorb();
    expect(() => two.absorb()).toThrow('a state is absorbed once');
  });

  test('a branch of a branch that is not absorbed yet is a copy with a life of its own', () => {
    const table = start().branch();
    table.set('c', 3);
    const copy = table.branch();
    copy.set('d', 4);
    copy.absorb();
    expect(table.get('d')).toBeUndefined();
    table.absorb();
    expect(table.size).toBe(3);
  });
});

test('a table does what a Map does, whatever is done to it', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const dice = new Dice(seed);
    let table = CowMap.of<string, number>();
    let oracle = new Map<string, number>();
    for (let round = 0; round < 20; round += 1) {
      const branch = table.branch();
      const twin = new Map(oracle);
      for (let i = dice.roll(12); i > 0; i -= 1) {
        const key = `k${dice.roll(8)}`;
        if (dice.roll(3) === 0) {
          branch.delete(key);
          twin.delete(key);
        } else {
          branch.set(key, i);
          twin.set(key, i);
        }
      }
      expect(rowsIn(branch), `seed ${seed} round ${round}`).toEqual(twin);
      expect(branch.size, `seed ${seed} round ${round}`).toBe(twin.size);
      expect(rowsIn(table), `seed ${seed} round ${round}, before`).toEqual(oracle);
      const fate = dice.roll(3);
      if (fate === 0) continue;
      if (fate === 1) branch.absorb();
      [table, oracle] = [branch, twin];
    }
  }
});

type Index = CowIndex<string, number>;

const listsIn = (index: Index): number[][] => ['x', 'y', 'z'].map((key) => index.list(key));

describe('an index', () => {
  function start(): Index {
    const index = CowIndex.empty<string, number>();
    for (const id of [3, 1, 2]) index.add('x', id);
    index.absorb();
    return index;
  }

  test('lists the members of a key in ascending order, and counts them', () => {
    expect(start().list('x')).toEqual([1, 2, 3]);
    expect(start().size('x')).toBe(3);
    expect(start().list('y')).toEqual([]);
    expect(start().size('y')).toBe(0);
  });

  test('a branch writes for itself', () => {
    const before = start();
    const after = before.branch();
    after.delete('x', 2);
    after.add('x', 9);
    after.add('y', 1);
    expect(listsIn(after)).toEqual([[1, 3, 9], [1], []]);
    expect(listsIn(before)).toEqual([[1, 2, 3], [], []]);
    expect([before.size('x'), after.size('x'), after.size('y')]).toEqual([3, 3, 1]);
  });

  test('a key whose last member left is gone, also after absorbing', () => {
    const index = start().branch();
    for (const id of [1, 2, 3]) index.delete('x', id);
    expect(index.size('x')).toBe(0);
    index.absorb();
    expect(index.list('x')).toEqual([]);
    index.add('x', 4);
    expect(index.list('x')).toEqual([4]);
  });

  test('a stride that begins at an older state is caught, and so is absorbing twice', () => {
    const before = start();
    const [one, two] = [before.branch(), before.branch()];
    one.add('x', 4);
    two.add('x', 5);
    one.absorb();
    expect(() => before.branch()).toThrow('a stride begins at the newest state');
    expect(() => two.absorb()).toThrow('a state is absorbed once');
  });
});

/** Puts a member in or takes it out, in the index and in the plain sets beside it. */
function flip(index: Index, oracle: Map<string, Set<number>>, key: string, id: number): void {
  const set = oracle.get(key) ?? new Set();
  oracle.set(key, set);
  if (set.delete(id)) index.delete(key, id);
  else {
    set.add(id);
    index.add(key, id);
  }
}

function sortedLists(oracle: Map<string, Set<number>>): number[][] {
  return ['x', 'y', 'z'].map((key) => [...(oracle.get(key) ?? [])].sort((a, b) => a - b));
}

test('an index does what a Map of Sets does, whatever is done to it', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const dice = new Dice(seed);
    let index: Index = CowIndex.empty();
    let oracle = new Map<string, Set<number>>();
    for (let round = 0; round < 20; round += 1) {
      const branch = index.branch();
      const twin = new Map(Array.from(oracle, ([key, set]) => [key, new Set(set)]));
      for (let i = dice.roll(12); i > 0; i -= 1)
        flip(branch, twin, dice.pick(['x', 'y', 'z']), dice.roll(9));
      const where = `seed ${seed} round ${round}`;
      expect(listsIn(branch), where).toEqual(sortedLists(twin));
      expect(
        ['x', 'y', 'z'].map((key) => branch.size(key)),
        where,
      ).toEqual(sortedLists(twin).map((list) => list.length));
      expect(listsIn(index), `${where}, before`).toEqual(sortedLists(oracle));
      const fate = dice.roll(3);
      if (fate === 0) continue;
      if (fate === 1) branch.absorb();
      [index, oracle] = [branch, twin];
    }
  }
});
