/** `perdure show ID`: what an instance is like now, what it waits for, and how to mend it. */
import type { InstanceView, Token } from '../../index.ts';
import { runOf } from '../acting.ts';
import {
  answer,
  type Desk,
  type JsonOptions,
  jsonOption,
  type Part,
  type StoreOptions,
  storeOption,
} from '../desk.ts';
import { mendingCommand, storeWords } from '../mending.ts';
import { type Naming, namingIn } from '../naming.ts';
import { taskCommands } from '../people-words.ts';
import {
  arrivalText,
  brief,
  CHART,
  faultText,
  handlerText,
  passText,
  runsItems,
  waitText,
} from '../telling.ts';
import { agoText, momentText } from '../spans.ts';
import { withEngine } from '../stores.ts';
import { factLines, tableText } from '../table.ts';
import { readWhole } from '../words.ts';

interface ShowOptions extends JsonOptions, StoreOptions {
  readonly at?: string;
}

export const show: Part = (program, desk) => {
  program
    .command('show <id>')
    .description('what an instance is like, what it waits for, and how to mend it')
    .option('--at <commit>', 'as it was after this commit')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((id: string, options: ShowOptions) => showOne(desk, id, options));
};

async function showOne(desk: Desk, id: string, options: ShowOptions): Promise<void> {
  await withEngine(desk, options, async (engine, place) => {
    const run = await runOf(engine, id);
    const { at } = options;
    const view = at === undefined ? await run.inspect() : await run.at(readWhole('--at', at, 1));
    const now = at === undefined ? Date.now() : view.updatedAt;
    const where = storeWords(desk, options, place);
    const naming = await namingIn(place.store, run);
    answer(desk, options, view, () => viewText(desk, view, now, { where, naming }));
  });
}

/** What another command needs to find the store, and what nodes are called. */
interface Around {
  readonly where: string;
  readonly naming: Naming | null;
}

function viewText(desk: Desk, view: InstanceView, now: number, around: Around): string {
  const { terminal } = desk;
  const { where, naming } = around;
  const sections = [
    headLines(view, now),
    tokenLines(desk, view, now, naming),
    valueLines(view),
    undoLines(view),
    peopleLines(view, where),
    mendingLines(desk, view, where),
  ];
  const titles = ['', 'tokens', 'variables', 'undo', 'it waits for people', 'to mend it'];
  return sections
    .flatMap((lines, at) => {
      if (lines.length === 0) return [];
      const title = titles[at] ?? '';
      const heading = title === '' ? [] : ['', terminal.paint('bold', title)];
      return [...heading, ...lines];
    })
    .join('\n');
}

function headLines(view: InstanceView, now: number): readonly string[] {
  const { id, flow, flowVersion, status, key, tenant, parent, fault, stalled, outcome } = view;
  return factLines([
    ['instance', id],
    ['flow', `${flow}@${flowVersion}`],
    ['status', outcome === null ? status : `${status}, ${outcome}`],
    ['key', key],
    ['tenant', tenant],
    ['called by', parent === null ? null : `${parent.instance}, token ${parent.token}`],
    ['started', `${momentText(view.createdAt)} (${agoText(view.createdAt, now)})`],
    ['changed', `${momentText(view.updatedAt)} (${agoText(view.updatedAt, now)})`],
    ['ended', view.endedAt === null ? null : momentText(view.endedAt)],
    ['commits', String(view.version)],
    ['input', brief(view.input)],
    ['output', view.endedAt === null ? null : brief(view.output)],
    [
      'failed',
      fault === null ? null : `${fault.node === null ? '' : `${fault.node}: `}${faultText(fault)}`,
    ],
    ['stalled', stalled === null ? null : stalledText(stalled)],
  ]);
}

/** A join that holds tokens and lacks others, or whatever else is missing. */
function stalledText(stalled: NonNullable<InstanceView['stalled']>): string {
  if (stalled.reason === 'handler.missing') {
    return `no worker has ${stalled.handlers.map(handlerText).join(', ')}`;
  }
  return stalled.joins
    .map(({ node, missing }) => `"${node}" waits for ${missing.join(', ')}`)
    .join('; ');
}

