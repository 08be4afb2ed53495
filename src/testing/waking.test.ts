/**
 * A thousand instances, each waiting in five places, woken in random order by four processes at the
 * same time. One token in ten is given to two of them: exactly one of the two wakes it.
 */
import { expect, test } from 'vitest';
import { createEngine, type Engine } from '../runtime/engine.ts';
import type { Run } from '../runtime/run.ts';
import { onBothDatabases } from './databases.ts';
import { Dice } from './dice.ts';
import { joinsOf, meetingsOf, pausingFlow, PLACES, waitingIn } from './pausing-flow.ts';
import { storeAt } from './place.ts';
import { Program } from './program.ts';

const SEED = 20_261_117;
const INSTANCES = 1_000;
const PROCESSES = 4;
const TWICE_ONE_IN = 10;
/** A machine that is busy with other tests takes a multiple of the usual half minute. */
const TEST_MS_MAX = 300_000;

onBothDatabases(`${INSTANCES} instances that wait in ${PLACES} places`, (make) => {
  test(
    `are woken by ${PROCESSES} processes, and none is lost (seed ${SEED})`,
    async () => {
      const { place } = make();
      const flow = pausingFlow();
      const engine = await createEngine({ store: storeAt(place), flows: [flow] });
      const started = Array.from({ length: INSTANCES }, () => engine.start(flow, null));
      const runs = await Promise.all(started);
      const pauses = await pausesOf(runs);
      expect(pauses).toHaveLength(INSTANCES * PLACES);
      // From here on the others do all of it.
      await engine.close();
      const dice = new Dice(SEED);
      const shares = sharesOf(pauses, dice);
      const wakers = shares.map(() => new Program('waking-worker', [place]));
      await Promise.all(wakers.map((waker) => waker.atWork()));
      for (const [at, share] of shares.entries()) {
        for (const line of share) wakers[at]?.tell(line);
      }
      const answers = await Promise.all(
        wakers.map((waker, at) => answersOf(waker, shares[at]?.length ?? 0)),
      );
      checkAnswers(answers.flat(), pauses);
      const witness = await createEngine({ store: storeAt(place), flows: [flow], worker: false });
      await checkEnds(witness, runs, pauses);
      await Program.killAll();
      await witness.close();
    },
    TEST_MS_MAX,
  );
});

async function pausesOf(runs: readonly Run[]): Promise<readonly string[]> {
  const all: string[] = [];
  for (const run of runs) {
    for (const token of await waitingIn(run)) all.push(`${run.id} ${token}`);
  }
  return all;
}

/** In random order, each to one of them, and some to another one as well. */
function sharesOf(pauses: readonly string[], dice: Dice): string[][] {
  const shares = Array.from({ length: PROCESSES }, (): string[] => []);
  const left = [...pauses];
  while (left.length > 0) {
    const at = dice.roll(left.length);
    const pause = left[at] as string;
    left[at] = left.at(-1) as string;
    left.pop();
    const first = dice.roll(PROCESSES);
    shares[first]?.push(pause);
    if (dice.roll(TWICE_ONE_IN) === 0) shares[(first + 1) % PROCESSES]?.push(pause);
  }
  return shares;
}

/** All it has to say about what it was told. */
async function answersOf(waker: Program, count: number): Promise<readonly string[]> {
  const isAnswer = /^\S+ \d+ \S+$/;
  const answers = (): readonly string[] => waker.lines.filter((line) => isAnswer.test(line));
  while (answers().length < count) await waker.saysNext(isAnswer);
  return answers();
}

/** Each pause was ended by one of those who were told to; the others were told why not. */
function checkAnswers(answers: readonly string[], pauses: readonly string[]): void {
  const woken = answers.flatMap((line) => (line.endsWith(' woken') ? [line.slice(0, -6)] : []));
  expect(woken.toSorted()).toEqual([...pauses].toSorted());
  const refused = new Set(answers.flatMap((line) => line.split(' ').slice(2)));
  refused.delete('woken');
  const known = new Set(['instance.over', 'token.not-found', 'token.not-waiting']);
  expect([...refused].filter((code) => !known.has(code))).toEqual([]);
}

async function checkEnds(
  engine: Engine,
  runs: readonly Run[],
  pauses: readonly string[],
): Promise<void> {
  const tokens = new Map<string, number[]>();
  for (const pause of pauses) {
    const [id = '', token] = pause.split(' ');
    tokens.set(id, [...(tokens.get(id) ?? []), Number(token)]);
  }
  for (const { id } of runs) {
    const run = await engine.get(id);
    if (run === undefined) throw new Error(`instance ${id} is gone`);
    const { left, right, pass, items } = (await run.result()) as Record<string, number> & {
      items: number[];
    };
    // Everyone has what its own token was woken with.
    const told = [left, right, pass, ...items].toSorted((a = 0, b = 0) => a - b);
    expect(told).toEqual(tokens.get(id)?.toSorted((a, b) => a - b));
    expect([await joinsOf(run), await meetingsOf(run)]).toEqual([1, 1]);
  }
  expect(await engine.check()).toMatchObject({ ok: true });
}
