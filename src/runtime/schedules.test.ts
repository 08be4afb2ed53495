/** Schedules on every store: when they fire, how often, and what becomes of what was missed. */
import { describe, expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Instant } from '../model/ids.ts';
import { onEveryStore } from '../testing/lab.ts';
import { downFor, Fired, instancesIn, LAB_BEGINS } from '../testing/schedule-flows.ts';
import type { StoreVerb } from '../testing/wrapped-store.ts';

const MINUTE = 60_000;
const minute = (n: number): number => LAB_BEGINS + n * MINUTE;

onEveryStore('a schedule', (open) => {
  test('fires at its moments, and never early', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow()]);
    const early: string[] = [];
    fired.onMoment = ({ at }) => {
      if (Date.parse(at) !== lab.now) early.push(at);
    };
    const schedule = await lab.engine.schedule('pulse', { every: '10m', flow: 'tick' });
    expect(await schedule.next()).toBe(minute(10));
    await lab.advance('9m59s');
    expect(fired.minutes()).toEqual([]);
    await lab.advance('25m1s');
    expect(fired.minutes()).toEqual([10, 20, 30]);
    expect(early).toEqual([]);
    expect(await schedule.describe()).toMatchObject({
      ...{ name: 'pulse', flow: 'tick', status: 'active', since: minute(0) },
      ...{ nextAt: minute(40), lastAt: minute(30) },
      spec: { every: 600_000, catchUp: 'once' },
    });
    expect(await lab.engine.check()).toMatchObject({ ok: true, instances: 3 });
  });

  test('is a wall clock where it has a zone: a skipped hour fires once, right after', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow()]);
    const times = { cron: '30 2 * * SAT,SUN,MON', timezone: 'America/New_York' };
    await lab.engine.schedule('early', { ...times, flow: fired.flow() });
    await lab.advance(Date.UTC(2026, 2, 7) - lab.now);
    fired.take();
    await lab.advance('4d');
    expect(fired.moments.map(({ at }) => at)).toEqual([
      '2026-03-07T07:30:00.000Z',
      '2026-03-08T07:00:00.000Z',
      '2026-03-09T06:30:00.000Z',
    ]);
  });

  test('outlives its worker, and is the same where it was made', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow()]);
    await lab.engine.schedule('pulse', { every: '10m', flow: 'tick' });
    for (let n = 0; n < 3; n += 1) {
      await lab.advance('7m');
      lab.crash();
    }
    await lab.advance('9m');
    expect(fired.minutes()).toEqual([10, 20, 30]);
    const [view] = await lab.engine.schedules.list();
    expect(view).toMatchObject({ name: 'pulse', nextAt: minute(40) });
  });

  test('starts one instance for a moment, whatever dies after the start', async () => {
    const fired = new Fired();
    let crashes = 0;
    const around = async (verb: StoreVerb, call: () => Promise<unknown>): Promise<unknown> => {
      if (verb !== 'schedules.advance' || crashes === 3) return call();
      crashes += 1;
      lab.crash();
      throw new EngineError('store.unreachable', 'the process is gone', { retryable: true });
    };
    const lab = await open([fired.flow()], { around });
    await lab.engine.schedule('pulse', { every: '10m', flow: 'tick' });
    await lab.advance('25m');
    expect(crashes).toBe(3);
    expect(fired.minutes()).toEqual([10, 20]);
    expect(await instancesIn(lab.store)).toBe(2);
  });

  test('starts one for a moment though every commit kills the worker', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow()], { chaos: { crashAfterEveryCommit: true } });
    await lab.engine.schedule('pulse', { every: '10m', flow: 'tick' });
    await lab.advance('35m');
    expect([...new Set(fired.minutes())]).toEqual([10, 20, 30]);
    expect(await instancesIn(lab.store)).toBe(3);
  });

  test('is not disturbed by the same spec, and begins anew with another', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow(), fired.flow('other')]);
    const spec = { every: '10m', flow: 'tick', input: { schedule: 'x', at: '', b: 1, a: [2] } };
    const schedule = await lab.engine.schedule('pulse', spec);
    await lab.advance('5m');
    const { input, ...rest } = spec;
    const { b, a, ...others } = input;
    await lab.engine.schedule('pulse', { ...rest, every: 600_000, input: { a, ...others, b } });
    expect(await schedule.next()).toBe(minute(10));
    await lab.engine.schedule('pulse', { ...spec, every: '20m' });
    expect(await schedule.next()).toBe(minute(25));
    await lab.engine.schedule('pulse', { ...spec, every: '20m', flow: 'other' });
    expect(await schedule.describe()).toMatchObject({ flow: 'other', since: minute(5) });
    await schedule.pause();
    await lab.engine.schedule('pulse', { ...spec, every: '30m' });
    expect(await schedule.describe()).toMatchObject({ status: 'paused', nextAt: null });
  });

  test('what is due stays due when only what it starts changes', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow()]);
    const spec = { every: '10m', flow: 'tick' };
    const schedule = await lab.engine.schedule('pulse', spec);
    lab.engine.parts.worker?.abandon();
    await lab.tick('15m');
    await lab.engine.schedule('pulse', { ...spec, input: { schedule: 'new', at: '' } });
    expect(await schedule.describe()).toMatchObject({ nextAt: minute(10), since: minute(0) });
  });

  test('works out its next moment anew when it is made again', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow()]);
    const spec = { cron: '0 12 * * *', timezone: 'Europe/Berlin', flow: 'tick' };
    const schedule = await lab.engine.schedule('noon', spec);
    const row = await lab.store.schedules.get('noon');
    if (row === undefined) throw new Error('it is there');
    // As if the rules of the zone were others when it was last looked at.
    const wrong = (Number(row.nextAt) + 60 * MINUTE) as Instant;
    await lab.store.schedules.advance('noon', row.version, { nextAt: wrong, lastAt: null });
    await lab.engine.schedule('noon', spec);
    expect(await schedule.next()).toBe(row.nextAt);
  });

  test('pauses, resumes from now on, fires by hand, and can be removed', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow()]);
    const spec = { every: '10m', flow: 'tick', catchUp: 'all' } as const;
    const schedule = await lab.engine.schedule('pulse', spec);
    await lab.advance('15m');
    await schedule.pause();
    await schedule.pause();
    expect(await schedule.next()).toBeNull();
    await lab.advance('33m');
    expect(fired.take()).toEqual([10]);
    const run = await schedule.trigger();
    await run.result();
    expect(fired.take()).toEqual([48]);
    await schedule.resume();
    await schedule.resume();
    expect(await schedule.next()).toBe(minute(50));
    await lab.advance('13m');
    expect(fired.take()).toEqual([50, 60]);
    await (await lab.engine.schedules.get('pulse'))?.trigger();
    expect(await schedule.next()).toBe(minute(70));
    await schedule.remove();
    await schedule.remove();
    await lab.advance('1h');
    expect(fired.take()).toEqual([61]);
    expect(await lab.engine.schedules.list()).toEqual([]);
    expect(await lab.engine.schedules.get('pulse')).toBeUndefined();
    await expect(schedule.trigger()).rejects.toMatchObject({ code: 'schedule.not-found' });
    await expect(schedule.resume()).rejects.toMatchObject({ code: 'schedule.not-found' });
    await expect(schedule.next()).rejects.toMatchObject({ code: 'schedule.not-found' });
  });

  test('with a key does not overlap itself: a moment passes while one is open', async () => {
    const begun: number[] = [];
    const slow = flow<null>('slow')
      .step('note', () => void begun.push((lab.now - LAB_BEGINS) / MINUTE))
      .sleep('nap', '15m')
      .end();
    const lab = await open([slow]);
    await lab.engine.schedule('pulse', { every: '10m', flow: slow, input: null, key: 'one' });
    await lab.advance('45m');
    expect(begun).toEqual([10, 30]);
    const skipped = lab.log.lines.filter(({ message }) => message.includes('started nothing'));
    expect(skipped.map(({ details }) => details)).toMatchObject([
      { schedule: 'pulse', at: '2026-01-01T00:20:00.000Z' },
      { schedule: 'pulse', at: '2026-01-01T00:40:00.000Z' },
    ]);
  });

  test('that would never fire is refused', async () => {
    const lab = await open([new Fired().flow()]);
    const never = lab.engine.schedule('never', { cron: '0 0 30 2 *', flow: 'tick' });
    await expect(never).rejects.toMatchObject({ code: 'schedule.invalid' });
    expect(await lab.engine.schedules.list()).toEqual([]);
  });
});

