/**
 * A target that is a URL: each event as a CloudEvent in JSON, signed as Standard Webhooks have it.
 *
 * What a receiver answers counts by its status alone. Of an answer's body a little is read, so that
 * the connection can be used again and people see what was wrong; neither how long it is nor how
 * long it takes is the receiver's to decide.
 */
import { createHmac } from 'node:crypto';
import { EngineError } from '../base/engine-error.ts';
import type { Broker, OutboxEvent } from './target.ts';

export interface WebhookOptions {
  readonly url: string;
  /** `whsec_` and 24 to 64 bytes as base64. Whoever receives the events has it, too. */
  readonly secret?: string;
  /** Several, while one takes the place of another: the events are signed with each of them. */
  readonly secrets?: readonly string[];
  /** The `source` of the events, a URI reference; by default `/flows/` and the name of the flow. */
  readonly source?: string;
  /** Further headers, such as `authorization`; `traceparent` is the event's unless given. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In the place of Node's own. */
  readonly fetch?: typeof fetch;
}

/** What is read of an answer, and how long that may take. */
const BODY_BYTES_MAX = 65_536;
const BODY_MS_MAX = 1_000;
const EXCERPT_CHARS_MAX = 200;
/** What Standard Webhooks ask of a secret. */
const SECRET_BYTES = { min: 24, max: 64 } as const;
const RESERVED = /^(content-type|content-length|webhook-.*)$/i;
/** Shorter words are not worth hiding, and would hide others. */
const HIDDEN_CHARS_MIN = 8;

/** A target for `outbox`: posts each event to a URL. */
export function webhook(options: WebhookOptions): Broker {
  const { source, headers = {}, fetch: post = fetch } = options;
  const url = readUrl(options.url);
  const keys = readSecrets(options);
  const fixed = readHeaders(headers);
  const isTraced = new Headers(fixed).has('traceparent');
  if (source !== undefined && (typeof source !== 'string' || source === '')) {
    throw bad('source is a text that is not empty');
  }
  const hidden = Object.values(headers).flatMap((value) => value.split(/\s+/));
  // Without what may be in its query: a token, say.
  const place = `${url.origin}${url.pathname}`;
  return {
    send: async (event, { signal }) => {
      const body = bodyOf(event, source);
      const signed = signatureOf(headerId(event.id), body, keys);
      const traced = isTraced || event.trace === undefined ? {} : { traceparent: event.trace };
      const request = { method: 'POST', headers: { ...traced, ...fixed, ...signed }, body, signal };
      const answer = await ask(() => post(url, { ...request, redirect: 'manual' }), place);
      const text = await readSome(answer);
      if (!answer.ok) throw refusalOf(answer, place, hide(text, hidden));
    },
  };
}

/** A receiver that did not take an event. */
class WebhookError extends Error {
  override readonly name: string = 'WebhookError';
  readonly code: string = 'webhook.refused';
  /** Read by whoever sends: another attempt would not help. */
  readonly fatal: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, fields: { fatal?: boolean; retryAfterMs?: number | undefined }) {
    super(message);
    this.fatal = fields.fatal ?? false;
    this.retryAfterMs = fields.retryAfterMs;
  }
}

async function ask(post: () => Promise<Response>, place: string): Promise<Response> {
  try {
    return await post();
  } catch (thrown) {
    throw new WebhookError(`${place} did not answer: ${reasonOf(thrown)}`, {});
  }
}

/** `fetch` says that it failed; why is in what lies behind. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'no reason is known';
  const { cause } = thrown;
  if (!(cause instanceof Error)) return thrown.message;
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? code : cause.message;
}

function refusalOf({ status, headers }: Response, place: string, excerpt: string): WebhookError {
  const said = excerpt === '' ? '' : `: ${excerpt}`;
  const message = `${place} answered ${status}${said}`;
  // Gone: the receiver wants no more of these.
  if (status === 410) return new WebhookError(message, { fatal: true });
  const isBusy = status === 429 || status === 503;
  const retryAfterMs = isBusy ? retryAfter(headers.get('retry-after')) : undefined;
  return new WebhookError(message, { retryAfterMs });
}

/** In seconds, or a date. */
function retryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const until = Date.parse(text);
  return Number.isNaN(until) ? undefined : Math.max(until - Date.now(), 0);
}

