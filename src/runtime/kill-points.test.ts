/**
 * Scenario 2 (B-81, L-20): a worker is killed at each point of the way of a token. Whatever the
 * point, the end is the same, and no handler runs more often than its attempts allow.
 */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { type Lab, type LabOptions, onEveryStore, type OpenLab } from '../testing/lab.ts';
import { unreachable } from '../testing/outage.ts';
import { expectOnce, resultsIn, runsIn } from '../testing/token-runs.ts';
import type { Run } from './run.ts';

const POINTS = [
  'after the claim',
  'after the side effect',
  'before the commit',
  'after the commit',
  'before the post is carried',
  'after the post is carried and before it is marked',
] as const;

type Point = (typeof POINTS)[number];

/** Kills once, when it is armed and the point is reached. */
class Killer {
  isArmed = false;
  kills = 0;
  lab: Lab | undefined;
  readonly #point: Point | null;

  constructor(point: Point | null) {
    this.#point = point;
  }

  /** True if this is where it dies; whatever it does from here on is lost. */
  reaches(point: Point): boolean {
    if (!this.isArmed || this.#point !== point) return false;
    this.isArmed = false;
    this.kills += 1;
    this.lab?.crash();
    return true;
  }

  readonly around: NonNullable<LabOptions['around']> = async (verb, call) => {
    if (verb === 'commit' && this.reaches('before the commit')) throw unreachable();
    const isLast = 'after the post is carried and before it is marked';
    if (verb === 'carried' && this.reaches(isLast)) throw unreachable();
    const answer = await call();
    const isEmpty = Array.isArray(answer) && answer.length === 0;
    if (verb === 'claim' && !isEmpty) this.reaches('after the claim');
    if (verb === 'commit') this.reaches('after the commit');
    if (verb === 'posts' && !isEmpty) this.reaches('before the post is carried');
    return answer;
  };
}

interface Lived {
  readonly lab: Lab;
  readonly killer: Killer;
  readonly ran: readonly string[];
  readonly job: Run;
  readonly hearer: Run;
}

/** One instance that does something, tells another, and does something more. */
async function live(open: OpenLab, point: Point | null): Promise<Lived> {
  const killer = new Killer(point);
  const ran: string[] = [];
  const hearer = flow('hearer').waitFor('news', { event: 'news' }).end();
  const job = flow('job')
    .step('work', () => {
      ran.push('work');
      killer.reaches('after the side effect');
      return 'worked';
    })
    .emit('tell', { type: 'news', key: 'h', data: 'told' })
    .step('more', () => ran.push('more'))
    .end(({ results }) => results.work);
  const lab = await open([job, hearer], { around: killer.around });
  killer.lab = lab;
  const heard = await lab.engine.start(hearer, null, { id: 'hearer', key: 'h' });
  await lab.settle();
  // Left for the next worker to claim: what is handed over at the start was never claimed.
  lab.engine.parts.worker?.abandon();
  const run = await lab.engine.start(job, null, { id: 'job' });
  killer.isArmed = true;
  lab.crash();
  await lab.advance('1m');
  return { lab, killer, ran, job: run, hearer: heard };
}

async function stateOf({ job, hearer }: Lived): Promise<object> {
  const views = [await job.inspect(), await hearer.inspect()];
  const histories = [await job.history({ notes: true }), await hearer.history()];
  return {
    ends: views.map(({ status, output, outcome, fault }) => ({ status, output, outcome, fault })),
    results: histories.map(resultsIn),
    posts: histories.flat().flatMap((entry) => entry.changes.filter(({ did }) => did === 'post')),
  };
}

onEveryStore('scenario 2: a worker killed at any point leaves no trace', (open) => {
  test.each(POINTS)('%s', async (point) => {
    const killed = await live(open, point);
    expect(killed.killer.kills).toBe(1);
    for (const each of runsIn(await killed.job.history({ notes: true }))) {
      expectOnce(each, each.step);
      const runs = killed.ran.filter((step) => step === each.step).length;
      expect(runs).toBeGreaterThanOrEqual(1);
      expect(runs).toBeLessThanOrEqual(each.recoveries + 1);
    }
    expect(await killed.lab.engine.check()).toMatchObject({ ok: true, stalled: [] });
    const state = await stateOf(killed);
    await killed.lab.close();
    expect(state).toEqual(await stateOf(await live(open, null)));
  });
});
