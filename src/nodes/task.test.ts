import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../base/json.ts';
import type { NodeCode } from '../model/definition.ts';
import type { Instant } from '../model/ids.ts';
import { does, taskAt, trailAt } from '../testing/office.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, started, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

function tasked(fixed: JsonObject = {}, code: NodeCode = {}): Drawing {
  const settings = { fixed, asks: Object.keys(code) };
  return draw(['check -> A'], { check: { kind: 'task', settings, code } });
}

const offered = tasked({ candidates: ['ann', 'sales'] });
const anns = tasked({ assignee: 'ann' });

function open(drawing: Drawing): (who: string, asked: Parameters<typeof does>[3]) => string {
  const story = started(drawing);
  return (who, asked) => does(story, 2, who, asked);
}

test('a task rests until somebody has done it, and what they hand in is its result', () => {
  const story = new Story(offered);

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at check
    park   token 2 for people, task
  `);
  expect(does(story, 'check', 'bob of sales', { do: 'claim' })).toBe(text`
    task   token 2 claim by bob
  `);
  expect(does(story, 'check', 'bob', { do: 'complete', output: { ok: true } })).toBe(text`
    task   token 2 complete by bob
    wake   token 2 resume and enter
    write  scope 1 results {"check":{"ok":true}}
    birth  token 3 at A ready
    end    token 2 done
    ! offer token 3 to test@1/A
  `);
});

test('a task has the parts that were fixed, and those that closures made when a token came', () => {
  const fixed = { title: 'Look', due: '1m', followUp: { at: 7 }, form: { type: 'object' } };
  const code: NodeCode = {
    assignee: ({ input }) => input,
    candidates: () => ({ users: ['ann', 'ann'], groups: ['sales'] }),
    priority: () => 3,
    data: ({ input }) => ({ of: input }),
  };
  const story = new Story(tasked(fixed, code));
  story.now = 1_000;
  story.start('ann');
  expect(taskAt(story, 'check')).toEqual({
    kind: 'task',
    title: 'Look',
    due: 61_000,
    followUp: 7,
    form: { type: 'object' },
    assignee: 'ann',
    candidates: { users: ['ann'], groups: ['sales'] },
    priority: 3,
    data: { of: 'ann' },
    trail: [],
  });
});

test('what is null is not there', () => {
  const story = started(tasked({ title: null }, { assignee: () => null, candidates: () => null }));
  expect(taskAt(story, 'check')).toEqual({ kind: 'task', trail: [] });
});

describe('who may claim it', () => {
  const claim = { do: 'claim' } as const;
  const cases: readonly (readonly [string, JsonObject, readonly string[], readonly string[]])[] = [
    ['anyone', {}, ['ann', 'zoe of nothing'], []],
    ['names', { candidates: ['ann', 'sales'] }, ['ann', 'bob of sales'], ['bob', 'cy of ann2']],
    [
      'people and groups apart',
      { candidates: { users: ['ann'], groups: ['sales'] } },
      ['ann', 'bob of legal and sales'],
      ['sales', 'cy of ann', 'dan'],
    ],
  ];
  test.each(cases)('%s', (_, fixed, may, mayNot) => {
    for (const who of may) {
      expect(open(tasked(fixed))(who, claim)).toContain('claim by');
      expect(open(tasked(fixed))(who, { do: 'complete', output: 1 })).toContain('complete by');
    }
    for (const who of mayNot) {
      expect(open(tasked(fixed))(who, claim)).toContain('task.forbidden:');
      const done = open(tasked(fixed))(who, { do: 'complete', output: 1 });
      expect(done).toContain('task.forbidden:');
    }
  });

  test('nobody, while it is somebody’s; twice is once', () => {
    const by = open(offered);
    expect(by('ann', claim)).toContain('claim by ann');
    expect(by('ann', claim)).toBe('\n\n');
    expect(by('bob of sales', claim)).toBe("task.refused: it is ann's already");
  });

  test('who may is said to whoever may not', () => {
    const told = 'zoe is none of its candidates, nor is a group of theirs: it is for ann, sales';
    expect(open(offered)('zoe', claim)).toBe(`task.forbidden: ${told}`);
    expect(open(offered)('zoe', { do: 'complete', output: 1 })).toBe(`task.forbidden: ${told}`);
  });

  test('whoever says that they may all the same', () => {
    expect(open(offered)('zoe', { ...claim, override: true })).toContain('claim by zoe');
  });
});

describe('whose it is', () => {
  test('only they complete it, give it back and delegate it', () => {
    for (const asked of [
      { do: 'complete', output: 1 },
      { do: 'unclaim' },
      { do: 'delegate', to: 'bob' },
    ] as const) {
      expect(open(anns)('bob', asked)).toContain("task.forbidden: it is ann's");
      expect(open(anns)('ann', asked)).toContain(`task   token 2 ${asked.do} by ann`);
      expect(open(anns)('bob', { ...asked, override: true })).toContain(`${asked.do} by bob`);
    }
  });

  test('who delegated it has it back when it is given back', () => {
    const story = started(anns);
    does(story, 'check', 'ann', { do: 'delegate', to: 'bob' });
    expect(taskAt(story, 'check')).toMatchObject({ assignee: 'bob', owner: 'ann' });
    does(story, 'check', 'bob', { do: 'unclaim' });
    expect(taskAt(story, 'check')).toMatchObject({ assignee: 'ann', owner: null });
    does(story, 'check', 'ann', { do: 'unclaim' });
    expect(taskAt(story, 'check')).toMatchObject({ assignee: null });
    expect(does(story, 'check', 'ann', { do: 'unclaim' })).toBe('\n\n');
    const told = does(story, 'check', 'ann', { do: 'delegate', to: 'bob' });
    expect(told).toBe("task.refused: it is nobody's yet: claim it, or reassign it");
  });

  test('passed on again and given back it is with the first who delegated it, not with all', () => {
    const story = started(anns);
    does(story, 'check', 'ann', { do: 'delegate', to: 'bob' });
    does(story, 'check', 'bob', { do: 'delegate', to: 'cy' });
    expect(taskAt(story, 'check')).toMatchObject({ assignee: 'cy', owner: 'ann' });
    does(story, 'check', 'cy', { do: 'unclaim' });
    expect(taskAt(story, 'check')).toMatchObject({ assignee: 'ann', owner: null });
    does(story, 'check', 'ann', { do: 'delegate', to: 'bob' });
    does(story, 'check', 'bob', { do: 'delegate', to: 'ann' });
    expect(taskAt(story, 'check')).toMatchObject({ assignee: 'ann', owner: null });
  });

  test('is not taken from somebody who does not have it', () => {
    const story = started(anns);
    const take = (from: string): string =>
      does(story, 'check', 'boss', { do: 'reassign', from, to: 'zoe' });
    expect(take('bob')).toBe("task.refused: it is ann's, and not bob's");
    expect(take('ann')).toContain('reassign by boss');
    expect(taskAt(story, 'check')).toMatchObject({ assignee: 'zoe' });
  });

  test('whoever runs the place gives it to another, who need not be a candidate', () => {
    const story = started(offered);
    does(story, 'check', 'boss', { do: 'reassign', to: 'zoe' });
    expect(taskAt(story, 'check')).toMatchObject({ assignee: 'zoe', owner: null });
    expect(does(story, 'check', 'boss', { do: 'reassign', to: 'zoe' })).toBe('\n\n');
    expect(does(story, 'check', 'zoe', { do: 'delegate', to: 'zoe' })).toBe('\n\n');
  });
});

test('what was done with it stands in its trail, with who and when', () => {
  const story = started(offered);
  const at = (now: number, who: string, asked: Parameters<typeof does>[3]): void => {
    story.now = now;
    expect(does(story, 'check', who, asked)).toContain('task   token 2');
  };
  const attachment = { name: 'plan', url: 'https://files.test/1' };
  at(1, 'ann', { do: 'claim' });
  at(2, 'zoe', { do: 'comment', comment: 'hurry' });
  at(3, 'ann', { do: 'attach', attachment });
  at(4, 'zoe', { do: 'update', due: 9 as Instant, followUp: null, priority: 2 });
  at(5, 'ann', { do: 'delegate', to: 'bob', comment: 'on leave' });
  at(6, 'root', { do: 'reassign', to: 'cy', override: true });
  at(7, 'cy', { do: 'unclaim' });
  expect(trailAt(story, 'check')).toEqual([
    '1 ann claim {}',
    '2 zoe comment {"comment":"hurry"}',
    '3 ann attach {"to":"https://files.test/1"}',
    '4 zoe update {}',
    '5 ann delegate {"to":"bob","comment":"on leave"}',
    '6 root reassign {"to":"cy","override":true}',
    '7 cy unclaim {}',
  ]);
  expect(taskAt(story, 'check')).toMatchObject({ due: 9, followUp: null, priority: 2 });
  expect(taskAt(story, 'check').attachments).toEqual([attachment]);
  // Where the task itself is gone, the history has the trail.
  does(story, 'check', 'ann', { do: 'complete', output: null, comment: 'done' });
  expect(story.history.at(-1)?.changes[0]).toMatchObject({
    did: 'alter-task',
    entry: { at: 7, by: 'ann', did: 'complete', comment: 'done' },
  });
});

test('a task is not decided, recalled or resubmitted', () => {
  const by = open(anns);
  for (const asked of [
    { do: 'decide', decision: 'approve' },
    { do: 'recall' },
    { do: 'resubmit', data: null },
  ] as const) {
    const rule = 'it is a task, to be completed: there is nothing to';
    expect(by('ann', asked)).toBe(`task.refused: ${rule} ${asked.do}`);
  }
});

test('whoever is too late finds no task, whether the instance goes on or is over', () => {
  const done = { do: 'complete', output: 1 } as const;
  for (const drawing of [anns, draw(['check'], { check: { kind: 'task' } })]) {
    const story = started(drawing);
    does(story, 2, 'ann', done);
    const gone = 'task.not-found: token 2 waits for nobody: its task is done, or never was';
    expect(does(story, 2, 'ann', done)).toBe(gone);
    expect(does(story, 99, 'ann', done)).toContain('task.not-found:');
  }
  const canceled = started(anns);
  canceled.cancel();
  expect(does(canceled, 2, 'ann', done)).toContain('task.not-found:');
});

test('TASK_ENTRIES_MAX: a task takes so many remarks, and can be done all the same', () => {
  const story = new Story(anns, { limits: { TASK_ENTRIES_MAX: 2 } });
  story.start();
  const remarks = [
    { do: 'comment', comment: 'x' },
    { do: 'attach', attachment: { name: 'x', url: 'x' } },
    { do: 'update', priority: 1 },
    // Back and forth they would never come to an end.
    { do: 'delegate', to: 'bob' },
    { do: 'unclaim' },
  ] as const;
  for (const remark of remarks.slice(0, 2)) {
    expect(does(story, 'check', 'ann', remark)).toContain('task   token 2');
  }
  for (const remark of remarks) {
    const full = 'task.refused: the task has 2 entries (TASK_ENTRIES_MAX)';
    expect(does(story, 'check', 'ann', remark)).toContain(full);
  }
  expect(does(story, 'check', 'boss', { do: 'reassign', to: 'bob' })).toContain('reassign by boss');
  expect(does(story, 'check', 'bob', { do: 'complete', output: 1 })).toContain('complete by bob');
});

describe('what is wrong with a task', () => {
  test('its fixed parts are refused when it is compiled', () => {
    const fixed = { title: 3, assignee: '', candidates: [], form: [], due: 'soon', priority: 'x' };
    const codes = problemsOf(tasked(fixed)).map((line) => line.split(' ')[0]);
    expect(codes).toEqual([
      ...['task.bad-title', 'task.bad-assignee', 'task.bad-candidates', 'task.bad-form'],
      ...['task.bad-due', 'task.bad-priority'],
    ]);
    const parts = 'title, data, priority, due, followUp, assignee, candidates, form';
    expect(problemsOf(tasked({ approvers: ['x'] }))).toEqual([
      `task.bad-parts check: "check" is given approvers; its parts are ${parts}`,
    ]);
    const odd = [{ fixed: 3 }, { asks: 3 }, { asks: ['titel'] }] as unknown as JsonObject[];
    for (const settings of odd) {
      const drawing = draw(['check -> A'], { check: { kind: 'task', settings } });
      expect(problemsOf(drawing)[0]).toContain('task.bad-parts check:');
    }
  });

  const made: readonly (readonly [string, Json, string])[] = [
    ['assignee', 7, '"assignee" of "check" is a name of 1 to 250 characters; came 7'],
    // No database keeps it: the commit would fail, and the work before it be done again.
    ['assignee', 'an\ud800', expect.stringContaining('came "an\\ud800"') as never],
    ['candidates', ['\udc00'], expect.stringContaining('came ["\\udc00"]') as never],
    ['candidates', [], expect.stringContaining('name somebody; leave them out') as never],
    ['due', 'soon', expect.stringContaining('is a duration such as') as never],
    ['form', 'x', '"form" of "check" is a JSON Schema, as an object; came "x"'],
  ];
  test.each(made)('what a closure makes of "%s" is a fault', (slot, value, message) => {
    const story = started(tasked({}, { [slot]: () => value }));
    expect(story.head.fault).toEqual({ code: `task.bad-${slot}`, message, node: 'check' });
  });

  test('a closure that throws is a fault', () => {
    const story = started(tasked({}, { title: () => Reflect.get(null as never, 'x') }));
    expect(story.head.fault).toMatchObject({ code: 'code.threw', node: 'check' });
  });
});
