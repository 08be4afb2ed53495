/** Tasks and approvals where they stand: in regions, in other processes and in other plans. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { advance } from '../kernel/advance.ts';
import { mappingFor } from '../compile/diff.ts';
import { rowsOf } from '../kernel/instance.ts';
import { migrate } from '../kernel/migrate.ts';
import { touchedBy } from '../kernel/touched.ts';
import type { Instant, TokenId } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import { does, resultAt, says, taskAt, tokenAt, trailAt } from '../testing/office.ts';
import { oneAt, ORDERS, tokensAt, withoutCode } from '../testing/play.ts';
import { machineOf, started, type Story, written } from '../testing/story.ts';

const approvers = ['ann', 'bob'];
const done = { do: 'complete', output: 'ok' } as const;

/** What an input would mean for the tables of tasks. */
function touch(story: Story, input: Input): { opened: unknown[]; closed: readonly number[] } {
  const stride = advance(story.machine, story.instance, input);
  const { tasks, closedTasks } = touchedBy(story.instance, stride);
  return { opened: tasks.map(({ token, node }) => [token, node]), closed: closedTasks };
}

function completing(story: Story, node: string): Input {
  const ask = { ...done, by: 'ann', groups: [] };
  return { type: 'task', at: 0 as Instant, token: oneAt(story, node), ask };
}

const asking = (): Story =>
  started(written(flow('f').approve('ok', { approvers, rule: 'unanimous' }).end()));

describe('several at once', () => {
  const branches = flow('f')
    .parallel('both', {
      x: (b) => b.task('x1').task('x2'),
      y: (b) => b.approve('ok', { approvers }),
      z: (b) => b.task('z1'),
    })
    .end();

  test.each(Object.keys(ORDERS))('O-88, O-89: in branches, woken in %s, they join once', (name) => {
    const order = ORDERS[name]?.();
    const story = started(written(branches));
    for (let answers = 0; answers < 4; answers += 1) {
      const open = story.instance.tokens.values().filter(({ wait }) => wait?.on === 'task');
      const token = order?.(open);
      if (token?.node === 'ok') says(story, 'ann', 'approve');
      else does(story, token?.id ?? 0, 'ann', { ...done, output: token?.node ?? null });
    }
    expect(story.head).toMatchObject({
      status: 'completed',
      output: { x1: 'x1', x2: 'x2', z1: 'z1', ok: { decision: 'approve' } },
    });
  });

  test('the tables have a row for each while it is open', () => {
    const story = started(written(branches));
    const { id: x1 } = tokenAt(story, 'x1');
    const [opened, closed] = [touch(story, completing(story, 'x1')), [x1]];
    expect(opened).toEqual({ opened: [[expect.any(Number), 'x2']], closed });
    const comment = { do: 'comment', by: 'ann', groups: [], comment: 'x' } as const;
    const remark: Input = { type: 'task', at: 0 as Instant, token: x1, ask: comment };
    expect(touch(story, remark)).toEqual({ opened: [[x1, 'x1']], closed: [] });
  });
});

test('in a repeat each pass has a task of its own', () => {
  const again = flow('f')
    .repeat('until-ok', { until: ({ results }) => results.look === 'ok' }, (b) =>
      b.task('look', { title: ({ index }) => `pass ${index}` }),
    )
    .end();
  const story = started(written(again));
  const { id: first } = tokenAt(story, 'look');
  does(story, 'look', 'ann', { do: 'complete', output: 'no' });
  expect(taskAt(story, 'look')).toMatchObject({ title: 'pass 1', trail: [] });
  expect(does(story, first, 'ann', done)).toContain('task.not-found:');
  does(story, 'look', 'ann', done);
  expect(story.head).toMatchObject({ status: 'completed', output: { look: 'ok' } });
});

