/** Chains as SQL shows them: the tables of the linear engine, whatever is in them. */
import { expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { flow } from '../frontends/builder/flow.ts';
import { completed, dead, retry, waiting } from '../frontends/chain/results.ts';
import type { StepResult } from '../model/chain.ts';
import { expectRows, rowsOf, Script } from '../testing/chain-rows.ts';
import { begin, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';

const INSTANCE_COLUMNS = [
  ...['instance_id', 'workflow_type', 'workflow_version', 'biz_key', 'status'],
  ...['current_step_seq', 'current_step_type', 'context', 'created_at', 'updated_at'],
  ...['completed_at', 'failed_at', 'canceled_at'],
];
const STEP_COLUMNS = [
  ...['instance_id', 'step_seq', 'step_type', 'status', 'attempts', 'max_attempts'],
  ...['next_run_at', 'locked_by', 'locked_until', 'waiting_event_type', 'deadline_at'],
  ...['last_error', 'created_at', 'updated_at'],
];

onEveryStore('the views of chains', (open) => {
  test('have the columns of the engine they come from', async () => {
    const { lab, run } = await begin(open, chain('one', 1, ['WORK']));
    const rows = await rowsOf(lab, run);
    // In memory there are none.
    const [instance, step] = [rows?.instance, rows?.steps[0]];
    expect(instance === undefined ? INSTANCE_COLUMNS : Object.keys(instance)).toEqual(
      INSTANCE_COLUMNS,
    );
    expect(step === undefined ? STEP_COLUMNS : Object.keys(step)).toEqual(STEP_COLUMNS);
  });

  test('show chains, and nothing of other flows', async () => {
    const other = flow('other')
      .step('work', () => new Gate().opened)
      .end();
    const lab = await open([chain('one', 1, ['WORK']), other]);
    const run = await lab.engine.start('one', {});
    await lab.engine.start('other', null);
    for (const view of ['workflow_instance', 'workflow_step']) {
      const rows = (await lab.peek(view)) ?? [{ instance_id: run.id }];
      expect(rows).toMatchObject([{ instance_id: run.id }]);
    }
  });

  test('show the whole life of a chain, state by state', async () => {
    const [first, gate] = [new Gate<StepResult>(), new Gate()];
    const script = new Script(first.opened, waiting('go', '1h'), retry('5s', 'busy'), completed());
    const lab = await open([chain('life', 3, ['A', 'B'], { maxAttempts: 4 })], {
      handlers: {
        A: (step) => {
          gate.open();
          return script.handler(step);
        },
        B: () => dead('no such address'),
      },
    });
    const run = await lab.engine.start('life', { a: 1 }, { key: 'k' });
    const begun = lab.now;
    await gate.opened;
    const idle = { locked_by: null, locked_until: null, waiting_event_type: null };
    const pending = { ...idle, status: 'PENDING', next_run_at: null, deadline_at: null };
    const still = { status: 'RUNNING', current_step_seq: 0, current_step_type: 'A' };
    await expectRows(lab, run, {
      instance: { ...still, workflow_version: 3, biz_key: 'k', created_at: begun },
      steps: [{ status: 'RUNNING', locked_until: begun + 10_000, attempts: 0 }, pending],
    });
    first.open(retry('1s', 'first'));
    await lab.settle();
    await expectRows(lab, run, {
      instance: still,
      steps: [
        { ...idle, status: 'READY', attempts: 1, next_run_at: begun + 1_000, last_error: 'first' },
        pending,
      ],
    });
    await lab.advance('1s');
    await expectRows(lab, run, {
      instance: still,
      steps: [
        {
          status: 'WAITING',
          waiting_event_type: 'go',
          deadline_at: begun + 3_601_000,
          next_run_at: null,
          attempts: 1,
        },
        pending,
      ],
    });
    await run.send('go');
    await lab.settle();
    await expectRows(lab, run, {
      steps: [
        { ...idle, status: 'READY', attempts: 2, deadline_at: null, last_error: 'busy' },
        pending,
      ],
    });
    await lab.advance('5s');
    await expectRows(lab, run, {
      instance: {
        ...{ status: 'FAILED', current_step_seq: 1, current_step_type: 'B', context: '{"a":1}' },
        ...{ failed_at: lab.now, updated_at: lab.now, completed_at: null, canceled_at: null },
      },
      steps: [
        { ...idle, status: 'DONE', attempts: 2, last_error: null, next_run_at: null },
        { ...idle, status: 'DEAD', attempts: 1, last_error: 'no such address', next_run_at: null },
      ],
    });
    expect(await run.status()).toBe('failed');
  });

  test('tell several steps of one type apart', async () => {
    const seen: unknown[] = [];
    const twice = chain('twice', 1, ['CHECK', 'PAY', 'CHECK']);
    const { lab, run } = await begin(open, twice, {
      handlers: {
        CHECK: ({ stepSeq, stepType }) => {
          seen.push([stepSeq, stepType]);
          return stepSeq === 0 ? completed() : waiting('go');
        },
        PAY: () => completed(),
      },
    });
    expect(seen).toEqual([
      [0, 'CHECK'],
      [2, 'CHECK'],
    ]);
    expect(await run.tokens()).toMatchObject([
      { node: 'CHECK', status: 'completed' },
      { node: 'PAY', status: 'completed' },
      { node: 'CHECK#2', status: 'waiting' },
    ]);
    await expectRows(lab, run, {
      instance: { current_step_seq: 2, current_step_type: 'CHECK' },
      steps: [
        { step_seq: 0, step_type: 'CHECK', status: 'DONE' },
        { step_seq: 1, step_type: 'PAY', status: 'DONE' },
        { step_seq: 2, step_type: 'CHECK', status: 'WAITING' },
      ],
    });
  });
});

onEveryStore('a view does not fail for what a row says', (open) => {
  const odd: readonly (readonly [string, string])[] = [
    ['a zero', 'a\u0000b'],
    ['half a pair', 'a\ud83db'],
    ['the other half', 'a\ude00b'],
    ['a whole pair', 'a😀b'],
    ['what looks like JSON', '"}{\\u0000 \\ud800 "until":7'],
    ['nothing', ''],
    ['quotes and lines', `'"\\\n\t`],
  ];
  for (const [what, text] of odd) {
    test(`an error with ${what} in it`, async () => {
      const lab = await open([chain('odd', 1, ['WORK'])], {
        handlers: { WORK: ({ context }) => retry('1h', String(context['error'])) },
      });
      const run = await lab.engine.start('odd', { error: text });
      const plain = await lab.engine.start('odd', { error: 'plain' });
      await lab.settle();
      expect(await run.tokens()).toMatchObject([{ lastError: { message: text } }]);
      await expectRows(lab, plain, { steps: [{ last_error: 'plain' }] });
      await expectRows(lab, run, {
        instance: { status: 'RUNNING' },
        steps: [{ status: 'READY', last_error: expect.any(String) }],
      });
    });
  }

  for (const waitingTimeouts of [true, false]) {
    for (const type of ['go\u0000on', '"until":7', 'until']) {
      for (const timeout of [null, '1h'] as const) {
        const told = `${JSON.stringify(type)}, time ${timeout}, waitingTimeouts ${waitingTimeouts}`;
        test(`a wait for ${told}`, async () => {
          const lab = await open([chain('odd', 1, ['WORK'], { waitingTimeouts })], {
            handlers: {
              WORK: ({ wake }) => (wake.reason === 'first' ? waiting(type, timeout) : completed()),
            },
          });
          const run = await lab.engine.start('odd', {});
          await lab.settle();
          const deadline = timeout === null ? null : lab.now + 3_600_000;
          const step = { status: 'WAITING', deadline_at: deadline };
          await expectRows(lab, run, { steps: [step] });
          expect(await run.send(type)).toMatchObject({ outcome: 'woken' });
          await lab.settle();
          expect(await run.status()).toBe('completed');
        });
      }
    }
  }
});
