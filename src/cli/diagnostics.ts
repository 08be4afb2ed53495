/** What is wrong with a definition, where it is written, as people and programs read it. */
import { createEngine, type Diagnostic, EngineError, memory } from '../index.ts';
import { excerptOf, findName, type Spot } from './excerpt.ts';
import type { Defined } from './modules.ts';
import { talkLogger } from './stores.ts';
import { suggestion } from './suggestion.ts';
import type { Terminal } from './terminal.ts';

/** A diagnostic as programs read it. */
export interface Found {
  readonly file: string;
  readonly code: string;
  readonly message: string;
  /** The flow and the node. */
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
}

export type Problem = Diagnostic & { readonly flow?: string };

/**
 * Everything that is wrong with the flows of a file, and what else was found in it; nothing if they
 * can be run.
 */
export async function problemsIn(
  terminal: Terminal,
  defined: Defined,
  more: readonly Problem[] = [],
): Promise<readonly Found[]> {
  const refused = await refusalOf(terminal, defined);
  const isKnown = ({ code, node, flow }: Problem): boolean =>
    refused.some((one) => one.code === code && one.node === node && one.flow === flow);
  return [...refused, ...more.filter((problem) => !isKnown(problem))]
    .map((one) => placed(defined, one))
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** What an engine has against them. */
async function refusalOf(terminal: Terminal, defined: Defined): Promise<readonly Problem[]> {
  const { flows, handlers } = defined;
  try {
    const logger = talkLogger(terminal);
    const engine = await createEngine({ store: memory(), worker: false, flows, handlers, logger });
    await engine.close();
    return [];
  } catch (thrown) {
    const list = diagnosticsOf(thrown);
    if (list === undefined) throw thrown;
    return list;
  }
}

/**
 * Activities of a type that is none of ours and has no handler. A module that has no handlers at
 * all leaves them to whoever runs it; data cannot bring any, so they are named with it or forgotten.
 */
export function unknownTypes({ flows, handlers, isData }: Defined): readonly Problem[] {
  const names = Object.keys(handlers);
  if (isData !== true && names.length === 0) return [];
  const advice = (type: string): string =>
    names.length === 0
      ? 'name the file that has one with --handlers FILE'
      : suggestion(type, names);
  return flows.flatMap(({ name: flow, definition }) =>
    definition.draft.nodes.flatMap(({ id: node, kind, settings: { type }, span }) => {
      if (kind !== 'activity' || typeof type !== 'string') return [];
      if (names.includes(type) || names.includes(`${flow}/${type}`)) return [];
      const what = `activity "${node}" is of type "${type}"`;
      const message = `${what}, which is none of ours and has no handler: ${advice(type)}`;
      const place = span === undefined ? {} : { span };
      return [{ code: 'flowchart.unknown-type', message, node, flow, ...place }];
    }),
  );
}

/** Throws what is wrong with the flows of a file, where it is written. */
export async function checkDefined(
  terminal: Terminal,
  defined: Defined,
  more: readonly Problem[] = [],
): Promise<void> {
  const found = await problemsIn(terminal, defined, more);
  if (found.length === 0) return;
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
  { file, source }: Defined,
  { code, message, node, flow, span }: Problem,
): Found {
  const path = [flow, node].filter((part) => part !== undefined && part !== '').join('/');
  const written = [node, flow].map((name) => name && findName(source, name));
  const spot: Spot | undefined = span ?? written.find((one) => typeof one === 'object');
  return { file, code, message, path, line: spot?.line ?? null, column: spot?.column ?? null };
}

export function shown({ file, code, message, line, column }: Found, source: string): string {
  if (line === null || column === null) return `${file}: ${message} (${code})`;
  return `${file}:${line}:${column}: ${message} (${code})\n${excerptOf(source, { line, column })}`;
}
