/** Definitions of chains: what is refused, what is usual, and what may be chosen. */
import { describe, expect, test } from 'vitest';
import type { Flow } from '../../model/definition.ts';
import { compile } from '../../compile/compile.ts';
import { kinds } from '../../nodes/index.ts';
import { Engine } from '../../runtime/engine.ts';
import { memory } from '../../stores/memory/memory.ts';
import { VirtualAlarm } from '../../testing/virtual-alarm.ts';
import { chain } from './chain.ts';
import { completed, dead, retry, waiting } from './results.ts';

const loose = chain as unknown as (...args: unknown[]) => Flow;

function codesOf({ definition }: Flow): readonly string[] {
  return definition.diagnostics.map(({ code }) => code);
}

describe('L-01: what is no chain is refused, and nothing throws', () => {
  const steps = ['A', 'B'];
  const table: readonly (readonly [string, readonly unknown[], string])[] = [
    ['no type', [undefined, 1, steps], 'flow.bad-name'],
    ['a blank type', [' ', 1, steps], 'flow.bad-name'],
    ['an empty type', ['', 1, steps], 'flow.bad-name'],
    ['a type with a slash', ['a/b', 1, steps], 'flow.bad-name'],
    ['a type that is too long', ['a'.repeat(201), 1, steps], 'flow.bad-name'],
    ['a type that is no text', [7, 1, steps], 'flow.bad-name'],
    ['version 0', ['a', 0, steps], 'flow.bad-version'],
    ['version -1', ['a', -1, steps], 'flow.bad-version'],
    ['version 1.5', ['a', 1.5, steps], 'flow.bad-version'],
    ['version "1"', ['a', '1', steps], 'flow.bad-version'],
    ['no version', ['a', undefined, steps], 'flow.bad-version'],
    ['no steps', ['a', 1, []], 'chain.no-steps'],
    ['nothing for steps', ['a', 1], 'chain.no-steps'],
    ['a text for steps', ['a', 1, 'A'], 'chain.no-steps'],
    ['an empty step', ['a', 1, ['A', '']], 'chain.bad-step'],
    ['a blank step', ['a', 1, ['A', ' \t']], 'chain.bad-step'],
    ['a step that is no text', ['a', 1, [1]], 'chain.bad-step'],
    ['a step with a slash', ['a', 1, ['x/A']], 'chain.bad-step'],
    ['a step with a control character', ['a', 1, ['A\u0000']], 'chain.bad-step'],
    ['a step with half a pair', ['a', 1, ['A\ud83d']], 'chain.bad-step'],
    ['a step that is too long', ['a', 1, ['A'.repeat(201)]], 'chain.bad-step'],
    ['a step named __proto__', ['a', 1, ['__proto__']], 'chain.bad-step'],
    ['options that are none', ['a', 1, steps, 3], 'option.not-an-object'],
    ['an option nobody knows', ['a', 1, steps, { attempts: 3 }], 'option.unknown'],
    ['maxAttempts 0', ['a', 1, steps, { maxAttempts: 0 }], 'chain.bad-option'],
    ['maxAttempts 1.5', ['a', 1, steps, { maxAttempts: 1.5 }], 'chain.bad-option'],
    ['maxAttempts null', ['a', 1, steps, { maxAttempts: null }], 'chain.bad-option'],
    ['a backoff that is none', ['a', 1, steps, { backoff: '1s' }], 'option.not-an-object'],
    ['an unknown backoff', ['a', 1, steps, { backoff: { min: 1 } }], 'option.unknown'],
    ['a base that is none', ['a', 1, steps, { backoff: { base: 'soon' } }], 'chain.bad-option'],
    ['a max below 0', ['a', 1, steps, { backoff: { max: -1 } }], 'chain.bad-option'],
    ['a timeout of none', ['a', 1, steps, { timeout: 0 }], 'chain.bad-option'],
    ['a timeout that is none', ['a', 1, steps, { timeout: 'soon' }], 'chain.bad-option'],
    ['waitingTimeouts 1', ['a', 1, steps, { waitingTimeouts: 1 }], 'chain.bad-option'],
    ['steps that are none', ['a', 1, steps, { steps: ['A'] }], 'chain.bad-option'],
    ['a step it does not have', ['a', 1, steps, { steps: { C: {} } }], 'chain.unknown-step'],
    [
      'a step’s bad option',
      ['a', 1, steps, { steps: { A: { maxAttempts: 0 } } }],
      'chain.bad-option',
    ],
    [
      'a step’s own timeouts',
      ['a', 1, steps, { steps: { A: { waitingTimeouts: true } } }],
      'option.unknown',
    ],
  ];
  test.each(table)('%s', (_, args, code) => {
    const refused = loose(...args);
    expect(codesOf(refused)).toContain(code);
    for (const diagnostic of refused.definition.diagnostics) {
      expect(diagnostic.node).toBeUndefined();
      expect(diagnostic.message.length).toBeLessThan(400);
    }
  });

  test('everything that is wrong is said at once', () => {
    const options = { maxAttempts: 0, timeout: 'soon', waitingTimeouts: 'no', steps: { C: {} } };
    const all = loose('', 0, ['A', ' '], options);
    expect([...codesOf(all)].sort()).toEqual([
      ...['chain.bad-option', 'chain.bad-option', 'chain.bad-option', 'chain.bad-step'],
      ...['chain.unknown-step', 'flow.bad-name', 'flow.bad-version'],
    ]);
    const made = (): Engine => new Engine({ store: memory(), flows: [all] }, new VirtualAlarm(0));
    expect(made).toThrow(/7 problems in the definition/);
  });

  test('what is wrong in one step is said once, however often the chain has it', () => {
    const twice = loose('a', 1, ['A', 'A', 'A'], { steps: { A: { maxAttempts: 0 } } });
    expect(codesOf(twice)).toEqual(['chain.bad-option']);
  });
});

