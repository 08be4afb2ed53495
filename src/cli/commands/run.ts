/**
 * `perdure run FILE`: runs a flow to its end and shows how it goes.
 *
 * What it has done is in the store, so that it can be told to stop at any moment: the same command
 * with the id of the instance goes on with it.
 */
import type { Command } from 'commander';
import { answer, type Desk, type JsonOptions, jsonOption, type Part } from '../desk.ts';
import { type HandlersOptions, handlersOption, type StoreOptions, storeOption } from '../desk.ts';
import { checkDefined } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { badCommand } from '../failing.ts';
import { shellWord, storeWords } from '../mending.ts';
import { chosenFlow, type Defined, readDefinitions } from '../modules.ts';
import { type HostFlags, hostOf, hostOptions, hostWords } from '../host.ts';
import { faultText } from '../telling.ts';
import { Progress } from '../progress.ts';
import { type Errand, type Running, runOn } from '../running.ts';
import { agoText, momentText, spanText } from '../spans.ts';
import { missingHandlers, type Standstill } from '../standing-still.ts';
import { exitOfSignal, type StopSignal } from '../stopping.ts';
import { type Place, placeOf } from '../stores.ts';
import { commitsText, isAway, Watch, type Watched } from '../watching.ts';
import { readJson } from '../words.ts';
import { errorBelow, workflowError } from '../workflow-errors.ts';
import type { Flow, InstanceView } from '../../index.ts';

interface RunOptions extends JsonOptions, StoreOptions, HandlersOptions, HostFlags {
  readonly input?: string;
  readonly flow?: string;
  readonly key?: string;
  readonly id?: string;
  readonly skipTime?: boolean;
}

export const run: Part = (program, desk) => {
  const command = startOptions(program.command('run <file>'))
    .description('run a flow of a file to its end, and show how it goes')
    .addOption(handlersOption())
    .option('--skip-time', 'do not wait for sleeps, timers and pauses between attempts');
  hostOptions(command)
    .addOption(storeOption())
    .addOption(jsonOption())
    .action(async (file: string, options: RunOptions) => {
      desk.end(await runFile(desk, file, options));
    });
};

/** What starting an instance takes, wherever it is started. */
export function startOptions(command: Command): Command {
  return command
    .option('--input <json>', 'what it is about: JSON, @FILE or - for stdin')
    .option('--flow <name>', 'which flow, if the file has several')
    .option('--key <key>', 'the business key: at most one open instance has it')
    .option('--id <id>', 'the id; an instance that has it is gone on with');
}

/** What was asked for, and where. */
interface Order {
  readonly desk: Desk;
  readonly options: RunOptions;
  readonly defined: Defined;
  readonly flow: Flow;
  readonly place: Place;
}

async function runFile(desk: Desk, file: string, options: RunOptions): Promise<ExitCode> {
  const { terminal } = desk;
  const { id, key, skipTime = false } = options;
  const input = options.input === undefined ? {} : readJson(terminal, '--input', options.input);
  const defined = await readDefinitions(terminal, file, options.handlers);
  const flow = chosenFlow(defined, options.flow);
  await checkDefined(terminal, defined, true);
  const host = hostOf(terminal, options, file);
  if (flow.definition.schedule !== undefined) terminal.talk(`${UNSCHEDULED}\n`);
  const place = await placeOf(desk, options);
  if (place.kind === 'memory') checkHandlers(defined, flow);
  const start = {
    ...(id === undefined ? {} : { id }),
    ...(key === undefined ? {} : { key }),
    onConflict: 'existing',
  } as const;
  const errand: Errand = { defined, flow, input, start, skipTime, host };
  const running = await runOn(desk, place, errand);
  const order = { desk, options, defined, flow, place };
  const { found } = running;
  return found !== null && found.endedAt !== null
    ? tellOver(order, running, found)
    : watchOne(order, running);
}

const UNSCHEDULED = 'it is run once, now: its schedule is for an engine that is there to keep it';

/** In memory nobody else can come who has them. */
function checkHandlers(defined: Defined, flow: Flow): void {
  const handlers = missingHandlers(defined, flow);
  if (handlers.length === 0) return;
  const what = handlers.length === 1 ? 'handler' : 'handlers';
  const message = `"${defined.file}" has no ${what} for ${handlers.join(', ')}`;
  const ways = 'export const handlers = { … }, or name the file that has them with --handlers';
  const advice = `${ways}; or run it on a store where others have them`;
  throw badCommand(`${message}: ${advice}`, { handlers });
}

async function watchOne(order: Order, running: Running): Promise<ExitCode> {
  const { desk, options, flow } = order;
  const { terminal } = desk;
  const { run, stopwatch } = running;
  const since = performance.now();
  desk.begin({ instance: run.id, advice: goesOn(order, run.id) });
  const progress = new Progress({
    ...{ terminal, flow, write: options.json === true ? terminal.talk : terminal.out },
    atWorkMs: (token) => stopwatch.atWorkMs(run.id, token),
  });
  const where = whereOf(order);
  const view = await run.inspect();
  const watched = await new Watch({ desk, running, progress, view, where }).untilOver();
  progress.end();
  if (watched.stopped !== null) return tellStopped(order, running, watched, watched.stopped);
  const code = tell(order, watched.view, watched.stuck);
  if (options.json !== true && watched.view.status === 'completed') {
    const text = timeText(running, watched.view, performance.now() - since);
    terminal.talk(`${terminal.paint('dim', text)}\n`);
  }
  desk.end(code);
  await end(desk, running);
  return code;
}

