/**
 * Three worker processes on one database, killed at random moments and started again, until all
 * that was begun has ended. What their handlers did is read from ledgers outside of the engine.
 */
import { expect, test } from 'vitest';
import { createEngine, type Engine } from '../runtime/engine.ts';
import { Crew } from './crew.ts';
import { type Bed, onBothDatabases } from './databases.ts';
import { Dice } from './dice.ts';
import { answer, checkErrands, errandOf, type Started, start } from './errands.ts';
import { fleetFlows } from './fleet-flows.ts';
import { readLedgers } from './ledgers.ts';
import { storeAt } from './place.ts';
import { Program } from './program.ts';

const SEED = 20_261_116;
const INSTANCES = 2_000;
const WORKERS = 3;
/** One kill in each wave of starts, and more until everything has ended. */
const WAVES = 20;
/** If that never happens although nobody is killed any more, the test runs out of time. */
const KILLS_MAX = 60;
/** How long after a wave was begun; it keeps the workers busy for about as long. */
const KILL_MS_MAX = 400;
/** One wave in so many begins while a worker is still opening the store. */
const EARLY_ONE_IN = 4;
/** Of the answers that are not there early, the last come so many waves after the question. */
const ANSWER_WAVES_MAX = 3;
/** While so many are known to be open, the others need not be looked at. */
const OPEN_ENOUGH = 20;
/** A machine that is busy with other tests takes a multiple of the usual half minute. */
const TEST_MS_MAX = 300_000;

onBothDatabases('three workers, killed again and again', (make) => {
  test(
    `${INSTANCES} instances end as if nothing had happened (seed ${SEED})`,
    async () => {
      const bed = make();
      const store = storeAt(bed.place);
      const engine = await createEngine({ store, flows: fleetFlows(() => {}), worker: false });
      const { started, kills } = await workThrough(engine, bed);
      expect(kills).toBeGreaterThanOrEqual(WAVES);
      await checkErrands(engine, started, readLedgers(bed.folder));
      await engine.close();
    },
    TEST_MS_MAX,
  );
});

/** Starts everything, wave by wave, and kills until it has ended. */
async function workThrough(
  engine: Engine,
  bed: Bed,
): Promise<{ started: readonly Started[]; kills: number }> {
  const dice = new Dice(SEED);
  const fleet = new Fleet(bed, dice);
  const answers = new Answers(engine, dice);
  const started: Started[] = [];
  for (let wave = 0; wave < WAVES; wave += 1) {
    await fleet.atWork();
    const numbers = Array.from({ length: INSTANCES / WAVES }, (_, n) => wave + n * WAVES);
    const begun = Promise.all(
      numbers.map(async (number) => {
        const errand = errandOf(number, dice);
        if (errand.flow === 'message') await answers.plan(errand.key, wave);
        return start(engine, errand);
      }),
    );
    await answers.bring(wave);
    await fleet.killOne();
    started.push(...(await begun));
  }
  await answers.bringAll();
  for (let open = started; open.length > 0; open = await stillOpen(open)) {
    await fleet.atWork();
    if (fleet.kills < KILLS_MAX) await fleet.killOne();
  }
  await Program.killAll();
  return { started, kills: fleet.kills };
}

async function stillOpen(started: readonly Started[]): Promise<Started[]> {
  const open: Started[] = [];
  for (const each of started) {
    const isOpen = open.length >= OPEN_ENOUGH || (await each.run.inspect()).endedAt === null;
    if (isOpen) open.push(each);
  }
  return open;
}

/** So many workers, of which one is killed at a time and started again. */
class Fleet {
  readonly #dice: Dice;
  readonly #crew: Crew;

  constructor({ place, folder }: Bed, dice: Dice) {
    this.#dice = dice;
    this.#crew = new Crew(WORKERS, () => new Program('fleet-worker', [place, folder]));
  }

  get kills(): number {
    return this.#crew.kills;
  }

  /** However long that takes on this machine. Not always: some are to be killed early. */
  async atWork(): Promise<void> {
    if (this.#dice.roll(EARLY_ONE_IN) === 0) return;
    await this.#crew.atWork();
  }

  async killOne(): Promise<void> {
    const ms = this.#dice.roll(KILL_MS_MAX);
    await new Promise((resolve) => void setTimeout(resolve, ms));
    await this.#crew.kill(this.#dice.roll(WORKERS));
  }
}

/** The answers that the message flows wait for: before they ask, when they do, or much later. */
class Answers {
  readonly #engine: Engine;
  readonly #dice: Dice;
  readonly #later = new Map<number, string[]>();

  constructor(engine: Engine, dice: Dice) {
    this.#engine = engine;
    this.#dice = dice;
  }

  async plan(key: string, wave: number): Promise<void> {
    const after = this.#dice.roll(ANSWER_WAVES_MAX + 2);
    if (after === 0) return answer(this.#engine, key);
    const due = wave + after - 1;
    this.#later.set(due, [...(this.#later.get(due) ?? []), key]);
  }

  async bring(wave: number): Promise<void> {
    const keys = this.#later.get(wave) ?? [];
    this.#later.delete(wave);
    await Promise.all(keys.map((key) => answer(this.#engine, key)));
  }

  async bringAll(): Promise<void> {
    for (const wave of [...this.#later.keys()]) await this.bring(wave);
  }
}
