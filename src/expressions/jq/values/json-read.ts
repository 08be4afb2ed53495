/**
 * JSON text as jq reads it (`fromjson`), with jq's words for what is wrong and where.
 *
 * jq is more generous than JSON: numbers may begin with a plus, a point or a zero, nan and infinity
 * are numbers in any mixture of cases, and a byte order mark may stand before the value. Strings
 * are as strict as JSON's, but for the second half of a surrogate pair alone, which is U+FFFD.
 *
 * The rules are kept as jq keeps them, token by token with a list of what is open, because they
 * decide which of several mistakes is the one that is named: a literal is judged when the character
 * behind it is seen, and a string when its closing quote is. Where that was is only counted when
 * there is something to complain about.
 */
import type { Json } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import { raise } from '../faults.ts';
import { parseNumber } from './number-text.ts';
import { countUtf8Bytes, REPLACEMENT } from './text.ts';
import { emptyObject, type Members, OBJECT_ELEMENTS } from './values.ts';

/** A key that waits for its value counts as well, so objects can be half as deep as arrays. */
const DEPTH_MAX = 10_000;

const NEEDS_SEPARATOR = 'Expected separator between values';
const NEEDS_PAIRS = 'Objects must consist of key:value pairs';

interface Reading {
  readonly text: string;
  readonly meter: Meter;
  /** The character that comes next. */
  at: number;
  /** The arrays and objects around it; a string is the key of the object before it. */
  readonly open: (Json[] | Members | string)[];
  /** What was read inside of them and has not got its place yet. */
  next: Json | undefined;
  /** The value of the text, once it is complete. */
  found: Json | undefined;
}

export function readJson(text: string, meter: Meter): Json {
  meter.scan(text.length);
  const at = startOf(text, meter);
  const reading: Reading = { text, meter, at, open: [], next: undefined, found: undefined };
  while (reading.at < text.length) readToken(reading);
  if (reading.open.length > 0) return failAtEnd(reading, 'Unfinished JSON term');
  return reading.found ?? foundNothing(reading);
}

const BYTE_ORDER_MARK = 0xfeff;
/** Characters from here on begin with the same byte of UTF-8 as the mark does. */
const LIKE_BYTE_ORDER_MARK = 0xf000;

function startOf(text: string, meter: Meter): number {
  const first = text.charCodeAt(0);
  if (first === BYTE_ORDER_MARK) return 1;
  return first >= LIKE_BYTE_ORDER_MARK ? complain(text, meter, 'Malformed BOM') : 0;
}

/** The value null was found just as well as any other. */
function foundNothing(reading: Reading): null {
  if (reading.found === null) return null;
  return complain(reading.text, reading.meter, 'Expected JSON value');
}

function readToken(reading: Reading): void {
  switch (reading.text.charCodeAt(reading.at)) {
    case 0x20:
    case 0x09:
    case 0x0a:
    case 0x0d:
      reading.at += 1;
      return;
    case 0x22:
      return readString(reading);
    case 0x2c:
      return readComma(reading);
    case 0x3a:
      return readColon(reading);
    case 0x5b:
      return enter(reading, []);
    case 0x7b:
      return enter(reading, emptyObject());
    case 0x5d:
      return leaveArray(reading);
    case 0x7d:
      return leaveObject(reading);
    default:
      return readLiteral(reading);
  }
}

function enter(reading: Reading, container: Json[] | Members): void {
  reading.at += 1;
  reading.meter.make(0);
  if (reading.open.length >= DEPTH_MAX) return fail(reading, 'Exceeds depth limit for parsing');
  if (reading.next !== undefined) return fail(reading, NEEDS_SEPARATOR);
  reading.open.push(container);
}

function readColon(reading: Reading): void {
  reading.at += 1;
  const { next, open } = reading;
  const top = open.at(-1);
  if (next === undefined) return fail(reading, "Expected string key before ':'");
  if (typeof top !== 'object' || Array.isArray(top)) {
    return fail(reading, "':' not as part of an object");
  }
  if (typeof next !== 'string') return fail(reading, 'Object keys must be strings');
  open.push(next);
  reading.next = undefined;
}

function readComma(reading: Reading): void {
  reading.at += 1;
  const { next, open } = reading;
  if (next === undefined) return fail(reading, "Expected value before ','");
  const top = open.at(-1);
  if (Array.isArray(top)) append(reading, top, next);
  else if (typeof top === 'string') assign(reading, top, next);
  else return fail(reading, NEEDS_PAIRS);
}

