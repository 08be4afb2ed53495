/**
 * A thousand chains whose handlers draw their answers, on two worker processes that are killed and
 * stopped at random moments. Messages come early, late, twice or never. Every chain must end in the
 * state that a model of fifty lines predicts from what the handlers said: see `chain-evidence.ts`
 * for what is independent of what.
 *
 * What is drawn is the same for a seed. What meets what is not: that is up to the machine.
 */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { chanceOf } from '../base/chance.ts';
import { createEngine, type Engine } from '../runtime/engine.ts';
import type { Run } from '../runtime/run.ts';
import type { Store } from '../stores/store.ts';
import { judge, type Verdict } from './chain-evidence.ts';
import {
  attemptsOf,
  fateOf,
  kindOf,
  LEASE_MS,
  messageIdOf,
  type StormContext,
  type StormLine,
  stormChains,
  typeOf,
  type Wanted,
} from './chain-storm-flows.ts';
import { Crew } from './crew.ts';
import { type Bed, onBothDatabases } from './databases.ts';
import { Dice } from './dice.ts';
import { byInstance, readLedgers } from './ledgers.ts';
import { storeAt } from './place.ts';
import { Program } from './program.ts';
import { stopAtRest } from './standstill.ts';
import { wrappedStore } from './wrapped-store.ts';

const SEED = Number(process.env['SEED'] ?? 20_261_116);
const CHAINS = 1_000;
const WAVES = 10;
const WORKERS = 2;
/** How long after a wave was begun a worker is struck. */
const STRIKE_MS_MAX = 300;
/** One strike in so many lets the worker live, and holds it for longer than its leases. */
const STOP_ONE_IN = 4;
const STOP_MS = LEASE_MS * 1.2;
/** How long a message that is not early may take; before this, the wait may not have begun. */
const MESSAGE_MS_MAX = 200;
/** A machine that is busy with other tests takes a multiple of the usual time. */
const TEST_MS_MAX = 300_000;

onBothDatabases('chains in a storm', (make) => {
  test(
    `${CHAINS} of them end as the model says (seed ${SEED})`,
    async () => {
      const bed = make();
      const kept: string[] = [];
      const store = notingKept(storeAt(bed.place), kept);
      const engine = await createEngine({ store, flows: stormChains(), worker: false });
      const storm = new Storm(engine, bed, new Dice(SEED));
      await storm.blow();
      const { ok, ...found } = await engine.check();
      expect(found).toEqual({ instances: CHAINS, violations: [], stalled: [], unserved: [] });
      expect(ok).toBe(true);
      const verdicts = await judgeAll(storm.started, byInstance(readLedgers(bed.folder)));
      expect(verdicts.flatMap(({ problems }) => problems).slice(0, 20)).toEqual([]);
      const messages = verdicts.flatMap((verdict) => verdict.messages);
      expect(new Set(messages).size).toBe(messages.length);
      expect(new Set(kept).size).toBe(kept.length);
      expectWeather(verdicts, storm);
      await engine.close();
    },
    TEST_MS_MAX,
  );
});

/**
 * The ids that the store took for new. By its own word: an engine whose answer was lost says of a
 * message that it was the first with it, though someone else was in the meantime.
 */
function notingKept(store: Store, kept: string[]): Store {
  return wrappedStore(store, {
    publish: async (message) => {
      const isNew = await store.publish(message);
      if (isNew) kept.push(message.id);
      return isNew;
    },
  });
}

interface Started {
  readonly number: number;
  readonly run: Run;
}

/** The parent's end of the storm: it starts, publishes, stops and kills. */
class Storm {
  readonly started: Started[] = [];
  readonly published = new Map<string, string[]>();
  stops = 0;
  readonly #engine: Engine;
  readonly #bed: Bed;
  readonly #dice: Dice;
  readonly #crew: Crew;
  readonly #heard: Promise<void>[] = [];
  readonly #lanes = new Lanes();

  constructor(engine: Engine, bed: Bed, dice: Dice) {
    this.#engine = engine;
    this.#bed = bed;
    this.#dice = dice;
    this.#crew = new Crew(WORKERS, () => this.#launch());
  }

  get kills(): number {
    return this.#crew.kills;
  }

