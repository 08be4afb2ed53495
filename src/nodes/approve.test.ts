import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { NodeCode } from '../model/definition.ts';
import type { ApprovalResult } from '../model/task.ts';
import { does, resultAt, says, taskAt, trailAt } from '../testing/office.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, started, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

function asked(fixed: JsonObject, ways: JsonObject = {}, code: NodeCode = {}): Drawing {
  const settings = { fixed, asks: Object.keys(code), ...ways };
  return draw(['ok -> A'], { ok: { kind: 'approve', settings, code } });
}

const both = { approvers: ['ann', 'finance'] };
const all = asked(both, { rule: 'unanimous' });

function decision(story: Story): ApprovalResult | undefined {
  return resultAt(story, 'ok') as ApprovalResult | undefined;
}

test('O-61: one token asks all of them, and goes on with the vote that decides', () => {
  const story = new Story(asked({ ...both, timeout: '7d' }, { rule: 'unanimous' }));

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at ok
    park   token 2 for people, approval until 604800000
    ! alarm 604800000
  `);
  story.now = 10;
  expect(says(story, 'ann', 'approve', { comment: 'fine' })).toBe(text`
    task   token 2 decide by ann
  `);
  story.now = 20;
  expect(brief(says(story, 'bob of finance', 'approve'))).toBe(text`
    task   token 2 decide by bob
    wake   token 2 resume and enter
    write  scope 1 results {"ok":{"decision":"approve", …}}
    birth  token 3 at A ready
    end    token 2 done
    ! offer token 3 to test@1/A
  `);
});

test('O-72: when its time is over, that is acted on, by itself', () => {
  const fixed = { ...both, timeout: '7d' };
  const notified = new Story(asked(fixed, { onTimeout: 'notify' }), { key: 'order-42' });
  notified.start();
  expect(notified.time(2).replace(/(?<="key":"order-42").*$/m, ', …}')).toBe(text`
    task   token 2 timeout by system:timeout
    send   i1/3 task.overdue {"node":"ok","token":2,"instance":"i1","key":"order-42", …}
    ! send
  `);
  expect(brief(timedOut(asked(fixed, { onTimeout: 'reject' })))).toBe(text`
    task   token 2 timeout by system:timeout
    wake   token 2 resume and enter
    write  scope 1 results {"ok":{"decision":"reject", …}}
    birth  token 3 at A ready
    end    token 2 done
    ! offer token 3 to test@1/A
  `);
});

function timedOut(drawing: Drawing): string {
  return started(drawing).time(2);
}

/** The whole result is too long for a line. */
function brief(told: string): string {
  return told.replace(/(?<="decision":"\w+").*$/m, ', …}}');
}

test('its result says what was decided, by whom, when and how', () => {
  const story = started(all);
  story.now = 10;
  says(story, 'ann', 'approve', { comment: 'fine' });
  story.now = 20;
  says(story, 'bob of finance', 'approve');
  expect(decision(story)).toEqual({
    decision: 'approve',
    by: 'bob',
    at: 20,
    comment: null,
    votes: [
      { actor: 'ann', decision: 'approve', at: 10, seat: 'ann', group: null, comment: 'fine' },
      { actor: 'bob', decision: 'approve', at: 20, seat: 'finance', group: null, comment: null },
    ],
    round: 1,
    submission: null,
  });
});

test('O-62: without a rule the first to answer decides; a reject goes on like any result', () => {
  const story = started(asked(both));
  says(story, 'ann', 'reject', { comment: 'no' });
  expect(decision(story)).toMatchObject({ decision: 'reject', by: 'ann', comment: 'no' });
  expect(story.instance.tokens.values()).toMatchObject([{ node: 'A', status: 'ready' }]);
});

test('an approval has the parts that were fixed, and those that closures made', () => {
  const fixed = { title: 'Release?', approvers: { x: ['ann', 'ann'], y: ['ann'] }, due: '1s' };
  const code: NodeCode = { submitter: ({ input }) => input, timeout: () => 500, data: () => [1] };
  const story = new Story(asked(fixed, { rule: { perGroup: 2 }, revisions: 1 }, code));
  story.now = 1_000;
  expect(story.start('dan')).toContain('until 1500');
  expect(taskAt(story, 'ok')).toEqual({
    kind: 'approval',
    title: 'Release?',
    data: [1],
    due: 2_000,
    approval: {
      seats: [
        { name: 'ann', group: 'x' },
        { name: 'ann', group: 'y' },
      ],
      rule: { need: 2, per: 'group' },
      votes: [],
      round: 1,
      revisionsMax: 1,
      submitter: 'dan',
      timeoutMs: 500,
      onTimeout: { do: 'note' },
    },
    trail: [],
  });
});

test('O-66: who has a say is fixed when it opens', () => {
  let team = ['ann'];
  const story = started(asked({}, {}, { approvers: () => team }));
  team = ['zoe'];
  expect(says(story, 'zoe', 'approve')).toContain('task.forbidden: zoe has no say in it');
  expect(says(story, 'ann', 'approve')).toContain('birth  token 3 at A');
});

describe('O-67: who has no say', () => {
  test('is told who has', () => {
    const story = started(all);
    says(story, 'ann', 'approve');
    const rule = 'task.forbidden: zoe has no say in it; it waits for finance';
    expect(says(story, 'zoe of sales', 'approve')).toBe(rule);
  });

  test('and who has had one does not get another', () => {
    const story = started(all);
    says(story, 'ann of finance', 'approve');
    const rule = 'task.refused: ann has approved it already, and has one say in a round';
    expect(says(story, 'ann of finance', 'approve')).toBe(rule);
    expect(taskAt(story, 'ok').approval?.votes).toHaveLength(1);
  });

  test('finds it closed when it is decided', () => {
    const story = started(asked(both));
    says(story, 'ann', 'approve');
    const vote = { do: 'decide', decision: 'reject' } as const;
    expect(does(story, 2, 'bob of finance', vote)).toContain('task.not-found:');
    expect(decision(story)).toMatchObject({ decision: 'approve' });
  });

  test('decides it alone by overriding, which the trail tells', () => {
    const story = started(all);
    story.now = 5;
    says(story, 'ann', 'approve');
    says(story, 'root', 'reject', { override: true, comment: 'law' });
    expect(decision(story)).toMatchObject({ decision: 'reject', by: 'root', comment: 'law' });
    expect(decision(story)?.votes.map(({ actor }) => actor)).toEqual(['ann']);
    expect(story.history.at(-1)?.changes[0]).toMatchObject({
      entry: { at: 5, by: 'root', did: 'decide', decision: 'reject', override: true, round: 1 },
    });
  });
});

describe('O-68: nobody has a say', () => {
  const nobody = (ways: JsonObject, approvers: JsonObject['x'] = []): Story =>
    started(asked({ approvers: approvers ?? [] }, ways));

  test('it stays open until somebody is named', () => {
    const story = nobody({});
    expect(says(story, 'ann', 'approve')).toContain('nobody has: reassign it to somebody');
    does(story, 'ok', 'root', { do: 'reassign', to: 'ann' });
    says(story, 'ann', 'approve');
    expect(decision(story)).toMatchObject({ decision: 'approve', by: 'ann' });
  });

  test('it fails', () => {
    const message = '"ok" has no approvers';
    const fault = { code: 'approval.no-approvers', message, node: 'ok' };
    expect(nobody({ onEmpty: 'fail' }).head.fault).toEqual(fault);
    const asking = started(asked({}, { onEmpty: 'fail' }, { approvers: () => null }));
    expect(asking.head.fault).toEqual(fault);
  });

  test('it is approved', () => {
    const by = 'system:no-approvers';
    const story = nobody({ onEmpty: 'approve' });
    expect(decision(story)).toMatchObject({ decision: 'approve', by, votes: [], round: 1 });
  });

  describe('in a group, where each must agree', () => {
    const rule = { perGroup: true };
    const half = { legal: [], sales: ['bob'] };

    test('anyone of that group is waited for, or whoever is named for it', () => {
      for (const how of ['by itself', 'by name']) {
        const story = nobody({ rule }, half);
        says(story, 'bob', 'approve');
        expect(decision(story)).toBeUndefined();
        if (how === 'by name') does(story, 'ok', 'root', { do: 'reassign', to: 'cy' });
        expect(says(story, 'zoe', 'approve')).toContain('task.forbidden:');
        says(story, how === 'by name' ? 'cy' : 'ann of legal', 'approve');
        expect(decision(story)?.votes.map(({ group }) => group)).toEqual(['sales', 'legal']);
      }
    });

    test('it fails, or the others agree without it', () => {
      const { fault } = nobody({ rule, onEmpty: 'fail' }, half).head;
      expect(fault).toMatchObject({ message: '"ok" has no approvers in legal' });
      const story = nobody({ rule, onEmpty: 'approve' }, half);
      says(story, 'bob', 'approve');
      expect(decision(story)).toMatchObject({ decision: 'approve', by: 'bob' });
      const empty = nobody({ rule, onEmpty: 'approve' }, { legal: [] });
      expect(decision(empty)).toMatchObject({ by: 'system:no-approvers' });
    });

    test('does not matter where groups do not', () => {
      const story = nobody({ rule: 'unanimous', onEmpty: 'fail' }, half);
      says(story, 'bob', 'approve');
      expect(decision(story)).toMatchObject({ decision: 'approve' });
    });
  });
});

describe('O-73: a say is handed over', () => {
  test('by who has it; what was said stays said', () => {
    const story = started(all);
    says(story, 'bob of finance', 'approve');
    does(story, 'ok', 'ann', { do: 'delegate', to: 'cy' });
    const approval = taskAt(story, 'ok').approval;
    expect(approval?.seats).toEqual([{ name: 'cy', for: 'ann' }, { name: 'finance' }]);
    expect(approval?.votes).toHaveLength(1);
    expect(says(story, 'ann', 'approve')).toContain('task.forbidden:');
    says(story, 'cy', 'approve');
    expect(decision(story)).toMatchObject({ decision: 'approve', by: 'cy' });
  });

  test('by whoever runs the place, who says from whom if there are several', () => {
    const story = started(all);
    const to = (to: string, from?: string): string =>
      does(story, 'ok', 'root', { do: 'reassign', to, ...(from === undefined ? {} : { from }) });
    expect(to('cy')).toBe('task.refused: say from whom: ann, finance');
    expect(to('cy', 'zoe')).toBe('task.refused: zoe has no say left');
    expect(to('cy', 'ann')).toContain('reassign by root');
    expect(to('dee', 'cy')).toContain('reassign by root');
    expect(taskAt(story, 'ok').approval?.seats[0]).toEqual({ name: 'dee', for: 'ann' });
    says(story, 'dee', 'approve');
    expect(to('dee')).toBe('task.refused: dee has a say in it already');
    expect(to('eve')).toContain('reassign by root');
    expect(trailAt(story, 'ok').at(-1)).toBe('0 root reassign {"to":"eve","from":"finance"}');
  });

  test('to nobody who has or had one, and not by who has none', () => {
    const story = started(all);
    const hand = (who: string, to: string): string =>
      does(story, 'ok', who, { do: 'delegate', to });
    expect(hand('zoe', 'cy')).toBe('task.forbidden: zoe has no say left');
    says(story, 'bob of finance', 'approve');
    expect(hand('ann', 'bob')).toBe('task.refused: bob has had a say in it');
    expect(hand('bob of finance', 'cy')).toBe('task.forbidden: bob has no say left');
  });
});

test('O-73: it is recalled by who asked for it, and by nobody else', () => {
  const recall = { do: 'recall', comment: 'sold' } as const;
  const story = started(asked({ ...both, submitter: 'dan' }, { rule: 'unanimous' }));
  says(story, 'ann', 'approve');
  const theirs = "it is dan's: only whoever asked for it may recall it";
  expect(does(story, 'ok', 'ann', recall)).toBe(`task.forbidden: ${theirs}`);
  does(story, 'ok', 'dan', recall);
  expect(decision(story)).toMatchObject({ decision: 'recall', by: 'dan', comment: 'sold' });
  const nobodys = 'it has no submitter: only whoever asked for it may recall it';
  expect(does(started(all), 2, 'dan', recall)).toBe(`task.forbidden: ${nobodys}`);
});

test('comments, files and dates are as for any task; there is nothing to claim or complete', () => {
  const story = started(all);
  const attachment = { name: 'plan', url: 'https://files.test/1' };
  does(story, 'ok', 'zoe', { do: 'comment', comment: 'why?' });
  does(story, 'ok', 'zoe', { do: 'attach', attachment });
  does(story, 'ok', 'zoe', { do: 'update', priority: 7 });
  expect(taskAt(story, 'ok')).toMatchObject({ attachments: [attachment], priority: 7 });
  for (const one of [{ do: 'claim' }, { do: 'unclaim' }, { do: 'complete', output: 1 }] as const) {
    const rule = 'it is an approval, to be decided: there is nothing to';
    expect(does(story, 'ok', 'ann', one)).toBe(`task.refused: ${rule} ${one.do}`);
  }
});

describe('onReject: fail', () => {
  const fails = { onReject: 'fail' };

  test('a reject is a fault that has the result with it', () => {
    const story = started(asked({ ...both, submitter: 'dan' }, fails));
    says(story, 'ann', 'reject');
    expect(story.head).toMatchObject({ status: 'failed' });
    expect(story.head.fault).toMatchObject({
      code: 'approval.rejected',
      message: '"ok" was rejected by ann',
      node: 'ok',
      fatal: true,
      details: { result: { decision: 'reject', by: 'ann' } },
    });
  });

  test('a recall is one, too, and an approval is none', () => {
    const recalled = started(asked({ ...both, submitter: 'dan' }, fails));
    does(recalled, 'ok', 'dan', { do: 'recall' });
    expect(recalled.head.fault).toMatchObject({ message: '"ok" was recalled by dan' });
    const approved = started(asked(both, fails));
    says(approved, 'ann', 'approve');
    expect(decision(approved)).toMatchObject({ decision: 'approve' });
  });
});

test('what is wrong with an approval', () => {
  const fixed = { approvers: 'ann', submitter: '', timeout: 0 };
  const ways = { rule: 'most', onEmpty: 'x', onTimeout: 'x', onReject: 'x', revisions: 1.5 };
  expect(problemsOf(asked(fixed, ways)).map((line) => line.split(' ')[0])).toEqual([
    ...['approve.bad-approvers', 'approve.bad-submitter', 'approve.bad-timeout'],
    ...['approve.bad-rule', 'approve.bad-onEmpty', 'approve.bad-onTimeout'],
    ...['approve.bad-onReject', 'approve.bad-revisions'],
  ]);
  expect(problemsOf(asked({ assignee: 'ann' }))[0]).toContain('approve.bad-parts ok:');
  const story = started(asked({}, {}, { approvers: () => [''] }));
  expect(story.head.fault).toMatchObject({ code: 'approve.bad-approvers', node: 'ok' });
});
