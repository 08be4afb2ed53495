/**
 * Remote workers, which are killed, and stopped for longer than their leases, and an API that is
 * killed and comes back on the same port, while 500 instances run whose steps are all done
 * elsewhere. What the handlers did is read from ledgers outside of the engine.
 *
 * What is drawn is the same for a seed. What meets what is not: that is up to the machine.
 */
import { expect, test } from 'vitest';
import { createEngine, type Engine } from '../runtime/engine.ts';
import type { Run } from '../runtime/run.ts';
import { type ApiKey, createApiKey } from '../server.ts';
import { Crew } from './crew.ts';
import { type Bed, onBothDatabases } from './databases.ts';
import { Dice } from './dice.ts';
import { Earshot } from './earshot.ts';
import { byInstance, readLedgers } from './ledgers.ts';
import { findFreePort } from './local-port.ts';
import { storeAt } from './place.ts';
import { Program } from './program.ts';
import { expectedOf, parcels, type StormLine } from './remote-storm-flow.ts';
import { expectOnce, resultsIn, runsIn, type TokenRun } from './token-runs.ts';

const SEED = Number(process.env['SEED'] ?? 20_261_118);
/** On each of the two databases. */
const INSTANCES = 250;
const WORKERS = 3;
/** One of these after each wave of starts, in an order that is drawn. */
const STRIKES = [
  ...(['kill', 'kill', 'kill', 'kill'] as const),
  ...(['stop', 'stop', 'stop', 'serve', 'serve', 'serve'] as const),
];
const WAVES = STRIKES.length;
/** A strike comes after so many executions were begun; each wave has more than twice as many. */
const BEGUN_MAX = 60;
/** A machine that is busy with other tests takes a multiple of the usual time. */
const TEST_MS_MAX = 300_000;

onBothDatabases('workers elsewhere in a storm', (make) => {
  test(
    `${INSTANCES} instances complete as if nothing had happened (seed ${SEED})`,
    async () => {
      const bed = make();
      const store = storeAt(bed.place);
      const engine = await createEngine({ store, flows: [parcels], worker: false });
      const storm = new Storm(engine, bed, await findFreePort());
      await storm.blow();
      const { ok, ...found } = await engine.check();
      const nothing = { violations: [], stalled: [], unserved: [] };
      expect(found).toEqual({ instances: INSTANCES, ...nothing });
      expect(ok).toBe(true);
      const lines = readLedgers<StormLine>(bed.folder);
      const ledger = byInstance(lines);
      const runs: TokenRun[] = [];
      for (const [number, run] of storm.started.entries()) {
        runs.push(...(await checkParcel(number, run, ledger.get(run.id) ?? [])));
      }
      expectWeather(runs, lines, storm);
      await engine.close();
    },
    TEST_MS_MAX,
  );
});

class Storm {
  readonly started: Run[] = [];
  readonly strikes = { kill: 0, stop: 0, serve: 0 };
  readonly #engine: Engine;
  readonly #bed: Bed;
  readonly #port: number;
  readonly #dice = new Dice(SEED);
  readonly #earshot = new Earshot();
  readonly #key: { readonly key: string; readonly record: ApiKey };
  readonly #crew: Crew;
  #server: Program;
  #launched = 0;

  constructor(engine: Engine, bed: Bed, port: number) {
    this.#engine = engine;
    this.#bed = bed;
    this.#port = port;
    this.#key = createApiKey({ id: 'storm', role: 'worker' });
    this.#server = this.#serve();
    this.#crew = new Crew(WORKERS, () => this.#launch());
  }