describe('what a chain is', () => {
  function configOf(made: Flow, node: string): unknown {
    expect(made.definition.diagnostics).toEqual([]);
    const plan = compile(made.definition.draft, kinds);
    if (!plan.ok) throw new Error(JSON.stringify(plan.problem));
    return [...plan.value.nodes.values()].find(({ id }) => id === node)?.config;
  }

  test('L-05 L-40: ten executions, pauses of a second to five minutes, unless said', () => {
    expect(configOf(chain('a', 1, ['A']), 'A')).toEqual({
      type: 'A',
      maxAttempts: 10,
      retry: {
        ...{ maxAttempts: 10, delayMs: 1_000, maxDelayMs: 300_000 },
        ...{ backoff: 'exponential', jitter: 0 },
      },
    });
  });

  test('L-05: what the chain says is for all steps, what a step says for itself', () => {
    const made = chain('a', 1, ['A', 'B'], {
      ...{ maxAttempts: 3, timeout: '1m', backoff: { base: '2s', max: '1m' } },
      waitingTimeouts: false,
      steps: { B: { maxAttempts: 5, timeout: '2m', backoff: { max: '9s' } } },
    });
    expect(configOf(made, 'A')).toMatchObject({
      ...{ maxAttempts: 3, timeoutMs: 60_000, patient: true },
      retry: { maxAttempts: 3, delayMs: 2_000, maxDelayMs: 60_000 },
    });
    expect(configOf(made, 'B')).toMatchObject({
      ...{ maxAttempts: 5, timeoutMs: 120_000, patient: true },
      retry: { maxAttempts: 5, delayMs: 2_000, maxDelayMs: 9_000 },
    });
  });

  test('steps of one type are links with names of their own', () => {
    const { draft } = chain('a', 1, ['A', 'B', 'A', 'A']).definition;
    expect(draft.nodes.map(({ id }) => id)).toEqual([':chain', 'A', 'B', 'A#2', 'A#3']);
  });

  test('steps named as links would be do not get in their way', () => {
    for (const steps of [
      ['A', 'A#2', 'A'],
      ['A', 'A', 'A#1'],
      ['A', 'B->C', 'A->B', 'C'],
    ]) {
      const made = chain('a', 1, steps);
      const names = made.definition.draft.nodes.map(({ id }) => id);
      expect(new Set(names).size).toBe(steps.length + 1);
      const types = made.definition.draft.nodes.map(({ settings }) => settings['type']);
      expect(types.slice(1)).toEqual(steps);
      configOf(made, 'A');
    }
  });

  test('steps named as what every object has', () => {
    const made = chain('a', 1, ['constructor', 'toString', 'hasOwnProperty', ':chain']);
    configOf(made, 'constructor');
  });

  test('a chain of a thousand steps', () => {
    const steps = Array.from({ length: 1_000 }, (_, index) => `S${index}`);
    expect(configOf(chain('long', 1, steps), 'S999')).toMatchObject({ type: 'S999' });
  });

  test('it is altered by nobody, and neither is what a handler returns', () => {
    const made = chain('a', 1, ['A']);
    expect([made, made.definition, completed(), waiting('a'), retry(null, ''), dead('')]).toSatisfy(
      (values: readonly object[]) => values.every((value) => Object.isFrozen(value)),
    );
  });

  test('what a handler returns says what it stands for', () => {
    expect(completed()).toEqual({ became: 'completed' });
    expect(waiting('go')).toEqual({ became: 'waiting', event: 'go', timeout: null, outbound: [] });
    expect(retry('5s', 'busy')).toEqual({ became: 'retry', backoff: '5s', error: 'busy' });
    expect(dead('gone')).toEqual({ became: 'dead', error: 'gone' });
  });
});
