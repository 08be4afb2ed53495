/**
 * The program the README starts, killed with SIGKILL at random moments and started again, until
 * fifty kills have met a living process. What its handlers print is the ledger outside the engine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createEngine } from 'perdure';
import { sqlite } from 'perdure/sqlite';
import { expect, test } from 'vitest';
import { Dice } from '../src/testing/dice.ts';

const KILLS = 50;
/** Most of a run lies within this; a kill is drawn from it, or from the lines the run prints. */
const RUN_MS = 900;
const SEED = 20_261_115;

interface Life {
  readonly lines: readonly string[];
  readonly killed: boolean;
}

test('an order killed at 50 random moments ends as if nothing had happened', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-'));
  const file = join(folder, 'orders.db');
  const dice = new Dice(SEED);
  const orders = new Map<string, string[]>();
  for (let kills = 0, number = 1; kills < KILLS; number += 1) {
    const lines: string[] = [];
    orders.set(`order-${number}`, lines);
    for (let done = false; !done; ) {
      const life = await live([file, `order-${number}`], kills < KILLS ? dice : null);
      lines.push(...life.lines);
      if (life.killed) kills += 1;
      done = life.lines.some((line) => line.includes('done:'));
    }
  }
  for (const [number, lines] of orders) checkLedger(number, lines);
  await checkStore(file, [...orders.keys()]);
  rmSync(folder, { recursive: true });
}, 180_000);

/** One life of the process: to its natural end, or to a kill at a random moment or line. */
async function live(args: readonly string[], dice: Dice | null): Promise<Life> {
  const program = join(import.meta.dirname, 'order.ts');
  const child = spawn(process.execPath, ['--conditions=perdure-source', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const byLine = dice !== null && dice.roll(3) === 0 ? dice.roll(5) : -1;
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (lines.length - 1 === byLine) child.kill('SIGKILL');
  });
  const timer = dice === null || byLine >= 0 ? null : killLater(child, dice.roll(RUN_MS));
  await once(child, 'close');
  if (timer !== null) clearTimeout(timer);
  expect(child.exitCode === 0 || child.signalCode === 'SIGKILL').toBe(true);
  return { lines, killed: child.signalCode === 'SIGKILL' };
}

function killLater(child: ChildProcess, ms: number): NodeJS.Timeout {
  return setTimeout(() => child.kill('SIGKILL'), ms);
}

/** Every handler at least once, and the one result there is. */
function checkLedger(number: string, lines: readonly string[]): void {
  const all = lines.join('\n');
  for (const did of ['reserved A1', 'shipped from shelf A1-7', 'invoiced 42', 'is arrived']) {
    expect(all, number).toContain(did);
  }
  const results = lines.flatMap((line) => /done: (.*), \d+ commits/.exec(line)?.[1] ?? []);
  expect(new Set(results), number).toEqual(new Set(['tracking T-A1-7, total 42']));
}

/** Every result committed once: one write for each step and pass, and all promises kept. */
async function checkStore(file: string, numbers: readonly string[]): Promise<void> {
  const engine = await createEngine({ store: sqlite(file), worker: false });
  expect(await engine.check()).toMatchObject({ ok: true, instances: numbers.length, stalled: [] });
  for (const number of numbers) {
    const run = await engine.get(number);
    const changes = ((await run?.history()) ?? []).flatMap((row) => row.changes);
    const born = changes.flatMap((change) =>
      change.did === 'birth-token' && change.token.handler !== undefined ? [change.token.id] : [],
    );
    const ended = changes.flatMap((change) => (change.did === 'end-token' ? [change.token] : []));
    expect(born.length, number).toBe(6);
    for (const token of born) expect(ended.filter((id) => id === token)).toEqual([token]);
  }
  await engine.close();
}
