/**
 * Something wrong in a task, as the fault that it becomes: a standard error of the language, with
 * the place in the definition where it happened. A fault that came from elsewhere (a lease that ran
 * out, a handler that threw) is seen by a workflow as a runtime error.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { ERROR_STATUS, type ErrorKind, WorkflowError } from '../../model/workflow-error.ts';
import type { Fault } from '../../model/instance.ts';

/** A detail that is longer is cut: faults are stored, and people read them. */
const DETAIL_CHARS_MAX = 4_000;

/** What went wrong, before it is known where. */
export interface Trouble {
  readonly kind: ErrorKind;
  readonly detail: string;
  readonly status?: number;
  readonly title?: string;
}

/** Where it was, and how the definition names its errors. */
export interface Whereabouts {
  readonly at: string;
  readonly family: string;
}

type Raised = Omit<Fault, 'node'>;

export function troubleFault({ kind, ...parts }: Trouble, where: Whereabouts): Raised {
  const { title, status, detail = '' } = new WorkflowError(kind, parts);
  const error = {
    type: `${where.family}${kind}`,
    status,
    title,
    detail: cut(detail),
    instance: where.at,
  };
  return { code: `workflow.${kind}`, message: cut(detail === '' ? title : detail), details: error };
}

/** An error of the author's own: what it lacks is added, and nothing it says is altered. */
export function raisedFault(error: JsonObject, where: Whereabouts): Raised {
  const { title, detail, type } = error;
  const isSaid = (text: Json | undefined): text is string =>
    typeof text === 'string' && text !== '';
  const said = [title, detail].filter(isSaid);
  const message = said.length === 0 ? JSON.stringify(type) : said.join(': ');
  const details = { ...error, instance: error['instance'] ?? where.at };
  return { code: 'workflow.raised', message: cut(message), details };
}

/** What a workflow sees of a fault: `type`, `status`, `title`, `detail`, `instance`. */
export function errorOf({ node, message, details }: Fault, family: string): JsonObject {
  if (isError(details)) return details;
  const { title } = new WorkflowError('runtime');
  const instance = typeof node === 'string' ? pointerOf(node) : '';
  const status = ERROR_STATUS.runtime;
  return { type: `${family}runtime`, status, title, detail: cut(message), instance };
}

function isError(details: Json | undefined): details is JsonObject {
  if (!isJsonObject(details)) return false;
  return typeof details['type'] === 'string' && typeof details['status'] === 'number';
}

/** Nodes that nobody wrote have the place of the task they belong to before a `#`. */
export function pointerOf(node: string): string {
  const place = node.slice(node.lastIndexOf('>') + 1);
  const hash = place.indexOf('#');
  return hash < 0 ? place : place.slice(0, hash);
}

function cut(text: string): string {
  return text.length <= DETAIL_CHARS_MAX ? text : `${text.slice(0, DETAIL_CHARS_MAX)}…`;
}
