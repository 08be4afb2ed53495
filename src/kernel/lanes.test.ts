/** Which lanes a token is in: read off the plan and the head, and kept for its life. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { compile } from '../compile/compile.ts';
import { chain } from '../frontends/chain/chain.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { LIMITS } from '../model/limits.ts';
import { kinds } from '../nodes/index.ts';
import { advance } from './advance.ts';
import { emptyInstance, type Instance } from './instance.ts';
import { type Machine, machineFor } from './machine.ts';
import { migrate } from './migrate.ts';
import { touchedBy } from './touched.ts';

const AT = 1_000 as Instant;
const ID = 'i1' as InstanceId;
const nothing = (): void => {};

function machineOf({ definition }: Flow): Machine {
  const plan = compile(definition.draft, kinds);
  if (!plan.ok) throw new Error(JSON.stringify(plan.problem));
  return machineFor(plan.value, kinds, { code: definition.code, limits: LIMITS });
}

interface Begun {
  readonly input?: Json;
  readonly key?: string;
  readonly tenant?: string;
}

function begun(machine: Machine, { input = null, ...rest }: Begun = {}): Instance {
  const { name: of, version: flowVersion } = machine.plan;
  const birth = { id: ID, flow: of, flowVersion, input, ...rest };
  return advance(machine, emptyInstance(ID), { type: 'start', at: AT, birth }).after;
}

function firstToken(instance: Instance): Token {
  const [token] = instance.tokens.values();
  if (token === undefined) throw new Error('there is a token');
  return token;
}

function namesOf({ lanes }: Token): readonly string[] {
  return lanes.map(({ name }) => name);
}

describe('a token at a step', () => {
  test('is in the lane of its flow and in its own, with their numbers', () => {
    const limited = flow('import', { limit: { concurrency: 5, by: 'input.customer' } })
      .step('call', nothing, { limit: { rate: { max: 10, per: '1s' } } })
      .end();
    const token = firstToken(begun(machineOf(limited), { input: { customer: 'acme' } }));
    expect(token.lanes).toEqual([
      { name: 'flow:import=acme', concurrency: 5, rate: null },
      { name: 'step:import/call', concurrency: null, rate: { max: 10, perMs: 1_000 } },
    ]);
  });

  test('is in none where nothing is limited', () => {
    const machine = machineOf(flow('free').step('a', nothing).end());
    expect(machine.hasLanes).toBe(false);
    expect(firstToken(begun(machine)).lanes).toEqual([]);
  });

  const values: readonly (readonly [string, Begun, string])[] = [
    ['input.a', { input: { a: 'x' } }, 'x'],
    ['input.a', { input: { a: 7 } }, '7'],
    ['input.a', { input: { a: true } }, 'true'],
    ['input.a', { input: { a: null } }, 'null'],
    ['input.a', { input: { a: { b: [1] } } }, '{"b":[1]}'],
    ['input.a.b', { input: { a: { b: 'deep' } } }, 'deep'],
    ['input.a.b', { input: { a: 'flat' } }, ''],
    ['input.a', { input: null }, ''],
    ['input.toString', { input: {} }, ''],
    ['input.a', { input: { a: 'nul\u0000' } }, '"nul\\u0000"'],
    ['input.a', { input: { a: '\ud800' } }, '"\\ud800"'],
    ['key', { key: 'order-7' }, 'order-7'],
    ['key', {}, ''],
    ['tenant', { tenant: 'acme' }, 'acme'],
    ['tenant', {}, ''],
  ];

  test.each(values)('by %s of %j is in the lane of "%s"', (by, begin, value) => {
    const limited = flow('f', { limit: { concurrency: 1, by: by as 'key' } })
      .step('a', nothing)
      .end();
    expect(namesOf(firstToken(begun(machineOf(limited), begin)))).toEqual([`flow:f=${value}`]);
  });

  test('by a long value is under a name that an index takes, and that is its own', () => {
    const limited = flow('f', { limit: { concurrency: 1, by: 'input.a' } })
      .step('a', nothing)
      .end();
    const named = (a: string): string | undefined =>
      namesOf(firstToken(begun(machineOf(limited), { input: { a } })))[0];
    const [one, other] = [named(`${'x'.repeat(5_000)}1`), named(`${'x'.repeat(5_000)}2`)];
    expect(one).not.toBe(other);
    expect(one?.length).toBeLessThan(300);
    for (const whole of ['😀'.repeat(101), `a${'😀'.repeat(101)}`]) {
      expect(named(whole)).not.toMatch(/\p{Cs}/u);
    }
  });

  test('keeps its lanes through failures, and the commit names it each time', () => {
    const limited = flow('f')
      .step('a', nothing, { limit: { concurrency: 1 }, retry: { maxAttempts: 3 } })
      .end();
    const machine = machineOf(limited);
    const before = begun(machine);
    const { id: token } = firstToken(before);
    const claim = { worker: 'w', version: 1, at: AT };
    const fault = { code: 'boom', message: 'boom' };
    const failed = advance(machine, before, {
      ...{ type: 'result', at: AT, token, claim, outcome: { outcome: 'failed', fault } },
    });
    expect(namesOf(firstToken(failed.after))).toEqual(['step:f/a']);
    expect(touchedBy(before, failed).laned).toEqual([token]);
    expect(failed.hints).toContainEqual({ do: 'lanes' });
    const done = advance(machine, failed.after, {
      ...{ type: 'result', at: AT, token, claim, outcome: { outcome: 'done', value: null } },
    });
    expect(done.after.head.status).toBe('completed');
    expect(touchedBy(failed.after, done).laned).toEqual([token]);
  });

  test('is not named by commits of flows without limits', () => {
    const machine = machineOf(flow('free').step('a', nothing).end());
    const stride = advance(machine, emptyInstance(ID), {
      ...{ type: 'start', at: AT, birth: { id: ID, flow: 'free', flowVersion: 1, input: null } },
    });
    expect(touchedBy(emptyInstance(ID), stride).laned).toEqual([]);
    expect(stride.hints).not.toContainEqual({ do: 'lanes' });
  });
});

test('a compensation is in no lane', () => {
  const limited = flow('f', { limit: { concurrency: 1 } })
    .step('a', nothing, { undo: nothing, limit: { concurrency: 1 } })
    .step('b', nothing)
    .end();
  const machine = machineOf(limited);
  let instance = begun(machine);
  for (const outcome of [
    { outcome: 'done', value: null } as const,
    { outcome: 'failed', fault: { code: 'boom', message: 'boom' } } as const,
  ]) {
    const claim = { worker: 'w', version: 1, at: AT };
    const { id: token } = firstToken(instance);
    instance = advance(machine, instance, { type: 'result', at: AT, token, claim, outcome }).after;
  }
  expect(firstToken(instance)).toMatchObject({ mode: 'compensation', lanes: [] });
});

test('links of a chain share the lane of their type, and have that of the chain', () => {
  const line = chain('c', 1, ['A', 'B', 'A'], {
    limit: { concurrency: 9, by: 'key' },
    steps: { A: { limit: { concurrency: 2 }, priority: 3 } },
  });
  const tokens = begun(machineOf(line), { key: 'k' }).tokens.values();
  expect(tokens.map(namesOf)).toEqual([
    ['flow:c=k', 'step:c/A'],
    ['flow:c=k'],
    ['flow:c=k', 'step:c/A'],
  ]);
  expect(tokens.map(({ priority }) => priority)).toEqual([3, 0, 3]);
});

test('what goes on by another version has the lanes of that', () => {
  const versioned = (version: number, concurrency: number | null): Machine =>
    machineOf(
      flow('f', { version })
        .step('a', nothing, concurrency === null ? {} : { limit: { concurrency } })
        .end(),
    );
  const [one, two, three] = [versioned(1, 1), versioned(2, 2), versioned(3, null)];
  const second = migrate(one, two, begun(one), { at: AT, from: one.plan.hash, nodes: {} });
  expect(firstToken(second.after).lanes).toEqual([
    { name: 'step:f/a', concurrency: 2, rate: null },
  ]);
  const third = migrate(two, three, second.after, { at: AT, from: two.plan.hash, nodes: {} });
  expect(firstToken(third.after).lanes).toEqual([]);
  // It leaves the lane, and the stores hear of it.
  expect(touchedBy(second.after, third).laned).toEqual([firstToken(third.after).id]);
});
