/** `perdure start FLOW|FILE`: starts an instance and leaves it to whoever works on the store. */
import { createEngine, type Flow, type Run } from '../../index.ts';
import {
  answer,
  type Desk,
  type JsonOptions,
  jsonOption,
  type Part,
  type StoreOptions,
  storeOption,
} from '../desk.ts';
import { checkDefined } from '../diagnostics.ts';
import { type HostFlags, hostOf, hostOptions } from '../host.ts';
import { checkFlow } from '../known-flow.ts';
import { chosenFlow, isFile, readDefinitions } from '../modules.ts';
import { placeOf, talkLogger, withEngine } from '../stores.ts';
import { readJson, readWhole } from '../words.ts';
import { startOptions } from './run.ts';

interface BeginOptions extends JsonOptions, StoreOptions, HostFlags {
  readonly input?: string;
  readonly flow?: string;
  readonly key?: string;
  readonly id?: string;
  readonly tenant?: string;
  readonly priority?: string;
  readonly existing?: boolean;
}

export const start: Part = (program, desk) => {
  const command = startOptions(program.command('start <flow-or-file>'))
    .description('start an instance, for whoever works on the store to run')
    .option('--tenant <tenant>', 'whose it is')
    .option('--priority <number>', 'higher ones are run first')
    .option('--existing', 'take the one that has the key or the id already');
  hostOptions(command)
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((what: string, options: BeginOptions) => begin(desk, what, options));
};

async function begin(desk: Desk, what: string, options: BeginOptions): Promise<void> {
  const { id, key, tenant, priority, existing } = options;
  const { terminal } = desk;
  const input = options.input === undefined ? {} : readJson(terminal, '--input', options.input);
  const starting = {
    ...(id === undefined ? {} : { id }),
    ...(key === undefined ? {} : { key }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(priority === undefined ? {} : { priority: readWhole('--priority', priority) }),
    ...(existing === true ? { onConflict: 'existing' as const } : {}),
  };
  const tell = async (run: Run): Promise<void> => {
    const status = await run.status();
    answer(desk, options, { id: run.id, status }, () => run.id);
  };
  // By the plan that some program has stored: its code is not needed to begin.
  if (!isFile(desk.terminal, what)) {
    return withEngine(desk, options, async (engine, { store }) => {
      await checkFlow(store, { name: what });
      await tell(await engine.start(what, input as never, starting));
    });
  }
  const { flows, flow } = await definedIn(desk, what, options);
  const { store } = await placeOf(desk, options);
  const logger = talkLogger(terminal);
  const host = hostOf(terminal, options, what);
  const engine = await createEngine({ store, flows, worker: false, logger, ...host });
  try {
    await tell(await engine.start(flow as Flow<unknown>, input, starting));
  } finally {
    await engine.close();
  }
}

async function definedIn(
  { terminal }: Desk,
  file: string,
  { flow }: BeginOptions,
): Promise<{ flows: readonly Flow[]; flow: Flow }> {
  const defined = await readDefinitions(terminal, file);
  await checkDefined(terminal, defined);
  return { flows: defined.flows, flow: chosenFlow(defined, flow) };
}
