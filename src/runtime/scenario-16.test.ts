/**
 * Scenario 16 on every store: an approval by every rule, with votes that are given twice, votes by
 * people who have no say, and a reject; another program runs for every vote (O-62..O-67).
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { EngineError } from '../base/engine-error.ts';
import type { Flow } from '../model/definition.ts';
import type { ApprovalResult } from '../model/task.ts';
import { onEveryStore, type OpenLab } from '../testing/lab.ts';
import { Restarts } from '../testing/restarts.ts';

const GROUPS = { finance: ['ann', 'bob'], legal: ['cid', 'dan'] };
const NAMES = ['ann', 'bob', 'cid'];

const asks = {
  first: flow<null>('first').approve('ask', { approvers: NAMES }).end(),
  unanimous: flow<null>('unanimous').approve('ask', { approvers: NAMES, rule: 'unanimous' }).end(),
  quorum: flow<null>('quorum')
    .approve('ask', { approvers: NAMES, rule: { atLeast: 2 } })
    .end(),
  counted: flow<null>('counted')
    .approve('ask', { approvers: NAMES, rule: { atLeast: 2, reject: 'counts' } })
    .end(),
  groups: flow<null>('groups')
    .approve('ask', { approvers: GROUPS, rule: { perGroup: 1 } })
    .end(),
} as const;

/** Who says what, and how the call ends: it is taken, decides, or is refused by a code. */
type Said = readonly [actor: string, decision: 'approve' | 'reject', then: string];

const STORIES: readonly (readonly [keyof typeof asks, string, readonly Said[]])[] = [
  ['first', 'the first approval decides', [['bob', 'approve', 'approve']]],
  ['first', 'a reject decides', [['bob', 'reject', 'reject']]],
  [
    'unanimous',
    'everyone, in any order; nobody twice and nobody else',
    [
      ['cid', 'approve', 'taken'],
      ['cid', 'approve', 'task.refused'],
      ['eve', 'approve', 'task.forbidden'],
      ['ann', 'approve', 'taken'],
      ['cid', 'reject', 'task.refused'],
      ['bob', 'approve', 'approve'],
    ],
  ],
  [
    'unanimous',
    'one reject ends it',
    [
      ['ann', 'approve', 'taken'],
      ['bob', 'reject', 'reject'],
    ],
  ],
  [
    'quorum',
    'two different people',
    [
      ['ann', 'approve', 'taken'],
      ['ann', 'approve', 'task.refused'],
      ['cid', 'approve', 'approve'],
    ],
  ],
  [
    'quorum',
    'a reject ends it',
    [
      ['ann', 'approve', 'taken'],
      ['cid', 'reject', 'reject'],
    ],
  ],
  [
    'counted',
    'a reject is counted, and two can still approve',
    [
      ['ann', 'reject', 'taken'],
      ['bob', 'approve', 'taken'],
      ['cid', 'approve', 'approve'],
    ],
  ],
  [
    'counted',
    'when too few are left to approve, it is rejected',
    [
      ['ann', 'reject', 'taken'],
      ['bob', 'reject', 'reject'],
    ],
  ],
  [
    'groups',
    'one of each group; two of one are not enough',
    [
      ['ann', 'approve', 'taken'],
      ['bob', 'approve', 'taken'],
      ['eve', 'approve', 'task.forbidden'],
      ['dan', 'approve', 'approve'],
    ],
  ],
];

onEveryStore('scenario 16: an approval, with another program for every vote', (open) => {
  test.each(STORIES)('%s: %s', async (rule, _, story) => {
    await tell(open, asks[rule], story);
  });
});

async function tell(open: OpenLab, asked: Flow<null>, story: readonly Said[]): Promise<void> {
  const program = await Restarts.of(open, [asked]);
  const { id } = await program.lab.engine.start(asked, null);
  await program.settled(id);
  const [task] = (await program.lab.engine.tasks.list({ instance: id })).tasks;
  const name = task?.id as string;
  const counted: string[] = [];
  for (const [actor, decision, then] of story) {
    const lab = await program.again();
    const before = await (await program.run(id)).inspect();
    const ended = await lab.engine.tasks.decide(name, { actor, decision }).then(
      () => 'counted',
      (error: EngineError) => error.code,
    );
    expect(ended).toBe(then.includes('.') ? then : 'counted');
    const run = await program.settled(id);
    const after = await run.inspect();
    // What is refused leaves everything as it was.
    expect(after.version).toBe(before.version + (ended === 'counted' ? 1 : 0));
    expect(after.status).toBe(then === decision ? 'completed' : 'waiting');
    if (ended === 'counted') counted.push(`${actor} ${decision}`);
  }
  const run = await program.run(id);
  const { ask } = (await run.result()) as { ask: ApprovalResult };
  const [by, , decision] = story.at(-1) as Said;
  expect(ask).toMatchObject({ decision, by, round: 1 });
  expect(ask.votes.map((vote) => `${vote.actor} ${vote.decision}`)).toEqual(counted);
  expect((await program.lab.engine.tasks.list({ instance: id })).tasks).toEqual([]);
  await expect(
    program.lab.engine.tasks.decide(name, { actor: 'ann', decision: 'approve' }),
  ).rejects.toMatchObject({ code: 'task.not-found' });
}