  async blow(): Promise<void> {
    const left = [...STRIKES];
    for (let wave = 0; wave < WAVES; wave += 1) {
      await Promise.all([this.#server.atWork(), this.#crew.atWork()]);
      const begun = this.#begun + this.#dice.roll(BEGUN_MAX);
      const numbers = Array.from({ length: INSTANCES / WAVES }, (_, n) => this.started.length + n);
      this.started.push(...(await Promise.all(numbers.map((number) => this.#start(number)))));
      await this.#earshot.until(() => (this.#begun > begun ? true : undefined));
      const [strike = 'kill'] = left.splice(this.#dice.roll(left.length), 1);
      await this.#strike(strike);
      this.strikes[strike] += 1;
    }
    await Promise.all(this.started.map((run) => run.result()));
    await Program.killAll();
  }

  #start(number: number): Promise<Run> {
    return this.#engine.start(parcels, { number }, { id: `parcel-${number}` });
  }

  get #begun(): number {
    return this.#earshot.heard.filter(({ line }) => line.startsWith('began ')).length;
  }

  async #strike(strike: (typeof STRIKES)[number]): Promise<void> {
    if (strike === 'kill') return this.#crew.kill(this.#dice.roll(WORKERS));
    if (strike === 'stop') return this.#stopOne();
    await this.#server.kill();
    this.#server = this.#serve();
  }

  /** Whoever begins something next stands still until somebody else has begun it, too. */
  async #stopOne(): Promise<void> {
    const crew = Array.from({ length: WORKERS }, (_, place) => this.#crew.worker(place));
    const before = this.#earshot.heard.length;
    for (const worker of crew) worker?.tell('hold');
    const { by, line } = await this.#earshot.until((heard) =>
      heard.slice(before).find((each) => each.line.startsWith('held ')),
    );
    by.signal('SIGSTOP');
    for (const worker of crew) if (worker !== by) worker?.tell('go');
    const [, key = '', attempt = ''] = line.split(' ');
    await this.#earshot.until((heard) =>
      heard.find((each) => {
        const [did, whose, nth] = each.line.split(' ');
        return did === 'began' && whose === key && Number(nth) > Number(attempt);
      }),
    );
    by.signal('SIGCONT');
    by.tell('go');
    await by.said(new RegExp(`^work.lost (complete|fail) ${key}$`));
  }

  #serve(): Program {
    const keys = JSON.stringify([this.#key.record]);
    return new Program('remote-storm-server', [this.#bed.place, String(this.#port), keys]);
  }

  #launch(): Program {
    this.#launched += 1;
    const url = `http://127.0.0.1:${this.#port}`;
    const args = [url, this.#key.key, this.#bed.folder, `worker-${this.#launched}`];
    const program = new Program('remote-storm-worker', args);
    this.#earshot.listen(program);
    return program;
  }
}

/** It completed; each of its steps ran, under one key, and each result was committed once. */
async function checkParcel(
  number: number,
  run: Run,
  ledger: readonly StormLine[],
): Promise<readonly TokenRun[]> {
  const about = run.id;
  const { steps, results, output } = expectedOf(number);
  expect(await run.inspect(), about).toMatchObject({ status: 'completed', output });
  const history = await run.history({ notes: true });
  const runs = runsIn(history);
  expect(runs.map(({ step }) => step).toSorted(), about).toEqual(steps.toSorted());
  expect(resultsIn(history).toSorted(), about).toEqual(results.toSorted());
  for (const each of runs) {
    expectOnce(each, about);
    const lines = ledger.filter(({ idempotencyKey }) =>
      idempotencyKey.startsWith(`${run.id}/${each.token}/`),
    );
    const attempts = lines.map(({ attempt }) => attempt);
    expect(new Set(lines.map(({ step }) => step)), about).toEqual(new Set([each.step]));
    expect(new Set(lines.map((line) => line.idempotencyKey)).size, about).toBe(1);
    expect(new Set(attempts).size, about).toBe(attempts.length);
    expect(Math.max(...attempts), about).toBe(each.recoveries + each.retries + 1);
  }
  return runs;
}

/** A storm in which nothing happened would show nothing. */
function expectWeather(
  runs: readonly TokenRun[],
  ledger: readonly StormLine[],
  { strikes }: Storm,
): void {
  const keys = new Set(ledger.map(({ idempotencyKey }) => idempotencyKey));
  const retries = runs.reduce((sum, each) => sum + each.retries, 0);
  const weather = {
    ...strikes,
    recovered: runs.filter(({ recoveries }) => recoveries > 0).length,
    retries,
    undone: runs.filter(({ step }) => step === 'unload').length,
    repeated: ledger.length - keys.size - retries,
    dropped: runs.flatMap(({ dropped }) => dropped).length,
  };
  if (process.env['SEED'] !== undefined) console.log(SEED, weather);
  for (const [what, times] of Object.entries(weather)) expect(times, what).toBeGreaterThan(0);
  // Every one that stood still came back with a result for which it was too late.
  expect(weather.dropped).toBeGreaterThanOrEqual(strikes.stop);
}
