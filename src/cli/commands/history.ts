/** `perdure history ID`: what happened, a line for each commit. */
import type { HistoryEntry } from '../../index.ts';
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
import { EXIT, type ExitCode } from '../exit.ts';
import { follow, sourceOf } from '../following.ts';
import type { Happening } from '../happening.ts';
import { namingIn } from '../naming.ts';
import { Narrator } from '../narrator.ts';
import { plainLine } from '../plain.ts';
import { momentText } from '../spans.ts';
import { exitOfSignal } from '../stopping.ts';
import { withEngine } from '../stores.ts';

interface HistoryOptions extends JsonOptions, StoreOptions {
  readonly follow?: boolean;
  readonly notes?: boolean;
}

export const history: Part = (program, desk) => {
  program
    .command('history <id>')
    .description('what happened to an instance, a line for each commit')
    .option('--follow', 'and what happens from now on, until it is over')
    .option('--notes', 'also results that came too late and were dropped')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action(async (id: string, options: HistoryOptions) => {
      if (options.follow === true) desk.end(await followOne(desk, id, options));
      else await readOne(desk, id, options);
    });
};

async function readOne(desk: Desk, id: string, options: HistoryOptions): Promise<void> {
  await withEngine(desk, options, async (engine, { store }) => {
    const run = await runOf(engine, id);
    const entries = await run.history({ notes: options.notes === true });
    const narrator = new Narrator(await namingIn(store, run));
    answer(desk, options, entries, () => {
      return entries.map((entry) => lineOf(entry, narrator.tell(entry))).join('\n');
    });
  });
}

/** With `--json`, one value a line: there is no last one to wait for. */
async function followOne(desk: Desk, id: string, options: HistoryOptions): Promise<ExitCode> {
  const { terminal } = desk;
  let code: ExitCode = EXIT.fine;
  await withEngine(desk, options, async (engine, { store }) => {
    const run = await runOf(engine, id);
    const over = new AbortController();
    const deaf = terminal.onStop((signal) => {
      // Who reads no further has read enough.
      if (signal !== 'SIGPIPE') code = exitOfSignal(signal);
      over.abort();
    });
    const narrator = new Narrator(await namingIn(store, run));
    const { read, pause } = sourceOf(store, id);
    let shown = 0;
    // One that ended may have been revived: it is over when it is, and all of it was shown.
    const untilMore = async (signal: AbortSignal): Promise<void> => {
      const { endedAt, version } = await run.inspect();
      if (version > shown) return;
      if (endedAt === null) await pause(signal);
      else over.abort();
    };
    for await (const entry of follow({ read, pause: untilMore }, over.signal)) {
      const text = (): string => lineOf(entry, narrator.tell(entry));
      terminal.out(`${options.json === true ? JSON.stringify(entry) : text()}\n`);
      shown = entry.n;
    }
    deaf();
  });
  return code;
}

function lineOf({ n, at, dropped }: HistoryEntry, happenings: readonly Happening[]): string {
  const when = momentText(at);
  if (dropped !== undefined) {
    return `   –  ${when}  dropped: token ${dropped.token} of ${dropped.worker}: ${dropped.reason}`;
  }
  const words = happenings.map(({ node, text }) => (node === null ? text : `${node} ${text}`));
  const said = words.length === 0 ? '–' : plainLine(words.join('; '));
  return `${String(n).padStart(4)}  ${when}  ${said}`;
}
