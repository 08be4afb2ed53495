/**
 * Values as JSON text, the way jq writes them: no blanks, keys in the order they have, DEL escaped
 * like the other control characters, halves of surrogate pairs as U+FFFD. `printJson` is `tojson`;
 * `printStart` is the beginning of it, for messages.
 *
 * A value may be deeper than the stack and, with parts that are shared, longer than memory. So
 * `printJson` keeps the open arrays and objects in a list of its own and pays for each piece before
 * it is written, and `printStart` stops as soon as it has enough.
 *
 * Nothing here raises an error of jq's: faults.ts needs `printStart` for its messages.
 */
import type { Json, JsonObject } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import { formatNumber } from './number-text.ts';
import { wellFormed } from './text.ts';

/** Values with more arrays and objects around them are not written, whatever they are. */
const DEPTH_MAX = 10_000;
const TOO_DEEP = '<skipped: too deep>';

/** A text that grows piece by piece is laid out flat whenever it is this long. */
const CHUNK_CHARS = 8_192;

/** An array or an object that is being written. */
interface Open {
  readonly list: readonly Json[];
  readonly members: JsonObject;
  /** Those of `members`, or undefined when it is `list` that counts. */
  readonly keys: readonly string[] | undefined;
  readonly count: number;
  at: number;
}

const NO_LIST: readonly Json[] = Object.freeze([]);
const NO_MEMBERS: JsonObject = Object.freeze({});

export function printJson(value: Json, meter: Meter): string {
  return typeof value === 'object' && value !== null
    ? printNested(value, meter)
    : printScalar(value, meter);
}

function printNested(value: readonly Json[] | JsonObject, meter: Meter): string {
  const above: Open[] = [];
  const chunks: string[] = [];
  let open = enter(value, meter);
  let text = open.keys === undefined ? '[' : '{';
  for (;;) {
    if (open.at === open.count) {
      text += open.keys === undefined ? ']' : '}';
      const parent = above.pop();
      if (parent === undefined) return chunks.length === 0 ? text : chunks.join('') + text;
      open = parent;
      continue;
    }
    text += leadIn(open, meter);
    const item = next(open);
    if (above.length >= DEPTH_MAX) {
      text += skip(meter);
    } else if (typeof item === 'object' && item !== null) {
      above.push(open);
      open = enter(item, meter);
      text += open.keys === undefined ? '[' : '{';
    } else {
      text += printScalar(item, meter);
    }
    if (text.length >= CHUNK_CHARS) {
      chunks.push(layOut(text));
      text = '';
    }
  }
}

function enter(value: readonly Json[] | JsonObject, meter: Meter): Open {
  meter.write(2);
  meter.pay(1);
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return { list, members: NO_MEMBERS, keys: undefined, count: list.length, at: 0 };
  }
  const members = value as JsonObject;
  const keys = Object.keys(members);
  meter.keys(keys.length);
  meter.pay(keys.length);
  return { list: NO_LIST, members, keys, count: keys.length, at: 0 };
}

/** What stands between the item before and the next one. */
function leadIn(open: Open, meter: Meter): string {
  const comma = open.at === 0 ? '' : ',';
  if (open.keys === undefined) return comma;
  return `${comma}${quote(open.keys[open.at] ?? '', meter)}:`;
}

function next(open: Open): Json | undefined {
  const at = open.at;
  open.at += 1;
  return open.keys === undefined ? open.list[at] : open.members[open.keys[at] ?? ''];
}

function skip(meter: Meter): string {
  meter.write(TOO_DEEP.length);
  return TOO_DEEP;
}

/**
 * Adding to a text makes a chain of its pieces, several times as large as the text. Reading one
 * character makes the engine put the text in place of the chain. (No JSON text has a NUL in it, but
 * only we know that; a comparison that could be foreseen would be left out.)
 */
function layOut(text: string): string {
  return text.charCodeAt(0) === 0 ? '' : text;
}

function printScalar(value: null | boolean | number | string | undefined, meter: Meter): string {
  if (typeof value === 'string') return quote(value, meter);
  if (typeof value === 'number') return printNumber(value, meter);
  meter.write(6);
  return `${value ?? null}`;
}

/** Finding the digits of a fraction takes longer than copying them. */
const DIGITS_PER_STEP = 8;

function printNumber(value: number, meter: Meter): string {
  const text = formatNumber(value);
  meter.write(text.length + 1);
  meter.pay(text.length / DIGITS_PER_STEP);
  return text;
}

