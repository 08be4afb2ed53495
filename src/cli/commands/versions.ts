/** `perdure versions [FLOW]`: the flows of a store, their versions, and how many run by each. */
import type { FlowVersion } from '../../index.ts';
import {
  answer,
  type Desk,
  type JsonOptions,
  jsonOption,
  type Part,
  type StoreOptions,
  storeOption,
} from '../desk.ts';
import { checkFlow } from '../known-flow.ts';
import { withEngine } from '../stores.ts';
import { type Column, tableText } from '../table.ts';
import { readFlowName } from '../words.ts';

type Options = JsonOptions & StoreOptions;

export const versions: Part = (program, desk) => {
  program
    .command('versions [flow]')
    .description('the versions of flows that a store knows, and how many run by each')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((flow: string | undefined, options: Options) => list(desk, flow, options));
};

async function list(desk: Desk, flow: string | undefined, options: Options): Promise<void> {
  await withEngine(desk, options, async (engine, { store }) => {
    const sought = flow === undefined ? undefined : readFlowName(flow);
    if (sought !== undefined) await checkFlow(store, sought);
    const all = await engine.flows.list(sought?.name);
    const meant = all.filter(({ version }) => version === (sought?.version ?? version));
    answer(desk, options, { versions: meant }, () => tableOf(desk, meant));
  });
}

function tableOf({ terminal }: Desk, all: readonly FlowVersion[]): string {
  if (all.length === 0) return 'no flows';
  const columns: readonly Column<FlowVersion>[] = [
    { title: 'FLOW', text: ({ name }) => name, gives: true },
    { title: 'VERSION', text: ({ version }) => String(version) },
    { title: 'PLAN', text: ({ hash }) => hash.slice(0, HASH_CHARS) },
    { title: 'OPEN', text: ({ open }) => String(open) },
    { title: 'STATE', text: ({ suspended }) => (suspended ? 'suspended' : '') },
  ];
  return tableText(columns, all, terminal.columns);
}

/** As many as tell plans apart. */
const HASH_CHARS = 12;
