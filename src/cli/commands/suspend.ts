/** `perdure suspend` and `perdure resume`: hold instances where they are, and let them go on. */
import type { Acting, Action, Engine } from '../../index.ts';
import { answer, type Desk, type Part } from '../desk.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { badCommand } from '../failing.ts';
import { filterOf } from '../filter.ts';
import { checkFlow } from '../known-flow.ts';
import {
  actingOf,
  actingOptions,
  bulkOptions,
  checkOne,
  operate,
  type OperatorOptions,
} from '../operator.ts';
import { withEngine } from '../stores.ts';
import { readFlowName } from '../words.ts';

type Verb = Extract<Action, { do: 'suspend' | 'resume' }>['do'];

export const suspend: Part = (program, desk) => {
  const command = program
    .command('suspend [id]')
    .description('hold an instance, all that a filter finds, or with --flow alone a whole flow');
  bulkOptions(actingOptions(command)).action(holding(desk, 'suspend'));
};

export const resume: Part = (program, desk) => {
  const command = program
    .command('resume [id]')
    .description('let what is suspended go on: an instance, many, or with --flow alone a flow');
  bulkOptions(actingOptions(command)).action(holding(desk, 'resume'));
};

type Held = (id: string | undefined, options: OperatorOptions) => Promise<void>;

function holding(desk: Desk, verb: Verb): Held {
  return async (id, options) => {
    const { flow } = options;
    // With anything beside it, the flow is one of the things by which instances are found.
    const alone = Object.keys(filterOf(options)).every((name) =>
      ['flow', 'version'].includes(name),
    );
    const whole = id === undefined && flow !== undefined && alone;
    desk.end(
      await (whole
        ? holdFlow(desk, verb, flow, options)
        : operate(desk, id, { do: verb }, options)),
    );
  };
}

async function holdFlow(
  desk: Desk,
  verb: Verb,
  flow: string,
  options: OperatorOptions,
): Promise<ExitCode> {
  checkOne(`${verb} --flow`, options);
  const isDry = options.dryRun === true;
  if (flow === EVERYTHING && options.yes !== true && !isDry) await askFirst(desk, verb);
  return withEngine(desk, options, async (engine, { store }) => {
    if (flow !== EVERYTHING) await checkFlow(store, readFlowName(flow));
    if (isDry) {
      const { name, version } = readFlowName(flow);
      const would = await engine.flows.preview(verb, name, version);
      answer(desk, options, { flow, dryRun: true, ...would }, () => {
        return `${verb} --flow ${flow} would come to this: ${countsIn(would)}`;
      });
      return EXIT.fine;
    }
    const done = await hold(engine, verb, flow, actingOf(desk, options));
    answer(desk, options, { flow, ...done }, () => {
      const state = verb === 'suspend' ? 'is suspended' : 'goes on';
      return `${desk.terminal.paint('green', '✓')} ${flow} ${state}: ${countsIn(done)}`;
    });
    return EXIT.fine;
  });
}

const EVERYTHING = '*';

/** One flow is what was named; everything is more than anyone has in view. */
async function askFirst({ terminal }: Desk, verb: Verb): Promise<void> {
  const answered = await terminal.confirm(`${verb} every flow of this store?`);
  if (answered === true) return;
  const why = answered === null ? 'say --yes: nobody is here to be asked' : 'nothing was done';
  throw badCommand(`${verb} of every flow was not confirmed; ${why}`);
}

function hold(engine: Engine, verb: Verb, flow: string, acting: Acting): Promise<object> {
  const { name, version } = readFlowName(flow);
  return engine.flows[verb](name, version, acting);
}

/** `{ suspended: 3 }` is `3 suspended`. */
function countsIn(done: object): string {
  return Object.entries(done)
    .map(([name, count]) => `${String(count)} ${name}`)
    .join(', ');
}
