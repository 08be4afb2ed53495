/** Two programs that hand in batches at the same time, and what must hold when they are done. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import type { InstanceRows } from '../model/instance.ts';
import type { Store } from '../stores/store.ts';

const STORM = join(import.meta.dirname, 'batch-storm.ts');
const MANY = 1_000_000;
const AT_ONCE = 200;

/** Runs one of them for each seed, and gives back the commits they say have come about. */
export async function storm(
  where: string,
  seeds: readonly number[],
  count: number,
): Promise<string[]> {
  const running = seeds.map(async (seed) => {
    const child = spawn(process.execPath, [STORM, where, String(seed), String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const gone = once(child, 'exit');
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) lines.push(line);
    expect(await gone, `the storm of seed ${seed} ends well`).toEqual([0, null]);
    return lines;
  });
  return (await Promise.all(running)).flat();
}

/** What was told is what is there: every version of every instance once, and none between. */
export async function checkAfterStorm(store: Store, told: readonly string[]): Promise<void> {
  const ids = await store.scan(null, MANY);
  const found: string[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const heads = await store.load(some);
    const histories = await Promise.all(
      some.map((instance) => store.history({ instance, after: 0, limit: MANY })),
    );
    for (const [index, history] of histories.entries()) {
      expect(history.map(({ n }) => n)).toEqual(history.map((_, before) => before + 1));
      found.push(...history.map(({ n, commitId }) => `${some[index]} ${n} ${commitId}`));
      await checkInstance(store, heads[index], history.length);
    }
  }
  expect(found.toSorted()).toEqual(told.toSorted());
}

/** Its version is that of its last commit, and while it is open it has its key to itself. */
async function checkInstance(
  store: Store,
  rows: InstanceRows | undefined,
  version: number,
): Promise<void> {
  expect(rows?.head.version).toBe(version);
  const isOpen = rows?.head.status === 'running';
  expect(rows?.tokens.length).toBe(isOpen ? 1 : 0);
  const key = rows?.head.key ?? null;
  if (isOpen && key !== null) expect(await store.findByKey('order', key, null)).toBe(rows.head.id);
}
