import { expect, test } from 'vitest';
import { compile } from '../../compile/compile.ts';
import type { Flow } from '../../model/definition.ts';
import { kinds } from '../../nodes/index.ts';
import { codes, type Untyped, wrong } from '../../testing/flow-text.ts';
import { flow } from './flow.ts';
import { form } from './form-type.ts';

/** What its author wrote, without the start and the end. */
function nodesOf({ definition: { draft, code } }: Flow): readonly object[] {
  return draft.nodes.slice(1, -1).map(({ id, kind, settings }) => {
    return { id, kind, settings, slots: Object.keys(code.get(id) ?? {}) };
  });
}

/** A schema of a library, which can tell its JSON Schema or cannot. */
function schema(jsonSchema: unknown): object {
  return { '~standard': { version: 1, vendor: 'test', validate: () => ({}), jsonSchema } };
}

test('a task keeps what is fixed as it was written, and the names of what closures make', () => {
  const reviewing = flow<{ who: string }>('reviewing')
    .task('plain')
    .task('fixed', {
      assignee: 'ann',
      candidates: { groups: ['sales'] },
      form: form<{ ok: boolean }>({ type: 'object' }),
      due: '3d',
      followUp: { at: 5 },
      priority: 2,
      title: 'Look',
      data: { a: [1] },
    })
    .task('asked', {
      assignee: ({ input }) => input.who,
      candidates: () => ['sales'],
      form: () => ({ type: 'object' }),
      due: () => '1d',
      title: 'Look',
      data: null,
    })
    .end();
  const fixed = { title: 'Look', data: { a: [1] }, priority: 2, due: '3d', followUp: { at: 5 } };
  const whose = { assignee: 'ann', candidates: { groups: ['sales'] }, form: { type: 'object' } };
  const asks = ['due', 'assignee', 'candidates', 'form'];
  expect(nodesOf(reviewing)).toEqual([
    { id: 'plain', kind: 'task', settings: { fixed: {}, asks: [] }, slots: [] },
    { id: 'fixed', kind: 'task', settings: { fixed: { ...fixed, ...whose }, asks: [] }, slots: [] },
    { id: 'asked', kind: 'task', settings: { fixed: { title: 'Look' }, asks }, slots: asks },
  ]);
  expect(reviewing.definition.diagnostics).toEqual([]);
  expect(compile(reviewing.definition.draft, kinds).ok).toBe(true);
});

test('an approval keeps its rule and its ways as they were written', () => {
  const releasing = flow<{ who: string }>('releasing')
    .approve('plain', { approvers: ['ann'] })
    .approve('fixed', {
      approvers: { legal: ['ann', 'bob'], sales: ['cy'] },
      rule: { perGroup: true, reject: 'counts' },
      timeout: '7d',
      onTimeout: { escalate: ['boss'] },
      onEmpty: 'fail',
      onReject: 'fail',
      revisions: 0,
      submitter: 'dan',
    })
    .approve('asked', {
      approvers: ({ input }) => [input.who],
      submitter: ({ input }) => input.who,
      timeout: () => '1d',
      title: () => 'Release?',
      data: () => 1,
      due: () => '1d',
      followUp: () => '1d',
      priority: () => 1,
    })
    .end();
  const ways = {
    rule: { perGroup: true, reject: 'counts' },
    onTimeout: { escalate: ['boss'] },
    onEmpty: 'fail',
    onReject: 'fail',
    revisions: 0,
  };
  const approvers = { legal: ['ann', 'bob'], sales: ['cy'] };
  const fixed = { approvers, submitter: 'dan', timeout: '7d' };
  const common = ['title', 'data', 'priority', 'due', 'followUp'];
  const asks = [...common, 'approvers', 'submitter', 'timeout'];
  const kind = 'approve';
  expect(nodesOf(releasing)).toEqual([
    { id: 'plain', kind, settings: { fixed: { approvers: ['ann'] }, asks: [] }, slots: [] },
    { id: 'fixed', kind, settings: { fixed, asks: [], ...ways }, slots: [] },
    { id: 'asked', kind, settings: { fixed: {}, asks }, slots: asks },
  ]);
  expect(releasing.definition.diagnostics).toEqual([]);
  expect(compile(releasing.definition.draft, kinds).ok).toBe(true);
});

test('a form is plain JSON Schema: as it is, or as its schema tells it', () => {
  const plain = { type: 'object', properties: { ok: { type: 'boolean' } } };
  expect(form(plain)).toBe(plain);
  const asked: unknown[] = [];
  const input = (options: unknown): unknown => {
    asked.push(options);
    return plain;
  };
  const telling = schema({ input });
  const callable = Object.assign(() => true, telling);
  for (const one of [telling, callable]) {
    const build = flow('f')
      .task('t', { form: one as never })
      .end();
    expect(build.definition.draft.nodes[1]?.settings).toEqual({ fixed: { form: plain }, asks: [] });
    expect(build.definition.diagnostics).toEqual([]);
  }
  expect(asked).toEqual([{ target: 'draft-2020-12' }, { target: 'draft-2020-12' }]);
});

test('a schema that does not tell its JSON Schema is no form', () => {
  const fails = (): never => {
    throw new Error('no bigint');
  };
  const build = (b: Untyped) =>
    b.task('a', { form: schema(undefined) }).task('b', { form: schema({ input: fails }) });
  const advice = 'write that instead, as form<Output>(schema)';
  expect(wrong(build)).toEqual([
    'task.bad-form at a - "form" of "a" is a schema whose JSON Schema is not to be had ' +
      `(it does not tell); ${advice}`,
    'task.bad-form at b - "form" of "b" is a schema whose JSON Schema is not to be had ' +
      `(Error: no bigint); ${advice}`,
  ]);
});

