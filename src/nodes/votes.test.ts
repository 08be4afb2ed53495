/**
 * The rules against an oracle that counts in another way: it looks at every way in which those who
 * have not spoken could speak. What all of them agree on is decided; it is decided by nothing else.
 */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../base/json.ts';
import type { ApprovalResult } from '../model/task.ts';
import { Dice } from '../testing/dice.ts';
import { resultAt, says } from '../testing/office.ts';
import { draw, started, type Story } from '../testing/story.ts';

const SEEDS = 4_000;
/** Teams are named as seats, and people belong to some of them. */
const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  ann: ['t1'],
  bob: ['t1', 't2'],
  cy: [],
  dee: ['t2'],
  eve: ['t1', 't2'],
  fox: [],
};
const NAMES = ['ann', 'bob', 'cy', 'dee', 't1', 't2'];

interface Case {
  readonly approvers: readonly string[] | Readonly<Record<string, readonly string[]>>;
  readonly rule: string | Readonly<Record<string, Json>>;
}

function deal(dice: Dice): Case {
  const size = 1 + dice.roll(5);
  const drawn = Array.from({ length: size }, () => dice.pick(NAMES));
  const approvers: Record<string, string[]> = {};
  for (const name of drawn) (approvers[dice.pick(['x', 'y', 'z'])] ??= []).push(name);
  const reject = dice.roll(2) === 0 ? {} : { reject: dice.pick(['ends', 'counts']) };
  const rule = dice.pick<Case['rule']>([
    ...['first', 'unanimous'],
    { atLeast: 1 + dice.roll(6), ...reject },
    { perGroup: dice.pick([true, 1, 2, 3, 9]), ...reject },
  ]);
  return { approvers: dice.roll(2) === 0 ? drawn : approvers, rule };
}

interface Chair {
  readonly name: string;
  readonly table: string;
  said?: { readonly actor: string; readonly yes: boolean };
}

/** The same approval, as somebody would keep it on paper. */
class Paper {
  readonly #chairs: Chair[] = [];
  readonly #needs: (size: number) => number;
  readonly #endsByNo: boolean;