  /** Wave after wave, with a strike in each, and one more for as long as something is open. */
  async blow(): Promise<void> {
    for (let wave = 0; wave < WAVES; wave += 1) {
      await this.#crew.atWork();
      const numbers = Array.from({ length: CHAINS / WAVES }, (_, n) => wave + n * WAVES);
      const begun = Promise.all(
        numbers.map((number) => this.#lanes.run(number, () => this.#begin(number))),
      );
      await this.#strike();
      this.started.push(...(await begun));
    }
    await Promise.allSettled(this.started.map(({ run }) => run.result()));
    await Program.killAll();
    await Promise.all(this.#heard);
  }

  /** Some have no business key, and are reached by their id. */
  async #begin(number: number): Promise<Started> {
    const { name, types, timeouts } = kindOf(number);
    const instance = `${name}-${number}`;
    const key = chanceOf(`${SEED} key ${number}`) < 0.25 ? null : `key ${number}`;
    const early = types.map((_, step) => ({ instance, key, step, nth: 0, timeouts }));
    const isEarly = early.filter((wanted) => fateOf(SEED, wanted) === 'early');
    const brought = Promise.all(isEarly.map((wanted) => this.#publish(wanted)));
    const context: StormContext = { number, trail: [] };
    const options = key === null ? { id: instance } : { id: instance, key };
    const run = await this.#engine.start(name, context, options);
    await brought;
    return { number, run };
  }

  async #publish(wanted: Wanted): Promise<void> {
    const id = messageIdOf(wanted);
    const key = wanted.key ?? wanted.instance;
    const { outcome } = await this.#engine.publish({ type: typeOf(wanted), key, id, data: { id } });
    this.published.set(id, [...(this.published.get(id) ?? []), outcome]);
  }

  /** Whoever waits has its message: it may still be on its way to the wait, or be killed there. */
  async #answer(line: string): Promise<void> {
    const wanted = JSON.parse(line.slice('wants '.length)) as Wanted;
    const fate = fateOf(SEED, wanted);
    const times = fate === 'once' ? [1] : fate === 'twice' ? [1, 2] : [];
    await Promise.all(
      times.map(async (time) => {
        const chance = chanceOf(`${SEED} time ${time} ${messageIdOf(wanted)}`);
        await setTimeout(chance * MESSAGE_MS_MAX);
        await this.#lanes.run(Math.floor(chance * LANES), () => this.#publish(wanted));
      }),
    );
  }

  async #strike(): Promise<void> {
    await setTimeout(this.#dice.roll(STRIKE_MS_MAX));
    const place = this.#dice.roll(WORKERS);
    const worker = this.#crew.worker(place);
    if (worker === undefined) return;
    if ((this.kills + this.stops) % STOP_ONE_IN === 1) {
      stopAtRest(worker, this.#bed.place);
      await setTimeout(STOP_MS);
      worker.signal('SIGCONT');
      this.stops += 1;
      return;
    }
    await this.#crew.kill(place);
  }

  #launch(): Program {
    const { place, folder } = this.#bed;
    const name = `worker ${this.#heard.length}`;
    const program = new Program('chain-storm-worker', [place, folder, String(SEED), name]);
    this.#heard.push(this.#hear(program));
    return program;
  }

  /** Until it is gone, and all that it had said before. */
  async #hear(program: Program): Promise<void> {
    const answers: Promise<void>[] = [];
    for (let next = 0, isOver = false; !isOver; ) {
      const lines = program.lines.slice(next);
      next += lines.length;
      for (const line of lines) if (line.startsWith('wants ')) answers.push(this.#answer(line));
      isOver = await program.saysNext(/^wants /).then(
        () => false,
        () => program.lines.length === next,
      );
    }
    await Promise.all(answers);
  }
}

/** Connections have an end, and whoever waits for one for too long is refused. */
const LANES = 8;

/** So many things at a time, and in each lane one after the other. */
class Lanes {
  readonly #ends: Promise<unknown>[] = Array.from({ length: LANES }, () => Promise.resolve());

  run<Value>(number: number, act: () => Promise<Value>): Promise<Value> {
    const lane = number % LANES;
    const done = (this.#ends[lane] ?? Promise.resolve()).then(act);
    this.#ends[lane] = done.catch(() => {});
    return done;
  }
}

/** So many at a time: a database is not asked for everything at once. */
const JUDGED_AT_ONCE = 50;

async function judgeAll(
  started: readonly Started[],
  ledger: ReadonlyMap<string, readonly StormLine[]>,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let next = 0; next < started.length; next += JUDGED_AT_ONCE) {
    const some = started.slice(next, next + JUDGED_AT_ONCE);
    verdicts.push(...(await Promise.all(some.map((each) => judgeOne(each, ledger)))));
  }
  return verdicts;
}

async function judgeOne(
  { number, run }: Started,
  ledger: ReadonlyMap<string, readonly StormLine[]>,
): Promise<Verdict> {
  const kind = kindOf(number);
  const context: StormContext = { number, trail: [] };
  const chain = { maxAttempts: attemptsOf(kind), timeouts: kind.timeouts, context };
  const [view, history] = await Promise.all([run.inspect(), run.history()]);
  return judge({ chain, view, history, ledger: ledger.get(run.id) ?? [] });
}

/** A storm in which nothing happened would show nothing. */
function expectWeather(verdicts: readonly Verdict[], { kills, stops, published }: Storm): void {
  const count = (what: string): number =>
    verdicts.flatMap(({ facts }) => facts).filter(({ was }) => was === what).length;
  const facts = ['completed', 'waiting', 'retry', 'threw', 'dead', 'expired', 'event', 'timeout'];
  const ended = (as: string): number =>
    verdicts.filter(({ predicted }) => predicted.status === as).length;
  const outcomes = [...published.values()].flat();
  const weather = {
    ...Object.fromEntries(facts.map((fact) => [fact, count(fact)])),
    ...{ COMPLETED: ended('COMPLETED'), FAILED: ended('FAILED'), kills, stops },
    published: published.size,
    duplicates: outcomes.filter((outcome) => outcome === 'duplicate').length,
    early: outcomes.filter((outcome) => outcome === 'buffered').length,
  };
  if (process.env['SEED'] !== undefined) console.log(SEED, weather);
  for (const [what, times] of Object.entries(weather)) expect(times, what).toBeGreaterThan(0);
}
