/**
 * What CloudEvents 1.0 ask of an event. Whoever hands one in, and whoever makes one, goes by the
 * same: so what is kept is an event for whoever hears it. Attributes that are null are as good as
 * left out.
 */
import type { Json, JsonObject } from '../base/json.ts';

/** Attributes of the specification that are texts; the first three must be there. */
const TEXTS = ['id', 'source', 'type', 'subject', 'time', 'datacontenttype', 'dataschema'] as const;
const NEEDED: ReadonlySet<string> = new Set(['id', 'source', 'type']);
const KNOWN: ReadonlySet<string> = new Set([...TEXTS, 'specversion', 'data', 'data_base64']);

/** The specification advises 20; some in use are longer. */
const NAME_CHARS_MAX = 50;
const NAME = /^[a-z0-9]+$/;
/** No space: the id of its message is made of source and id. */
const URI = /^[^\s<>"{}|\\^`]+$/;
const CLOCK = String.raw`([01]\d|2[0-3]):[0-5]\d`;
const TIME = new RegExp(
  String.raw`^(\d{4})-(\d\d)-(\d\d)[Tt]${CLOCK}:([0-5]\d|60)(\.\d+)?([Zz]|[+-]${CLOCK})$`,
);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Whole numbers of 32 bits, as the specification has them. */
const INTEGER_MAX = 2_147_483_647;
const TOLD_CHARS_MAX = 60;

/** What of it says nothing is left out; its data is what it is. */
export function withoutNulls(event: JsonObject): JsonObject {
  const said = Object.entries(event).filter(([name, own]) => own !== null || name === 'data');
  return Object.freeze(Object.fromEntries(said));
}

/** Why it is no event, in a sentence; undefined if it is one. */
export function eventProblem(event: JsonObject): string | undefined {
  if (event['specversion'] !== '1.0') {
    return `the specversion of an event is "1.0"; came ${told(event['specversion'])}`;
  }
  for (const name of TEXTS) {
    const problem = textProblem(name, event[name]);
    if (problem !== undefined) return problem;
  }
  return formProblem(event) ?? extensionProblem(event);
}

function textProblem(name: string, value: Json | undefined): string | undefined {
  if (value === undefined && !NEEDED.has(name)) return undefined;
  if (typeof value === 'string' && value !== '') return undefined;
  return `the ${name} of an event is a text that is not empty; came ${told(value)}`;
}

function formProblem(event: JsonObject): string | undefined {
  const { source, dataschema, time, data, data_base64: bytes } = event;
  for (const [name, uri] of Object.entries({ source, dataschema })) {
    if (uri === undefined || URI.test(uri as string)) continue;
    return `the ${name} of an event is a URI; came ${told(uri)}`;
  }
  if (time !== undefined && !isTime(time as string)) {
    const rule = 'a moment such as "2026-01-31T12:00:00Z" (RFC 3339)';
    return `the time of an event is ${rule}; came ${told(time)}`;
  }
  if (bytes === undefined) return undefined;
  if (typeof bytes !== 'string' || !BASE64.test(bytes)) {
    return `the data_base64 of an event is a text in Base64; came ${told(bytes)}`;
  }
  return data === undefined ? undefined : 'an event has "data" or "data_base64", and not both';
}

function isTime(text: string): boolean {
  const [, year, month, day] = (TIME.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDay(year, month);
}

function lastDay(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function extensionProblem(event: JsonObject): string | undefined {
  for (const [name, value] of Object.entries(event)) {
    if (KNOWN.has(name)) continue;
    if (!NAME.test(name) || name.length > NAME_CHARS_MAX) {
      const rule = `has 1 to ${NAME_CHARS_MAX} lower-case letters and digits`;
      return `the name of an attribute of an event ${rule}; came ${told(name)}`;
    }
    const isNumber = Number.isInteger(value) && Math.abs(value as number) <= INTEGER_MAX;
    if (typeof value === 'string' || typeof value === 'boolean' || isNumber) continue;
    const rule = 'a text, true, false or a whole number of 32 bits';
    return `the attribute "${name}" of an event is ${rule}; came ${told(value)}`;
  }
  return undefined;
}

function told(value: Json | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, TOLD_CHARS_MAX));
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  if (value === null || value === undefined) return `${value}`;
  return Array.isArray(value) ? 'a list' : 'object';
}
