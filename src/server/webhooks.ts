/**
 * Webhooks that come in: whether who sent one has the secret, and what it is to be known by.
 *
 * A signature is over the bytes that came, so these are checked before anything reads them. Schemes
 * that sign a time are held to it, both ways. What came twice has the same id: whoever publishes it
 * under that id does it once, however often it is sent.
 *
 * `perdure` is what the outbox of another engine sends (`webhook()`), and that is signed as
 * Standard Webhooks have it.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Duration, Json } from '../index.ts';
import type { HeaderOf } from './header.ts';
import { RequestError } from './problem.ts';
import { spanMs } from './span.ts';
import { wrong } from './wrong.ts';

export type WebhookScheme = 'standard' | 'github' | 'stripe' | 'perdure';

export interface WebhookSource {
  readonly scheme: WebhookScheme;
  /** Several while one takes the place of another: a signature by any of them is good. */
  readonly secret: string | readonly string[];
  /** How old, or early, a webhook may be that says when it was sent. */
  readonly tolerance?: Duration;
  /** Whose what it tells is. */
  readonly tenant?: string;
  /** What is published of it; null for nothing. */
  readonly message?: (event: {
    /** By its lower-case name. Of GitHub and Stripe only the body is signed, and no header. */
    readonly header: HeaderOf;
    readonly data: Json;
  }) => WebhookMessage | null;
}

export interface WebhookMessage {
  readonly type: string;
  readonly key?: string;
  readonly data?: Json;
  /** By which the same is known again, in the place of the scheme's own. */
  readonly id?: string;
}

export interface VerifiedWebhook {
  /** The same whenever the same webhook is sent again. */
  readonly id: string;
  readonly data: Json;
}

export const WEBHOOK_TOLERANCE_MS_DEFAULT = 300_000;
export const WEBHOOK_TOLERANCE_MS_MAX = 86_400_000;
/** Longer ids are known by their hash. */
export const WEBHOOK_ID_CHARS_MAX = 200;
/** In one header, while a sender changes its secret. */
export const SIGNATURES_MAX = 16;
/** Of a secret that is a text as it is; shorter ones can be guessed. */
export const WEBHOOK_SECRET_CHARS_MIN = 16;
/** What Standard Webhooks ask of a secret. */
const SECRET_BYTES = { min: 24, max: 64 } as const;
const SECRET_BASE64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** What a scheme finds in the headers: what was signed, by which signatures, and when. */
interface Signing {
  readonly id: string | null;
  readonly seconds: string | null;
  /** Before the body, in what was signed. */
  readonly lead: string;
  readonly signatures: readonly Buffer[];
}

interface Scheme {
  readonly keyOf: (name: string, secret: string) => Buffer;
  readonly read: (header: HeaderOf) => Signing;
}

const STANDARD: Scheme = { keyOf: keyOfBase64, read: readStandard };

const SCHEMES: Readonly<Record<WebhookScheme, Scheme>> = {
  standard: STANDARD,
  perdure: STANDARD,
  github: { keyOf: keyOfText, read: readGithub },
  stripe: { keyOf: keyOfText, read: readStripe },
};

/** Throws if a source makes no sense: for when the server opens. */
export function checkWebhook(name: string, source: WebhookSource): void {
  const what = `webhooks.${name}`;
  const { scheme, tenant, message } = source ?? {};
  if (scheme === undefined || !Object.hasOwn(SCHEMES, scheme)) {
    throw wrong(`${what}.scheme is one of ${Object.keys(SCHEMES).join(', ')}`);
  }
  keysOf(name, source);
  toleranceMs(name, source);
  if (tenant !== undefined && (typeof tenant !== 'string' || tenant === '')) {
    throw wrong(`${what}.tenant is a name`);
  }
  if (message !== undefined && typeof message !== 'function') {
    throw wrong(`${what}.message is a function`);
  }
}

/** What came, once it is certain who sent it. Throws `webhook.forged` if it is not. */
export function verifyWebhook(
  source: WebhookSource,
  header: HeaderOf,
  body: Uint8Array,
  nowMs: number,
): VerifiedWebhook {
  const { id, seconds, lead, signatures } = SCHEMES[source.scheme].read(header);
  if (signatures.length > SIGNATURES_MAX) throw forged(`it has over ${SIGNATURES_MAX} signatures`);
  const keys = keysOf(source.scheme, source);
  if (!isSigned([Buffer.from(lead), body], keys, signatures)) {
    throw forged('none of its signatures is by a secret that is known here');
  }
  const awayMs = seconds === null ? 0 : Math.abs(nowMs - Number(seconds) * 1_000);
  if (awayMs > toleranceMs(source.scheme, source)) {
    throw forged('it was sent too long ago, or by a clock that is ahead');
  }
  const data = dataOf(body);
  return { id: shortened(id ?? idOf(data)), data };
}

