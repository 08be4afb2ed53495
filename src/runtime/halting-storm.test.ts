/**
 * Operators who suspend and resume whole flows all at once, and die at it: whatever comes of it, in
 * the end every instance is as is said of its flow (S-69).
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { haltFor } from '../stores/halts.ts';
import { type Lab, onEveryStore } from '../testing/lab.ts';
import { luck } from '../testing/random-luck.ts';
import { Gate } from '../testing/stage.ts';
import type { Around } from '../testing/wrapped-store.ts';
import type { Run } from './run.ts';

const job = flow('job').sleep('nap', '1d').end();
const newer = flow('job', { version: 2 }).sleep('nap', '1d').end();
const flows = [job, newer];

/** Time for every worker to look at all of them. */
async function minutes(lab: Lab): Promise<void> {
  for (let minute = 0; minute < 3; minute += 1) await lab.tick('1m');
}

/** Everyone is as is said, and that something goes on is said no longer than it must be. */
async function expectTruth({ engine }: Lab, runs: readonly Run[]): Promise<void> {
  const halts = await engine.flows.halts();
  for (const run of runs) {
    const { id, status, flow: name, flowVersion } = await run.inspect();
    const isHalted = haltFor(halts, name, flowVersion)?.suspended === true;
    expect([id, name, flowVersion, status]).toEqual([
      ...[id, name, flowVersion, isHalted ? 'suspended' : 'waiting'],
    ]);
  }
  const isAny = halts.some(({ suspended }) => suspended);
  expect(isAny ? [] : halts).toEqual([]);
  expect(await engine.check()).toMatchObject({ ok: true });
}

onEveryStore('operators who change their minds all at once', (open) => {
  const SCOPES = [['job'], ['job', 1], ['job', 2], ['*']] as const;

  test.each([1, 2, 3, 4, 5, 6])('are obeyed in the end: seed %i', async (seed) => {
    const lab = await open(flows);
    const labs = [lab, await lab.beside(flows), await lab.beside(flows)];
    const runs: Run[] = [];
    const draw = (sides: number, ...words: (string | number)[]): number =>
      luck(sides, seed, ...words);
    for (let turn = 0; turn < 6; turn += 1) {
      const done = labs.map(async ({ engine }, n) => {
        const [name, version] = SCOPES[draw(SCOPES.length, 'scope', turn, n)] ?? SCOPES[0];
        const verb = draw(2, 'verb', turn, n) === 0 ? 'suspend' : 'resume';
        const which = draw(2, 'flow', turn, n) === 0 ? job : newer;
        const starting = engine.start(which, undefined as never);
        await engine.flows[verb](name, version);
        runs.push(await starting);
      });
      await Promise.all(done);
      await labs[draw(labs.length, 'ticks', turn)]?.tick(draw(7_000, 'time', turn));
    }
    await minutes(lab);
    await expectTruth(lab, runs);
  });
});

onEveryStore('an operator who dies at it', (open) => {
  /** Asks the store so many things more, and then never again. */
  class Mortal {
    readonly died: Gate = new Gate();
    #left = Number.POSITIVE_INFINITY;

    readonly around: Around = async (_, call) => {
      this.#left -= 1;
      if (this.#left >= 0) return call();
      this.died.open();
      return new Promise(() => {});
    };

    liveFor(calls: number): void {
      this.#left = calls;
    }
  }

  test.each([
    ['suspend', 'resume'],
    ['resume', 'suspend'],
  ] as const)('whatever was left of a %s is done by others', async (verb, before) => {
    const lab = await open(flows);
    const runs: Run[] = [];
    for (const each of [job, newer, job])
      runs.push(await lab.engine.start(each, undefined as never));
    for (let calls = 0, isDone = false; !isDone; calls += 1) {
      await lab.engine.flows[before]('job');
      const mortal = new Mortal();
      const operator = await lab.beside(flows, { around: mortal.around });
      await operator.settle();
      operator.engine.parts.worker?.abandon();
      mortal.liveFor(calls);
      const done = operator.engine.flows[verb]('job').then(() => true);
      isDone = await Promise.race([done, mortal.died.opened.then(() => false)]);
      await minutes(lab);
      await expectTruth(lab, runs);
    }
    expect((await runs[0]?.status()) === 'suspended').toBe(verb === 'suspend');
  });
});
