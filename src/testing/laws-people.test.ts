/** The laws about what waits for people, given engines with a bug in them: each is found. */
import { expect, test } from 'vitest';
import { advance } from '../kernel/advance.ts';
import type { Answered, NodeKind } from '../kernel/kind.ts';
import { touchedBy } from '../kernel/touched.ts';
import type { Touched } from '../model/commit.ts';
import type { Approval, Task, TaskAsk, Vote } from '../model/task.ts';
import { hunt, kindNamed, withKind } from './hunt.ts';
import { memoryShelf, TRIAL, type Trial } from './laws.ts';
import { hasKind } from './random-blocks.ts';
import { type Case, isOrderly } from './random-case.ts';
import type { Advance } from './laws-stride.ts';
import { lawBroken } from './operations-report.ts';

/** They may decide whatever they like. */
function asksPeople(one: Case): boolean {
  const { shape, trapped } = one;
  if (shape.family === 'unstructured' || trapped || isOrderly(one)) return false;
  return hasKind(shape.row, 'approve', 'task');
}

type Alter = (answer: Exclude<Answered, 'same'>, ask: TaskAsk, task: Task) => Answered;

/** The law that is broken by a kind that answers otherwise. */
async function lawOfAsking(name: string, alter: Alter): Promise<string> {
  const kind = kindNamed(name);
  const bad: NodeKind = {
    ...kind,
    ask: (place, view, ask) => {
      const answer = kind.ask?.(place, view, ask) ?? 'same';
      const { wait } = place.token;
      if (answer === 'same' || wait?.on !== 'task') return answer;
      return alter(answer, ask, wait.task);
    },
  };
  return (await hunt({ ...TRIAL, kinds: withKind(bad) }, asksPeople)).breach.law;
}

test('an approval that is decided and waits on is found', async () => {
  const waits: Alter = (answer) => {
    if (!('entry' in answer)) return answer;
    const { done: _, ...rest } = answer;
    return rest;
  };
  expect(await lawOfAsking('approve', waits)).toBe('decided');
});

test('an approval that the first vote decides, whatever the rule, is found', async () => {
  const hasty: Alter = (answer, ask) => {
    if (!('entry' in answer) || ask.do !== 'decide' || answer.done !== undefined) return answer;
    const { decision, by } = ask;
    const done = { decision, by, votes: [], round: 1 } as const;
    return { ...answer, done };
  };
  expect(await lawOfAsking('approve', hasty)).toBe('decided');
});

test('an approval that comes to what nobody decided is found', async () => {
  const turned: Alter = (answer) => {
    if (!('entry' in answer) || answer.done === undefined) return answer;
    const done = answer.done as { readonly decision: string };
    return { ...answer, done: { ...done, decision: 'approve' } };
  };
  expect(await lawOfAsking('approve', turned)).toBe('counted');
});

test('a vote that is forgotten is found', async () => {
  const forgets: Alter = (answer) => {
    if (!('entry' in answer) || answer.set?.approval === undefined) return answer;
    const { approval } = answer.set;
    return { ...answer, set: { approval: { ...approval, votes: approval.votes.slice(1) } } };
  };
  expect(await lawOfAsking('approve', forgets)).toBe('open tasks');
});

test('somebody who has a say twice is found', async () => {
  const often: Alter = (answer, ask, { approval }) => {
    if (!('refuse' in answer) || ask.do !== 'decide' || approval === undefined) return answer;
    const { by, decision } = ask;
    if (decision === 'revise' || !approval.votes.some(({ actor }) => actor === by)) return answer;
    const at = approval.votes[0]?.at as Vote['at'];
    const vote: Vote = { seat: by, actor: by, decision, at };
    const more: Approval = { ...approval, votes: [...approval.votes, vote] };
    return { entry: { at, by, did: 'decide', decision }, set: { approval: more } };
  };
  expect(await lawOfAsking('approve', often)).toBe('stray');
});

test('somebody who decides and was not asked is found', async () => {
  const open: Alter = (answer, ask) => {
    if (!('refuse' in answer) || answer.refuse.code !== 'task.forbidden') return answer;
    if (ask.do !== 'decide') return answer;
    return { entry: { at: 0 as Vote['at'], by: ask.by, did: 'decide', decision: ask.decision } };
  };
  expect(await lawOfAsking('approve', open)).toBe('stray');
});

test('time that is acted on again and again is found', async () => {
  const nags: Alter = (answer, ask, { approval }) => {
    if (!('entry' in answer) || ask.do !== 'timeout' || answer.done !== undefined) return answer;
    const { wakeAt: _, ...rest } = answer;
    return approval?.onTimeout.do === 'notify' ? { ...rest, set: { approval } } : answer;
  };
  expect(await lawOfAsking('approve', nags)).toBe('timed out');
});

test('a round that begins with what was said in the last one is found', async () => {
  const keeps: Alter = (answer, ask, { approval }) => {
    if (!('entry' in answer) || ask.do !== 'resubmit' || approval === undefined) return answer;
    const { votes } = approval;
    const after = answer.set?.approval ?? approval;
    return { ...answer, set: { approval: { ...after, votes } } };
  };
  expect(await lawOfAsking('approve', keeps)).toBe('open tasks');
});

test('a task that anyone completes is found', async () => {
  const open: Alter = (answer, ask) => {
    if (!('refuse' in answer) || ask.do !== 'complete') return answer;
    return { entry: { at: 0 as Vote['at'], by: ask.by, did: ask.do }, done: ask.output };
  };
  expect(await lawOfAsking('task', open)).toBe('stray');
});

for (const list of ['tasks', 'closedTasks'] as const) {
  test(`a commit that leaves out one of its ${list} is found`, async () => {
    const alter = (touched: Touched): Touched => ({
      ...touched,
      [list]: touched[list].slice(0, -1),
    });
    const openShelf: Trial['openShelf'] = () => ({
      ...memoryShelf(),
      touchedBy: (before, stride) => alter(touchedBy(before, stride)),
    });
    expect((await hunt({ ...TRIAL, openShelf })).breach.law).toBe('projection');
  });
}

test('somebody who wakes what waits for people is found', async () => {
  const lax: Advance = (machine, before, input) => {
    const token = input.type === 'wake' ? before.tokens.get(input.token ?? (0 as never)) : null;
    if (input.type !== 'wake' || token?.wait?.on !== 'task') return advance(machine, before, input);
    return advance(machine, before, { type: 'skip', at: input.at, token: token.id, value: null });
  };
  expect(await lawBroken({ ...TRIAL, advance: lax })).toBe('refused');
});

test('a wake that brings half of what it was given is found', async () => {
  const half: Advance = (machine, before, input) => {
    if (input.type !== 'wake' || input.vars === undefined) return advance(machine, before, input);
    const kept = Object.entries(input.vars).filter(([name]) => !name.includes('$'));
    return advance(machine, before, { ...input, vars: Object.fromEntries(kept) });
  };
  expect(await lawBroken({ ...TRIAL, advance: half })).toBe('refused');
});

test('what is done with a task of what is suspended is found', async () => {
  const busy: Advance = (machine, before, input) => {
    if (input.type !== 'task' || before.head.status !== 'suspended') {
      return advance(machine, before, input);
    }
    const head = { ...before.head, status: 'running' as const };
    return advance(machine, { ...before, head }, input);
  };
  expect(['stray', 'InvariantError']).toContain(await lawBroken({ ...TRIAL, advance: busy }));
});
