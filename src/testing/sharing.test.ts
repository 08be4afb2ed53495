/** Processes side by side on one database: who does what, and how they hear of each other. */
import { expect, test } from 'vitest';
import { onBothDatabases } from './databases.ts';
import { idle, launch, openOffice } from './told.ts';

const TASKS = 60;

onBothDatabases('several processes', (make) => {
  test.concurrent('share the work, and one without its code takes no part', async () => {
    const { place } = make();
    const office = await openOffice(place);
    const worker = { concurrency: 4 };
    const [a, b, c] = await Promise.all([
      launch({ place, name: 'A', worker }),
      launch({ place, name: 'B', worker }),
      launch({ place, name: 'C', worker, hasCode: false }),
    ]);
    const runs = await Promise.all(
      Array.from({ length: TASKS }, () => office.start('told', { takesMs: 20 })),
    );
    const names = await Promise.all(runs.map((run) => run.result()));
    await Promise.all([a, b, c].map(idle));
    expect(new Set(names)).toEqual(new Set(['A', 'B']));
    expect(names.filter((name) => name === 'A').length).toBe(begunBy(a.lines));
    expect(names.filter((name) => name === 'B').length).toBe(begunBy(b.lines));
    expect(c.lines).toEqual(['at work', 'idle']);
    expect(await office.check()).toMatchObject({ ok: true, instances: TASKS });
    await office.close();
  });

  test.concurrent('hear of work long before they would look for it', async () => {
    const { place } = make();
    const office = await openOffice(place);
    const b = await launch({ place, name: 'B', worker: { poll: '30s' } });
    for (let n = 0; n < 3; n += 1) {
      await idle(b);
      const began = b.saysNext(/^began 1$/);
      const started = performance.now();
      const run = await office.start('told', {});
      await began;
      expect(performance.now() - started).toBeLessThan(5_000);
      expect(await run.result()).toBe('B');
    }
    await office.close();
  });

  test.concurrent('end by themselves once they have closed their engine', async () => {
    const { place } = make();
    const office = await openOffice(place);
    const a = await launch({ place, name: 'A' });
    const run = await office.start('told', {});
    expect(await run.result()).toBe('A');
    a.tell('close');
    expect(await a.ended()).toBe('0');
    expect(a.lines.at(-1)).toBe('closed');
    expect(a.complaint).toBe('');
    await office.close();
  });
});

function begunBy(lines: readonly string[]): number {
  return lines.filter((line) => line === 'began 1').length;
}
