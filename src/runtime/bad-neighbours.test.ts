/**
 * P12 in one picture: an instance of every bad kind beside thirty ordinary ones, on one worker.
 * What each of them comes to by itself is told where its kind is tested; here it is the others.
 */
import { expect, test } from 'vitest';
import type { InstanceRows } from '../model/instance.ts';
import { event } from '../frontends/builder/event-type.ts';
import { flow } from '../frontends/builder/flow.ts';
import { LIMITS } from '../model/limits.ts';
import { type Lab, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import type { Around } from '../testing/wrapped-store.ts';
import type { Run } from './run.ts';

const ORDINARY = 30;

/** Works, sleeps, hears and works again: every way in which an instance needs its worker. */
const ordinary = flow<number>('ordinary')
  .step('one', ({ input }) => input)
  .sleep('nap', '1m')
  .waitFor('word', { event: event<string>('word') })
  .step('two', ({ input, results }) => `${results.word} ${input}`)
  .end(({ results }) => results.two);

const throwing = flow<null>('throwing')
  .step('act', () => Promise.reject(new Error('again')), { retry: { maxAttempts: 20 } })
  .end();
const spinning = flow<null>('spinning')
  .repeat('round', { while: () => true }, (b) => b)
  .end();
const odd = flow<null>('odd')
  .step('act', (): unknown => ({ at: 1n }))
  .end();
const huge = flow<null>('huge')
  .step('act', () => 'x'.repeat(LIMITS.VALUE_CHARS_MAX + 1))
  .end();
const hanging = flow<null>('hanging')
  .step('act', () => new Gate<null>().opened, { timeout: '20s' })
  .end();
const spoilt = flow<null>('spoilt').sleep('nap', '30s').end();

/** Has its worker die each time it is run. */
const killing = (lab: () => Lab) =>
  flow<null>('killing')
    .step('act', () => {
      lab().crash();
      return new Gate<null>().opened;
    })
    .end();

/** Of one of them the rows come back as nobody has written them. */
const spoiling: Around = async (verb, call) => {
  const answer = await call();
  if (verb !== 'load') return answer;
  return (answer as readonly (InstanceRows | undefined)[]).map((rows) =>
    rows?.head.id === 'spoilt' ? { ...rows, scopes: [] } : rows,
  );
};

async function codeOf(run: Run): Promise<string | null> {
  return (await run.inspect()).fault?.code ?? null;
}

onEveryStore('P12: beside instances that throw, spin, hang, kill and are spoilt', (open) => {
  test('all the others come to their end as if they were alone', async () => {
    const killer = killing(() => lab);
    const flows = [ordinary, throwing, spinning, odd, huge, hanging, spoilt, killer];
    const limits = { MOVES_PER_COMMIT: 100, MOVES_WITHOUT_REST_MAX: 2_000 };
    const lab = await open(flows, { around: spoiling, limits, poll: '1s' });
    const { engine } = lab;
    await engine.start(spoilt, null, { id: 'spoilt' });
    const bad = await Promise.all([
      engine.start(throwing, null),
      engine.start(spinning, null),
      engine.start(odd, null),
      engine.start(huge, null),
      engine.start(hanging, null),
      engine.start(killer, null),
    ]);
    const runs = await Promise.all(
      Array.from({ length: ORDINARY }, (_, n) => engine.start(ordinary, n, { key: `o-${n}` })),
    );
    for (const n of runs.keys()) {
      await engine.publish({ type: 'word', key: `o-${n}`, data: 'hello' });
    }
    for (let seconds = 0; seconds < 200; seconds += 1) await lab.tick('1s');

    const outputs = await Promise.all(runs.map(async (run) => (await run.inspect()).output));
    expect(outputs).toEqual(runs.map((_, n) => `hello ${n}`));
    expect(await engine.check({ ids: runs.map(({ id }) => id) })).toMatchObject({ ok: true });
    expect(await Promise.all(bad.map(codeOf))).toEqual([
      'handler.threw',
      'flow.spins',
      'handler.result-not-json',
      'handler.result-too-large',
      'step.timeout',
      'LEASE_EXPIRED',
    ]);
    expect(lab.log.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        details: expect.objectContaining({ instance: 'spoilt' }),
      }),
    );
  });
});