/** Up to here it is quicker to look at each character than to ask the engine to. */
const SHORT_CHARS_MAX = 64;
/** Escapes can make a text six times as long, so a long one is paid for and quoted in slices. */
const SLICE_CHARS = 65_536;

function quote(text: string, meter: Meter): string {
  meter.write(text.length + 3);
  if (text.length <= SHORT_CHARS_MAX && isPlain(text)) return `"${text}"`;
  if (text.length > SLICE_CHARS) return quoteLong(text, meter);
  const quoted = quoteAny(text);
  meter.write(quoted.length - text.length);
  return quoted;
}

function quoteLong(text: string, meter: Meter): string {
  const slices: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = sliceEnd(text, from);
    const quoted = quoteAny(text.slice(from, to));
    meter.write(quoted.length - (to - from));
    slices.push(quoted.slice(1, -1));
    from = to;
  }
  return `"${slices.join('')}"`;
}

/** Never between the halves of a surrogate pair. */
function sliceEnd(text: string, from: number): number {
  const to = from + SLICE_CHARS;
  if (to >= text.length) return text.length;
  const last = text.charCodeAt(to - 1);
  return last >= 0xd800 && last <= 0xdbff ? to - 1 : to;
}

/** Whether every character is written as it is. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code === 0x7f) return false;
    if (code < 0xd800 || code > 0xdfff) continue;
    at += 1;
    if (code > 0xdbff || (text.charCodeAt(at) & 0xfc00) !== 0xdc00) return false;
  }
  return true;
}

/** DEL, or a half of a surrogate pair without the other (that is what `u` makes of the range). */
const UNLIKE_NATIVE = /[\u007f\ud800-\udfff]/u;
const DELS = /\u007f/gu;

function quoteAny(text: string): string {
  if (!UNLIKE_NATIVE.test(text)) return JSON.stringify(text);
  return JSON.stringify(wellFormed(text)).replace(DELS, '\\u007f');
}

const DOTS = '...';

/**
 * The text of a value as far as it fits into so many bytes of UTF-8. If it does not fit, dots and
 * the closing bracket or quote take the place of the rest.
 *
 * The work does not depend on the size of the value, except that the engine cannot look up the
 * first keys of an object without looking up all: with a meter that is paid for.
 */
export function printStart(value: Json, bytesMax: number, meter?: Meter): string {
  const text = startOf(value, bytesMax, meter);
  if (fitting(text, bytesMax) === text.length) return text;
  const close = closingOf(value);
  const kept = fitting(text, bytesMax - DOTS.length - close.length);
  return text.slice(0, kept) + DOTS + close;
}

/** The text of the value, or one that is longer than that and begins alike. */
function startOf(value: Json, charsMax: number, meter: Meter | undefined): string {
  if (typeof value === 'string') {
    // One that was added up is put together before anything can be cut off it.
    meter?.key(value);
    return quoteAny(value.slice(0, charsMax + 1));
  }
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value !== 'object' || value === null) return `${value}`;
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  if (keys !== undefined) meter?.keys(keys.length);
  const count = keys?.length ?? (value as readonly Json[]).length;
  let text = keys === undefined ? '[' : '{';
  // Each round writes something, and so does each level, so neither are more than characters.
  for (let at = 0; at < count && text.length <= charsMax; at += 1) {
    if (at > 0) text += ',';
    const key = keys?.[at];
    if (key !== undefined) text += `${startOf(key, charsMax - text.length, meter)}:`;
    const item = key === undefined ? (value as readonly Json[])[at] : (value as JsonObject)[key];
    if (text.length <= charsMax) text += startOf(item ?? null, charsMax - text.length, meter);
  }
  return text + (keys === undefined ? ']' : '}');
}

function closingOf(value: Json): string {
  if (typeof value === 'string') return '"';
  if (typeof value !== 'object' || value === null) return '';
  return Array.isArray(value) ? ']' : '}';
}

/** How many characters of the text fit into so many bytes of UTF-8; a pair is never parted. */
function fitting(text: string, bytesMax: number): number {
  let bytes = 0;
  let chars = 0;
  for (const char of text) {
    bytes += bytesOf(char.codePointAt(0) ?? 0);
    if (bytes > bytesMax) break;
    chars += char.length;
  }
  return chars;
}

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