function append(reading: Reading, list: Json[], item: Json): void {
  reading.meter.grow(1);
  list.push(item);
  reading.next = undefined;
}

/** The last one wins if a key comes twice. */
function assign(reading: Reading, key: string, value: Json): void {
  reading.meter.grow(OBJECT_ELEMENTS);
  reading.meter.pay(2);
  reading.open.pop();
  const members = reading.open.at(-1) as Members;
  members[key] = value;
  reading.next = undefined;
}

function leaveArray(reading: Reading): void {
  reading.at += 1;
  const { next, open } = reading;
  const list = open.at(-1);
  if (!Array.isArray(list)) return fail(reading, "Unmatched ']'");
  if (next !== undefined) append(reading, list, next);
  else if (list.length > 0) return fail(reading, 'Expected another array element');
  open.pop();
  finish(reading, list);
}

function leaveObject(reading: Reading): void {
  reading.at += 1;
  const { next, open } = reading;
  const top = open.at(-1);
  if (top === undefined) return fail(reading, "Unmatched '}'");
  if (next !== undefined) {
    if (typeof top !== 'string') return fail(reading, NEEDS_PAIRS);
    assign(reading, top, next);
  } else if (typeof top !== 'object' || Array.isArray(top)) {
    return fail(reading, "Unmatched '}'");
  } else if (Object.keys(top).length > 0) {
    return fail(reading, 'Expected another key-value pair');
  }
  finish(reading, open.pop() as Members);
}

/** A value is complete: one of many inside of another, or the only one there may be. */
function finish(reading: Reading, value: Json): void {
  if (reading.open.length > 0) {
    reading.next = value;
  } else if (reading.found === undefined) {
    reading.found = value;
  } else {
    complain(reading.text, reading.meter, 'Unexpected extra JSON values');
  }
}

function readString(reading: Reading): void {
  const { text, meter } = reading;
  const start = reading.at + 1;
  let end = start;
  let isPlain = true;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === 0x22) break;
    if (code === 0x5c) end += 1;
    if (code === 0x5c || code < 0x20) isPlain = false;
  }
  if (end >= text.length) return failAtEnd(reading, 'Unfinished string');
  reading.at = end + 1;
  const body = text.slice(start, end);
  meter.write(body.length);
  const value = isPlain ? body : unescape(reading, body);
  if (reading.next !== undefined) return fail(reading, NEEDS_SEPARATOR);
  finish(reading, value);
}

const CONTROL = /[\u0000-\u001f]/;
const CONTROL_FOUND =
  'Invalid string: control characters from U+0000 through U+001F must be escaped';

