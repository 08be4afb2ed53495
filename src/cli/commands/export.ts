/** `perdure export ID [FILE]`, `perdure replay FILE`: an instance as a file, and what it tells. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EngineError, type Json, replay as replayFile } from '../../index.ts';
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
import { badCommand } from '../failing.ts';
import { namingOf } from '../naming.ts';
import { Narrator } from '../narrator.ts';
import { plainLine } from '../plain.ts';
import { momentText } from '../spans.ts';
import { withEngine } from '../stores.ts';
import { readWhole } from '../words.ts';

export const exporting: Part = (program, desk) => {
  program
    .command('export <id> [file]')
    .description('write an instance with its whole history to a file, or to stdout')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((id: string, file: string | undefined, options: JsonOptions & StoreOptions) => {
      return exportOne(desk, id, file, options);
    });
};

async function exportOne(
  desk: Desk,
  id: string,
  file: string | undefined,
  options: JsonOptions & StoreOptions,
): Promise<void> {
  await withEngine(desk, options, async (engine) => {
    const exported = await (await runOf(engine, id)).export();
    if (file === undefined) return desk.terminal.out(`${JSON.stringify(exported)}\n`);
    writeExport(resolve(desk.terminal.folder, file), file, `${JSON.stringify(exported)}\n`);
    answer(desk, options, { id, file }, () => `${id} is in ${file}`);
  });
}

function writeExport(path: string, file: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    throw badCommand(`${file} cannot be written: ${thrown.message}`);
  }
}

interface ReplayOptions extends JsonOptions {
  readonly at?: string;
  readonly check?: boolean;
}

export const replay: Part = (program, desk) => {
  program
    .command('replay <file>')
    .description('go through an exported instance, commit by commit')
    .option('--at <commit>', 'show what it was like after this commit')
    .option('--check', 'say whether every promise was kept')
    .addOption(jsonOption())
    .action((file: string, options: ReplayOptions) => {
      desk.end(replayOne(desk, file, options));
    });
};

function replayOne(desk: Desk, file: string, options: ReplayOptions): ExitCode {
  const exported = readExport(resolve(desk.terminal.folder, file), file);
  const replayed = replayFile(exported);
  const { at, check } = options;
  if (at !== undefined) {
    const view = replayed.at(readWhole('--at', at, 1));
    answer(desk, options, view, () => JSON.stringify(view, null, 2));
    return EXIT.fine;
  }
  if (check === true) {
    const checked = replayed.check();
    answer(desk, options, checked, () => {
      const said = checked.violations.map((one) => JSON.stringify(one));
      return checked.ok
        ? `${replayed.length} commits, and every promise was kept`
        : said.join('\n');
    });
    return checked.ok ? EXIT.fine : EXIT.failed;
  }
  const narrator = new Narrator(namingOf(planIn(exported)));
  const steps = [...replayed.steps()];
  answer(
    desk,
    options,
    steps.map(({ n, at: when, changes }) => ({ n, at: when, changes })),
    () => {
      const lines = steps.map((step) => {
        const words = narrator
          .tell(step)
          .map(({ node, text }) => (node === null ? text : `${node} ${text}`));
        const said = plainLine(words.join('; '));
        return `${String(step.n).padStart(4)}  ${momentText(step.at)}  ${said}`;
      });
      return lines.join('\n');
    },
  );
  return EXIT.fine;
}

/** It has been gone through by then, so that it is an export. */
function planIn(exported: unknown): Json {
  const { plan } = exported as { plan?: { body?: Json } };
  return plan?.body ?? null;
}

/** What is no JSON is no export: the reason is the same as for what is damaged otherwise. */
function readExport(path: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    throw new EngineError('export.invalid', `${file}: ${thrown.message}`, { cause: thrown });
  }
}
