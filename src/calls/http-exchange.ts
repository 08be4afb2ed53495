/**
 * One request and what becomes of its answer, the same for `call: http` and `call: openapi`.
 *
 * A status of 2xx is the call's result; any other is a `communication` error with that status, the
 * reason as its title and the body as its detail. Where redirects are followed, a 3xx that leads
 * nowhere is a result, too.
 *
 * POST and PATCH carry an `idempotency-key`, the same whenever the same visit of the task is made
 * again: a crash between the request and the commit of its result repeats it, and a server that
 * knows the header can tell. The other methods may be repeated by their own definition.
 */
import { STATUS_CODES } from 'node:http';
import type { Json, JsonObject } from '../base/json.ts';
import { meant } from '../base/nearest.ts';
import { WorkflowError } from '../model/workflow-error.ts';
import type { CallResult, Calling, HttpAnswer } from './calling.ts';
import { base64Of, contentOf, readableOf } from './http-content.ts';

export interface Exchange {
  /** In capitals. */
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. What is null is not sent, not even if we would send it by ourselves. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body?: string | Uint8Array;
  readonly authentication?: JsonObject;
  readonly redirect: boolean;
  readonly output: OutputFormat;
}

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

const OUTPUT_FORMATS = ['raw', 'content', 'response'] as const;
/** What is kept of a body in the detail of an error: enough to see what was wrong. */
export const DETAIL_CHARS_MAX = 4_096;
const KEYED = /^(POST|PATCH)$/;

export async function exchange(calling: Calling, asked: Exchange): Promise<CallResult> {
  const { method, url, body, authentication, redirect } = asked;
  const answer = await calling.http.send({
    ...{ method, url, redirect, headers: headersOf(calling, asked), signal: calling.signal },
    ...(body === undefined ? {} : { body }),
    ...(authentication === undefined ? {} : { authentication }),
  });
  if (!isFine(answer.status, redirect)) throw failureOf(calling, answer);
  const output = outputOf(calling, answer, asked.output);
  const { authorization } = answer;
  return authorization === undefined ? { output } : { output, authorization };
}

/** The `output` of a call's arguments, `content` unless said otherwise. */
export function readOutput(given: Json | undefined): OutputFormat {
  const format = given ?? 'content';
  const known = OUTPUT_FORMATS.find((one) => one === format);
  if (known !== undefined) return known;
  const hint = typeof format === 'string' ? `; ${meant(format, OUTPUT_FORMATS)}` : '';
  throw new WorkflowError('configuration', {
    detail: `"output" is one of ${OUTPUT_FORMATS.join(', ')}, not ${JSON.stringify(format)}${hint}`,
  });
}

function headersOf(
  { idempotencyKey }: Calling,
  { method, headers }: Exchange,
): Readonly<Record<string, string>> {
  const all: Readonly<Record<string, string | null>> = {
    ...(KEYED.test(method) ? { 'idempotency-key': headerText(idempotencyKey) } : {}),
    ...headers,
  };
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) if (value !== null) sent[name] = value;
  return sent;
}

/** A key may hold the id of an instance, and that anything at all. */
function headerText(key: string): string {
  const whole = key.replaceAll(/\p{Cs}/gu, '\ufffd');
  return whole.replaceAll(/[^\x21-\x7e]/gu, (letter) => encodeURIComponent(letter));
}

function isFine(status: number, redirect: boolean): boolean {
  return status >= 200 && status < (redirect ? 400 : 300);
}

function outputOf({ hide }: Calling, answer: HttpAnswer, format: OutputFormat): Json {
  if (format === 'raw') return base64Of(answer.body);
  const content = contentOf(answer);
  if (format === 'content') return content;
  const { method, uri, headers } = answer.request;
  const shown = Object.entries(headers).map(([name, value]) => [name, hide(value)]);
  return {
    request: { method, uri: hide(uri), headers: Object.fromEntries(shown) as JsonObject },
    statusCode: answer.status,
    headers: answer.headers,
    content,
  };
}

/** What an answer that is no result is to a workflow. */
export function failureOf({ hide }: Calling, answer: HttpAnswer): WorkflowError {
  const { status, statusText } = answer;
  const title = statusText === '' ? (STATUS_CODES[status] ?? `HTTP ${status}`) : statusText;
  const said = readableOf(answer) ?? whereTo(answer);
  // Hidden before it is cut: a part of a secret would not be known for one.
  const detail = said === undefined ? undefined : cut(hide(said));
  return new WorkflowError('communication', {
    ...{ status, title },
    ...(detail === undefined ? {} : { detail }),
  });
}

function whereTo({ status, headers }: HttpAnswer): string | undefined {
  const { location } = headers;
  if (status < 300 || status > 399 || location === undefined) return undefined;
  return `it leads to ${location}; "redirect: true" follows`;
}

/** Never between the halves of a letter. */
function cut(text: string): string {
  if (text.length <= DETAIL_CHARS_MAX) return text;
  return `${text.slice(0, DETAIL_CHARS_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