onEveryStore('what a schedule missed', (open) => {
  test('fires once, all of it, or not at all, and then goes on where it would be', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow()]);
    for (const catchUp of ['once', 'all', 'skip'] as const) {
      await lab.engine.schedule(catchUp, { every: '10m', flow: 'tick', catchUp });
    }
    await lab.advance('15m');
    await downFor(lab, '50m');
    expect(fired.minutes('once')).toEqual([10, 60]);
    expect(fired.minutes('all')).toEqual([10, 20, 30, 40, 50, 60]);
    expect(fired.minutes('skip')).toEqual([10]);
    await lab.advance('15m');
    expect(fired.minutes('once').slice(2)).toEqual([70, 80]);
    expect(fired.minutes('all').slice(6)).toEqual([70, 80]);
    expect(fired.minutes('skip').slice(1)).toEqual([70, 80]);
    expect(lab.log.lines).toEqual([]);
  });

  test('SCHEDULE_CATCH_UP_MAX: of more the latest ones fire, and the log says so', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow()], { limits: { SCHEDULE_CATCH_UP_MAX: 5 } });
    await lab.engine.schedule('all', { every: '10m', flow: 'tick', catchUp: 'all' });
    await downFor(lab, '50m');
    expect(fired.take()).toEqual([10, 20, 30, 40, 50]);
    expect(lab.log.lines).toEqual([]);
    await downFor(lab, '60m');
    expect(fired.take()).toEqual([70, 80, 90, 100, 110]);
    expect(lab.log.lines).toMatchObject([
      {
        level: 'warn',
        details: {
          schedule: 'all',
          ...{ from: '2026-01-01T01:00:00.000Z', until: '2026-01-01T01:10:00.000Z' },
        },
      },
    ]);
  });

  test('more than is fired together is fired all the same', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow()]);
    await lab.engine.schedule('all', { every: '1m', flow: 'tick', catchUp: 'all' });
    await downFor(lab, '250m');
    const all = Array.from({ length: 250 }, (_, n) => n + 1);
    expect(fired.take().toSorted((a, b) => a - b)).toEqual(all);
    expect(await instancesIn(lab.store)).toBe(250);
  });

  test('SCHEDULE_LATE_MS_MAX: to skip is to fire what is no later than that', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow()]);
    await lab.engine.schedule('skip', { every: '10m', flow: 'tick', catchUp: 'skip' });
    await downFor(lab, '11m');
    expect(fired.take()).toEqual([10]);
    await downFor(lab, 10 * MINUTE + 1);
    expect(fired.take()).toEqual([]);
    await lab.advance('9m');
    expect(fired.take()).toEqual([30]);
  });

  test('cron and a pause: nothing of what a pause missed fires', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow()]);
    const spec = { cron: '*/10 * * * *', flow: 'tick', catchUp: 'all' } as const;
    const schedule = await lab.engine.schedule('all', spec);
    await downFor(lab, '35m');
    expect(fired.take()).toEqual([10, 20, 30]);
    await schedule.pause();
    await downFor(lab, '1h');
    await schedule.resume();
    await lab.advance('10m');
    expect(fired.take()).toEqual([100]);
  });
});

