/** One side of a race, as a process: told how long, it runs a lap and says what came of it. */
import { lap } from './measure.ts';
import { WORKLOADS } from './workloads.ts';

const [, , workload = '', index = ''] = process.argv;
const { ours, peers } = WORKLOADS[workload] ?? {};
if (ours === undefined || peers === undefined) throw new Error(`there is no "${workload}"`);
const contenders = index === 'ours' ? [ours()] : await peers();
const contender = contenders[index === 'ours' ? 0 : Number(index)];
process.send?.({ name: contender?.name ?? null, sides: contenders.length });
process.on('message', (ms: number) => {
  if (contender === undefined) return;
  void lap(contender, ms).then((sample) => process.send?.(sample));
});
