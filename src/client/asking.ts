/**
 * Requests to the API, and the four things that can come of one. Whatever the network does is one
 * of them and never thrown: for a worker none of it is exceptional.
 */
import { chanceOf } from '../base/chance.ts';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { Settings } from './options.ts';

/** Why a request had no success: the code of the problem, or that nobody could be reached. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** As in docs/http.md; `api.unreachable` if there was no answer that could be read. */
  readonly code: string;
  /** Null if there was no answer. */
  readonly status: number | null;
  readonly details: JsonObject;

  constructor(
    code: string,
    message: string,
    more: {
      readonly status?: number;
      readonly details?: JsonObject;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.status = more.status ?? null;
    this.details = more.details ?? {};
  }
}

export type Reply =
  | { readonly came: 'answer'; readonly body: Json }
  /** The work is not this worker's any more. */
  | { readonly came: 'lost'; readonly error: ApiError }
  /** The same request would be refused again. */
  | { readonly came: 'refusal'; readonly error: ApiError }
  /** The same request may go through later; by itself, or after what the API says. */
  | { readonly came: 'trouble'; readonly error: ApiError; readonly afterMs: number | null };

export interface Question {
  readonly path: string;
  readonly body: object;
  /** Past this nobody is waited for any more. */
  readonly timeoutMs: number;
  /** Ends it earlier. */
  readonly controller?: AbortController;
}

export async function ask(settings: Settings, question: Question): Promise<Reply> {
  const { url, key, tenant, fetch } = settings;
  const { path, body, timeoutMs, controller = new AbortController() } = question;
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(tenant === null ? {} : { 'perdure-tenant': tenant }),
      },
      body: JSON.stringify(body),
      // A key is for whom it was given to, and for nobody they may point at.
      redirect: 'error',
      signal: controller.signal,
    });
    const text = await response.text();
    return response.ok ? { came: 'answer', body: parsed(text) } : refused(response, text);
  } catch (cause) {
    const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    const error = new ApiError('api.unreachable', `${path}: ${String(why)}`, { cause });
    return { came: 'trouble', error, afterMs: null };
  } finally {
    clearTimeout(timer);
  }
}

function parsed(text: string): Json {
  return text === '' ? null : (JSON.parse(text) as Json);
}

/** Of what is no success, these may be one later: too many requests, and any trouble over there. */
function refused(response: Response, text: string): Reply {
  const { status } = response;
  const { code = `http.${status}`, detail = text.slice(0, DETAIL_CHARS_MAX), details } = read(text);
  const error = new ApiError(code, detail, { status, ...(details && { details }) });
  if (status === 408 || status === 429 || status >= 500) {
    return { came: 'trouble', error, afterMs: afterMsOf(response.headers.get('retry-after')) };
  }
  return { came: code === 'work.lost' ? 'lost' : 'refusal', error };
}

/** Of a text that is no problem of ours: a proxy's page, say. */
const DETAIL_CHARS_MAX = 500;

interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly details?: JsonObject;
}

function read(text: string): Problem {
  try {
    const body = parsed(text);
    if (!isJsonObject(body)) return {};
    const { code, detail, details } = body;
    return {
      ...(typeof code === 'string' ? { code } : {}),
      ...(typeof detail === 'string' ? { detail } : {}),
      ...(isJsonObject(details) ? { details } : {}),
    };
  } catch {
    // No problem details: what it is shows in the status.
    return {};
  }
}

/** In seconds; a date is left to our own pauses. */
function afterMsOf(header: string | null): number | null {
  const seconds = header === null || header === '' ? Number.NaN : Number(header);
  if (!(seconds >= 0)) return null;
  return Math.min(seconds * 1_000, RETRY_AFTER_MS_MAX);
}

/** Whoever asks for more patience than this is asked again all the same. */
const RETRY_AFTER_MS_MAX = 60_000;
const PAUSE_MS_BASE = 100;
const PAUSE_MS_MAX = 10_000;

/** Before another try, after so many that failed: drawn, so that many do not come back at once. */
export function pauseMs(failed: number, text: string): number {
  const span = Math.min(PAUSE_MS_BASE * 2 ** (failed - 1), PAUSE_MS_MAX);
  return Math.ceil(span * (0.5 + chanceOf(`${text} ${failed}`) / 2));
}

/** Until the time is over, or it does not matter any more. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
