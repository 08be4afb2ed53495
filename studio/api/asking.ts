/**
 * Requests, as any stranger would make them. What is refused is a `Problem` with the code of the
 * engine; that nobody answers is one as well, so that a screen has one way to tell what is wrong.
 */
import { token } from './token.ts';

export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>;

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, status = 0, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

export function get<Value>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Value> {
  return ask<Value>('GET', withQuery(path, query), signal === undefined ? {} : { signal });
}

export function post<Value = void>(path: string, body: unknown = {}): Promise<Value> {
  const headers = { 'content-type': 'application/json' };
  return ask<Value>('POST', path, { body: JSON.stringify(body), headers });
}

/** Once only, however often it has to be sent: for what must not be done twice. */
export function postOnce<Value = void>(path: string, body: unknown, key: string): Promise<Value> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return ask<Value>('POST', path, { body: JSON.stringify(body), headers });
}

/** The same as a path of the API: ids may be any text. */
export function pathTo(...parts: readonly (string | number)[]): string {
  return `/api/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}

export function withQuery(path: string, query: Query): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) words.append(name, String(one));
  }
  return words.size === 0 ? path : `${path}?${words}`;
}

export function authorized(headers: HeadersInit = {}): Headers {
  const all = new Headers(headers);
  all.set('authorization', `Bearer ${token()}`);
  return all;
}

async function ask<Value>(method: string, url: string, init: RequestInit): Promise<Value> {
  const headers = authorized(init.headers);
  let response: Response;
  try {
    response = await fetch(url, { ...init, method, headers });
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown;
    const message = 'nobody answers: is “perdure dev” still running?';
    throw new Problem('studio.offline', message);
  }
  const text = await response.text();
  const value: unknown = text === '' ? undefined : parsed(text);
  if (!response.ok) throw problemOf(response.status, value);
  return value as Value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemOf(status: number, value: unknown): Problem {
  const { code, detail, details } = Object(value) as Record<string, unknown>;
  if (status === 401) {
    const message =
      'this page has no valid start token: open the address that “perdure dev” printed';
    return new Problem('access.unauthenticated', message, status);
  }
  return new Problem(
    typeof code === 'string' ? code : 'studio.answer',
    typeof detail === 'string' ? detail : `the server answered ${status}`,
    status,
    (details ?? {}) as Record<string, unknown>,
  );
}

export function problemFrom(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem('studio.bug', thrown instanceof Error ? thrown.message : String(thrown));
}
