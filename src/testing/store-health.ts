/** The store suite: what a doctor is told of the work in a store. */
import { describe, expect, test } from 'vitest';
import { named, type Symptom } from '../stores/health.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import { HANDLER, start, suspendedSince, token } from './store-commits.ts';

const MINUTE_MS = 60_000;

async function ask(bench: Bench, name: string): Promise<Symptom | undefined> {
  return named(await bench.store.health.diagnose({ full: true, crashes: 2 }), name);
}

export function healthCases(open: OpenBench): void {
  describe('health', () => {
    test('a store in which nothing lies about says so', async () => {
      const bench = await open();
      for (const name of ['incidents', 'overdue', 'crashes']) {
        expect(await ask(bench, name)).toMatchObject({ status: 'ok', advice: null });
      }
    });

    test('tokens that wait to be mended are counted', async () => {
      const bench = await open();
      const wait = { on: 'incident', can: ['retry'] } as const;
      const tokens = [token(2, { status: 'waiting', handler: null, wait })];
      await bench.given(
        start('a', { rows: { tokens } }),
        start('b', { rows: { tokens } }),
        start('c'),
      );
      const found = '2 tokens wait to be mended: a, b';
      expect(await ask(bench, 'incidents')).toMatchObject({ status: 'warn', found });
    });

    test('work that nobody begins is said by its handler, and what is claimed is not', async () => {
      const bench = await open();
      await bench.given(start('a'), start('b'), start('c'));
      bench.setTime(MINUTE_MS - 1);
      expect(await ask(bench, 'overdue')).toMatchObject({ status: 'ok' });
      await bench.claimFirst();
      bench.setTime(2 * MINUTE_MS);
      const found = `due, and nobody begins it: ${HANDLER} (2, for 120 s)`;
      expect(await ask(bench, 'overdue')).toMatchObject({ status: 'warn', found });
    });

    test('work of an instance that is suspended is not overdue', async () => {
      const bench = await open();
      await bench.given(start('a', { head: suspendedSince(1), rows: { pausing: true } }));
      bench.setTime(2 * MINUTE_MS);
      expect(await ask(bench, 'overdue')).toMatchObject({ status: 'ok' });
    });

    test('tokens that have cost workers their lives are counted', async () => {
      const bench = await open();
      const crashed = (crashes: number) => ({ rows: { tokens: [token(2, { crashes })] } });
      await bench.given(start('a', crashed(1)), start('b', crashed(2)), start('c', crashed(7)));
      const found = '2 tokens have cost workers their lives, one of them 7';
      expect(await ask(bench, 'crashes')).toMatchObject({ status: 'warn', found });
    });

    test('what is open has every migration', async () => {
      const bench = await open();
      expect((await bench.store.health.migrations()).missing).toEqual([]);
    });
  });
}