function unescape(reading: Reading, body: string): string {
  let value = '';
  for (let from = 0; ; ) {
    const slash = body.indexOf('\\', from);
    const plain = slash < 0 ? body.slice(from) : body.slice(from, slash);
    if (CONTROL.test(plain)) return fail(reading, CONTROL_FOUND);
    value += plain;
    if (slash < 0) return value;
    reading.meter.pay(1);
    const letter = body.charAt(slash + 1);
    const meant = letter === 'u' ? readHex(reading, body, slash) : ESCAPES.get(letter);
    if (meant === undefined) return fail(reading, 'Invalid escape');
    value += meant;
    from = slash + (letter !== 'u' ? 2 : meant.length === 2 ? 12 : 6);
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

const HEX = /^[0-9a-f]{4}$/i;
const HEX_BYTES = 4;
/** The second half of a surrogate pair, with its backslash. */
const LOW_HALF = /^\\ud[c-f][0-9a-f]{2}$/i;

function readHex(reading: Reading, body: string, slash: number): string {
  const digits = body.slice(slash + 2, slash + 6);
  if (countUtf8Bytes(digits) < HEX_BYTES) return fail(reading, 'Invalid \\uXXXX escape');
  if (!HEX.test(digits)) return fail(reading, 'Invalid characters in \\uXXXX escape');
  const unit = Number.parseInt(digits, 16);
  if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
  if (unit > 0xdbff) return REPLACEMENT;
  const second = body.slice(slash + 6, slash + 12);
  if (!LOW_HALF.test(second)) {
    return fail(reading, 'Invalid \\uXXXX\\uXXXX surrogate pair escape');
  }
  return String.fromCharCode(unit, Number.parseInt(second.slice(2), 16));
}

/** Anything that is neither a string nor a mark of its own: a number, a word or nonsense. */
function readLiteral(reading: Reading): void {
  const { text, meter } = reading;
  const start = reading.at;
  let value: Json | undefined = readDigits(reading);
  if (value === undefined) {
    let end = start + 1;
    while (end < text.length && !endsLiteral(text.charCodeAt(end))) end += 1;
    reading.at = end;
    value = literalOf(reading, text.slice(start, end));
  }
  meter.pay(1 + (reading.at - start) / LITERAL_CHARS_PER_STEP);
  if (reading.next !== undefined) return failBehind(reading, NEEDS_SEPARATOR);
  // One value too many, unless the mark behind it is the greater mistake.
  const isSecond = reading.open.length === 0 && reading.found !== undefined;
  if (isSecond && isMisplaced(text.charCodeAt(reading.at))) return;
  finish(reading, value);
}

const LITERAL_CHARS_PER_STEP = 4;
/** So many digits always fit into a double. */
const SAFE_DIGITS_MAX = 15;

/** Most literals are a few digits; they are passed if that is all there is. */
function readDigits(reading: Reading): number | undefined {
  const { text, at } = reading;
  const start = text.charCodeAt(at) === 0x2d ? at + 1 : at;
  let whole = 0;
  let end = start;
  for (; end - start <= SAFE_DIGITS_MAX; end += 1) {
    const digit = text.charCodeAt(end) - 0x30;
    if (!(digit >= 0 && digit <= 9)) break;
    whole = whole * 10 + digit;
  }
  if (end === start || end - start > SAFE_DIGITS_MAX) return undefined;
  if (end < text.length && !endsLiteral(text.charCodeAt(end))) return undefined;
  reading.at = end;
  return start === at ? whole : -whole;
}

function endsLiteral(code: number): boolean {
  switch (code) {
    case 0x09:
    case 0x0a:
    case 0x0d:
    case 0x20:
    case 0x22:
    case 0x2c:
    case 0x3a:
    case 0x5b:
    case 0x5d:
    case 0x7b:
    case 0x7d:
      return true;
    default:
      return false;
  }
}

/** The marks that cannot stand outside of arrays and objects. */
function isMisplaced(code: number): boolean {
  return code === 0x2c || code === 0x3a || code === 0x5d || code === 0x7d;
}

function literalOf(reading: Reading, literal: string): Json {
  switch (literal.charCodeAt(0)) {
    case 0x74:
      return literal === 'true' ? true : failBehind(reading, 'Invalid literal');
    case 0x66:
      return literal === 'false' ? false : failBehind(reading, 'Invalid literal');
    case 0x27:
      return failBehind(reading, 'Invalid string literal; expected ", but got \'');
    default:
      if (literal === 'null') return null;
      if (literal.startsWith('nu')) return failBehind(reading, 'Invalid literal');
      return numberOf(reading, literal);
  }
}

function numberOf(reading: Reading, literal: string): number {
  const number = parseNumber(beforeNul(literal));
  if (number === undefined) return failBehind(reading, 'Invalid numeric literal');
  if (!Number.isFinite(number)) reading.meter.odd = true;
  return number;
}

/** A mistake that the character just passed has brought to light. */
function fail(reading: Reading, what: string): never {
  const { text, meter, at } = reading;
  return complain(text, meter, `${what} at ${placeOf(text, at, meter)}`);
}

/** One that the character behind a literal brings to light, or the end of the text. */
function failBehind(reading: Reading, what: string): never {
  if (reading.at >= reading.text.length) return failAtEnd(reading, what);
  reading.at += 1;
  return fail(reading, what);
}

function failAtEnd(reading: Reading, what: string): never {
  reading.at = reading.text.length;
  return fail(reading, `${what} at EOF`);
}

/** Lines from 1; columns are the bytes of UTF-8 behind the line break, without the mark. */
function placeOf(text: string, to: number, meter: Meter): string {
  meter.scan(to);
  let line = 1;
  let start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
    meter.pay(1);
    line += 1;
    start = at + 1;
  }
  return `line ${line}, column ${countUtf8Bytes(text.slice(start, to))}`;
}

function complain(text: string, meter: Meter, what: string): never {
  meter.write(what.length + text.length);
  return raise(meter, `${what} (while parsing '${beforeNul(text)}')`);
}

/** Where jq hands a text to C, it ends at the first NUL. */
function beforeNul(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}
