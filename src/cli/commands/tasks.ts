/** `perdure tasks`: what waits for people, by any of these filters. */
import type { Command } from 'commander';
import type { TaskFilter, TaskView } from '../../index.ts';
import {
  answer,
  choiceOption,
  type Desk,
  type JsonOptions,
  jsonOption,
  type Part,
  sayMore,
  type StoreOptions,
  storeOption,
} from '../desk.ts';
import { badCommand } from '../failing.ts';
import { checkFlow } from '../known-flow.ts';
import { forText } from '../people.ts';
import { agoText } from '../spans.ts';
import { withEngine } from '../stores.ts';
import { meant } from '../../base/nearest.ts';
import { type Column, tableText } from '../table.ts';
import { readMoment, readWhole } from '../words.ts';

/** Most of what a filter takes, as a word of the command line. */
type Words = { readonly [Field in Exclude<keyof TaskFilter, 'group' | 'unassigned'>]?: string };

interface TasksOptions extends JsonOptions, StoreOptions, Words {
  readonly unassigned?: boolean;
  readonly group?: readonly string[];
}

const KINDS = ['task', 'approval'] as const;
const ORDERS = ['created', 'due', 'priority'] as const;
const LIMIT_DEFAULT = '50';

export const tasks: Part = (program, desk) => {
  const command = program.command('tasks').description('list what waits for people, oldest first');
  momentOptions(peopleOptions(command))
    .addOption(choiceOption('--kind <kind>', 'of this kind', KINDS))
    .option('--instance <id>', 'of this instance')
    .option('--flow <name>', 'of this flow')
    .option('--node <name>', 'of this node')
    .option('--key <key>', 'with this business key')
    .option('--tenant <tenant>', 'of this tenant')
    .option('--priority <number>', 'at least so urgent')
    .addOption(choiceOption('--order <order>', 'by this', ORDERS))
    .option('--limit <count>', 'at most so many', LIMIT_DEFAULT)
    .option('--cursor <cursor>', 'go on where a page ended')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((options: TasksOptions) => list(desk, options));
};

function peopleOptions(command: Command): Command {
  return command
    .option('--actor <name>', 'what this person can do: theirs, or open to them or to all')
    .option('--group <name...>', 'groups of the actor; alone, what is open to this group')
    .option('--assignee <name>', 'assigned to this person')
    .option('--candidate <name>', 'open to this person by name, or to all')
    .option('--unassigned', "nobody's yet");
}

function momentOptions(command: Command): Command {
  return command
    .option('--due-after <moment>', 'due at this moment or later')
    .option('--due-before <moment>', 'due before this moment')
    .option('--follow-up-after <moment>', 'to be asked after at this moment or later')
    .option('--follow-up-before <moment>', 'to be asked after before this moment')
    .option('--created-after <moment>', 'opened at this moment or later')
    .option('--created-before <moment>', 'opened before this moment');
}

async function list(desk: Desk, options: TasksOptions): Promise<void> {
  const filter = filterOf(options);
  const { flow } = options;
  await withEngine(desk, options, async (engine, { store }) => {
    if (flow !== undefined) await checkFlow(store, { name: flow });
    const page = await engine.tasks.list(filter);
    answer(desk, options, page, () => tableOf(desk, page.tasks));
    sayMore(desk, options, page.cursor);
  });
}

function filterOf(options: TasksOptions): TaskFilter {
  const { instance, flow, node, tenant, key, assignee, unassigned, actor, candidate } = options;
  const { priority, limit = LIMIT_DEFAULT, cursor } = options;
  const kind = oneOf('--kind', options.kind, KINDS);
  const order = oneOf('--order', options.order, ORDERS);
  const said = { kind, instance, flow, node, tenant, key, assignee, actor, candidate, order };
  return {
    ...given({ ...said, cursor }),
    ...groupsOf(options),
    ...momentsOf(options),
    ...(unassigned === true ? { unassigned } : {}),
    ...(priority === undefined
      ? {}
      : { priority: readWhole('--priority', priority, Number.MIN_SAFE_INTEGER) }),
    limit: readWhole('--limit', limit, 1),
  };
}

/** Without what was left out. */
function given(options: { readonly [Field in keyof TaskFilter]: TaskFilter[Field] | undefined }) {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as TaskFilter;
}

function groupsOf({ actor, group }: TasksOptions): Pick<TaskFilter, 'group' | 'groups'> {
  if (group === undefined) return {};
  if (actor !== undefined) return { groups: group };
  const [only, ...more] = group;
  if (only !== undefined && more.length === 0) return { group: only };
  throw badCommand('several groups are those of somebody: say --actor NAME, or one group alone');
}

const MOMENTS = [
  ...(['dueAfter', 'dueBefore', 'followUpAfter', 'followUpBefore'] as const),
  ...(['createdAfter', 'createdBefore'] as const),
];

function momentsOf(options: TasksOptions): TaskFilter {
  const read = MOMENTS.flatMap((name) => {
    const word = options[name];
    if (word === undefined) return [];
    const option = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return [[name, readMoment(`--${option}`, word)]];
  });
  return Object.fromEntries(read) as TaskFilter;
}

function oneOf<Word extends string>(
  option: string,
  word: string | undefined,
  words: readonly Word[],
): Word | undefined {
  const known = words.find((each) => each === word);
  if (word === undefined || known !== undefined) return known;
  throw badCommand(`${option} has no "${word}": ${meant(word, words)}`);
}

function tableOf({ terminal }: Desk, found: readonly TaskView[]): string {
  if (found.length === 0) return 'no tasks';
  const now = Date.now();
  const columns: readonly Column<TaskView>[] = [
    { title: 'ID', text: ({ id }) => id },
    { title: 'KIND', text: ({ kind }) => kind },
    { title: 'TITLE', text: ({ title, node }) => title ?? node, gives: true },
    { title: 'FLOW', text: ({ flow, version }) => `${flow}@${version}`, gives: true },
    { title: 'KEY', text: ({ key }) => key ?? '', gives: true },
    { title: 'FOR', text: forText, gives: true },
    { title: 'PRIORITY', text: ({ priority }) => String(priority) },
    { title: 'DUE', text: ({ due }) => (due === null ? '' : agoText(due, now)) },
    { title: 'OPENED', text: ({ createdAt }) => agoText(createdAt, now) },
  ];
  return tableText(columns, found, terminal.columns);
}
