/** Approvals that take their time: what is done when it is over, and rounds of revision. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { Instant, TokenId } from '../model/ids.ts';
import type { Approval, ApprovalResult } from '../model/task.ts';
import { does, resultAt, says, taskAt, tokenAt, trailAt } from '../testing/office.ts';
import { draw, started, type Story } from '../testing/story.ts';

const both = { approvers: ['ann', 'bob'], submitter: 'dan' };

function asking(fixed: JsonObject, ways: JsonObject = {}): Story {
  const settings = { fixed: { ...both, ...fixed }, asks: [], rule: 'unanimous', ...ways };
  return started(draw(['ok -> A'], { ok: { kind: 'approve', settings } }));
}

function late(ways: JsonObject = {}): Story {
  return asking({ timeout: '1m' }, ways);
}

function decision(story: Story): ApprovalResult | undefined {
  return resultAt(story, 'ok') as ApprovalResult | undefined;
}

function approvalIn(story: Story): Approval | undefined {
  return taskAt(story, 'ok').approval;
}

function tick(story: Story, at: number): string {
  story.now = at;
  return story.tell({ type: 'time', at: at as Instant, token: 2 as TokenId });
}

function resubmit(story: Story, who = 'dan'): string {
  return does(story, 'ok', who, { do: 'resubmit', data: { v: 2 } });
}

describe('O-72: its time is over', () => {
  test('never early', () => {
    const story = late({ onTimeout: 'approve' });
    expect(tick(story, 59_999)).toBe('\n\n');
    expect(tick(story, 60_000)).toContain('timeout by system:timeout');
  });

  test('not after it was decided', () => {
    const story = late({ rule: 'first' });
    says(story, 'ann', 'approve');
    expect(tick(story, 60_000)).toBe('\n\n');
  });

  test.each(['approve', 'reject'])('%s: it is decided by itself', (onTimeout) => {
    const story = late({ onTimeout });
    says(story, 'ann', 'approve');
    story.time(2);
    const by = 'system:timeout';
    expect(decision(story)).toMatchObject({ decision: onTimeout, by, at: 60_000 });
    expect(decision(story)?.votes).toMatchObject([{ actor: 'ann' }]);
  });

  test('notify: the world is told once, and it stays open', () => {
    const story = asking({ timeout: '1m', title: 'Release?' }, { onTimeout: 'notify' });
    says(story, 'ann', 'approve');
    story.time(2);
    const sent = story.history.at(-1)?.changes.find(({ did }) => did === 'send');
    const about = { node: 'ok', token: 2, instance: 'i1', key: 'k' };
    expect(sent).toEqual({
      did: 'send',
      letter: {
        id: 'i1/3',
        type: 'task.overdue',
        key: 'k',
        data: { ...about, title: 'Release?', round: 1, waitsFor: ['bob'] },
      },
    });
    expect(tokenAt(story, 'ok').wakeAt).toBeNull();
    expect(tick(story, 10 ** 9)).toBe('\n\n');
    says(story, 'bob', 'approve');
    expect(decision(story)).toMatchObject({ decision: 'approve', by: 'bob' });
  });

  test('if nothing is said it is noted, once, and nobody outside is told', () => {
    const story = late();
    story.time(2);
    const did = story.history.at(-1)?.changes.map((change) => change.did);
    expect(did).toEqual(['alter-task']);
    expect(taskAt(story, 'ok').trail).toMatchObject([{ did: 'timeout', decision: 'note' }]);
    expect(tick(story, 10 ** 9)).toBe('\n\n');
    says(story, 'ann', 'approve');
    says(story, 'bob', 'approve');
    expect(decision(story)).toMatchObject({ decision: 'approve', by: 'bob' });
  });

  test('reassign: others have it by the same rule, and what was said does not count', () => {
    const story = late({ onTimeout: { reassign: ['cy', 'dee'] } });
    says(story, 'ann', 'approve');
    story.time(2);
    expect(approvalIn(story)).toMatchObject({
      seats: [{ name: 'cy' }, { name: 'dee' }],
      votes: [],
    });
    expect(trailAt(story, 'ok').at(-1)).toBe(
      '60000 system:timeout timeout {"decision":"reassign","round":1,"to":"cy, dee"}',
    );
    expect(says(story, 'bob', 'approve')).toContain('task.forbidden:');
    says(story, 'cy', 'approve');
    expect(decision(story)).toBeUndefined();
    says(story, 'dee', 'approve');
    expect(decision(story)).toMatchObject({ decision: 'approve', by: 'dee' });
  });

  test('reassign: by group, where each must agree', () => {
    const to = { x: ['cy'], y: ['cy', 'dee'] };
    const groups = late({ rule: { perGroup: true }, onTimeout: { reassign: to } });
    groups.time(2);
    says(groups, 'cy', 'approve');
    expect(decision(groups)?.votes).toMatchObject([{ group: 'x' }, { group: 'y' }]);
    const one = late({ onTimeout: { reassign: to } });
    one.time(2);
    expect(approvalIn(one)?.seats.map(({ name }) => name)).toEqual(['cy', 'dee']);
  });

  test('escalate: whoever it goes up to decides it, and one is enough', () => {
    const story = late({ onTimeout: { escalate: ['boss', 'chair'] } });
    says(story, 'ann', 'approve');
    story.time(2);
    expect(tick(story, 10 ** 9)).toBe('\n\n');
    says(story, 'chair', 'approve');
    expect(decision(story)).toMatchObject({ decision: 'approve', by: 'chair' });
    expect(decision(story)?.votes).toHaveLength(1);
  });

  test('once in each round, and each begins with those who had it at first', () => {
    const story = late({ onTimeout: { escalate: ['boss'] } });
    story.time(2);
    says(story, 'boss', 'revise');
    expect(tokenAt(story, 'ok').wakeAt).toBeNull();
    expect(tick(story, 200_000)).toBe('\n\n');
    story.now = 300_000;
    expect(resubmit(story)).toContain('! alarm 360000');
    expect(approvalIn(story)).toMatchObject({ round: 2, rule: { need: 'all', per: 'all' } });
    expect(approvalIn(story)?.seats.map(({ name }) => name)).toEqual(['ann', 'bob']);
    expect(approvalIn(story)).not.toHaveProperty('timedOut');
    expect(tick(story, 359_999)).toBe('\n\n');
    expect(tick(story, 360_000)).toContain('timeout by system:timeout');
    says(story, 'boss', 'approve');
    expect(decision(story)).toMatchObject({ decision: 'approve', by: 'boss', round: 2 });
  });

  test('after so long without what it was suspended for', () => {
    const story = late({ onTimeout: 'reject' });
    const at = (now: number, type: 'suspend' | 'resume'): string => {
      story.now = now;
      return story.tell({ type, at: now as Instant });
    };
    at(10_000, 'suspend');
    expect(tick(story, 70_000)).toBe('\n\n');
    expect(says(story, 'ann', 'approve')).toContain('instance.suspended:');
    expect(does(story, 'ok', 'ann', { do: 'comment', comment: 'x' })).toContain('suspended:');
    expect(at(100_000, 'resume')).toContain('defer  token 2 until 150000');
    expect(tick(story, 149_999)).toBe('\n\n');
    expect(tick(story, 150_000)).toContain('"decision":"reject"');
  });
});

describe('O-71: it is sent back', () => {
  test('to who asked for it, and what they come back with begins another round', () => {
    const story = asking({});
    story.now = 1;
    says(story, 'ann', 'approve');
    says(story, 'bob', 'revise', { comment: 'too dear' });
    expect(approvalIn(story)).toMatchObject({ returned: true, round: 1 });
    const rule = 'task.refused: it was sent back: it waits for dan to resubmit it';
    expect(says(story, 'bob', 'approve')).toBe(rule);
    expect(resubmit(story, 'ann')).toContain("task.forbidden: it is dan's");
    story.now = 2;
    resubmit(story);
    expect(approvalIn(story)).toMatchObject({ round: 2, votes: [], submission: { v: 2 } });
    expect(approvalIn(story)).not.toHaveProperty('returned');
    expect(resubmit(story)).toBe('task.refused: it was not sent back: it waits for ann, bob');
    says(story, 'ann', 'approve');
    expect(decision(story)).toBeUndefined();
    expect(trailAt(story, 'ok')).toEqual([
      '1 ann decide {"decision":"approve","round":1}',
      '1 bob decide {"decision":"revise","comment":"too dear","round":1}',
      '2 dan resubmit {"round":2}',
      '2 ann decide {"decision":"approve","round":2}',
    ]);
    says(story, 'bob', 'approve');
    expect(decision(story)).toMatchObject({ round: 2, submission: { v: 2 } });
    expect(decision(story)?.votes).toHaveLength(2);
  });

  test('who decides on the round they looked at does not decide on another', () => {
    const story = asking({});
    const seen = { do: 'decide', decision: 'approve', round: 1 } as const;
    expect(does(story, 'ok', 'ann', seen)).toContain('decide by ann');
    says(story, 'bob', 'revise');
    resubmit(story);
    const rule = 'task.refused: it is in round 2 and not in round 1: look at it again';
    expect(does(story, 'ok', 'ann', seen)).toBe(rule);
    expect(does(story, 'ok', 'root', { ...seen, override: true })).toBe(rule);
    expect(does(story, 'ok', 'ann', { ...seen, round: 2 })).toContain('decide by ann');
  });

  test('only by who has a say and has not used it, or by overriding', () => {
    const story = asking({});
    expect(says(story, 'zoe', 'revise')).toContain('task.forbidden:');
    says(story, 'ann', 'approve');
    expect(says(story, 'ann', 'revise')).toContain('task.refused: ann has approved it');
    expect(says(story, 'zoe', 'revise', { override: true })).toContain('decide by zoe');
    expect(approvalIn(story)).toMatchObject({ returned: true });
  });

  test('only where somebody asked for it', () => {
    const story = asking({ submitter: null });
    const rule = 'task.refused: it has no submitter to whom it could be sent back';
    expect(says(story, 'ann', 'revise')).toBe(rule);
  });

  test.each([
    [{}, 3],
    [{ revisions: 1 }, 1],
  ])('with %j at most %i times: past that it is rejected', (ways, times) => {
    const story = asking({}, ways);
    for (let round = 1; round <= times; round += 1) {
      says(story, 'ann', 'revise');
      expect(decision(story)).toBeUndefined();
      resubmit(story);
    }
    says(story, 'ann', 'revise', { comment: 'no more' });
    expect(decision(story)).toMatchObject({
      ...{ decision: 'reject', by: 'ann', comment: 'no more', round: times + 1 },
    });
  });

  test('never, with 0 revisions', () => {
    const rule = 'task.refused: it is not to be sent back: approve or reject it';
    expect(says(asking({}, { revisions: 0 }), 'ann', 'revise')).toBe(rule);
  });

  test('and can be recalled, or decided by overriding, while it is', () => {
    const recalled = asking({});
    says(recalled, 'ann', 'revise');
    does(recalled, 'ok', 'dan', { do: 'recall' });
    expect(decision(recalled)).toMatchObject({ decision: 'recall', by: 'dan', round: 1 });
    const decided = asking({});
    says(decided, 'ann', 'revise');
    says(decided, 'root', 'approve', { override: true });
    expect(decision(decided)).toMatchObject({ decision: 'approve', by: 'root' });
  });

  test('who was given a say in one round has it in the next', () => {
    const story = asking({});
    does(story, 'ok', 'ann', { do: 'delegate', to: 'cy' });
    says(story, 'bob', 'revise');
    resubmit(story);
    expect(approvalIn(story)?.seats.map(({ name }) => name)).toEqual(['cy', 'bob']);
  });
});
