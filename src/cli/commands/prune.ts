/** `perdure prune`: removes what has been over for long, in small steps. */
import {
  answer,
  choiceOption,
  type Desk,
  type JsonOptions,
  jsonOption,
  type Part,
  type StoreOptions,
  storeOption,
} from '../desk.ts';
import { badCommand } from '../failing.ts';
import { checkFlow } from '../known-flow.ts';
import { withEngine } from '../stores.ts';
import { meant } from '../../base/nearest.ts';
import { readFlowName } from '../words.ts';

interface PruneOptions extends JsonOptions, StoreOptions {
  readonly olderThan: string;
  readonly status?: readonly string[];
  readonly flow?: string;
  readonly tenant?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const ENDED = ['completed', 'failed', 'canceled'] as const;

export const prune: Part = (program, desk) => {
  program
    .command('prune')
    .description('remove instances that have been over for long, with everything of theirs')
    .requiredOption('--older-than <duration>', 'over for longer than this, such as 30d')
    .addOption(choiceOption('--status <status...>', 'only these', ENDED))
    .option('--flow <name>', 'only those of this flow')
    .option('--tenant <tenant>', 'only those of this tenant')
    .option('--dry-run', 'say how many there are, and remove nothing')
    .option('--yes', 'do not ask: needed where nobody can answer')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((options: PruneOptions) => pruneAll(desk, options));
};

async function pruneAll(desk: Desk, options: PruneOptions): Promise<void> {
  const { olderThan, status, flow, tenant, dryRun = false, yes = false } = options;
  const { terminal } = desk;
  const name = flow === undefined ? undefined : wholeFlow(flow);
  const asked = {
    olderThan,
    ...(status === undefined ? {} : { status: status.flatMap(statusesIn) }),
    ...(name === undefined ? {} : { flow: name }),
    ...(tenant === undefined ? {} : { tenant }),
  };
  await withEngine(desk, options, async (engine, { store }) => {
    if (name !== undefined) await checkFlow(store, { name });
    if (!dryRun && !yes) {
      const { pruned } = await engine.prune({ ...asked, dryRun: true });
      if (pruned > 0 && !(await terminal.confirm(`remove ${pruned} instances for good?`))) {
        throw badCommand(`removing ${pruned} instances was not confirmed: say --yes`);
      }
    }
    const onProgress = ({ pruned }: { readonly pruned: number }): void => {
      terminal.live(`${pruned} removed`);
    };
    const done = await engine.prune({ ...asked, dryRun, onProgress });
    terminal.live(null);
    answer(desk, options, { ...done, dryRun }, () => {
      const kept = done.kept === 0 ? '' : `; ${done.kept} kept: somebody still has a use for them`;
      return `${done.pruned} ${dryRun ? 'would be removed' : 'removed'}${kept}`;
    });
  });
}

/** The engine removes by the name of a flow, whatever its version. */
function wholeFlow(word: string): string {
  const { name, version } = readFlowName(word);
  if (version === undefined) return name;
  throw badCommand(`prune is about all versions of a flow: say --flow ${name}`);
}

function statusesIn(word: string): readonly (typeof ENDED)[number][] {
  return word.split(',').map((one) => {
    const status = ENDED.find((known) => known === one);
    if (status !== undefined) return status;
    throw badCommand(`only what is over is removed, and not "${one}": ${meant(one, ENDED)}`);
  });
}
