/** Opens the sides of a workload, each in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Runner, Sample } from './measure.ts';

interface Sides {
  readonly ours: Runner;
  readonly peers: readonly Runner[];
  readonly close: () => void;
}

interface Opened {
  readonly child: ChildProcess;
  readonly runner: Runner;
  readonly sides: number;
}

export async function openSides(workload: string): Promise<Sides> {
  const ours = await open(workload, 'ours');
  const first = await open(workload, '0');
  const others: Opened[] = [];
  for (let at = 1; at < first.sides; at += 1) others.push(await open(workload, String(at)));
  const all = [ours, first, ...others];
  return {
    ours: ours.runner,
    peers: all.slice(1).map(({ runner }) => runner),
    close: () => {
      for (const { child } of all) child.kill();
    },
  };
}

async function open(workload: string, side: string): Promise<Opened> {
  const child = fork(join(import.meta.dirname, 'side.ts'), [workload, side]);
  const [{ name, sides }] = (await once(child, 'message')) as [{ name: string; sides: number }];
  const lap = async (ms: number): Promise<Sample> => {
    child.send(ms);
    const [sample] = (await once(child, 'message')) as [Sample];
    return sample;
  };
  return { child, runner: { name, lap }, sides };
}