onEveryStore('P12: a schedule that goes wrong', (open) => {
  test('an input that no longer fits stops neither it nor the others for good', async () => {
    const fired = new Fired();
    let isFit = true;
    const validate = (value: unknown) =>
      isFit ? { value: value as null } : { issues: [{ message: 'not today' }] };
    const input = { '~standard': { version: 1, vendor: 'test', validate } } as const;
    const began: number[] = [];
    const picky = flow('picky', { input })
      .step('note', () => void began.push((lab.now - LAB_BEGINS) / MINUTE))
      .end();
    const lab = await open([fired.flow(), picky]);
    await lab.engine.schedule('picky', { every: '10m', flow: picky, input: null });
    await lab.engine.schedule('other', { every: '10m', flow: 'tick' });
    isFit = false;
    await lab.advance('25m');
    isFit = true;
    await lab.advance('20m');
    expect(began).toEqual([30, 40]);
    expect(fired.minutes('other')).toEqual([10, 20, 30, 40]);
    expect(lab.log.lines.map(({ details }) => details)).toMatchObject([
      { schedule: 'picky', problem: expect.stringContaining('not today') },
      { schedule: 'picky' },
    ]);
    isFit = false;
    const again = lab.engine.schedule('picky', { every: '1h', flow: picky, input: null });
    await expect(again).rejects.toMatchObject({ code: 'input.invalid' });
  });

  test('one whose spec cannot be read is said, left alone, and hides no other', async () => {
    const fired = new Fired();
    const lab = await open([fired.flow()]);
    const times = { nextAt: minute(1) as Instant, lastAt: null, since: minute(0) as Instant };
    for (const spec of ['{', 'null', '{"cron":"* * * * *","timezone":"UTC","every":7}']) {
      const row = { name: `bad ${spec}`, flow: 'tick', spec, status: 'active', ...times } as const;
      await lab.store.schedules.put(row, null);
    }
    await lab.engine.schedule('good', { every: '1m', flow: 'tick' });
    await lab.advance('3m');
    expect(fired.minutes()).toEqual([1, 2, 3]);
    const said = lab.log.lines.filter(({ level }) => level === 'error');
    expect(new Set(said.map(({ message }) => message))).toEqual(
      new Set(['a schedule cannot be read here']),
    );
    const views = await lab.engine.schedules.list();
    expect(views.map(({ spec }) => spec === null)).toEqual([true, true, true, false]);
    // A process that can read it finds what was due.
    expect(views.map(({ nextAt }) => nextAt)).toEqual([1, 1, 1, 4].map(minute));
    const bad = await lab.engine.schedules.get('bad {');
    await expect(bad?.trigger()).rejects.toMatchObject({ code: 'schedule.invalid' });
  });
});

describe('limits', () => {
  test('have the values that the page says', async () => {
    const { LIMITS } = await import('../model/limits.ts');
    const { SCHEDULE_CATCH_UP_MAX, SCHEDULE_LATE_MS_MAX } = LIMITS;
    expect([SCHEDULE_CATCH_UP_MAX, SCHEDULE_LATE_MS_MAX]).toEqual([1_000, MINUTE]);
  });
});
