/**
 * P8 and P9 as the databases have them: random flows, a crash after every commit, and what is
 * stored is read back each time. The laws of the kernel ask the same of far more flows, in memory.
 */
import { expect, test } from 'vitest';
import { fold } from '../kernel/fold.ts';
import { assemble, rowsOf } from '../kernel/instance.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId } from '../model/ids.ts';
import type { InstanceRows } from '../model/instance.ts';
import type { Store } from '../stores/store.ts';
import { onEveryStore, type OpenLab } from '../testing/lab.ts';
import { sagaFlow } from '../testing/random-saga-flows.ts';
import type { Around } from '../testing/wrapped-store.ts';

const FLOWS = 8;
const ROWS_MAX = 10_000;

type Look = (rows: InstanceRows, history: readonly HistoryRow[], told: string) => void;

/** Plays the flows and has a look after every commit of theirs; says how many there were. */
async function playAll(open: OpenLab, look: Look): Promise<number> {
  let looks = 0;
  for (let seed = 1; seed <= FLOWS; seed += 1) {
    const { flow } = sagaFlow(seed);
    const id = `seed-${seed}` as InstanceId;
    const around: Around = async (verb, call) => {
      const answer = await call();
      if (verb !== 'commit') return answer;
      const found = await readBack(lab.store, id);
      if (found === null) return answer;
      looks += 1;
      look(found.rows, found.history, `seed ${seed}, commit ${found.history.length}`);
      return answer;
    };
    const lab = await open([flow], { around, chaos: { crashAfterEveryCommit: true } });
    const run = await lab.engine.start(flow, null as never, { id });
    await lab.advance('1h');
    expect(await run.status()).toBe('failed');
    await lab.close();
  }
  return looks;
}

async function readBack(
  store: Store,
  instance: InstanceId,
): Promise<{ rows: InstanceRows; history: readonly HistoryRow[] } | null> {
  const [rows] = await store.load([instance]);
  const history = await store.history({ instance, after: 0, limit: ROWS_MAX });
  return rows === undefined ? null : { rows, history };
}

onEveryStore('after every commit', (open) => {
  test('P8: a scope that is closed has nobody in it', async () => {
    let closed = 0;
    const looks = await playAll(open, ({ tokens, scopes }, history, told) => {
      const isOpen = new Set(scopes.map(({ id }) => id));
      for (const { id, scope } of tokens) expect(isOpen, `${told}, token ${id}`).toContain(scope);
      const inside = scopes.filter(({ parent }) => parent !== null);
      for (const { id, parent } of inside) expect(isOpen, `${told}, scope ${id}`).toContain(parent);
      const changes = history.flatMap((row) => row.changes);
      for (const { scope } of changes.filter((change) => change.did === 'close-scope')) {
        closed += 1;
        expect(isOpen, `${told}, closed`).not.toContain(scope);
      }
    });
    expect(looks).toBeGreaterThan(10 * FLOWS);
    expect(closed).toBeGreaterThan(looks);
  });

  test('P9: history folds to the stored state', async () => {
    const looks = await playAll(open, (rows, history, told) => {
      expect(history.map(({ n }) => n)).toEqual(history.map((_, index) => index + 1));
      expect(rows.head.version, told).toBe(history.length);
      expect(rowsOf(fold(rows.head.id, history)), told).toEqual(rowsOf(assemble(rows)));
    });
    expect(looks).toBeGreaterThan(10 * FLOWS);
  });
});
