/** What the flows of the fleet are given to do, and whether it came out as it must. */
import { expect } from 'vitest';
import type { Engine } from '../runtime/engine.ts';
import type { Run } from '../runtime/run.ts';
import type { Dice } from './dice.ts';
import { ANSWER, type Errand, expectedOf, FLOW_NAMES, type LedgerLine } from './fleet-flows.ts';
import { expectOnce, resultsIn, runsIn, type TokenRun } from './token-runs.ts';

/** Half of the handlers answer at once, the others within this. */
const HANDLER_MS_MAX = 50;

/** An instance of one of the flows. */
export interface Started {
  readonly errand: Errand;
  readonly run: Run;
}

/** The flows take turns; chance decides the rest. */
export function errandOf(number: number, dice: Dice): Errand {
  const flow = FLOW_NAMES[number % FLOW_NAMES.length] ?? '';
  const takesMs = dice.roll(2) === 0 ? 0 : dice.roll(HANDLER_MS_MAX);
  return { flow, key: `${flow}-${number}`, takesMs, fails: dice.roll(2) === 0 };
}

/** Asked for a second time, it is the same instance. */
export async function start(engine: Engine, errand: Errand): Promise<Started> {
  const { flow, key } = errand;
  const run = await engine.start(flow, errand, { id: key, key, onConflict: 'existing' });
  return { errand, run };
}

/** The message that the errand of this key waits for. */
export async function answer(engine: Engine, key: string): Promise<void> {
  await engine.publish({ type: ANSWER, key, data: `${ANSWER} to ${key}` });
}

/** Every errand came out as it must, and there is nothing else in the store. */
export async function checkErrands(
  engine: Engine,
  started: readonly Started[],
  ledger: readonly LedgerLine[],
): Promise<readonly TokenRun[]> {
  const { ok, ...found } = await engine.check();
  expect(found).toEqual({
    instances: started.length,
    violations: [],
    stalled: [],
    unserved: [],
  });
  expect(ok).toBe(true);
  const lines = byKey(ledger);
  const runs = await Promise.all(
    started.map((each) => checkErrand(each, lines.get(each.errand.key) ?? [])),
  );
  return runs.flat();
}

/** It ended as it must, each of its steps ran, and each result was committed once. */
async function checkErrand(
  { errand, run }: Started,
  ledger: readonly LedgerLine[],
): Promise<readonly TokenRun[]> {
  const { key } = errand;
  const expected = expectedOf(errand);
  const isUndone = expected.steps.includes('unbook');
  expect(await run.inspect(), key).toMatchObject({
    status: isUndone ? 'failed' : 'completed',
    outcome: isUndone ? 'compensated' : null,
    output: expected.output,
    fault: isUndone ? { message: 'the card is not taken' } : null,
  });
  const history = await run.history({ notes: true });
  const runs = runsIn(history);
  expect(runs.map(({ step }) => step).toSorted(), key).toEqual(expected.steps.toSorted());
  expect(resultsIn(history).toSorted(), key).toEqual(expected.results.toSorted());
  for (const each of runs) checkRun(key, each, ledger);
  return runs;
}

/** The handler ran, under one key, and no attempt was made twice: each had its own number. */
function checkRun(key: string, run: TokenRun, ledger: readonly LedgerLine[]): void {
  expectOnce(run, key);
  const lines = ledger.filter(({ idempotencyKey }) =>
    idempotencyKey.startsWith(`${key}/${run.token}/`),
  );
  const attempts = lines.map(({ attempt }) => attempt);
  expect(new Set(lines.map(({ step }) => step)), key).toEqual(new Set([run.step]));
  expect(new Set(attempts).size, key).toBe(attempts.length);
  expect(new Set(lines.map(({ idempotencyKey }) => idempotencyKey)).size, key).toBe(1);
  expect(Math.max(...attempts), key).toBe(run.recoveries + 1);
}

function byKey(lines: readonly LedgerLine[]): ReadonlyMap<string, readonly LedgerLine[]> {
  const lists = new Map<string, LedgerLine[]>();
  for (const line of lines) {
    const list = lists.get(line.key);
    if (list === undefined) lists.set(line.key, [line]);
    else list.push(line);
  }
  return lists;
}
