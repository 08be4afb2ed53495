/**
 * `serverless(text)`: a Serverless Workflow as a flow, from YAML or JSON.
 *
 * Reading finds everything that is wrong with the text, and drawing everything that is wrong with
 * its expressions; `serverless` throws all of it at once, `serverlessFromText` hands it over with
 * the flow.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { Json } from '../../base/json.ts';
import type { Flow } from '../../model/definition.ts';
import type { Diagnostic, Draft } from '../../model/draft.ts';
import { dataFlow } from '../builder/data-flow.ts';
import { readWorkflow } from './reading/reading.ts';
import { readFetched } from './fetched.ts';
import { type Document, drawWorkflow, NOTHING_FETCHED, ROOT, withMore } from './workflow.ts';

/** A definition, or an error with every diagnostic. */
export function serverless<Input = Json, Output = Json>(text: string): Flow<Input, Output> {
  const flow = serverlessFromText<Input, Output>(text);
  const { diagnostics } = flow.definition;
  if (diagnostics.length === 0) return flow;
  const lines = diagnostics.map(sentence);
  const count = `${lines.length} ${lines.length === 1 ? 'problem' : 'problems'}`;
  const message = `${count} in the definition:\n${lines.join('\n')}`;
  throw new EngineError('definition.invalid', message, { details: { diagnostics } });
}

function sentence({ code, message, span, node }: Diagnostic): string {
  const place = span === undefined ? (node ?? '') : `line ${span.line}, column ${span.column}`;
  return `  ${place === '' ? '' : `${place}: `}${message} (${code})`;
}

/** Never throws: what is wrong is among the flow's diagnostics. */
export function serverlessFromText<Input = Json, Output = Json>(text: string): Flow<Input, Output> {
  const read = readWorkflow(text);
  if (read.document === null || read.errors.length > 0) return dataFlow(NO_DRAFT, read.errors);
  return linked(read, NOTHING_FETCHED);
}

type Fetched = typeof NOTHING_FETCHED;

/** With what was fetched for it; if it wants more, that can be linked in turn. */
function linked<Input, Output>(read: Document, fetched: Fetched): Flow<Input, Output> {
  const { flow, wants } = drawWorkflow<Input, Output>(read, fetched);
  if (wants.length === 0) return flow;
  const link = (texts: ReadonlyMap<string, string>): Flow => {
    const { more, diagnostics } = readFetched(wants, texts, fetched);
    const next = linked<never, unknown>(read, more);
    if (diagnostics.length === 0) return next;
    return withMore(next, { diagnostics: [...next.definition.diagnostics, ...diagnostics] });
  };
  return withMore(flow, { linking: { wants, link } });
}

const NO_DRAFT: Draft = { name: '', version: 1, start: ROOT, nodes: [], edges: [] };
