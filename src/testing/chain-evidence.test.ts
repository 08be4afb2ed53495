/**
 * Whether the storm would notice: a short chain told by hand, first as it must be and then with
 * something wrong in it, in the rows, in history, in the ledger, or in the model itself.
 */
import { describe, expect, test } from 'vitest';
import type { Change } from '../model/change.ts';
import type { Token } from '../model/instance.ts';
import { type Evidence, judge } from './chain-evidence.ts';
import { type Fact, type Model, predict } from './chain-model.ts';
import type { StormContext, StormLine } from './chain-storm-flows.ts';

const ID = 'told';
/** Tokens of the three steps. */
const [ONE, TWO, THREE] = [3, 4, 5];
const BEGIN: StormContext = { number: 0, trail: [] };

function left(...trail: readonly string[]): StormContext {
  return { number: 0, trail };
}

type Loose = Record<string, unknown>;

function entry(...changes: readonly Loose[]): Evidence['history'][number] {
  return { changes: changes as unknown as readonly Change[] };
}

function had(token: number, ...rest: readonly Loose[]): Evidence['history'][number] {
  return entry({ did: 'claim-token', token, worker: 'A', version: 1 }, ...rest);
}

function fault(message: string, code = 'chain.retry'): Loose {
  return { code, message };
}

const LEASE = fault('no result', 'LEASE_EXPIRED');

function born(): Evidence['history'][number] {
  const birth = (id: number, seq: number): Loose => ({ did: 'birth-token', token: { id, seq } });
  return entry(birth(ONE, 0), birth(TWO, 1), birth(THREE, 2));
}

/** Waits, is woken, crashes, is retried and is done; the next one fails for good. */
const HISTORY: Evidence['history'] = [
  born(),
  had(ONE, { did: 'park-token', token: ONE }),
  entry({ did: 'wake-token', token: ONE, wake: { reason: 'event', payload: { id: 'm1' } } }),
  had(ONE, { did: 'recover-token', token: ONE, error: LEASE }),
  had(ONE, { did: 'retry-token', token: ONE, error: fault('busy') }),
  had(ONE, { did: 'activate-token', token: TWO }, { did: 'end-token', token: ONE, why: 'done' }),
  had(TWO, { did: 'retry-token', token: TWO, error: fault('thrown') }),
  had(
    TWO,
    { did: 'end-token', token: TWO, why: 'failed', fault: fault('again') },
    { did: 'finish', as: 'failed', fault: fault('again') },
  ),
];

const READY = { by: 'A', taskType: 'READY_STEP', message: null } as const;
const LEDGER: readonly StormLine[] = [
  ...[
    { key: 1, attempt: 1, wake: 'first', told: BEGIN, became: 'waiting', left: left('w') },
    // The second says nothing: it was cut off.
    {
      key: 2,
      message: 'm1',
      attempt: 2,
      wake: 'event',
      told: left('w'),
      became: 'retry',
      error: 'busy',
      left: left('w', 'r'),
    },
    {
      key: 2,
      message: 'm1',
      attempt: 3,
      wake: 'event',
      told: left('w', 'r'),
      became: 'completed',
      left: left('w', 'r', 'c'),
    },
  ].map(({ key, ...line }) => ({
    ...READY,
    idempotencyKey: `${ID}/${ONE}/${key}`,
    step: 0,
    ...line,
  })),
  ...[
    { attempt: 1, wake: 'first', became: 'threw', error: 'thrown', left: left('lost') },
    { attempt: 2, wake: 'retry', became: 'retry', error: 'again', left: left('w', 'r', 'c', 'r') },
  ].map((line) => ({
    ...READY,
    idempotencyKey: `${ID}/${TWO}/1`,
    step: 1,
    told: left('w', 'r', 'c'),
    ...line,
  })),
] as readonly StormLine[];

function row(seq: number, status: Token['status'], fields: Loose = {}): Token {
  return { seq, status, attempts: 0, crashes: 0, lastError: null, ...fields } as unknown as Token;
}

const EVIDENCE: Evidence = {
  chain: { maxAttempts: [4, 2, 2], timeouts: false, context: BEGIN },
  view: {
    id: ID,
    status: 'failed',
    output: left('w', 'r', 'c', 'r'),
    fault: fault('again'),
    tokens: [
      row(0, 'completed', { attempts: 2, crashes: 1 }),
      row(1, 'failed', { attempts: 2, lastError: fault('again') }),
      row(2, 'created'),
    ],
  } as unknown as Evidence['view'],
  history: HISTORY,
  ledger: LEDGER,
};

function withRow(seq: number, fields: Loose): Evidence {
  const tokens = EVIDENCE.view.tokens.map((token) =>
    token.seq === seq ? { ...token, ...fields } : token,
  );
  return { ...EVIDENCE, view: { ...EVIDENCE.view, tokens } };
}

function withView(fields: Loose): Evidence {
  return { ...EVIDENCE, view: { ...EVIDENCE.view, ...fields } };
}

function withCommit(n: number, ...commits: Evidence['history']): Evidence {
  return { ...EVIDENCE, history: HISTORY.toSpliced(n, 1, ...commits) };
}

