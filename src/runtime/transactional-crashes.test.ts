/** P4, when the process dies: what was in a transaction is there once, wherever it was killed. */
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { Dice } from '../testing/dice.ts';
import { placeAt } from '../testing/place.ts';
import { Till } from '../testing/postgres-till.ts';
import { Program } from '../testing/program.ts';
import { tellerFlow } from '../testing/postgres-teller-flow.ts';

const RUNS = 100;
const KILLS = 10;
const SEED = 20_261_116;
/** A life of the program ends at one of its first so many lines. */
const LINES = 60;

const till = new Till();
beforeEach(() => till.open());
afterEach(async () => {
  await Program.killAll();
  await till.close();
});
afterAll(() => till.drop());

test('killed at random moments of its transactions, it has done all of them once', async () => {
  const teller = tellerFlow(till.put);
  const engine = await till.engine([teller], { worker: false });
  const names = Array.from({ length: RUNS }, (_, n) => `run ${n}`);
  const runs = await Promise.all(names.map((name) => engine.start(teller, name)));
  const dice = new Dice(SEED);
  const deaths: string[] = [];
  for (let kills = 0; kills < KILLS; kills += 1) {
    const program = new Program('postgres-teller', [placeAt(till.url, till.schema), till.put]);
    const line = await program.said(new RegExp(`^${1 + dice.roll(LINES)} `));
    await program.kill();
    deaths.push(line.split(' ')[1] ?? '');
  }
  const last = new Program('postgres-teller', [placeAt(till.url, till.schema), till.put]);
  const outputs = await Promise.all(runs.map((run) => run.result()));
  await last.kill();
  const both = names.map((name) => [`${name} first`, `${name} second`]);
  expect(outputs).toEqual(both);
  expect((await till.entries()).toSorted()).toEqual(both.flat().toSorted());
  expect(await engine.check()).toMatchObject({ ok: true, instances: RUNS });
  // Before the end of a transaction, and after it.
  expect(new Set(deaths).size).toBeGreaterThan(2);
});
