/**
 * Definitions as they are written: the text of each file, what is wrong in it and where, and on
 * which lines each node stands. A file that cannot be read is a source with a problem, so that
 * whoever looks at the studio sees what the terminal would say.
 */
import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { type Found, problemsIn, warningsIn } from '../diagnostics.ts';
import { findName } from '../excerpt.ts';
import { type Defined, readDefinitions } from '../modules.ts';
import type { Terminal } from '../terminal.ts';
import { explanationOf } from './explanations.ts';

export interface Source {
  readonly file: string;
  readonly language: 'typescript' | 'javascript' | 'serverless' | 'flowchart';
  readonly text: string;
  readonly flows: readonly { readonly name: string; readonly version: number }[];
  readonly diagnostics: readonly SourceDiagnostic[];
  /** By node: the lines it stands on, from 1. */
  readonly spans: Readonly<Record<string, { readonly line: number; readonly endLine: number }>>;
}

interface SourceDiagnostic {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly explanation: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly endLine: number | null;
  readonly endColumn: number | null;
  readonly path: string | null;
}

/** A file as it was read: what it defines, if it can be run. */
export interface ReadSource {
  readonly source: Source;
  readonly defined: Defined | null;
}

export async function readSource(
  terminal: Terminal,
  file: string,
  handlers?: string,
): Promise<ReadSource> {
  let defined: Defined;
  try {
    defined = await readDefinitions(terminal, file, handlers);
  } catch (thrown) {
    return { source: unread(terminal, file, thrown), defined: null };
  }
  return sourceOf(terminal, defined);
}

/** What a definition that was read looks like, and whether it can be run. */
export async function sourceOf(terminal: Terminal, defined: Defined): Promise<ReadSource> {
  const problems = await problemsIn(terminal, defined, true);
  const found = [...problems, ...warningsIn(defined)];
  const source: Source = {
    file: defined.file,
    language: languageOf(defined),
    text: defined.source,
    // One that cannot be read has no name yet.
    flows: defined.flows.flatMap(({ name, version }) => (name === '' ? [] : [{ name, version }])),
    diagnostics: found.map(diagnosticOf),
    spans: spansIn(defined),
  };
  return { source, defined: problems.length === 0 ? defined : null };
}

function languageOf({ file, isData, workflow }: Defined): Source['language'] {
  if (workflow !== undefined) return 'serverless';
  if (isData === true) return 'flowchart';
  return /^\.m?ts$/.test(extname(file)) ? 'typescript' : 'javascript';
}

function diagnosticOf({ code, message, line, column, path, severity }: Found): SourceDiagnostic {
  return {
    ...{ severity: severity ?? 'error', code, message, explanation: explanationOf(code) },
    ...{ line, column, endLine: line, endColumn: null, path: path === '' ? null : path },
  };
}

function unread({ folder }: Terminal, file: string, thrown: unknown): Source {
  const { code, details, message } = Object(thrown) as Error & { code?: unknown; details?: object };
  if (typeof code !== 'string') throw thrown;
  const place = (details ?? {}) as Partial<Found> & { readonly why?: string };
  const { why = message, line = null, column = null, file: where = file } = place;
  const isHere = where === file;
  // What it imports may be to blame: that is another text than the one that is shown.
  const text = isHere ? why : `in ${where}${line === null ? '' : `:${line}`}: ${why}`;
  const spot = isHere ? { line, column } : { line: null, column: null };
  const found = { file, code, message: text, path: '', ...spot };
  const kinds = { '.yaml': 'serverless', '.yml': 'serverless', '.json': 'flowchart' } as const;
  const ending = extname(file);
  return {
    file,
    language: Reflect.get(kinds, ending) ?? (ending.includes('ts') ? 'typescript' : 'javascript'),
    text: textOf(resolve(folder, file)),
    ...{ flows: [], spans: {}, diagnostics: [diagnosticOf(found)] },
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return '';
  }
}

/** Of a workflow the reader knows; of anything else, where the name is written. */
function spansIn({ flows, source, workflow }: Defined): Source['spans'] {
  const spans: Record<string, { line: number; endLine: number }> = {};
  const nodes = flows.flatMap(({ definition }) => definition.draft.nodes);
  for (const { id, local, hidden } of nodes) {
    if (hidden === true) continue;
    const spot =
      workflow?.spanOf(id) ?? findName(source, local ?? id.slice(id.lastIndexOf('/') + 1));
    if (spot !== undefined) spans[id] = { line: spot.line, endLine: spot.line };
  }
  return spans;
}
