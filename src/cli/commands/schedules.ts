/** `perdure schedules`: flows that the clock starts. */
import { type Schedule, type ScheduleView, EngineError } from '../../index.ts';
import {
  answer,
  type Desk,
  type JsonOptions,
  jsonOption,
  type Part,
  type StoreOptions,
  storeOption,
} from '../desk.ts';
import { meant } from '../../base/nearest.ts';
import { agoText, momentText, spanText } from '../spans.ts';
import { withEngine } from '../stores.ts';
import { type Column, tableText } from '../table.ts';

type Options = JsonOptions & StoreOptions;

const VERBS = {
  pause: 'have nothing start until it is resumed',
  resume: 'go on with the next moment from now',
  remove: 'forget it; what it has started goes on',
} as const;

export const schedules: Part = (program, desk) => {
  const command = program
    .command('schedules')
    .description('flows that the clock starts: list, pause, resume, remove');
  command
    .command('list', { isDefault: true })
    .description('list them')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((options: Options) => list(desk, options));
  for (const [verb, summary] of Object.entries(VERBS)) {
    command
      .command(`${verb} <name>`)
      .description(summary)
      .addOption(storeOption())
      .addOption(jsonOption())
      .action((name: string, options: Options) => {
        return alter(desk, name, verb as keyof typeof VERBS, options);
      });
  }
};

async function list(desk: Desk, options: Options): Promise<void> {
  await withEngine(desk, options, async (engine) => {
    const all = await engine.schedules.list();
    answer(desk, options, { schedules: all }, () => tableOf(desk, all));
  });
}

function tableOf({ terminal }: Desk, all: readonly ScheduleView[]): string {
  if (all.length === 0) return 'no schedules';
  const now = Date.now();
  const columns: readonly Column<ScheduleView>[] = [
    { title: 'NAME', text: ({ name }) => name, gives: true },
    { title: 'FLOW', text: ({ flow }) => flow, gives: true },
    { title: 'WHEN', text: timesText, gives: true },
    { title: 'STATUS', text: ({ status }) => status },
    { title: 'NEXT', text: ({ nextAt }) => (nextAt === null ? '' : agoText(nextAt, now)) },
    { title: 'LAST', text: ({ lastAt }) => (lastAt === null ? '' : momentText(lastAt)) },
  ];
  return tableText(columns, all, terminal.columns);
}

function timesText({ spec }: ScheduleView): string {
  if (spec === null) return 'cannot be read by this version';
  if (!('every' in spec)) return `${spec.cron} ${spec.timezone ?? ''}`.trim();
  return `every ${typeof spec.every === 'number' ? spanText(spec.every) : String(spec.every)}`;
}

async function alter(
  desk: Desk,
  name: string,
  verb: keyof typeof VERBS,
  options: Options,
): Promise<void> {
  await withEngine(desk, options, async (engine) => {
    const schedule: Schedule | undefined = await engine.schedules.get(name);
    if (schedule === undefined) {
      const names = (await engine.schedules.list()).map((one) => one.name);
      const message = `there is no schedule "${name}": ${meant(name, names)}`;
      throw new EngineError('schedule.not-found', message, { details: { schedule: name } });
    }
    await schedule[verb]();
    answer(desk, options, { name, did: verb }, () => `${verb} ${name}: done`);
  });
}
