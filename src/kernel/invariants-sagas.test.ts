/** P11 from history alone: a history that somebody tampered with is told. */
import { describe, expect, test } from 'vitest';
import type { Change } from '../model/change.ts';
import type { HistoryRow } from '../model/commit.ts';
import { draw, Story } from '../testing/story.ts';
import { checkInvariants } from './invariants.ts';

/** Two steps are done and the third fails; then both are undone, the newer first. */
function undone(): Story {
  const undo = { kind: 'step', settings: { undo: {} } };
  const story = new Story(draw(['A -> B -> C -> end'], { A: undo, B: undo, C: undo }));
  story.start();
  story.done(tokenAt(story, 'A'));
  story.done(tokenAt(story, 'B'));
  story.fail(tokenAt(story, 'C'));
  story.done(tokenAt(story, 'B'));
  story.done(tokenAt(story, 'A'));
  return story;
}

/** The same in a scope that is a saga of its own. */
function undoneInside(): Story {
  const undo = { kind: 'step', in: 'box', settings: { undo: {} } };
  const box = { kind: 'scope', settings: { body: 'A', saga: 'scope' } };
  const story = new Story(draw(['box -> end', 'A -> B'], { box, A: undo, B: undo }));
  story.start();
  story.done(tokenAt(story, 'A'));
  story.fail(tokenAt(story, 'B'));
  story.done(tokenAt(story, 'A'));
  return story;
}

function tokenAt({ instance }: Story, node: string): number {
  return instance.tokens.values().find((token) => token.node === node)?.id ?? 0;
}

/** What is said of P11 when every change is put through `alter`. */
function tampered(story: Story, alter: (change: Change) => readonly Change[]): string[] {
  const rows = story.history.map(
    (row): HistoryRow => ({ ...row, changes: row.changes.flatMap(alter) }),
  );
  const found = checkInvariants(story.instance, rows);
  return found.filter(({ promise }) => promise === 'P11').map(({ message }) => message);
}

const drop = (did: Change['did']) => (change: Change) => (change.did === did ? [] : [change]);

/** Tokens 2 and 4 ran the steps A and B; their records, which tokens 8 and 7 undo: */
const [A, B] = [3, 5] as const;

test('a saga that nobody tampered with keeps its promise', () => {
  for (const story of [undone(), undoneInside()]) {
    expect(checkInvariants(story.instance, story.history)).toEqual([]);
    expect(story.head.status).toBe('failed');
  }
});

describe('P11: a record', () => {
  test('is settled once', () => {
    const twice = (change: Change) => (change.did === 'settle-undo' ? [change, change] : [change]);
    expect(tampered(undone(), twice)).toEqual([
      `undo ${B} is settled twice`,
      `undo ${A} is settled twice`,
    ]);
  });

  test('is settled by somebody who undoes it', () => {
    const found = tampered(undone(), (change) =>
      change.did === 'birth-token' && change.token.undoes !== undefined ? [] : [change],
    );
    expect(found).toEqual([
      `undo ${B} is settled and nobody undoes it`,
      `undo ${A} is settled and nobody undoes it`,
    ]);
  });

  test('was made before it is settled or undone', () => {
    expect(tampered(undone(), drop('record-undo'))).toEqual([
      `token 7 undoes ${B}, which is not there`,
      `undo ${B} is settled and was not recorded`,
      `token 8 undoes ${A}, which is not there`,
      `undo ${A} is settled and was not recorded`,
    ]);
  });

  test('is not left over when the instance has been undone', () => {
    const found = tampered(undone(), (change) =>
      change.did === 'settle-undo' && change.undo === A ? [] : [change],
    );
    expect(found).toEqual([
      `compensation 8 is done, undo ${A} is open`,
      `scope 1 is over and undo ${A} is open`,
    ]);
  });

  test('is not left over when the scope that undoes it is over', () => {
    const found = tampered(undoneInside(), (change) => {
      if (change.did === 'settle-undo' || change.did === 'hand-undos') return [];
      return [change];
    });
    expect(found).toContain('scope 3 is over and undo 5 is open');
  });

  test('is of a step that completed', () => {
    const fails = (change: Change): readonly Change[] =>
      change.did === 'end-token' && change.token === 4 ? [{ ...change, why: 'failed' }] : [change];
    expect(tampered(undone(), fails)).toEqual(['token 4 is failed and recorded as done']);
  });

  test('is in doubt only if the step did not complete', () => {
    const doubts = (change: Change): readonly Change[] =>
      change.did === 'record-undo'
        ? [{ ...change, undo: { ...change.undo, inDoubt: true } }]
        : [change];
    expect(tampered(undone(), doubts)).toEqual([
      'token 2 is done and in doubt',
      'token 4 is done and in doubt',
    ]);
  });

  test('is made once for a step, and when that ends', () => {
    const again = (change: Change): readonly Change[] =>
      change.did === 'record-undo'
        ? [change, { ...change, undo: { ...change.undo, id: 99 as never } }]
        : [change];
    expect(tampered(undone(), again)).toContain('token 2 is recorded twice');
    const found = tampered(undone(), (change) =>
      change.did === 'end-token' && change.token === 2 ? [] : [change],
    );
    expect(found).toEqual(['token 2 is recorded and lives on']);
  });
});

describe('P11: a compensation', () => {
  const swapped = (change: Change): readonly Change[] => {
    if (change.did === 'settle-undo') {
      return [{ ...change, undo: (change.undo === A ? B : A) as never }];
    }
    if (change.did !== 'birth-token' || change.token.undoes === undefined) return [change];
    const undoes = (change.token.undoes === A ? B : A) as never;
    return [{ ...change, token: { ...change.token, undoes } }];
  };

  test('is born for the newest record that is left', () => {
    expect(tampered(undone(), swapped)).toEqual([`token 7 undoes ${A}, and ${B} is newer`]);
  });

  test('is alone in its saga', () => {
    const both = (change: Change): readonly Change[] => {
      if (change.did !== 'birth-token' || change.token.undoes !== B) return [change];
      const other = { ...change.token, id: 77 as never, undoes: A as never };
      return [change, { ...change, token: other }];
    };
    expect(tampered(undone(), both)).toContain('tokens 7 and 77 undo at the same time');
  });

  test('undoes something that is not undone yet', () => {
    const again = (change: Change): readonly Change[] =>
      change.did === 'birth-token' && change.token.undoes === A
        ? [{ ...change, token: { ...change.token, undoes: B as never } }]
        : [change];
    expect(tampered(undone(), again)).toContain(
      `undo ${B} is settled, and token 8 undoes it again`,
    );
    const nothing = (change: Change): readonly Change[] => {
      if (change.did !== 'birth-token') return [change];
      const { undoes: _, ...token } = change.token;
      return [{ ...change, token }];
    };
    expect(tampered(undone(), nothing)).toContain('compensation 7 undoes nothing');
  });
});