test('everything wrong with a task is said at once, and what to write instead', () => {
  const build = (b: Untyped) =>
    b
      .task('a', {
        assignee: '',
        candidates: [],
        form: 'none',
        due: 'soon',
        followUp: { at: 1, by: 'me' },
        priority: 1.5,
        title: 3,
        data: { at: new Date(0) },
        approvers: ['x'],
      })
      .task('b', { candidates: { users: [3] }, assignee: async () => 'ann' })
      .task('c', { candidates: { people: ['ann'] } })
      .task('d', 3)
      .task('e', { candidates: { users: [], groups: [] }, assignee: 'x'.repeat(251) });
  const name = 'is a name of 1 to 250 characters; came';
  const moment = `is a duration such as '3d', or a moment as { at: ms since 1970 }; came`;
  const options =
    '"title", "data", "priority", "due", "followUp", "assignee", "candidates", "form"';
  const nobody = 'name somebody; leave them out, or null, if anyone may claim it; came';
  expect(wrong(build)).toEqual([
    `option.unknown at a - task "a" has no option "approvers"; it knows ${options}`,
    'task.bad-title at a - "title" of "a" is a text; came 3',
    'task.bad-data at a - "data" of "a" is JSON: "/at" is a Date; use date.toISOString()',
    'task.bad-priority at a - "priority" of "a" is a whole number; came 1.5',
    `task.bad-due at a - "due" of "a" ${moment} "soon"`,
    `task.bad-followUp at a - "followUp" of "a" ${moment} {"at":1,"by":"me"}`,
    `task.bad-assignee at a - "assignee" of "a" ${name} ""`,
    `task.bad-candidates at a - "candidates" of "a" ${nobody} []`,
    'task.bad-form at a - "form" of "a" is a JSON Schema, as an object; came "none"',
    'code.not-synchronous at b - "assignee" of "b" returns a promise, and a closure is ' +
      'synchronous and pure; do the work in a step and read its result here',
    'task.bad-candidates at b - "candidates" of "b" are a list of names of 1 to 250 characters; ' +
      'came {"users":[3]}',
    'task.bad-candidates at c - "candidates" of "c" are names of people or groups, ' +
      'or { users, groups }; came {"people":["ann"]}',
    `option.not-an-object at d - task "d" takes an object with ${options}; came 3`,
    `task.bad-assignee at e - "assignee" of "e" ${name} "${'x'.repeat(79)}`,
    `task.bad-candidates at e - "candidates" of "e" ${nobody} {"users":[],"groups":[]}`,
  ]);
});

test('everything wrong with an approval is said at once, and what to write instead', () => {
  const build = (b: Untyped) =>
    b
      .approve('a')
      .approve('b', {
        approvers: 'ann',
        rule: 'most',
        timeout: 0,
        onTimeout: 'escalate',
        onEmpty: 'skip',
        onReject: 'stop',
        revisions: -1,
        submitter: 7,
        form: {},
      })
      .approve('c', { approvers: { legal: 'ann' }, rule: () => 'first' });
  const says = 'says who has a say: names as "approvers", or a closure';
  expect(wrong(build)).toEqual([
    `approve.no-approvers at a - "a" ${says}`,
    expect.stringContaining('option.unknown at b - approve "b" has no option "form"; it knows'),
    'approve.bad-approvers at b - "approvers" of "b" are names, or names by group; came "ann"',
    'approve.bad-submitter at b - "submitter" of "b" is a name of 1 to 250 characters; came 7',
    `approve.bad-timeout at b - "timeout" of "b" is a duration such as '7d', longer than 0; came 0`,
    `approve.bad-rule at b - "rule" of "b" is 'first', 'unanimous', { atLeast: n } or ` +
      `{ perGroup: n } with n from 1, where a reject: 'ends' it or 'counts'; came "most"`,
    `approve.bad-onEmpty at b - "onEmpty" of "b" is one of 'wait', 'fail', 'approve'; came "skip"`,
    `approve.bad-onTimeout at b - "onTimeout" of "b" is 'note', 'notify', 'approve', ` +
      `'reject', { reassign: [names] } or { escalate: [names] }; came "escalate"`,
    `approve.bad-onReject at b - "onReject" of "b" is one of 'continue', 'fail'; came "stop"`,
    'approve.bad-revisions at b - "revisions" of "b" is a whole number, 0 for none; came -1',
    'approve.bad-approvers at c - "approvers" of "c" are a list of names of 1 to 250 characters; ' +
      'came {"legal":"ann"}',
    expect.stringMatching(/^approve.bad-rule at c - "rule" of "c" is JSON: .*function/),
  ]);
  const odd = [
    ...[{ atLeast: 0 }, { atLeast: 1, perGroup: 1 }, { perGroup: false }, { atLeast: 'all' }],
    ...[{}, { atLeast: 1, reject: 'no' }, { atLeast: 1, more: 1 }, 3, []],
  ];
  for (const rule of odd) {
    expect(codes((b) => b.approve('x', { approvers: ['a'], rule }))).toEqual(['approve.bad-rule']);
  }
  const late = [
    ...[{ reassign: [] }, { escalate: { legal: [] } }, { reassign: ['a'], escalate: ['b'] }],
    ...[{ notify: ['a'] }, {}, { reassign: 'ann' }],
  ];
  for (const onTimeout of late) {
    const build = (b: Untyped) => b.approve('x', { approvers: ['a'], onTimeout });
    expect(codes(build)).toEqual(['approve.bad-onTimeout']);
  }
});
