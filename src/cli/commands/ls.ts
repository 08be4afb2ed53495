/** `perdure ls`: instances, newest first as far as their ids tell. */
import type { Engine, InstanceSummary } from '../../index.ts';
import {
  answer,
  type Desk,
  type JsonOptions,
  jsonOption,
  type Part,
  sayMore,
  type StoreOptions,
  storeOption,
} from '../desk.ts';
import { checkFilter, filterOf, type FilterOptions, filterOptions } from '../filter.ts';
import { agoText } from '../spans.ts';
import { withEngine } from '../stores.ts';
import { type Column, tableText } from '../table.ts';
import { readWhole } from '../words.ts';

interface LsOptions extends JsonOptions, StoreOptions, FilterOptions {
  readonly limit?: string;
  readonly cursor?: string;
}

const LIMIT_DEFAULT = '50';
/** A filter that finds little is looked for in pages; so many of them for one answer. */
const PAGES_MAX = 20;
/** Two questions to the store for each, which a list that is read by a person is worth. */
const INSPECTED_MAX = 100;

export const ls: Part = (program, desk) => {
  filterOptions(
    program
      .command('ls')
      .description('list instances, newest first by id; ids you chose sort as text'),
  )
    .option('--limit <count>', 'at most so many', LIMIT_DEFAULT)
    .option('--cursor <cursor>', 'go on where a page ended')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((options: LsOptions) => list(desk, options));
};

async function list(desk: Desk, options: LsOptions): Promise<void> {
  const limit = readWhole('--limit', options.limit ?? LIMIT_DEFAULT, 1);
  const filter = filterOf(options);
  await withEngine(desk, options, async (engine, { store }) => {
    await checkFilter(store, options);
    const instances: InstanceSummary[] = [];
    let cursor: string | null | undefined = options.cursor;
    for (let pages = 0; pages < PAGES_MAX && cursor !== null; pages += 1) {
      const from = cursor === undefined ? {} : { cursor };
      const page = await engine.list({ ...filter, ...from, limit: limit - instances.length });
      instances.push(...page.instances);
      ({ cursor } = page);
      if (instances.length >= limit) break;
    }
    const value = { instances, cursor: cursor ?? null };
    const standing = options.json === true ? new Map() : await standingOf(engine, instances);
    answer(desk, options, value, () => tableOf(desk, instances, standing));
    sayMore(desk, options, value.cursor);
  });
}

/** By id: what a person would have to do about it, and why a step of it waits to be mended. */
type Standing = ReadonlyMap<string, { readonly word: 'incident' | 'people'; readonly why: string }>;

/** One by one, so that a long list is not looked through for the sake of a word in each line. */
async function standingOf(
  engine: Engine,
  instances: readonly InstanceSummary[],
): Promise<Standing> {
  const open = instances.filter(({ endedAt }) => endedAt === null).slice(0, INSPECTED_MAX);
  const found = new Map<string, { word: 'incident' | 'people'; why: string }>();
  for (const { id } of open) {
    const view = await (await engine.get(id))?.inspect();
    const [first] = view?.incidents ?? [];
    if (first !== undefined) {
      found.set(id, { word: 'incident', why: first.fault?.message ?? `${first.node} failed` });
    } else if (view?.tokens.some(({ wait }) => wait?.on === 'task') === true) {
      found.set(id, { word: 'people', why: '' });
    }
  }
  return found;
}

function tableOf(
  { terminal }: Desk,
  instances: readonly InstanceSummary[],
  standing: Standing,
): string {
  if (instances.length === 0) return 'no instances';
  const now = Date.now();
  const columns: readonly Column<InstanceSummary>[] = [
    { title: 'ID', text: ({ id }) => id },
    { title: 'FLOW', text: ({ flow, version }) => `${flow}@${version}`, gives: true },
    { title: 'STATUS', text: (one) => statusText(one, standing.get(one.id)?.word) },
    { title: 'KEY', text: ({ key }) => key ?? '', gives: true },
    { title: 'STARTED', text: ({ createdAt }) => agoText(createdAt, now) },
    { title: 'CHANGED', text: ({ updatedAt }) => agoText(updatedAt, now) },
    {
      title: 'ERROR',
      text: ({ id, fault }) => fault?.message ?? standing.get(id)?.why ?? '',
      gives: true,
    },
  ];
  return tableText(columns, instances, terminal.columns);
}

/** A failed one that was undone, and an open one that nothing moves, are worth a word more. */
function statusText({ status, outcome, stalled }: InstanceSummary, word?: string): string {
  if (word !== undefined) return `${status}, ${word}`;
  if (stalled !== null) return `${status}, stalled`;
  return outcome === null ? status : `${status}, ${outcome}`;
}
