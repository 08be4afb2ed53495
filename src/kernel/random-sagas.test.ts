/**
 * P11 on whole engines: a thousand random flows that fail somewhere, with a crash after every
 * commit. What was undone is what was done, in reverse order and each of it once.
 *
 * What was done is read off history, not off the handlers: those may run more often than once. A
 * step that was at work when the saga began may be in doubt; then it is undone in its place, too.
 */
import { expect, test } from 'vitest';
import type { Change } from '../model/change.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { sagaFlow } from '../testing/random-saga-flows.ts';

const FLOWS = 1_000;
const FLOWS_PER_TEST = 50;

for (let from = 1; from <= FLOWS; from += FLOWS_PER_TEST) {
  const to = from + FLOWS_PER_TEST - 1;
  test(`flows ${from} to ${to} are undone in reverse order, whenever they crash`, async () => {
    for (let seed = from; seed <= to; seed += 1) await playFlow(seed);
  });
}

test('among them are long sagas, short ones, none at all, and steps in doubt', async () => {
  const tally = { none: 0, long: 0, doubt: 0 };
  for (let seed = 1; seed <= 60; seed += 1) {
    const { records } = await playFlow(seed);
    if (records.length === 0) tally.none += 1;
    if (records.length >= 5) tally.long += 1;
    if (records.some(({ undo }) => undo.inDoubt === true)) tally.doubt += 1;
  }
  expect(tally.none).toBeGreaterThan(1);
  expect(tally.long).toBeGreaterThan(12);
  expect(tally.doubt).toBeGreaterThan(1);
});

type Did<What extends Change['did']> = Extract<Change, { did: What }>;

async function playFlow(seed: number): Promise<{ records: readonly Did<'record-undo'>[] }> {
  const { flow, undone } = sagaFlow(seed);
  const engine = createTestEngine({ flows: [flow], chaos: { crashAfterEveryCommit: true } });
  const run = await engine.start(flow, null as never);
  await engine.advance('1h');

  const changes = (await run.history()).flatMap((row) => [...row.changes]);
  const records = all(changes, 'record-undo');
  const told = `seed ${seed}`;
  const view = await run.inspect();
  const outcome = records.length === 0 ? null : 'compensated';
  expect(view, told).toMatchObject({ status: 'failed', outcome, tokens: [], undos: [] });

  const done = records.filter(({ undo }) => undo.inDoubt !== true).map(({ undo }) => undo.token);
  expect(done, `${told}: what completed is recorded`).toEqual(completedSteps(changes));
  checkDoubts(changes, records, told);

  const settled = all(changes, 'settle-undo').map(({ undo, as }) => `${undo} ${as}`);
  const expected = records.map(({ undo }) => `${undo.id} completed`).toReversed();
  expect(settled, `${told}: what is undone`).toEqual(expected);

  const keys = records.map(({ undo }) => `${run.id}/${undo.token}/${undo.visit ?? 1}`);
  expect([...new Set(undone)].sort(), `${told}: whose undo ran`).toEqual(keys.sort());
  expect(await engine.engine.check(), told).toMatchObject({ ok: true });
  await engine.close();
  return { records };
}

function all<What extends Change['did']>(changes: readonly Change[], did: What): Did<What>[] {
  return changes.filter((change): change is Did<What> => change.did === did);
}

/** The tokens of steps that came to their end, in the order in which that was committed. */
function completedSteps(changes: readonly Change[]): number[] {
  const births = all(changes, 'birth-token').map(({ token }) => token);
  const steps = births.filter(({ handler, mode }) => handler !== undefined && mode === undefined);
  const ids = new Set(steps.map(({ id }): number => id));
  const ends = all(changes, 'end-token').filter(({ why }) => why === 'done');
  return ends.map(({ token }): number => token).filter((token) => ids.has(token));
}

/** Only what ran and had no answer is in doubt: its lease ran out. */
function checkDoubts(
  changes: readonly Change[],
  records: readonly Did<'record-undo'>[],
  told: string,
): void {
  const crashed = new Set(all(changes, 'recover-token').map(({ token }): number => token));
  const ends = new Map(all(changes, 'end-token').map(({ token, why }) => [token, why]));
  for (const { undo } of records) {
    if (undo.inDoubt !== true) continue;
    const { token } = undo;
    expect(ends.get(token), `${told}: token ${token} in doubt`).toBe('cancelled');
    const claims = all(changes, 'claim-token').filter((claim) => claim.token === token);
    expect(crashed.has(token) || claims.length > 0, `${told}: token ${token} ran`).toBe(true);
  }
}
