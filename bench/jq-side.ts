/**
 * One library on one workload, as a process. First it says what it answers, then it does what it
 * is told for so long, and says what came of it. It ends with whoever started it.
 */
import { COMPILERS, JQ_WORKLOADS, type Library, type Order } from './jq-workloads.ts';
import { type Contender, lap, runInTurn } from './measure.ts';

const [, , name, library] = process.argv as [string, string, string, Library];
const workload = JQ_WORKLOADS[name];
if (workload === undefined) throw new Error(`there is no "${name}"`);
const { program, input, times } = workload;
const compile = await COMPILERS[library]();
const run = compile(program);

/** Work that is looked at only in what it takes. */
function contenderOf(work: () => unknown, each: number): Contender {
  const several = (): void => {
    for (let time = 0; time < each; time += 1) work();
  };
  const go = async (ms: number): Promise<number> => runInTurn(ms, several) * each;
  return { name: library, prepare: async () => ({ go, close: async () => {} }) };
}

const contenders: Readonly<Record<Order['what'], Contender>> = {
  run: contenderOf(() => run(input), times),
  compile: contenderOf(() => compile(program), 1),
};

process.once('disconnect', () => process.exit());
process.on('message', ({ what, ms }: Order) => {
  void lap(contenders[what], ms).then((sample) => process.send?.(sample));
});
// The second answer is told: of one that alters what it is given, it is another one.
run(input);
process.send?.(run(input));