/**
 * The answer is given. What else is at work here has its time to end, unless somebody is in a
 * hurry; what a store that is away does not take back runs out by itself.
 */
async function end({ terminal }: Desk, { drain, close }: Running): Promise<void> {
  let deaf = (): void => {};
  const hurried = new Promise<void>((resolve) => {
    deaf = terminal.onStop(() => resolve());
  });
  try {
    await Promise.race([drain().then(close), hurried]);
  } catch (thrown) {
    if (!isAway(thrown)) throw thrown;
  } finally {
    deaf();
  }
}

/** How long it took; where time was skipped, how long that really was. */
function timeText({ skippedMs }: Running, view: InstanceView, realMs: number): string {
  const { createdAt, updatedAt } = view;
  const commits = `${commitsText(view)} in`;
  if (skippedMs === null) return `${commits} ${spanText(updatedAt - createdAt)}`;
  const skipped = skippedMs(createdAt, updatedAt);
  const rest = skipped === 0 ? '' : `, ${spanText(skipped)} skipped`;
  return `${commits} ${spanText(realMs)}${rest}`;
}

/** Nothing is run: what became of it is all there is to say. */
async function tellOver(order: Order, running: Running, view: InstanceView): Promise<ExitCode> {
  const { id, status, outcome, endedAt, updatedAt } = view;
  const at = endedAt ?? updatedAt;
  const since = `${momentText(at)} (${agoText(at, Date.now())})`;
  const word = shellWord(id);
  const revival =
    outcome === null
      ? `perdure revive ${word}${whereOf(order)} has it go on where it failed`
      : `perdure rerun ${word} NODE${whereOf(order)} has it go on from a node`;
  const advice = `nothing is run: another --id starts another instance`;
  order.desk.terminal.talk(
    `instance ${id} is over since ${since}: it ${status === 'canceled' ? 'was ' : ''}${status}; ` +
      `${advice}${status === 'failed' ? `, ${revival}` : ''}\n`,
  );
  const code = tell(order, view, null);
  order.desk.end(code);
  await end(order.desk, running);
  return code;
}

/** Whoever said it twice is not kept waiting: what is at work ends with the process. */
async function tellStopped(
  order: Order,
  { close }: Running,
  { view, left, isDrained }: Watched,
  signal: StopSignal,
): Promise<ExitCode> {
  const { desk, options, place } = order;
  const { id, status, output } = view;
  if (isDrained) await close();
  const isKept = left.length > 0 && place.kind !== 'memory';
  const rest = isKept ? `; ${left.join(', ')} had not ended, and will be run again` : '';
  const message = `instance ${id} is ${status}${rest}; ${goesOn(order, id)}`;
  const error = { code: 'interrupted', message, node: null };
  if (options.json === true) answer(desk, options, { id, status, output, error }, () => '');
  desk.terminal.talk(`stopped: ${message}\n`);
  return exitOfSignal(signal);
}

function tell(order: Order, view: InstanceView, stuck: readonly Standstill[] | null): ExitCode {
  const { desk, options, place } = order;
  const { id, status, output, fault } = view;
  const value = { id, status, output, error: errorIn(view, stuck) };
  answer(desk, options, value, () => {
    if (status === 'completed') return JSON.stringify(output, null, 2);
    const reasons = stuck?.map(({ text }) => text).join('; ') ?? '';
    if (stuck !== null) return `instance ${id} is ${status}, and nothing will move it: ${reasons}`;
    const why = fault === null ? '' : `: ${faultText(fault)}`;
    const below = fault === null ? '' : errorBelow(order.defined, fault);
    const where = whereOf(order);
    const word = shellWord(id);
    const more = `; more: perdure show ${word}${where}, perdure history ${word}${where}`;
    return `instance ${id} is ${status}${why}${place.kind === 'memory' ? '' : more}${below}`;
  });
  return status === 'completed' ? EXIT.fine : EXIT.failed;
}

/** Why there is no output. */
function errorIn(
  { id, status, fault }: InstanceView,
  stuck: readonly Standstill[] | null,
): object | null {
  if (status === 'completed') return null;
  if (fault !== null) {
    const { code, message, node } = fault;
    return { code, message, node, ...workflowError(fault) };
  }
  const [reason] = stuck ?? [];
  if (reason !== undefined) {
    const { code, text, node } = reason;
    return { code, message: `instance ${id} is ${status}: ${text}`, node };
  }
  const code = status === 'canceled' ? 'instance.canceled' : 'instance.waiting';
  return { code, message: `instance ${id} is ${status}`, node: null };
}

/** How it is gone on with, as a command to be copied. */
function goesOn(order: Order, id: string): string {
  const { options, defined, flow, place } = order;
  if (place.kind === 'memory') return 'it was in memory, and is gone';
  const isOneOfMany = defined.flows.some(({ name }) => name !== flow.name);
  const which = isOneOfMany ? ` --flow ${shellWord(flow.name)}` : '';
  const time = options.skipTime === true ? ' --skip-time' : '';
  const code = options.handlers === undefined ? '' : ` --handlers ${shellWord(options.handlers)}`;
  const words = `${shellWord(defined.file)}${code}${which}${whereOf(order)} --id ${shellWord(id)}`;
  return `it goes on with: perdure run ${words}${time}${hostWords(options)}`;
}

function whereOf({ desk, options, place }: Order): string {
  return storeWords(desk, options, place);
}
