/** The nodes that wait for people: each method of the builder as a piece of the draft. */
import { admitJson, type Json, type JsonObject } from '../../base/json.ts';
import type { Code, NodeCode } from '../../model/definition.ts';
import type { Instant } from '../../model/ids.ts';
import {
  APPROVAL_PARTS,
  APPROVAL_WAYS,
  badPart,
  type Reader,
  type Readers,
  TASK_PARTS,
} from '../../model/task-parts.ts';
import { begin, complain, type Findings, isRecord, readClosure, readOptions } from './checks.ts';
import { nodeIn, type Piece, type Region } from './path.ts';
import { given } from './readers.ts';

type Asked = Readonly<Record<string, unknown>>;

export function drawTask(region: Region, name: unknown, options: unknown): Piece {
  const found = begin(name);
  const known = Object.keys(TASK_PARTS);
  const asked = readOptions(found, `task "${found.node}"`, known, options);
  const form = schemaOf(found, asked['form']);
  const { settings, code } = readParts(found, 'task', TASK_PARTS, { ...asked, form });
  return pieceOf(region, found, 'task', settings, code);
}

export function drawApprove(region: Region, name: unknown, options: unknown): Piece {
  const found = begin(name);
  const known = [...Object.keys(APPROVAL_PARTS), ...Object.keys(APPROVAL_WAYS)];
  const asked = readOptions(found, `approve "${found.node}"`, known, options ?? {});
  if (asked['approvers'] === undefined) {
    const message = `"${found.node}" says who has a say: names as "approvers", or a closure`;
    complain(found, 'approve.no-approvers', message);
  }
  const { settings, code } = readParts(found, 'approve', APPROVAL_PARTS, asked);
  const ways = Object.entries(APPROVAL_WAYS).map(([way, read]) => {
    return [way, readFixed(found, { kind: 'approve', name: way, read }, asked[way])] as const;
  });
  return pieceOf(
    region,
    found,
    'approve',
    given({ ...settings, ...Object.fromEntries(ways) }),
    code,
  );
}

/** What is fixed as it was written, and the closures with their names. */
function readParts(
  found: Findings,
  kind: string,
  readers: Readers,
  asked: Asked,
): { readonly settings: JsonObject; readonly code: NodeCode } {
  const fixed: Record<string, Json | undefined> = {};
  const code: Record<string, Code> = {};
  for (const [name, read] of Object.entries(readers)) {
    const part = asked[name];
    if (typeof part === 'function') Object.assign(code, readClosure(found, name, part));
    else fixed[name] = readFixed(found, { kind, name, read }, part);
  }
  return { settings: { fixed: given(fixed), asks: Object.keys(code) }, code };
}

/** Null is as good as nothing. */
function readFixed(
  found: Findings,
  { kind, name, read }: { kind: string; name: string; read: Reader },
  value: unknown,
): Json | undefined {
  if (value === undefined || value === null) return undefined;
  const admitted = admitJson(value);
  if (!admitted.ok) {
    const message = `"${name}" of "${found.node}" is JSON: ${admitted.problem}`;
    complain(found, `${kind}.bad-${name}`, message);
    return undefined;
  }
  const problem = read(admitted.value, 0 as Instant);
  if (problem.ok) return admitted.value;
  const message = badPart(found.node, name, problem.problem, admitted.value);
  complain(found, `${kind}.bad-${name}`, message);
  return undefined;
}

/** A form as JSON Schema: a schema of another kind is asked for it, and may not know. */
function schemaOf(found: Findings, form: unknown): unknown {
  const isSchema = isRecord(form) || typeof form === 'function';
  const standard: unknown = isSchema ? Reflect.get(form, '~standard') : undefined;
  if (!isRecord(standard)) return form;
  const { jsonSchema } = standard;
  const convert: unknown = isRecord(jsonSchema) ? jsonSchema['input'] : undefined;
  try {
    if (typeof convert === 'function') return convert({ target: 'draft-2020-12' }) as unknown;
    complainForm(found, 'it does not tell');
  } catch (thrown) {
    complainForm(found, String(thrown));
  }
  return undefined;
}

function complainForm(found: Findings, why: string): void {
  const message =
    `"form" of "${found.node}" is a schema whose JSON Schema is not to be had (${why}); ` +
    'write that instead, as form<Output>(schema)';
  complain(found, 'task.bad-form', message);
}

function pieceOf(
  region: Region,
  { node: id, list: diagnostics }: Findings,
  kind: string,
  settings: JsonObject,
  code: NodeCode,
): Piece {
  const nodes = [nodeIn(region, id, kind, settings)];
  return { nodes, code: [[id, code]], diagnostics, entry: id, exit: id };
}