/** Every key against every signature, whatever the first ones said. */
function isSigned(
  content: readonly Uint8Array[],
  keys: readonly Buffer[],
  signatures: readonly Buffer[],
): boolean {
  let isGenuine = false;
  for (const key of keys) {
    const mac = createHmac('sha256', key);
    for (const part of content) mac.update(part);
    const ours = mac.digest();
    for (const theirs of signatures) {
      if (theirs.length === ours.length && timingSafeEqual(theirs, ours)) isGenuine = true;
    }
  }
  return isGenuine;
}

/** A full stop in the id would let part of what was signed be taken for another part of it. */
function readStandard(header: HeaderOf): Signing {
  const id = need(header, 'webhook-id', /^[\x21-\x2d\x2f-\x7e]+$/);
  const seconds = need(header, 'webhook-timestamp', /^\d{1,12}$/);
  const signatures = need(header, 'webhook-signature', /^\S/)
    .split(' ')
    .filter((text) => text.startsWith('v1,'))
    .map((text) => Buffer.from(text.slice('v1,'.length), 'base64'));
  return { id, seconds, lead: `${id}.${seconds}.`, signatures };
}

function readGithub(header: HeaderOf): Signing {
  const id = need(header, 'x-github-delivery', /^[\x21-\x7e]+$/);
  const hex = need(header, 'x-hub-signature-256', /^sha256=[0-9a-f]{64}$/).slice('sha256='.length);
  return { id, seconds: null, lead: '', signatures: [Buffer.from(hex, 'hex')] };
}

function readStripe(header: HeaderOf): Signing {
  const parts = need(header, 'stripe-signature', /^\S/).split(',');
  const [seconds, ...more] = valuesOf(parts, 't');
  if (seconds === undefined || more.length > 0 || !/^\d{1,12}$/.test(seconds)) {
    throw forged('its stripe-signature says no time, or several');
  }
  const signatures = valuesOf(parts, 'v1').map((hex) => Buffer.from(hex, 'hex'));
  return { id: null, seconds, lead: `${seconds}.`, signatures };
}

function valuesOf(parts: readonly string[], name: string): readonly string[] {
  const start = `${name}=`;
  return parts.filter((part) => part.startsWith(start)).map((part) => part.slice(start.length));
}

function need(header: HeaderOf, name: string, form: RegExp): string {
  const value = header(name);
  if (value !== undefined && form.test(value)) return value;
  throw forged(`it has no header ${name}, or one that is none`);
}

/** Of a scheme whose id is in the body, where it is signed as well. */
function idOf(data: Json): string {
  const { id } = (typeof data === 'object' && data !== null ? data : {}) as { readonly id?: Json };
  if (typeof id === 'string' && id !== '') return id;
  throw forged('its body has no id');
}

function shortened(id: string): string {
  if (id.length <= WEBHOOK_ID_CHARS_MAX) return id;
  return `sha256:${createHash('sha256').update(id).digest('hex')}`;
}

function dataOf(body: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Json;
  } catch (cause) {
    const hint = 'the sender is to be set to application/json';
    throw new RequestError('request.invalid', `the webhook is no JSON; ${hint}`, { cause });
  }
}

function keysOf(name: string, { scheme, secret }: WebhookSource): readonly Buffer[] {
  const secrets: unknown = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw wrong(`webhooks.${name}.secret is a text, or a list of one or more`);
  }
  return secrets.map((text: unknown) =>
    SCHEMES[scheme].keyOf(name, typeof text === 'string' ? text : ''),
  );
}

/** What is wrong with a secret is said without it. */
function keyOfBase64(name: string, secret: string): Buffer {
  const key = Buffer.from(SECRET_BASE64.exec(secret)?.[1] ?? '', 'base64');
  const { min, max } = SECRET_BYTES;
  if (key.length >= min && key.length <= max) return key;
  throw wrong(`webhooks.${name}.secret is "whsec_" and ${min} to ${max} bytes as base64`);
}

function keyOfText(name: string, secret: string): Buffer {
  if (secret.length >= WEBHOOK_SECRET_CHARS_MIN) return Buffer.from(secret);
  throw wrong(`webhooks.${name}.secret has ${WEBHOOK_SECRET_CHARS_MIN} characters or more`);
}

function toleranceMs(name: string, { tolerance }: WebhookSource): number {
  const span = tolerance ?? WEBHOOK_TOLERANCE_MS_DEFAULT;
  return spanMs(`webhooks.${name}.tolerance`, span, WEBHOOK_TOLERANCE_MS_MAX);
}

function forged(reason: string): RequestError {
  return new RequestError('webhook.forged', `the webhook is not taken: ${reason}`);
}