describe('what nobody wants any more is gone', () => {
  const racing = flow('f')
    .race('first', {
      by: (b) => b.approve('ok', { approvers, timeout: '1d', rule: 'unanimous' }),
      or: (b) => b.task('withdraw'),
      never: (b) => b.sleep('nap', '7d'),
    })
    .end();

  test('the losers of a race', () => {
    const story = started(written(racing));
    const { id } = tokenAt(story, 'ok');
    says(story, 'ann', 'approve');
    const { id: won } = tokenAt(story, 'withdraw');
    const { closed } = touch(story, completing(story, 'withdraw'));
    expect(new Set(closed)).toEqual(new Set([id, won]));
    does(story, 'withdraw', 'dan', done);
    const vote = { do: 'decide', decision: 'approve' } as const;
    expect(does(story, id, 'bob', vote)).toContain('task.not-found:');
    expect(story.head).toMatchObject({ status: 'completed', output: { withdraw: 'ok' } });
  });

  test('an approval wins a race by the vote that decides', () => {
    const story = started(written(racing));
    says(story, 'ann', 'approve');
    says(story, 'bob', 'approve');
    expect(story.head).toMatchObject({ output: { ok: { decision: 'approve' } } });
  });

  test('those of an instance that is cancelled, and of a branch beside one that failed', () => {
    const story = started(written(racing));
    const cancel: Input = { type: 'cancel', at: 0 as Instant, saga: false };
    expect(touch(story, cancel).closed).toHaveLength(2);
    const failing = flow('f')
      .try(
        'both',
        (b) => b.parallel('p', { x: (c) => c.task('look'), y: (c) => c.step('Bad', () => 1) }),
        { do: (b) => b.task('mend') },
      )
      .end();
    const other = started(written(failing));
    const { id } = tokenAt(other, 'look');
    other.fail(oneAt(other, 'Bad'));
    expect(does(other, id, 'ann', done)).toContain('task.not-found:');
    expect(taskAt(other, 'mend')).toEqual({ kind: 'task', trail: [] });
  });
});

describe('a reject that fails', () => {
  const fails = { approvers, onReject: 'fail' } as const;

  test('is caught by a try, which does not ask again', () => {
    const caught = flow('f')
      .try('asked', (b) => b.approve('ok', fails), {
        catch: { errors: ['approval.rejected'] },
        retry: { maxAttempts: 3 },
        do: (b) => b.task('tell'),
      })
      .end();
    const story = started(written(caught));
    says(story, 'ann', 'reject');
    expect(resultAt(story, 'asked')).toMatchObject({ code: 'approval.rejected', node: 'ok' });
    expect(tokensAt(story, 'tell')).toHaveLength(1);
  });

  test('has the saga undo what was done', () => {
    const undone = flow('f')
      .step('Book', () => 1, { undo: () => 2 })
      .approve('ok', fails)
      .end();
    const story = started(written(undone));
    story.done(oneAt(story, 'Book'));
    says(story, 'ann', 'reject');
    expect(story.head).toMatchObject({ status: 'compensating' });
    story.done(oneAt(story, 'Book'));
    expect(story.head).toMatchObject({
      ...{ status: 'failed', outcome: 'compensated', fault: { code: 'approval.rejected' } },
    });
  });

  test('may wait for somebody to mend it, who has it asked again', () => {
    const mended = flow('f', { onFailure: 'incident' }).approve('ok', fails).end();
    const story = started(written(mended));
    says(story, 'ann', 'reject');
    expect(tokenAt(story, 'ok').wait).toMatchObject({ on: 'incident' });
    story.retry(oneAt(story, 'ok'));
    expect(taskAt(story, 'ok').approval).toMatchObject({ votes: [], round: 1 });
    says(story, 'bob', 'approve');
    expect(story.head).toMatchObject({ status: 'completed' });
  });
});

describe('D19: a process that lacks the closures of the flow', () => {
  test('takes votes, and with the last of them the token is ready for a worker', () => {
    const story = asking();
    const vote = (who: string): string =>
      withoutCode(story, () => says(story, who, 'approve', { comment: 'fine' }));
    expect(vote('ann').trim()).toBe('task   token 3 decide by ann');
    expect(vote('zoe')).toContain('task.forbidden:');
    expect(vote('bob').trim().split('\n')).toEqual([
      'task   token 3 decide by bob',
      'wake   token 3 resume',
      '! offer token 3 to f@1/',
    ]);
    const late = { do: 'decide', decision: 'reject' } as const;
    expect(withoutCode(story, () => does(story, 3, 'bob', late))).toContain('task.not-found:');
    expect(tokenAt(story, 'ok')).toMatchObject({ status: 'ready', wait: null });
    story.go(3);
    expect(story.head.output).toMatchObject({ ok: { decision: 'approve', by: 'bob' } });
  });

  test('completes a task, and acts when the time of an approval is over', () => {
    const task = started(written(flow('f').task('look').end()));
    withoutCode(task, () => does(task, 'look', 'ann', done));
    task.go(oneAt(task, 'look'));
    expect(task.head).toMatchObject({ status: 'completed', output: { look: 'ok' } });
    const late = { approvers, timeout: '1m', onTimeout: 'reject', onReject: 'fail' } as const;
    const story = started(written(flow('f').approve('ok', late).end()));
    withoutCode(story, () => story.time(oneAt(story, 'ok')));
    story.go(oneAt(story, 'ok'));
    expect(story.head.fault).toMatchObject({ message: '"ok" was rejected by system:timeout' });
  });
});

