/**
 * Limits drawn at random, on flows whose steps fail, sleep, lose their worker, and are suspended
 * and cancelled meanwhile: whatever happens, after each commit, each claim and each look no more
 * are at work than may be, and in the end nobody is left behind.
 */
import { expect, test } from 'vitest';
import { assert } from '../base/assert.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { LimitOptions } from '../frontends/builder/limit-options.ts';
import type { Flow } from '../model/definition.ts';
import type { Lane } from '../model/lane.ts';
import type { Claim } from '../stores/store.ts';
import { Dice } from '../testing/dice.ts';
import { type Lab, type LabOptions, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import type { Run } from './run.ts';

const SEEDS = [1, 2, 3, 4];
const INSTANCES = 14;
const CUSTOMERS = ['x', 'y'];

interface Input {
  readonly customer: string;
}

/** What makes a token one of those at work. */
interface TokenCells {
  readonly status: string;
  readonly handler: string | null;
  readonly lanes: string | null;
}

class Play {
  readonly #dice: Dice;
  readonly flows: readonly Flow<Input>[];
  lab: Lab | null = null;
  /** The most that were ever at work under one name. */
  most = 0;
  #crashes = 0;
  /** By lane. */
  readonly #begins = new Map<string, readonly number[]>();

  constructor(seed: number) {
    this.#dice = new Dice(seed);
    this.flows = ['one', 'two'].map((name) => this.#flow(name));
  }

  #flow(name: string): Flow<Input> {
    const limit = this.#chance(5) ? { limit: this.#limit() } : {};
    return flow<Input>(name, { ...limit, saga: 'none' })
      .step('first', () => this.#work(), this.#step())
      .parallel('both', {
        left: (b) => b.step('left', () => this.#work(), this.#step()),
        right: (b) => b.sleep('nap', '3s').step('right', () => this.#work(), this.#step()),
      })
      .end();
  }

  #step(): object {
    const retry = { maxAttempts: 1_000, delay: this.#chance(5) ? 0 : '2s' };
    return { retry, ...(this.#chance(7) ? { limit: this.#limit() } : {}) };
  }

  #limit(): LimitOptions {
    const rate = { rate: { max: 1 + this.#dice.roll(3), per: '2s' } };
    const at = { concurrency: 1 + this.#dice.roll(3) };
    const both = this.#chance(3) ? { ...rate, ...at } : this.#chance(5) ? at : rate;
    const by = this.#dice.pick(['input.customer', 'tenant', 'none'] as const);
    return by === 'none' ? both : { ...both, by };
  }

  async #work(): Promise<unknown> {
    if (this.#chance(1)) throw new Error('by chance');
    if (this.#crashes < 3 && this.#dice.roll(30) === 0) {
      this.#crashes += 1;
      this.lab?.crash();
      return new Gate().opened;
    }
    return null;
  }

  async start(): Promise<readonly Run[]> {
    const runs: Run[] = [];
    for (let n = 0; n < INSTANCES; n += 1) {
      const customer = this.#dice.pick(CUSTOMERS);
      const tenant = this.#chance(4) ? { tenant: customer } : {};
      const started = await this.lab?.engine.start(
        this.#dice.pick(this.flows),
        { customer },
        { ...tenant, priority: this.#dice.roll(2) },
      );
      assert(started !== undefined, 'there is a lab');
      runs.push(started);
      if (this.#chance(2)) await this.lab?.advance('1s');
    }
    return runs;
  }

  /** Things that people do in the middle of it. */
  async disturb(runs: readonly Run[]): Promise<void> {
    for (let n = 0; n < 6; n += 1) {
      const run = this.#dice.pick(runs);
      const isOver = (await run.inspect()).endedAt !== null;
      const what = this.#dice.roll(3);
      if (isOver) continue;
      if (what === 0) await run.cancel();
      if (what === 1) await run.suspend();
      await this.lab?.advance(`${this.#dice.roll(4)}s`);
      if (what === 1) await run.resume();
    }
  }

  /** A claim is a begin: of those under a rate there are never too many within its time. */
  async noteBegins(claims: readonly Claim[]): Promise<void> {
    const loaded = (await this.lab?.store.load(claims.map(({ instance }) => instance))) ?? [];
    for (const [index, { token: id, at }] of claims.entries()) {
      const token = loaded[index]?.tokens.find((one) => one.id === id);
      for (const { name, rate } of token?.lanes ?? []) {
        if (rate === null) continue;
        const all = [...(this.#begins.get(name) ?? []), at];
        this.#begins.set(name, all);
        const recent = all.filter((moment) => moment + rate.perMs > at).length;
        if (recent > rate.max) throw new Error(`${recent} began in ${name}, and ${rate.max} may`);
      }
    }
  }

  /** The rows themselves, where there are any; otherwise what the store says of its lanes. */
  async check(): Promise<void> {
    const lab = this.lab;
    if (lab === null) return;
    const rows = (await lab.peek('token')) as readonly TokenCells[] | null;
    if (rows === null) {
      for (const { name, concurrency, atWork } of await lab.store.lanes.list(null, 100)) {
        if (!name.startsWith('tenant:')) this.#judge(name, concurrency, atWork);
      }
      return;
    }
    const counts = new Map<string, number>();
    for (const { status, handler, lanes } of rows) {
      if (lanes === null || !(status === 'executing' || isStanding(status, handler))) continue;
      for (const { name, concurrency } of JSON.parse(lanes) as readonly Lane[]) {
        counts.set(name, (counts.get(name) ?? 0) + 1);
        this.#judge(name, concurrency, counts.get(name) ?? 0);
      }
    }
  }

  #judge(name: string, concurrency: number | null, atWork: number): void {
    this.most = Math.max(this.most, atWork);
    if (concurrency === null || atWork <= concurrency) return;
    throw new Error(`${atWork} at work in ${name}, and ${concurrency} may be`);
  }

  /** So many times in ten. */
  #chance(tenths: number): boolean {
    return this.#dice.roll(10) < tenths;
  }
}

function isStanding(status: string, handler: string | null): boolean {
  return status === 'ready' && handler !== null;
}

const LOOKED_AFTER: ReadonlySet<string> = new Set(['commit', 'claim', 'lanes.letThrough']);

onEveryStore('limits at random', (open) => {
  async function played(seed: number, options: LabOptions): Promise<void> {
    const play = new Play(seed);
    const broken: unknown[] = [];
    const lab = await open(play.flows, {
      ...options,
      around: async (verb, call) => {
        const answer = await call();
        const note = (thrown: unknown): unknown => broken.push(thrown);
        if (verb === 'claim') await play.noteBegins(answer as readonly Claim[]).catch(note);
        if (LOOKED_AFTER.has(verb)) await play.check().catch(note);
        return answer;
      },
    });
    play.lab = lab;
    const runs = await play.start();
    await play.disturb(runs);
    await lab.advance('30m');
    expect(broken).toEqual([]);
    const views = await Promise.all(runs.map((run) => run.inspect()));
    const still = views.filter(({ endedAt }) => endedAt === null);
    expect(still.map(({ id, status, held }) => ({ id, status, held }))).toEqual([]);
    expect(play.most).toBeGreaterThan(0);
    expect(await lab.engine.lanes.list()).toEqual([]);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  }

  test.each(SEEDS)('hold, and everyone gets through (seed %i)', (seed) => played(seed, {}));

  test.each(SEEDS)('hold if every commit is the last of its process (seed %i)', (seed) =>
    played(seed, { chaos: { crashAfterEveryCommit: true } }),
  );
});
