/**
 * What every command has in common that does something to instances: who does it and why, what it
 * would do, and, where that makes sense, doing it to all that a filter finds.
 */
import type { Command } from 'commander';
import type { Acting, Action, BulkProgress, BulkResult, Engine, InstanceFilter } from '../index.ts';
import { act, preview, previewLines, runOf } from './acting.ts';
import { answer, type Desk, jsonOption, type JsonOptions, type StoreOptions } from './desk.ts';
import { storeOption } from './desk.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { badCommand } from './failing.ts';
import { checkFilter, filterOf, filterOptions, type FilterOptions } from './filter.ts';
import { namingIn } from './naming.ts';
import { verbText } from './telling.ts';
import { plainLine } from './plain.ts';
import { withEngine } from './stores.ts';
import { readWhole } from './words.ts';

/** The options that every operation takes. */
export interface ActingOptions extends JsonOptions, StoreOptions {
  readonly actor?: string;
  readonly reason?: string;
  readonly dryRun?: boolean;
}

export interface BulkOptions extends FilterOptions {
  readonly yes?: boolean;
  readonly limit?: string;
  readonly cursor?: string;
}

export type OperatorOptions = ActingOptions & BulkOptions;

export function actingOptions(command: Command): Command {
  return command
    .option('--actor <name>', 'who does this, for the history (the user of this machine)')
    .option('--reason <text>', 'why, for the history')
    .option('--dry-run', 'say what it would do, and do nothing')
    .addOption(storeOption())
    .addOption(jsonOption());
}

/** For commands that can be about many. */
export function bulkOptions(command: Command): Command {
  return filterOptions(command)
    .option('--limit <count>', 'at most so many')
    .option('--cursor <cursor>', 'go on where the same command was cut short')
    .option('--yes', 'do not ask: needed where nobody can answer');
}

export function actingOf({ terminal }: Desk, { actor, reason }: ActingOptions): Acting {
  return { actor: actor ?? terminal.user, ...(reason === undefined ? {} : { reason }) };
}

/** Does it to one instance, and says what became of that. */
export function operateOn(
  desk: Desk,
  id: string,
  action: Action,
  options: ActingOptions,
): Promise<ExitCode> {
  return withEngine(desk, options, async (engine, { store }) => {
    const run = await runOf(engine, id);
    if (options.dryRun === true) {
      const seen = await preview(run, action);
      const naming = await namingIn(store, run);
      const value = {
        id,
        dryRun: true,
        before: seen.before,
        after: seen.after,
        changes: seen.changes,
      };
      answer(desk, options, value, () => {
        return [
          `${verbText(action.do)} ${id} would do this:`,
          ...previewLines(seen, naming).map((line) => `  ${line}`),
        ].join('\n');
      });
      return EXIT.fine;
    }
    const view = await act(run, action, actingOf(desk, options));
    answer(desk, options, { id: view.id, status: view.status }, () => {
      const { paint } = desk.terminal;
      const which = view.id === id ? id : `${id} as ${view.id}`;
      return `${paint('green', '✓')} ${verbText(action.do)} ${which}: it is ${view.status}`;
    });
    return EXIT.fine;
  });
}

/** One instance if an id is given, all that the filter finds if not. */
export async function operate(
  desk: Desk,
  id: string | undefined,
  action: Action,
  options: OperatorOptions,
): Promise<ExitCode> {
  const filter = filterOf(options);
  const isMany = Object.keys(filter).length > 0;
  if (id !== undefined && isMany) {
    throw badCommand(`${verbText(action.do)} takes an id or a filter, and not both`);
  }
  if (id !== undefined) {
    checkOne(verbText(action.do), options);
    return operateOn(desk, id, action, options);
  }
  if (!isMany) {
    throw badCommand(
      `${verbText(action.do)} what? Give an id, or a filter such as --flow NAME --status failed`,
    );
  }
  return withEngine(desk, options, async (engine, { store }) => {
    await checkFilter(store, options);
    return operateOnAll(desk, engine, { filter, action, options });
  });
}

/** Options that say how many of those that are found: of one thing they would mean nothing. */
export function checkOne(what: string, { limit, cursor }: BulkOptions): void {
  if (limit === undefined && cursor === undefined) return;
  const option = limit === undefined ? '--cursor' : '--limit';
  throw badCommand(`${option} is for what a filter finds; ${what} is about one thing here`);
}

