import { describe, expect, test } from 'vitest';
import type { Change } from '../model/change.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { Head, InstanceRows, Latch, Scope, Token } from '../model/instance.ts';
import { play } from '../testing/play.ts';
import { draw, Story } from '../testing/story.ts';
import { assemble, type Instance, rowsOf } from './instance.ts';
import { checkInvariants } from './invariants.ts';

/** A step, an arrival at a join and an open scope: tokens 5, 8 and 9, in scopes 1 and 7. */
function busy(): Story {
  const story = new Story(
    draw(['f -> A -> j', 'f -> B -> j', 'f -> box -> j', 'j -> end'], {
      f: { kind: 'fork' },
      j: { kind: 'join' },
      box: { kind: 'scope', settings: { body: 'In' } },
      In: { kind: 'step', in: 'box' },
    }),
  );
  story.start();
  story.done(4);
  return story;
}

interface Broken {
  readonly head?: Partial<Head>;
  readonly token?: (token: Token) => Token;
  readonly scope?: (scope: Scope) => Scope;
  readonly latch?: (latch: Latch) => Latch | null;
}

/** The busy instance with some of its rows altered, as a bug or a hand in the database would. */
function broken({ head = {}, token, scope, latch }: Broken): string[] {
  const rows = rowsOf(busy().instance);
  const altered: InstanceRows = {
    head: { ...rows.head, ...head },
    tokens: rows.tokens.map((row) => token?.(row) ?? row),
    scopes: rows.scopes.map((row) => scope?.(row) ?? row),
    latches: rows.latches.flatMap((row) => (latch === undefined ? [row] : (latch(row) ?? []))),
    undos: rows.undos,
  };
  return say(assemble(altered));
}

function say(instance: Instance, history?: readonly HistoryRow[]): string[] {
  return checkInvariants(instance, history).map(({ promise, message }) => `${promise}: ${message}`);
}

const at = (node: string, fields: Partial<Token>): Broken => {
  return { token: (token) => (token.node === node ? { ...token, ...fields } : token) };
};

test('an instance that nobody tampered with keeps every promise, and so does its history', () => {
  const story = busy();
  expect(say(story.instance, story.history)).toEqual([]);
  play(story, (tokens) => tokens[0]);
  expect(say(story.instance, story.history)).toEqual([]);
});

describe('a token', () => {
  const faults: readonly (readonly [string, Broken, string])[] = [
    ['is counted', at('B', { id: 99 as never }), 'sound: token 99 was never counted'],
    [
      'is at rest between strides',
      at('B', { status: 'executing' }),
      'sound: token 5 is not at rest',
    ],
    [
      'lives in an open scope',
      at('B', { scope: 9 as never }),
      'sound: token 5 lives in a closed scope',
    ],
    [
      'waits if it says so',
      at('B', { status: 'waiting' }),
      'sound: token 5 is waiting, its wait differs',
    ],
    [
      'says so if it waits',
      at('j', { status: 'ready' }),
      'sound: token 9 is ready, its wait differs',
    ],
    [
      'has a time to wake only if it waits',
      at('B', { wakeAt: 1 as never }),
      'sound: token 5 is ready with a time to wake',
    ],
    [
      'does not sleep for ever',
      at('B', { status: 'waiting', wait: { on: 'time' } }),
      'sound: token 5 sleeps without an end',
    ],
    [
      'waits only for a scope of its own',
      at('B', { status: 'waiting', wait: { on: 'scope', scope: 7 as never } }),
      'sound: token 5 waits for scope 7, which it does not own',
    ],
    [
      'waits only for the saga of a scope of its own',
      at('B', {
        status: 'waiting',
        wait: {
          ...{ on: 'saga', scope: 7 as never },
          fault: { code: 'boom', message: 'boom', node: null },
        },
      }),
      'sound: token 5 waits for the saga of scope 7, which it does not own',
    ],
    [
      'that has ended has no row unless it is a step of a chain',
      at('B', { status: 'completed' }),
      'sound: token 5 is completed and no link of a chain, yet has a row',
    ],
  ];
  for (const [name, rows, message] of faults) {
    test(name, () => expect(broken(rows)).toContain(message));
  }

  test('that has ended stays as a row if it is a step of a chain', () => {
    expect(broken(at('B', { status: 'completed', seq: 0 }))).toEqual([]);
  });

  test('P7: that was set down can be claimed, or another that goes on with it can', () => {
    expect(broken(at('B', { handler: null }))).toEqual([
      'P7: tokens 5 were set down and no worker may take one',
    ]);
    expect(broken(at('B', { handler: 'test@1/' }))).toEqual([]);
  });
});