function tokenLines(
  { terminal }: Desk,
  { tokens, stalled }: InstanceView,
  now: number,
  naming: Naming | null,
): readonly string[] {
  if (tokens.length === 0) return [];
  const columns = [
    { title: 'TOKEN', text: ({ id }: Token) => String(id) },
    { title: 'NODE', text: ({ node }: Token) => node, gives: true as const },
    {
      title: 'STATE',
      text: (token: Token) => stateText(token),
    },
    { title: 'SINCE', text: ({ updatedAt }: Token) => agoText(updatedAt, now) },
    {
      title: 'FAILED',
      text: ({ attempts, maxAttempts }: Token) => `${attempts} of ${maxAttempts}`,
    },
    {
      title: 'WHY',
      text: (token: Token) => arrivalText(token, stalled) ?? whyText(token, now),
      gives: true as const,
    },
  ];
  // Of a map the map itself is told, and whatever is in its items; of a flowchart what is in it,
  // and of a workflow its tasks.
  const isAround = (node: string): boolean =>
    runsItems(node) || node === CHART || naming?.isHidden(node) === true;
  const told = tokens.filter(({ node, wait }) => !(isAround(node) && wait?.on === 'scope'));
  return tableText(columns, told, terminal.columns).split('\n');
}

/** A block is no token that anybody would look for. */
function stateText({ status, mode, wait }: Token): string {
  if (wait?.on === 'merge' && wait.block === true) return 'block';
  return mode === 'forward' ? status : `${status}, undoing`;
}

function whyText(token: Token, now: number): string {
  const { status, availableAt, handler, lastError, wait } = token;
  const waits = waitText(token, now);
  if (waits !== undefined) return waits;
  if (wait?.on === 'scope') return 'waits for what is inside it';
  const why = lastError === null ? '' : `; failed before: ${faultText(lastError)}`;
  if (status === 'created') return 'its turn has not come';
  if (status !== 'ready') return why.slice(2);
  if (availableAt > now) return `is tried again ${agoText(availableAt, now)}${why}`;
  return handler === null
    ? `goes on${why}`
    : `waits for a worker with ${handler}, or is at work${why}`;
}

function valueLines({ scopes }: InstanceView): readonly string[] {
  return scopes.flatMap(({ id, node, index, vars, results }) => {
    const where =
      node === null || node === CHART ? '' : ` (${regionText(node, index)}, scope ${id})`;
    const values = { ...vars };
    const lines = Object.entries(values).map(
      ([name, value]) => `${name} = ${brief(value)}${where}`,
    );
    const done = Object.entries(results).map(
      ([name, value]) => `${name} → ${brief(value)}${where}`,
    );
    return [...lines, ...done];
  });
}

function regionText(node: string, index: number | null): string {
  if (index === null) return node;
  const pass = passText(node, index);
  return `${pass.node} ${pass.text}`;
}

function undoLines({ undos }: InstanceView): readonly string[] {
  return undos.map(({ node, status, inDoubt, fault }) => {
    const doubt = inDoubt ? ', in doubt' : '';
    return `${node} ${status}${doubt}${fault === null ? '' : `: ${faultText(fault)}`}`;
  });
}

/** The commands by which they would have it go on, likewise. */
function peopleLines({ id, tokens }: InstanceView, where: string): readonly string[] {
  return tokens.flatMap(({ id: token, wait }) => {
    if (wait?.on !== 'task') return [];
    return taskCommands(id, token, wait.task).map((command) => `    ${command}${where}`);
  });
}

/** The commands that would mend it, to be copied. */
function mendingLines({ terminal }: Desk, view: InstanceView, where: string): readonly string[] {
  const { id, incidents, status, outcome } = view;
  const line = (remedy: string, token = 0): string =>
    `    ${mendingCommand(remedy, id, token)}${where}`;
  const lines = incidents.flatMap(({ token, node, fault, can }) => [
    `${terminal.paint('red', '✗')} ${node}: ${fault === null ? 'failed' : faultText(fault)}`,
    ...can.map((remedy) => line(remedy, token)),
  ]);
  if (status === 'failed') return [...lines, line(outcome === null ? 'revive' : 'rerun')];
  return status === 'suspended' ? [...lines, line('resume')] : lines;
}
