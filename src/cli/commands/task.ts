/** `perdure task ID`: what is to be done, by whom, and what was done so far. */
import type { TaskView, Vote } from '../../index.ts';
import {
  answer,
  type Desk,
  type JsonOptions,
  jsonOption,
  type Part,
  type StoreOptions,
  storeOption,
} from '../desk.ts';
import { brief } from '../telling.ts';
import { forText, taskOf } from '../people.ts';
import { entryText, namesText } from '../people-words.ts';
import { plainLine } from '../plain.ts';
import { agoText, momentText } from '../spans.ts';
import { withEngine } from '../stores.ts';
import { type Fact, factLines } from '../table.ts';

export const task: Part = (program, desk) => {
  program
    .command('task <task>')
    .description('what a task is about, whom it is for, and what was done with it')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((id: string, options: JsonOptions & StoreOptions) => showOne(desk, id, options));
};

async function showOne(desk: Desk, id: string, options: JsonOptions & StoreOptions): Promise<void> {
  await withEngine(desk, options, async (engine) => {
    const found = await taskOf(engine, id);
    answer(desk, options, found, () => textOf(desk, found, Date.now()));
  });
}

function textOf({ terminal }: Desk, found: TaskView, now: number): string {
  const trail = found.trail.map((entry) =>
    plainLine(`${momentText(entry.at)}  ${entryText(entry)}`),
  );
  const heading = trail.length === 0 ? [] : ['', terminal.paint('bold', 'what was done')];
  return [...headLines(found, now), ...heading, ...trail].join('\n');
}

function headLines(found: TaskView, now: number): readonly string[] {
  const { id, kind, title, flow, version, node, instance, key, tenant, priority } = found;
  const when = (at: number | null): string | null =>
    at === null ? null : `${momentText(at)} (${agoText(at, now)})`;
  return factLines([
    ['task', id],
    ['title', title],
    ['kind', kind],
    ['for', forText(found)],
    ...(found.kind === 'task' ? taskRows(found) : approvalRows(found)),
    ['flow', `${flow}@${version}, at ${node}`],
    ['instance', found.suspended ? `${instance}, suspended` : instance],
    ['key', key],
    ['tenant', tenant],
    ['priority', String(priority)],
    ['opened', when(found.createdAt)],
    ['due', when(found.due)],
    ['follow up', when(found.followUp)],
    ['times out', found.kind === 'approval' ? when(found.timeoutAt) : null],
    ['data', found.data === null ? null : brief(found.data)],
    ...found.attachments.map(({ name, url }): Fact => ['attached', `${name}: ${url}`]),
  ]);
}

function taskRows({ assignee, owner, form }: TaskView & { kind: 'task' }): readonly Fact[] {
  return [
    ['assignee', assignee],
    ['owner', owner],
    ['form', form === null ? null : brief(form)],
  ];
}

function approvalRows(found: TaskView & { kind: 'approval' }): readonly Fact[] {
  const { rule, seats, votes, round, returned, submitter, submission } = found;
  const { need, per } = rule;
  const enough = need === 'all' ? 'all' : `${need}`;
  const where = per === 'group' ? ' of each group' : ` of ${seats.length}`;
  return [
    ['approvers', namesText([...new Set(seats.map(({ name }) => name))], 'nobody')],
    ['needs', `${enough}${where}`],
    ['votes', votes.length === 0 ? null : votes.map(voteText).join(', ')],
    ['round', returned ? `${round}, sent back` : String(round)],
    ['submitter', submitter],
    ['came back', submission === null ? null : brief(submission)],
  ];
}

function voteText({ actor, decision, group }: Vote): string {
  return `${actor} ${decision}s${group === undefined ? '' : ` for ${group}`}`;
}
