/**
 * One contender, as a process. It does what it is told, one thing after the other, and answers each
 * with what came of it; what it throws is an answer too. It ends with whoever started it.
 */
import type { Answers, Command, Introduction, Reply, Stay, Weight } from './commands.ts';
import type { Contender } from './contender.ts';
import { CONTENDERS } from './contenders.ts';
import { alone, lap, timed, verbOf } from './lap.ts';

const MARK_MS = 10;
const MB = 1_048_576;

const {
  contender: name,
  place,
  lanes,
  works,
  postmaster,
} = JSON.parse(process.argv[2] ?? '') as Introduction;
const load = await CONTENDERS[name].load();

/** What it is while it stays open over several commands. */
let opened: Contender | undefined;
let steps = 0;
let lastStepAt = 0;
let marks: [number, number][] = [];
let rssMbMax = 0;
let marker: NodeJS.Timeout | undefined;

const setup = { place, lanes, works, onStep };

function onStep(): void {
  steps += 1;
  lastStepAt = performance.now();
}

process.once('disconnect', () => process.exit());
process.on('message', (command: Command) => {
  const reply = (said: Reply): unknown => process.send?.(said);
  obey(command).then(
    (answer) => reply({ answer }),
    (thrown: unknown) => {
      reply({ failed: thrown instanceof Error ? `${thrown.stack}` : String(thrown) });
    },
  );
});
process.send?.({ answer: null } satisfies Reply);

async function obey(command: Command): Promise<Answers[keyof Answers]> {
  switch (command.do) {
    case 'lap': {
      const { flow, ms } = command;
      return during((contender) => lap(contender, { flow, lanes, ms, postmaster }));
    }
    case 'alone':
      return during((contender) => {
        const run = verbOf(contender, 'run');
        return alone(command.times, () => timed(() => run(command.flow)));
      });
    case 'messages':
      return during((contender) => alone(command.times, verbOf(contender, 'message')));
    case 'enqueue':
      return during((contender) => nothing(verbOf(contender, 'enqueue')(command.count)));
    case 'enqueue-waiting':
      return during((contender) => nothing(verbOf(contender, 'enqueueWaiting')(command.count)));
    case 'open':
      if (command.marks) beginMarks();
      opened = await load(setup);
      return null;
    case 'look': {
      const { user, system } = process.cpuUsage();
      return { steps, calls: opened?.calls?.() ?? null, cpuMs: (user + system) / 1_000 };
    }
    case 'weigh':
      return weigh();
    case 'close':
      await opened?.close();
      return endMarks();
  }
}

async function nothing(act: Promise<unknown>): Promise<null> {
  await act;
  return null;
}

async function during<T>(act: (contender: Contender) => Promise<T>): Promise<T> {
  const contender = await load(setup);
  const answer = await act(contender);
  await contender.close();
  return answer;
}

function beginMarks(): void {
  marks = [];
  steps = 0;
  rssMbMax = 0;
  marker = setInterval(mark, MARK_MS);
}

/** The moment is that of the last step, not of whoever looks. */
function mark(): void {
  rssMbMax = Math.max(rssMbMax, process.memoryUsage.rss() / MB);
  if (steps > 0 && marks.at(-1)?.[1] !== steps) {
    marks.push([performance.timeOrigin + lastStepAt, steps]);
  }
}

function endMarks(): Stay {
  clearInterval(marker);
  mark();
  return { rssMbMax, marks };
}

/** Twice: what the first collection only marks, the second takes away. */
function weigh(): Weight {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMb: (heapUsed + external) / MB, rssMb: rss / MB };
}