  constructor({ approvers, rule }: Case) {
    const { atLeast, perGroup, reject } = typeof rule === 'string' ? ({} as JsonObject) : rule;
    const groups = Array.isArray(approvers) ? { '': approvers } : approvers;
    for (const [group, names] of Object.entries(groups)) {
      for (const name of names) {
        const table = perGroup === undefined ? 'all' : group;
        const isTwin = (chair: Chair): boolean => chair.name === name && chair.table === table;
        if (!this.#chairs.some(isTwin)) this.#chairs.push({ name, table });
      }
    }
    const wanted = rule === 'first' || perGroup === true ? 1 : (atLeast ?? perGroup);
    this.#needs = (size) => (wanted === undefined ? size : Number(wanted));
    this.#endsByNo = reject !== 'counts';
  }

  /** Undefined: it is open still. */
  say(actor: string, yes: boolean): 'forbidden' | 'refused' | 'approve' | 'reject' | undefined {
    if (this.#chairs.some(({ said }) => said?.actor === actor)) return 'refused';
    const free = this.#chairs.filter(({ said }) => said === undefined);
    const own = free.filter(({ name }) => name === actor);
    const team = free.filter(({ name }) => PEOPLE[actor]?.includes(name) === true).slice(0, 1);
    const taken = own.length > 0 ? own : team;
    if (taken.length === 0) return 'forbidden';
    for (const chair of taken) chair.said = { actor, yes };
    if (!yes && this.#endsByNo) return 'reject';
    const futures = new Set(this.#futures(0, []));
    return futures.size > 1 ? undefined : futures.has(true) ? 'approve' : 'reject';
  }

  /** How it ends, for every way in which the rest may speak. */
  #futures(at: number, yes: readonly boolean[]): boolean[] {
    const chair = this.#chairs[at];
    if (chair === undefined) return [this.#isCarried(yes)];
    const ways = chair.said === undefined ? [true, false] : [chair.said.yes];
    return ways.flatMap((way) => this.#futures(at + 1, [...yes, way]));
  }

  #isCarried(yes: readonly boolean[]): boolean {
    return this.#chairs.every(({ table }) => {
      const there = yes.filter((_, at) => this.#chairs[at]?.table === table);
      const ayes = there.filter(Boolean).length;
      return ayes >= this.#needs(there.length) || ayes === there.length;
    });
  }

  get votes(): readonly string[] {
    return this.#chairs.flatMap(({ name, said }) =>
      said === undefined ? [] : `${name} ${said.actor} ${said.yes ? 'approve' : 'reject'}`,
    );
  }
}

function asking({ approvers, rule }: Case): Story {
  const settings = { fixed: { approvers }, asks: [], rule } as unknown as JsonObject;
  return started(draw(['ok -> A'], { ok: { kind: 'approve', settings } }));
}

/** What the story says of a vote, in the words of the paper. */
function outcome(story: Story, told: string): string | undefined {
  if (told.startsWith('task.')) return told.slice('task.'.length, told.indexOf(':'));
  return (resultAt(story, 'ok') as ApprovalResult | undefined)?.decision;
}

test(`O-62..O-66: ${SEEDS} random slates, rules and votes are decided as on paper`, () => {
  const seen = new Map<unknown, number>();
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const dice = new Dice(seed);
    const dealt = deal(dice);
    const paper = new Paper(dealt);
    const story = asking(dealt);
    for (let votes = 0; votes < 12 && resultAt(story, 'ok') === undefined; votes += 1) {
      const actor = dice.pick(Object.keys(PEOPLE));
      const yes = dice.roll(4) > 0;
      const who = [actor, PEOPLE[actor]?.join(' and ')].filter((part) => part !== '').join(' of ');
      const came = outcome(story, says(story, who, yes ? 'approve' : 'reject'));
      const where = `seed ${seed}, vote ${votes}: ${actor} ${yes} in ${JSON.stringify(dealt)}`;
      expect(came, where).toBe(paper.say(actor, yes));
      seen.set(came, (seen.get(came) ?? 0) + 1);
    }
    const result = resultAt(story, 'ok') as ApprovalResult | undefined;
    if (result === undefined) continue;
    const said = result.votes.map(({ seat, actor, decision }) => `${seat} ${actor} ${decision}`);
    expect([...said].sort(), `seed ${seed}`).toEqual([...paper.votes].sort());
  }
  // Otherwise it was tested that nothing happens.
  for (const way of ['approve', 'reject', 'forbidden', 'refused', undefined]) {
    expect(seen.get(way), String(way)).toBeGreaterThan(200);
  }
});

describe('by hand', () => {
  /** Votes as `ann+` and `bob-`, and what each came to. */
  const votes = (dealt: Case, said: string): readonly (string | undefined)[] => {
    const story = asking(dealt);
    const one = (vote: string): string | undefined => {
      const decision = vote.endsWith('+') ? 'approve' : 'reject';
      const who = vote.slice(0, -1).replace('/', ' of ');
      return outcome(story, says(story, who, decision));
    };
    return said.split(' ').map(one);
  };
  const three = ['ann', 'bob', 'cy'];
  const groups = { x: ['ann', 'bob'], y: ['bob', 'cy', 'dee'] };
  const open = undefined;
  const table: readonly (readonly [string, Case, string, readonly (string | undefined)[]])[] = [
    ['O-62: the first', { approvers: three, rule: 'first' }, 'bob+', ['approve']],
    ['O-62: the first to say no', { approvers: three, rule: 'first' }, 'bob-', ['reject']],
    [
      'O-63: all',
      { approvers: three, rule: 'unanimous' },
      'ann+ cy+ bob+',
      [open, open, 'approve'],
    ],
    ['O-62: not all', { approvers: three, rule: 'unanimous' }, 'ann+ cy-', [open, 'reject']],
    ['O-64: two', { approvers: three, rule: { atLeast: 2 } }, 'ann+ cy+', [open, 'approve']],
    ['O-64: no ends it', { approvers: three, rule: { atLeast: 2 } }, 'ann-', ['reject']],
    [
      'O-64: more than there are is all',
      { approvers: three, rule: { atLeast: 9 } },
      'ann+ bob+ cy+',
      [open, open, 'approve'],
    ],
    [
      'O-64: a no that counts',
      { approvers: three, rule: { atLeast: 2, reject: 'counts' } },
      'ann- bob+ cy+',
      [open, open, 'approve'],
    ],
    [
      'O-64: too few are left',
      { approvers: three, rule: { atLeast: 2, reject: 'counts' } },
      'ann- bob-',
      [open, 'reject'],
    ],
    [
      'O-65: one in each group, and who is in both speaks for both',
      { approvers: groups, rule: { perGroup: true } },
      'bob+',
      ['approve'],
    ],
    [
      'O-65: more than a group has is all of it',
      { approvers: groups, rule: { perGroup: 3 } },
      'bob+ ann+ cy+ dee+',
      [open, open, open, 'approve'],
    ],
    [
      'O-65: a group that cannot any more',
      { approvers: groups, rule: { perGroup: 2, reject: 'counts' } },
      'dee- ann-',
      [open, 'reject'],
    ],
    [
      'O-66: who is in two groups is one person',
      { approvers: groups, rule: { atLeast: 2 } },
      'bob+ cy+',
      [open, 'approve'],
    ],
    [
      'O-66: nobody speaks twice',
      { approvers: ['t1', 't2'], rule: 'unanimous' },
      'bob/t1+ bob/t2+ dee/t2+',
      [open, 'refused', 'approve'],
    ],
    [
      'O-67: who has no say',
      { approvers: ['ann', 't1'], rule: 'unanimous' },
      'cy+ dee/t2+ eve/t1+ bob/t1+ ann+',
      ['forbidden', 'forbidden', open, 'forbidden', 'approve'],
    ],
  ];
  test.each(table)('%s', (_, dealt, said, came) => expect(votes(dealt, said)).toEqual(came));
});
