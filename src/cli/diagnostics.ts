/** What is wrong with a definition, where it is written, as people and programs read it. */
import { createEngine, type Diagnostic, EngineError, type Logger, memory } from '../index.ts';
import { excerptOf, findName, type Spot } from './excerpt.ts';
import type { Defined } from './modules.ts';
import { talkLogger } from './stores.ts';
import type { Terminal } from './terminal.ts';

/** A diagnostic as programs read it. */
export interface Found {
  readonly file: string;
  readonly code: string;
  readonly message: string;
  /** The flow and the node; of a Serverless Workflow a pointer into it. */
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  /** It can be run all the same. */
  readonly severity?: 'warning';
}

export type Problem = Diagnostic & { readonly flow?: string };

/**
 * Everything that is wrong with the flows of a file; nothing if they can be run. Whoever runs them
 * here has to have their handlers, too.
 */
export async function problemsIn(
  terminal: Terminal,
  defined: Defined,
  runs = false,
): Promise<readonly Found[]> {
  const refused =
    defined.workflow === undefined
      ? await refusalOf(terminal, defined, runs)
      : await workflowProblems(terminal, defined);
  return inOrder(refused.map((one) => placed(defined, advised(defined, one))));
}

/** As they stand in the file. */
export function inOrder(found: readonly Found[]): readonly Found[] {
  return found.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

/** What an engine has against them; one that works on them asks for more. */
async function refusalOf(
  terminal: Terminal,
  { flows, handlers }: Defined,
  runs: boolean,
): Promise<readonly Problem[]> {
  // What is not wrong and yet worth a word is said by the engine that really runs them.
  const more = runs ? { logger: QUIET } : { logger: talkLogger(terminal), worker: false as const };
  try {
    const engine = await createEngine({ store: memory(), flows, handlers, ...more });
    await engine.close();
    return [];
  } catch (thrown) {
    const list = diagnosticsOf(thrown);
    if (list === undefined) throw thrown;
    return list;
  }
}

/** What is fetched for it is fetched when it is run: what is written is all there is to look at. */
async function workflowProblems(terminal: Terminal, defined: Defined): Promise<readonly Problem[]> {
  const found = defined.flows.flatMap(({ definition }) => definition.diagnostics);
  if (found.length > 0) return found;
  const flows = defined.flows.filter(({ definition }) => definition.linking === undefined);
  return refusalOf(terminal, { ...defined, flows }, false);
}

/** What is worth a word of a workflow that can be run, in the order in which it is written. */
export function warningsIn(defined: Defined): readonly Found[] {
  const { warnings = [] } = defined.workflow ?? {};
  return warnings.map((warning) => ({ ...placed(defined, warning), severity: 'warning' }));
}

const nothing = (): void => {};
const QUIET: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Whoever named no handlers at all may not know how. */
function advised({ handlers }: Defined, problem: Problem): Problem {
  const { code, message } = problem;
  if (code !== 'flowchart.unknown-type' || Object.keys(handlers).length > 0) return problem;
  const or = message.endsWith('?') ? ' Or' : '; or';
  const advice = `${or} name the module that has its handler with --handlers FILE`;
  return { ...problem, message: `${message}${advice}` };
}

/** Throws what is wrong with the flows of a file, where it is written. */
export async function checkDefined(
  terminal: Terminal,
  defined: Defined,
  runs = false,
): Promise<void> {
  const found = await problemsIn(terminal, defined, runs);
  if (found.length === 0) {
    for (const one of runs ? warningsIn(defined) : [])
      terminal.talk(`${shown(one, defined.source)}\n`);
    return;
  }
  const message = found.map((one) => shown(one, defined.source)).join('\n');
  throw new EngineError('definition.invalid', message, { details: { diagnostics: found } });
}

/** Those that an engine refused a definition for; a refusal that has none is said as it is. */
function diagnosticsOf(thrown: unknown): readonly Problem[] | undefined {
  const { code, details } = Object(thrown) as { code?: unknown; details?: unknown };
  if (code !== 'definition.invalid') return undefined;
  const { diagnostics } = details as { diagnostics?: readonly Problem[] };
  return diagnostics === undefined || diagnostics.length === 0 ? undefined : diagnostics;
}

/** Of a flow in TypeScript the place is where its node's name is written. */
export function placed(
  { file, source, workflow }: Defined,
  { code, message, node, flow, span }: Problem,
): Found {
  const parts = workflow === undefined ? [flow, node] : [node];
  const path = parts.filter((part) => part !== undefined && part !== '').join('/');
  const spot = span ?? writtenAt(source, node, flow);
  return { file, code, message, path, line: spot?.line ?? null, column: spot?.column ?? null };
}

function writtenAt(
  source: string,
  node: string | undefined,
  flow: string | undefined,
): Spot | undefined {
  // An activity of a nested flowchart is written without the name of that.
  for (const name of [node, node?.slice(node.lastIndexOf('/') + 1), flow]) {
    const spot = name ? findName(source, name) : undefined;
    if (spot !== undefined) return spot;
  }
  return undefined;
}

export function shown(found: Found, source: string): string {
  const { file, code, message, line, column, severity } = found;
  const said = `${severity === undefined ? '' : `${severity}: `}${message} (${code})`;
  if (line === null || column === null) return `${file}: ${said}`;
  return `${file}:${line}:${column}: ${said}\n${excerptOf(source, { line, column })}`;
}