function bodyOf(letter: OutboxEvent, source?: string): string {
  const { id, type, key, data, flow, at, event } = letter;
  // What was made as an event is sent as it was made.
  if (event !== undefined) return JSON.stringify(event);
  return JSON.stringify({
    specversion: '1.0',
    id: headerId(id),
    source: source ?? `/flows/${encodeURIComponent(flow)}`,
    type,
    ...(key === null || key === '' ? {} : { subject: key }),
    time: new Date(at).toISOString(),
    datacontenttype: 'application/json',
    data,
  });
}

/** An id that a program chose may hold what no header takes, or the full stop of a signature. */
function headerId(id: string): string {
  const whole = id.replaceAll(/\p{Cs}/gu, '\ufffd');
  return encodeURIComponent(whole).replaceAll('%2F', '/').replaceAll('.', '%2E');
}

function signatureOf(
  id: string,
  body: string,
  keys: readonly Buffer[],
): Readonly<Record<string, string>> {
  const timestamp = `${Math.floor(Date.now() / 1_000)}`;
  const signatures = keys.map((key) => {
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${mac}`;
  });
  return {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** The beginning of an answer. Never rejects, and never takes long. */
async function readSome({ body }: Response): Promise<string> {
  if (body === null) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => {});
  const timer = setTimeout(leave, BODY_MS_MAX);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.length;
      if (size <= BODY_BYTES_MAX) continue;
      leave();
      break;
    }
  } catch {
    // Cut off half-way: what came is all there is to be read.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, BODY_BYTES_MAX).toString('utf8');
}

/** Some receivers answer with what they were sent: what opens doors is not to be kept. */
function hide(text: string, hidden: readonly string[]): string {
  let shown = text;
  for (const word of hidden) {
    if (word.length >= HIDDEN_CHARS_MIN) shown = shown.replaceAll(word, '…');
  }
  return shown.replaceAll(/\s+/g, ' ').trim().slice(0, EXCERPT_CHARS_MAX);
}

function readUrl(text: unknown): URL {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw bad('url is an address that begins with https:// or http://');
  }
  if (url.username !== '' || url.password !== '') {
    throw bad('url holds a name or a password: give them in headers, as authorization');
  }
  return url;
}

/** What is wrong with a secret is said without it. */
function readSecrets({ secret, secrets }: WebhookOptions): readonly Buffer[] {
  if ((secret === undefined) === (secrets === undefined)) {
    throw bad('takes either a secret or secrets: the receiver knows by it who sends');
  }
  const given: unknown = secrets ?? [secret];
  if (!Array.isArray(given) || given.length === 0) throw bad('secrets is a list of one or more');
  return given.map((text: unknown) => {
    const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(String(text)) ?? [];
    const key = Buffer.from(base64, 'base64');
    if (key.length >= SECRET_BYTES.min && key.length <= SECRET_BYTES.max) return key;
    const { min, max } = SECRET_BYTES;
    throw bad(`a secret is "whsec_" and ${min} to ${max} bytes as base64`);
  });
}

function readHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null) throw bad('headers is an object of texts');
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (RESERVED.test(name)) throw bad(`the header "${name}" is set by the webhook itself`);
    if (typeof value !== 'string' || !isHeader(name, value)) {
      throw bad(`the header "${name}" has a name or a value that no header may have`);
    }
    read[name] = value;
  }
  return read;
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}

function bad(message: string): EngineError {
  return new EngineError('engine.option-invalid', `webhook: ${message}`);
}