describe('P8: a scope', () => {
  test('that is not the root has someone who waits for it', () => {
    const rows = at('box', { status: 'ready', wait: null, handler: 'test@1/box' });
    expect(broken(rows)).toEqual(['P8: nobody waits for scope 7']);
  });

  test('has a parent that is open', () => {
    const rows: Broken = {
      scope: (scope) => (scope.id === 7 ? { ...scope, parent: 99 as never } : scope),
    };
    expect(broken(rows)).toContain('P8: scope 7 lies in a closed scope');
  });

  const inner = (fields: Partial<Scope>): Broken => {
    return { scope: (scope) => (scope.id === 7 ? { ...scope, ...fields } : scope) };
  };

  test('has both a parent and an owner, or neither, unless it drains', () => {
    expect(broken(inner({ owner: null }))).toContain('P8: scope 7 has no owner and does not drain');
    expect(broken(inner({ parent: null }))).toContain('P8: scope 7 has an owner and no parent');
    const draining = broken(inner({ owner: null, drains: 1 as never }));
    expect(draining.filter((problem) => problem.startsWith('P8'))).toEqual([]);
  });

  test('drains for a saga that is open, and not once it is empty', () => {
    expect(broken(inner({ drains: 99 as never }))).toContain(
      'P8: scope 7 drains for a saga that is over',
    );
    const empty = broken({
      ...inner({ owner: null, drains: 1 as never }),
      ...at('In', { scope: 1 as never }),
    });
    expect(empty).toContain('P8: scope 7 has drained and is still there');
  });
});

describe('P7: an instance', () => {
  test('that is open has something that moves, or says that it is stalled', () => {
    const still: Broken = {
      token: (token) =>
        token.status === 'ready' ? { ...token, status: 'created', seq: 0 } : token,
    };
    expect(broken(still)).toEqual([
      'P7: nothing moves, nothing is waited for, and no stall is reported',
    ]);
    expect(broken({ ...still, head: { stalled: { reason: 'join', joins: [] } } })).toEqual([]);
  });

  test('that is over holds nothing (B-104)', () => {
    for (const status of ['completed', 'failed', 'canceled'] as const) {
      expect(broken({ head: { status } })).toEqual([
        `P7: the instance is ${status} and still holds something`,
      ]);
    }
  });

  test('that is open has a scope', () => {
    const { head } = rowsOf(busy().instance);
    expect(say(assemble({ head, tokens: [], scopes: [], latches: [], undos: [] }))).toContain(
      'P7: nothing moves, nothing is waited for, and no stall is reported',
    );
    const stalled = { reason: 'join', joins: [] } as const;
    expect(
      say(assemble({ head: { ...head, stalled }, tokens: [], scopes: [], latches: [], undos: [] })),
    ).toEqual(['P7: the instance is open and has no scope']);
  });
});

describe('P10: a join', () => {
  test('that fired keeps no latch', () => {
    expect(broken({ latch: (latch) => ({ ...latch, fired: true }) })).toEqual([
      'P10: latch 1 3 j fired and is still there',
    ]);
  });

  test('has a latch if it holds a token, and holds a token if it has a latch', () => {
    expect(broken({ latch: () => null })).toEqual(['P10: token 9 has no latch']);
    expect(broken({ latch: (latch) => ({ ...latch, node: 'k' as never }) })).toEqual([
      'P10: latch 1 3 k holds nobody',
      'P10: token 9 has no latch',
    ]);
  });
});

test('an index that differs from what the rows say is told', () => {
  const { instance } = busy();
  const resting = instance.resting.branch();
  resting.set(5 as never, true);
  Object.assign(instance, { moving: 7, resting });
  expect(say(instance)).toEqual(
    expect.arrayContaining(['index: moving is 7, not 2', 'index: resting is [5], not []']),
  );
});

describe('history', () => {
  function tampered(alter: (rows: HistoryRow[]) => void): string[] {
    const story = busy();
    const rows = structuredClone(story.history);
    alter(rows);
    return say(story.instance, rows);
  }

  const add = (rows: HistoryRow[], change: Change): void => {
    const last = rows.at(-1);
    if (last !== undefined) rows.splice(-1, 1, { ...last, changes: [...last.changes, change] });
  };

  test('P9: has a row for every version, without gaps', () => {
    const found = tampered((rows) => rows.shift());
    expect(found).toContain('P9: history row 1 is missing');
    expect(found).toContain('P9: version 2 has 1 history rows');
  });

  test('P9: folds to the stored state', () => {
    const found = tampered((rows) => add(rows, { did: 'set-output', output: 'forged' }));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^P9: history folds to .*forged.*, the state is /);
  });

  test('P9: that cannot be folded is told and not thrown', () => {
    const found = tampered((rows) => add(rows, { did: 'enter-token', token: 99 as never }));
    expect(found).toEqual(['P9: history does not fold: token 99 is alive']);
  });

  test('P2: ends no token twice', () => {
    const end: Change = { did: 'end-token', token: 5 as never, why: 'cancelled' };
    const found = tampered((rows) => {
      add(rows, end);
      add(rows, end);
    });
    expect(found).toContain('P2: token 5 ended twice');
  });

  test('P10: fires no join twice for a group', () => {
    const fire: Change = {
      did: 'fire-latch',
      latch: { scope: 1 as never, node: 'j' as never, group: 3 as never },
    };
    const found = tampered((rows) => {
      add(rows, fire);
      add(rows, fire);
    });
    expect(found).toContain('P10: join 1 3 j fired twice');
  });
});
