/** `perdure outbox`: letters for the world outside that nobody has yet. */
import type { Engine, OutboxFilter, OutboxLetter } from '../../index.ts';
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
import { EXIT, type ExitCode } from '../exit.ts';
import { badCommand } from '../failing.ts';
import { agoText } from '../spans.ts';
import { withEngine } from '../stores.ts';
import { type Column, tableText } from '../table.ts';
import { readWhole } from '../words.ts';

interface ListOptions extends JsonOptions, StoreOptions {
  readonly status?: string;
  readonly type?: string;
  readonly instance?: string;
  readonly limit?: string;
  readonly cursor?: string;
}

interface RequeueOptions extends JsonOptions, StoreOptions {
  readonly all?: boolean;
}

export const outbox: Part = (program, desk) => {
  const command = program
    .command('outbox')
    .description('letters for the world outside: list them, send dead ones again');
  command
    .command('list', { isDefault: true })
    .description('list letters that no target has yet')
    .addOption(choiceOption('--status <status>', 'that are so', ['ready', 'sending', 'dead']))
    .option('--type <type>', 'of this type')
    .option('--instance <id>', 'of this instance')
    .option('--limit <count>', 'at most so many')
    .option('--cursor <cursor>', 'go on where a page ended')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((options: ListOptions) => list(desk, options));
  command
    .command('requeue [ids...]')
    .description('have dead letters sent again')
    .option('--all', 'all that are dead')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action(async (ids: readonly string[], options: RequeueOptions) => {
      desk.end(await requeue(desk, ids, options));
    });
};

async function list(desk: Desk, options: ListOptions): Promise<void> {
  const { status, type, instance, limit, cursor } = options;
  const filter = {
    ...(status === undefined ? {} : { status: status as NonNullable<OutboxFilter['status']> }),
    ...(type === undefined ? {} : { type }),
    ...(instance === undefined ? {} : { instance }),
    ...(limit === undefined ? {} : { limit: readWhole('--limit', limit, 1) }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  await withEngine(desk, options, async (engine) => {
    const page = await engine.outbox.list(filter);
    answer(desk, options, page, () => tableOf(desk, page.letters));
    sayMore(desk, options, page.cursor);
  });
}

function tableOf({ terminal }: Desk, letters: readonly OutboxLetter[]): string {
  if (letters.length === 0) return 'no letters';
  const now = Date.now();
  const columns: readonly Column<OutboxLetter>[] = [
    { title: 'ID', text: ({ id }) => id },
    { title: 'TYPE', text: ({ type }) => type, gives: true },
    { title: 'INSTANCE', text: ({ instance }) => instance },
    { title: 'STATUS', text: ({ status }) => status },
    { title: 'ATTEMPTS', text: ({ attempts }) => String(attempts) },
    { title: 'NEXT', text: ({ status, dueAt }) => (status === 'ready' ? agoText(dueAt, now) : '') },
    { title: 'ERROR', text: ({ lastError }) => lastError ?? '', gives: true },
  ];
  return tableText(columns, letters, terminal.columns);
}

async function requeue(
  desk: Desk,
  ids: readonly string[],
  options: RequeueOptions,
): Promise<ExitCode> {
  if ((ids.length === 0) === (options.all !== true)) {
    throw badCommand('outbox requeue takes the ids of letters, or --all');
  }
  return withEngine(desk, options, async (engine) => {
    const { requeued, unknown } =
      options.all === true
        ? { requeued: await requeueAll(engine), unknown: [] }
        : await requeueThese(engine, ids);
    answer(desk, options, { requeued, unknown }, () => {
      const rest = unknown.length === 0 ? '' : `; no dead letter is ${unknown.join(', ')}`;
      return `${requeued} sent again${rest}`;
    });
    return unknown.length === 0 ? EXIT.fine : EXIT.notFound;
  });
}

/** One by one: the engine counts those that were dead, and does not say which. */
async function requeueThese(
  engine: Engine,
  ids: readonly string[],
): Promise<{ requeued: number; unknown: readonly string[] }> {
  const unknown: string[] = [];
  for (const id of new Set(ids)) if ((await engine.outbox.requeue(id)) === 0) unknown.push(id);
  return { requeued: new Set(ids).size - unknown.length, unknown };
}

/** From the front each time: what was dead is dead no more, unless it has died again. */
async function requeueAll(engine: Engine): Promise<number> {
  const ids = new Set<string>();
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<Engine['outbox']['list']>> = await engine.outbox.list({
      status: 'dead',
      ...(cursor === null ? {} : { cursor }),
    });
    for (const { id } of page.letters) ids.add(id);
    ({ cursor } = page);
    if (cursor === null) break;
  }
  return ids.size === 0 ? 0 : engine.outbox.requeue([...ids]);
}