function withLine(n: number, fields: Partial<StormLine>): Evidence {
  return {
    ...EVIDENCE,
    ledger: LEDGER.map((line, at) => (at === n ? { ...line, ...fields } : line)),
  };
}

test('a chain that went as it must has nothing to say', () => {
  const { problems, facts, messages } = judge(EVIDENCE);
  expect(problems).toEqual([]);
  expect(facts.map(({ was }) => was).join(' ')).toBe(
    'waiting event expired retry completed threw retry',
  );
  expect(messages).toEqual(['m1']);
});

describe('what the engine does wrong is noticed', () => {
  const at = (n: number): Evidence['history'][number] => HISTORY[n] ?? entry();
  test.each<[string, Evidence, RegExp]>([
    ['a lease that ran out is no attempt', withRow(0, { attempts: 1 }), /steps is/],
    ['a lease that ran out is no crash', withRow(0, { crashes: 0 }), /steps is/],
    ['a step that is done keeps its error', withRow(0, { lastError: LEASE }), /steps is/],
    ['the steps behind a dead one are begun', withRow(2, { status: 'ready' }), /steps is/],
    ['the chain goes on', withView({ status: 'running' }), /status is "RUNNING"/],
    ['a throw saves what it left', withView({ output: left('lost') }), /context is/],
    ['another fault', withView({ fault: fault('thrown') }), /fault is "thrown"/],
    ['one try too many', withCommit(7, had(TWO, { did: 'retry-token', token: TWO })), /path is/],
    ['a result counts twice', withCommit(4, at(4), at(4)), /a result that no handler gave/],
    ['a result is lost', withCommit(6), /ran and is not in history/],
    ['a step is done before its turn', withCommit(1, had(THREE)), /no handler gave/],
    ['a step is woken twice', withCommit(2, at(2), at(2)), /step 0 was READY and event/],
    [
      'a patient step times out',
      withCommit(2, entry({ did: 'wake-token', token: ONE, wake: { reason: 'timeout' } })),
      /step 0 has no timeouts/,
    ],
    [
      'the next step is not called',
      withCommit(5, had(ONE, { did: 'end-token', token: ONE, why: 'done' })),
      /path is/,
    ],
    ['another worker had it', withLine(1, { by: 'B' }), /a result that no handler gave/],
    ['an execution is told another context', withLine(2, { told: left('w') }), /execution 3/],
    ['an execution forgets what woke it', withLine(2, { wake: 'retry' }), /execution 3/],
    ['an execution has another message', withLine(1, { message: 'm2' }), /had the message m2/],
    ['an execution is run as a timeout', withLine(0, { taskType: 'WAITING_TIMEOUT' }), /execution/],
    ['the same execution twice', { ...EVIDENCE, ledger: [...LEDGER, ...LEDGER] }, /not in history/],
  ])('%s', (_, evidence, what) => {
    expect(judge(evidence).problems.join('\n')).toMatch(what);
  });
});

describe('a model with a rule that is wrong is contradicted', () => {
  const without = (was: Fact['was']): Model => {
    return (chain, facts) =>
      predict(
        chain,
        facts.filter((fact) => fact.was !== was),
      );
  };
  const withFacts = (alter: (fact: Fact) => Fact): Model => {
    return (chain, facts) => predict(chain, facts.map(alter));
  };
  test.each<[string, Model]>([
    [
      'maxAttempts counts the tries after the first',
      (chain, facts) =>
        predict({ ...chain, maxAttempts: chain.maxAttempts.map((max) => max + 1) }, facts),
    ],
    ['leases that run out do not count', without('expired')],
    [
      'a throw is a result',
      withFacts((fact) => (fact.was === 'threw' ? { ...fact, was: 'retry' } : fact)),
    ],
    [
      'a retry is final',
      withFacts((fact) => (fact.was === 'retry' ? { ...fact, was: 'dead' } : fact)),
    ],
    [
      'waiting is an attempt',
      (chain, facts) => {
        const { steps, ...rest } = predict(chain, facts);
        const counted = steps.map((step) => ({ ...step, attempts: step.attempts + step.waits }));
        return { ...rest, steps: counted };
      },
    ],
    [
      'what is done keeps its error',
      (chain, facts) => {
        const { steps, ...rest } = predict(chain, facts);
        return { ...rest, steps: steps.map((step) => ({ ...step, error: step.error ?? 'busy' })) };
      },
    ],
    [
      'the wrong step comes next',
      (chain, facts) =>
        predict(
          chain,
          facts.map((fact) => ({ ...fact, step: 2 - fact.step })),
        ),
    ],
  ])('%s', (_, model) => {
    expect(judge(EVIDENCE, model).problems).not.toEqual([]);
  });
});

test('an execution that began after its lease was over is let pass', () => {
  const late = { ...LEDGER[1], attempt: 2, by: 'Z' } as StormLine;
  const lost = entry(
    { did: 'claim-token', token: ONE, worker: 'Z' },
    { did: 'recover-token', token: ONE, error: LEASE },
  );
  const evidence = withCommit(3, lost);
  expect(judge({ ...evidence, ledger: [...LEDGER, late] }).problems).toEqual([]);
  expect(judge({ ...EVIDENCE, ledger: [...LEDGER, late] }).problems).toHaveLength(1);
});