interface Many {
  readonly filter: InstanceFilter;
  readonly action: Action;
  readonly options: OperatorOptions;
}

async function operateOnAll(desk: Desk, engine: Engine, many: Many): Promise<ExitCode> {
  const { filter, action, options } = many;
  const { dryRun = false, yes = false, limit, cursor } = options;
  const most = limit === undefined ? {} : { limit: readWhole('--limit', limit, 1) };
  if (!dryRun && !yes) await askFirst(desk, engine, many);
  const { terminal } = desk;
  const told = { place: null as string | null };
  const from = cursor === undefined ? {} : { cursor };
  const onProgress = (progress: BulkProgress): void => {
    told.place = progress.cursor;
    const { matched, done } = progress;
    terminal.live(`${matched} found: ${done} done, ${othersOf(progress)}`);
  };
  const asked = { ...actingOf(desk, options), ...most, ...from, dryRun, onProgress };
  const result = await engine.bulk(filter, action, asked).catch((thrown: unknown) => {
    terminal.live(null);
    if (told.place !== null) terminal.talk(`to go on: --cursor ${told.place}\n`);
    throw thrown;
  });
  terminal.live(null);
  answer(desk, options, { ...result, dryRun }, () =>
    resultLines(desk, result, action, dryRun).join('\n'),
  );
  return result.refused + result.failed === 0 ? EXIT.fine : EXIT.failed;
}

/** So many are not done something to by a slip of the finger. */
async function askFirst(
  desk: Desk,
  engine: Engine,
  { filter, action, options }: Many,
): Promise<void> {
  const { found, isAll } = await countOf(engine, filter);
  if (found === 0 && isAll) return;
  const limited = options.limit === undefined ? SHOWN : Number(options.limit);
  const count = Math.min(found, limited);
  const many = isAll || limited <= found ? `${count}` : `more than ${count}`;
  const answered = await desk.terminal.confirm(`${verbText(action.do)} ${many} instances?`);
  if (answered === true) return;
  const why = answered === null ? 'say --yes: nobody is here to be asked' : 'nothing was done';
  throw badCommand(`${verbText(action.do)} of ${many} instances was not confirmed; ${why}`);
}

const SHOWN = 100;
/** A filter that finds little is looked for in pages; so many of them before somebody is asked. */
const PAGES_MAX = 20;

/** How many there are, as far as that is worth counting. */
async function countOf(
  engine: Engine,
  filter: InstanceFilter,
): Promise<{ found: number; isAll: boolean }> {
  let found = 0;
  let from = {};
  for (let pages = 0; pages < PAGES_MAX && found < SHOWN; pages += 1) {
    const page = await engine.list({ ...filter, ...from, limit: SHOWN - found });
    found += page.instances.length;
    if (page.cursor === null) return { found, isAll: true };
    from = { cursor: page.cursor };
  }
  return { found, isAll: false };
}

function resultLines(
  { terminal }: Desk,
  result: BulkResult,
  action: Action,
  dryRun: boolean,
): readonly string[] {
  const { matched, done, items, cursor } = result;
  const lines = items.map(({ id, outcome, error }) => {
    if (outcome === 'done') return `${terminal.paint('green', '✓')} ${plainLine(id)}`;
    if (outcome === 'unchanged') return `${terminal.paint('green', '✓')} ${id} is so already`;
    const why = plainLine(`${error?.message ?? ''} (${error?.code ?? ''})`);
    return `${terminal.paint('red', '✗')} ${plainLine(id)} ${outcome}: ${why}`;
  });
  const verb = dryRun ? `${verbText(action.do)} could be done to` : `${verbText(action.do)}:`;
  const rest = cursor === null ? '' : `; there are more: --cursor ${cursor}`;
  return [...lines, `${verb} ${done} of ${matched}, ${othersOf(result)}${rest}`];
}

function othersOf({ unchanged, refused, failed }: Omit<BulkResult, 'items'>): string {
  const same = unchanged === 0 ? '' : `${unchanged} unchanged, `;
  return `${same}${refused} refused, ${failed} failed`;
}
