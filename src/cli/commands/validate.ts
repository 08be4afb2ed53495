/** `perdure validate FILE…`: everything that is wrong with definitions, and where. */
import { answer, type Desk, type JsonOptions, jsonOption, type Part } from '../desk.ts';
import { type HandlersOptions, handlersOption } from '../desk.ts';
import { type Found, inOrder, placed, problemsIn, shown, warningsIn } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { type Defined, readDefinitions } from '../modules.ts';
import { titleOf } from '../naming.ts';
import { missingHandlers } from '../standing-still.ts';

type ValidateOptions = JsonOptions & HandlersOptions;

export const validate: Part = (program, desk) => {
  program
    .command('validate <files...>')
    .description('say everything that is wrong with definitions')
    .addOption(handlersOption())
    .addOption(jsonOption())
    .action(async (files: readonly string[], options: ValidateOptions) => {
      desk.end(await validateAll(desk, files, options));
    });
};

async function validateAll(
  desk: Desk,
  files: readonly string[],
  options: ValidateOptions,
): Promise<ExitCode> {
  const { terminal } = desk;
  const lines: string[] = [];
  const diagnostics: Found[] = [];
  for (const file of files) {
    const { found, source, flows, unread, note = '' } = await validateFile(desk, file, options);
    diagnostics.push(...found);
    lines.push(...(unread === undefined ? found.map((one) => shown(one, source)) : [unread]));
    if (found.every(isWarning))
      lines.push(`${terminal.paint('green', '✓')} ${file}: ${flows.join(', ')}${note}`);
  }
  answer(desk, options, { diagnostics }, () => lines.join('\n'));
  return diagnostics.every(isWarning) ? EXIT.fine : EXIT.usage;
}

function isWarning({ severity }: Found): boolean {
  return severity === 'warning';
}

interface Looked {
  readonly found: readonly Found[];
  readonly source: string;
  readonly flows: readonly string[];
  /** Why the file could not be read at all. */
  readonly unread?: string;
  /** What is to be known of a file that is right. */
  readonly note?: string;
}

async function validateFile(
  desk: Desk,
  file: string,
  { handlers }: ValidateOptions,
): Promise<Looked> {
  let defined: Defined;
  try {
    defined = await readDefinitions(desk.terminal, file, handlers);
  } catch (thrown) {
    return unreadFile(file, thrown);
  }
  const { source, isData } = defined;
  const flows = defined.flows.map(titleOf);
  // Data has no code of its own: whatever it needs has been named with it, or is forgotten.
  const found = await problemsIn(desk.terminal, defined, isData);
  const warnings = warningsIn(defined);
  if (found.length > 0) return { found: inOrder([...found, ...warnings]), source, flows };
  return { found: [...warnings, ...unhandled(defined)], source, flows, note: noteOn(defined) };
}

/** What whoever runs it has to have, or reaches by it. */
function noteOn(defined: Defined): string {
  const missing = defined.flows.flatMap((flow) => missingHandlers(defined, flow));
  if (missing.length > 0) return `; whoever runs it needs ${missing.join(', ')}`;
  const wanted = defined.flows.flatMap(({ definition }) => definition.linking?.wants ?? []);
  const names = wanted.map(({ name }) => name).join(', ');
  return wanted.length === 0 ? '' : `; whoever runs it fetches ${names}`;
}

/**
 * Steps of chains that are left out where others have their handlers. A file that has none at all
 * leaves them to whoever runs it.
 */
function unhandled(defined: Defined): readonly Found[] {
  if (Object.keys(defined.handlers).length === 0) return [];
  return defined.flows.flatMap((flow) =>
    missingHandlers(defined, flow).map((name) => {
      const node = name.slice(flow.name.length + 1);
      const message = `"${node}" needs a handler, and "handlers" of this file has none for it`;
      return placed(defined, { code: 'node.no-code', message, node, flow: flow.name });
    }),
  );
}

/** A file that cannot be read at all is a diagnostic, too: the others are looked at anyway. */
function unreadFile(file: string, thrown: unknown): Looked {
  const { code, details, message } = Object(thrown) as Error & { code?: unknown; details?: object };
  if (code !== 'definition.unreadable') throw thrown;
  const nowhere = { file, why: message, line: null, column: null };
  const { file: where, why, line, column } = { ...nowhere, ...details };
  const found = { file: where, code, message: why, path: '', line, column };
  return { found: [found], source: '', flows: [], unread: `${message} (${code})` };
}