describe('what an operator does', () => {
  const at = 0 as Instant;

  test('O-47: a wake is refused as gated and changes nothing, by number or as the only one', () => {
    const task = started(written(flow('f').task('look').end()));
    for (const [story, how] of [
      [asking(), 'decide'],
      [task, 'complete'],
    ] as const) {
      for (const token of [3 as TokenId, null]) {
        const wake: Input = { type: 'wake', at, token, data: 1, arm: null, vars: { x: 1 } };
        const { refused, changes } = advance(story.machine, story.instance, wake);
        expect(refused).toMatchObject({ code: 'token.gated' });
        expect(refused?.message).toContain(`${how} its task`);
        expect(changes).toEqual([]);
      }
    }
  });

  test('a skip goes on as if people had said so', () => {
    const story = asking();
    says(story, 'ann', 'approve');
    story.skip(3, { decision: 'approve' });
    expect(story.head.output).toEqual({ ok: { decision: 'approve' } });
    const other = started(written(flow('f').task('look').end()));
    withoutCode(other, () => other.skip(3, 'fine'));
    expect(does(other, 3, 'ann', done)).toContain('task.not-found:');
    for (const token of tokensAt(other, 'look')) other.go(token);
    for (const token of tokensAt(other, ':end')) other.go(token);
    expect(other.head.output).toEqual({ look: 'fine' });
  });

  test('a retry is nothing for it', () => {
    const story = asking();
    const { refused } = advance(story.machine, story.instance, {
      ...{ type: 'retry', at, token: 3 as TokenId },
    });
    expect(refused).toMatchObject({ code: 'token.not-parked' });
  });

  test('going back to when it was open has it open as it was, with its time before it', () => {
    const timed = flow('f').approve('ok', { approvers, rule: 'unanimous', timeout: '1m' });
    const story = started(written(timed.step('Z', () => 1).end()));
    story.now = 1_000;
    says(story, 'ann', 'approve');
    const { head, ...rows } = rowsOf(story.instance);
    story.now = 2_000;
    says(story, 'bob', 'approve');
    const past = { rows: { ...rows, output: head.output }, at: 1_000 as Instant };
    const restore: Input = {
      ...{ type: 'restore', at: 11_000 as Instant, seen: story.head.version },
      past: { ...past, failed: null, doubts: [] },
    } as unknown as Input;
    expect(touch(story, restore)).toEqual({ opened: [[3, 'ok']], closed: [] });
    story.tell(restore);
    expect(tokenAt(story, 'ok').wakeAt).toBe(70_000);
    expect(trailAt(story, 'ok')).toEqual(['1000 ann decide {"decision":"approve","round":1}']);
    story.now = 12_000;
    says(story, 'bob', 'reject');
    expect(resultAt(story, 'ok')).toMatchObject({ decision: 'reject', votes: [{}, {}] });
  });
});

describe('another plan', () => {
  test('has it open as it was, under the name it has there', () => {
    const story = asking();
    says(story, 'ann', 'approve');
    const there = flow('f', { version: 2 })
      .approve('release', { approvers: ['zoe'] })
      .end();
    const to = machineOf(written(there));
    const nodes = mappingFor(story.machine.plan, to.plan, { ok: 'release' });
    const from = story.machine.plan.hash;
    const stride = migrate(story.machine, to, story.instance, { at: 0 as Instant, from, nodes });
    expect(touchedBy(story.instance, stride).tasks).toMatchObject([{ token: 3, node: 'release' }]);

    story.migrate(written(there), { ok: 'release' });
    const vote = { do: 'decide', decision: 'approve' } as const;
    expect(does(story, 'release', 'zoe', vote)).toContain('task.forbidden:');
    does(story, 'release', 'bob', vote);
    expect(story.head).toMatchObject({ output: { release: { decision: 'approve' } } });
  });

  test('may have it in an arm that was not there, and the other way round', () => {
    const plain = flow('f').task('look').end();
    const chosen = flow('f')
      .choose(
        'which',
        { people: { when: () => true, do: (b) => b.task('look').step('File', () => 1) } },
        { otherwise: (b) => b },
      )
      .end();
    const story = started(written(plain));
    expect(story.migrate(written(chosen))).toContain('migrate to version 2');
    does(story, 'look', 'ann', done);
    story.done(oneAt(story, 'File'), 'filed');
    expect(story.head).toMatchObject({ output: { look: 'ok', File: 'filed' } });
    const back = started(written(chosen));
    expect(back.migrate(written(plain))).toContain('migrate to version 2');
    does(back, 'look', 'ann', done);
    expect(back.head).toMatchObject({ output: { look: 'ok' } });
  });

  test('must have a node of its kind for it', () => {
    const there = written(flow('f').task('ok').end());
    expect(asking().migrate(there)).toMatchObject([{ code: 'node.kind', token: 3 }]);
  });
});
