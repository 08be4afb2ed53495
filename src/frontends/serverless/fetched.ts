/** What was fetched for a definition, read and checked: functions, which are tasks, and schemas. */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Wanted } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/draft.ts';
import { readWorkflow } from './reading/reading.ts';
import { readYamlText } from './reading/yaml-text.ts';
import type { Shelf } from './shelf.ts';

type Fetched = Pick<Shelf, 'functions' | 'schemas'>;

export function readFetched(
  wants: readonly Wanted[],
  texts: ReadonlyMap<string, string>,
  known: Fetched,
): { readonly more: Fetched; readonly diagnostics: readonly Diagnostic[] } {
  const functions = new Map(known.functions);
  const schemas = new Map(known.schemas);
  const diagnostics: Diagnostic[] = [];
  for (const { name, kind } of wants) {
    const { value = null, problems } = readYamlText(texts.get(name) ?? '');
    const found = problems.length > 0 ? problems.map(wordsOf) : problemsIn(kind, value);
    diagnostics.push(...found.map((message) => told(name, message)));
    if (kind === 'schema') schemas.set(name, value);
    else functions.set(name, isJsonObject(value) ? value : {});
  }
  return { more: { functions, schemas }, diagnostics };
}

function wordsOf({ message }: Diagnostic): string {
  return message;
}

function told(name: string, message: string): Diagnostic {
  return { code: 'serverless.bad-resource', message: `${name}: ${message}` };
}

/** A function is a task, and is checked as one: as the only one of a workflow. */
function problemsIn(kind: Wanted['kind'], value: Json): readonly string[] {
  if (kind === 'schema') return [];
  if (!isJsonObject(value)) return ['a function is a task'];
  const document = { dsl: '1.0.3', namespace: 'fetched', name: 'function', version: '1.0.0' };
  const whole: JsonObject = { document, do: [{ function: value }] };
  return readWorkflow(JSON.stringify(whole)).errors.map(wordsOf);
}
