/**
 * Formats: `@csv`, `@html`, `@base64` and their kin, which make a text of a value or take one
 * apart. Most of them take any value and work on its text; rows are made of arrays.
 *
 * What is taken apart into bytes is UTF-8; bytes that are none are U+FFFD in the text, since there
 * are no other texts in jq. The jq that this one is compared with was built without base32; the
 * words for its mistakes are those of base64.
 */
import type { Json } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import { raise, raiseAbout } from '../faults.ts';
import { printJson } from './json-print.ts';
import { countUtf8Bytes, wellFormed } from './text.ts';

type Format = (value: Json, meter: Meter) => string;

const BY_NAME: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['text', textOf],
  ['json', printJson],
  ['csv', (value, meter) => rowOf(value, CSV, meter)],
  ['tsv', (value, meter) => rowOf(value, TSV, meter)],
  ['html', (value, meter) => escapeAll(textOf(value, meter), HTML_ESCAPES, meter)],
  ['uri', (value, meter) => encodeUri(textOf(value, meter), meter)],
  ['urid', (value, meter) => decodeUri(textOf(value, meter), meter)],
  ['sh', shellOf],
  ['base64', (value, meter) => encode(textOf(value, meter), BASE64, meter)],
  ['base64d', (value, meter) => decode(textOf(value, meter), BASE64, meter)],
  ['base32', (value, meter) => encode(textOf(value, meter), BASE32, meter)],
  ['base32d', (value, meter) => decode(textOf(value, meter), BASE32, meter)],
]);

export const FORMATS: ReadonlySet<string> = new Set(BY_NAME.keys());

export function format(name: string, value: Json, meter: Meter): string {
  const known = BY_NAME.get(name);
  if (known !== undefined) return known(value, meter);
  meter.write(name.length);
  return raise(meter, `${name} is not a valid format`);
}

function textOf(value: Json, meter: Meter): string {
  return typeof value === 'string' ? value : printJson(value, meter);
}

/** Characters and what stands for them. */
interface Escapes {
  readonly any: RegExp;
  /** In this order. */
  readonly each: readonly (readonly [RegExp, string])[];
}

const NUL: readonly [RegExp, string] = [/\0/g, '\\0'];
const HTML_ESCAPES: Escapes = {
  any: /[&<>'"\0]/,
  each: [[/&/g, '&amp;'], [/</g, '&lt;'], [/>/g, '&gt;'], [/'/g, '&apos;'], [/"/g, '&quot;'], NUL],
};
const SHELL_ESCAPES: Escapes = { any: /['\0]/, each: [[/'/g, "'\\''"], NUL] };

/** Escapes can make a text six times as long, so a long one is paid for in slices. */
const SLICE_CHARS = 65_536;
/** Finding and replacing is so much slower than copying. */
const GROWTH_PER_STEP = 4;

function escapeAll(text: string, escapes: Escapes, meter: Meter): string {
  meter.scan(text.length);
  if (!escapes.any.test(text)) return text;
  meter.write(text.length);
  meter.scan(text.length * escapes.each.length);
  if (text.length <= SLICE_CHARS) return escapeSlice(text, escapes, meter);
  const slices: string[] = [];
  for (let from = 0; from < text.length; from += SLICE_CHARS) {
    slices.push(escapeSlice(text.slice(from, from + SLICE_CHARS), escapes, meter));
  }
  return slices.join('');
}

function escapeSlice(text: string, escapes: Escapes, meter: Meter): string {
  let escaped = text;
  for (const [found, put] of escapes.each) escaped = escaped.replace(found, put);
  const growth = escaped.length - text.length;
  meter.write(growth);
  meter.pay(growth / GROWTH_PER_STEP);
  return escaped;
}

interface Row {
  readonly name: string;
  readonly separator: string;
  readonly quote: string;
  readonly escapes: Escapes;
}

const CSV: Row = {
  name: 'csv',
  separator: ',',
  quote: '"',
  escapes: { any: /["\0]/, each: [[/"/g, '""'], NUL] },
};
const TSV: Row = {
  name: 'tsv',
  separator: '\t',
  quote: '',
  escapes: {
    any: /[\\\t\n\r\0]/,
    each: [[/\\/g, '\\\\'], [/\t/g, '\\t'], [/\n/g, '\\n'], [/\r/g, '\\r'], NUL],
  },
};

function rowOf(value: Json, row: Row, meter: Meter): string {
  if (!Array.isArray(value)) {
    return raiseAbout(meter, value, `cannot be ${row.name}-formatted, only array`);
  }
  const cells: string[] = [];
  for (const item of value as readonly Json[]) {
    meter.write(row.separator.length + 2 * row.quote.length);
    cells.push(cellOf(item, row, meter));
  }
  return cells.join(row.separator);
}

function cellOf(item: Json, row: Row, meter: Meter): string {
  if (item === null || Number.isNaN(item)) return '';
  if (typeof item === 'string') {
    meter.write(item.length);
    return row.quote + escapeAll(item, row.escapes, meter) + row.quote;
  }
  // jq says csv for both.
  if (typeof item === 'object') return raiseAbout(meter, item, 'is not valid in a csv row');
  return printJson(item, meter);
}

/** Words for a POSIX shell, with blanks between those of an array. */
function shellOf(value: Json, meter: Meter): string {
  if (!Array.isArray(value)) return wordOf(value, meter);
  const words: string[] = [];
  for (const item of value as readonly Json[]) words.push(wordOf(item, meter));
  return words.join(' ');
}

function wordOf(item: Json, meter: Meter): string {
  meter.write(3);
  if (typeof item === 'string') {
    meter.write(item.length);
    return `'${escapeAll(item, SHELL_ESCAPES, meter)}'`;
  }
  if (typeof item === 'object' && item !== null) {
    return raiseAbout(meter, item, 'can not be escaped for shell');
  }
  return printJson(item, meter);
}

/** Those that the language leaves alone and jq does not. */
const MORE_URI_ESCAPES: Escapes = {
  any: /[!'()*]/,
  each: [
    [/!/g, '%21'],
    [/'/g, '%27'],
    [/\(/g, '%28'],
    [/\)/g, '%29'],
    [/\*/g, '%2A'],
  ],
};

function encodeUri(text: string, meter: Meter): string {
  // Three characters for a byte, at most.
  meter.scan(text.length);
  meter.write(countUtf8Bytes(text));
  const encoded = encodeURIComponent(wellFormed(text));
  meter.write(Math.max(0, encoded.length - text.length));
  return escapeAll(encoded, MORE_URI_ESCAPES, meter);
}

/** Percent signs must be followed by two digits, and all of them together must be UTF-8. */
function decodeUri(text: string, meter: Meter): string {
  meter.write(text.length);
  meter.scan(text.length);
  try {
    return decodeURIComponent(text);
  } catch {
    return raiseAbout(meter, text, 'is not a valid uri encoding');
  }
}

/** A way to write bytes with letters that stand for so many bits each, in groups of a length. */
interface Alphabet {
  readonly name: string;
  readonly letters: string;
  readonly bits: number;
  readonly group: number;
  /** What a letter stands for, by its code; -1 for all that are none. */
  readonly values: Int8Array;
}

const BASE64: Alphabet = {
  name: 'base64',
  ...lettersOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
  bits: 6,
  group: 4,
};
const BASE32: Alphabet = {
  name: 'base32',
  ...lettersOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'),
  bits: 5,
  group: 8,
};

function lettersOf(letters: string): Pick<Alphabet, 'letters' | 'values'> {
  const values = new Int8Array(0x80).fill(-1);
  for (let at = 0; at < letters.length; at += 1) values[letters.charCodeAt(at)] = at;
  return { letters, values };
}

const PADDING = 0x3d;
/** Letters are looked at one by one. */
const LETTERS_PER_STEP = 8;

function encode(text: string, alphabet: Alphabet, meter: Meter): string {
  const { letters, bits, group } = alphabet;
  meter.scan(text.length);
  const size = countUtf8Bytes(text);
  const length = Math.ceil((size * 8) / (bits * group)) * group;
  meter.pay(length / LETTERS_PER_STEP);
  meter.write(size);
  meter.write(length);
  const codes = new Uint8Array(length).fill(PADDING);
  let held = 0;
  let heldBits = 0;
  let at = 0;
  for (const byte of utf8Of(text, size)) {
    held = ((held << 8) | byte) & 0xffff;
    for (heldBits += 8; heldBits >= bits; at += 1) {
      heldBits -= bits;
      codes[at] = letters.charCodeAt((held >> heldBits) % letters.length);
    }
  }
  if (heldBits > 0) codes[at] = letters.charCodeAt((held << (bits - heldBits)) % letters.length);
  return textOfUnits(codes);
}

/** Up to the padding; what stands behind it does not matter, nor is any needed. */
function decode(text: string, alphabet: Alphabet, meter: Meter): string {
  const { name, values, bits } = alphabet;
  meter.pay(text.length / LETTERS_PER_STEP);
  meter.write(text.length);
  const bytes = new Uint8Array(Math.floor((text.length * bits) / 8));
  let held = 0;
  let heldBits = 0;
  let size = 0;
  for (let at = 0; at < text.length && text.charCodeAt(at) !== PADDING; at += 1) {
    const value = values[text.charCodeAt(at)] ?? -1;
    if (value < 0) return raiseAbout(meter, text, `is not valid ${name} data`);
    held = ((held << bits) | value) & 0xffff;
    heldBits += bits;
    if (heldBits < 8) continue;
    heldBits -= 8;
    bytes[size] = held >> heldBits;
    size += 1;
  }
  // A letter of which no bit has gone into a byte.
  if (heldBits >= bits) return raiseAbout(meter, text, `trailing ${name} byte found`);
  return textOfUtf8(bytes.subarray(0, size));
}

const UNITS_PER_CALL = 4_096;

function textOfUnits(units: Uint8Array | Uint16Array): string {
  let text = '';
  for (let from = 0; from < units.length; from += UNITS_PER_CALL) {
    // Spreading them would be ten times slower.
    const some = units.subarray(from, from + UNITS_PER_CALL);
    text += Reflect.apply(String.fromCharCode, undefined, some) as string;
  }
  return text;
}

function utf8Of(text: string, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      bytes[end] = code;
      end += 1;
      continue;
    }
    const whole = wholeAt(text, at);
    if (whole > 0xffff) at += 1;
    end = putCodePoint(bytes, end, whole);
  }
  return bytes;
}

/** The code point that begins here; half a pair alone is no character. */
function wholeAt(text: string, at: number): number {
  const whole = text.codePointAt(at) ?? 0;
  return whole >= 0xd800 && whole <= 0xdfff ? REPLACEMENT_CODE : whole;
}

const REPLACEMENT_CODE = 0xfffd;

/** Of two bytes or more; answers where the next one goes. */
function putCodePoint(bytes: Uint8Array, start: number, codePoint: number): number {
  const more = codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3;
  // The first byte says with its leading ones how many there are.
  bytes[start] = ((0xff00 >> (more + 1)) & 0xff) | (codePoint >> (6 * more));
  for (let left = more - 1; left >= 0; left -= 1) {
    bytes[start + more - left] = 0x80 | ((codePoint >> (6 * left)) & 0x3f);
  }
  return start + more + 1;
}

function textOfUtf8(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length);
  let end = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at);
    const codePoint = codePointAt(bytes, at, length);
    if (codePoint > 0xffff) {
      units[end] = 0xd7c0 + (codePoint >> 10);
      end += 1;
    }
    units[end] = codePoint > 0xffff ? 0xdc00 | (codePoint & 0x3ff) : codePoint;
    end += 1;
    at += length;
  }
  return textOfUnits(units.subarray(0, end));
}

/** How many bytes begin like this one; none if no character does. */
function lengthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** How many bytes here are a character, or stand for one that is broken. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const length = lengthOf(bytes[at] ?? 0);
  if (length <= 1) return 1;
  // jq looks no closer at what stands behind a last character that is cut off.
  if (at + length > bytes.length) return bytes.length - at;
  for (let more = 1; more < length; more += 1) {
    if (((bytes[at + more] ?? 0) & 0xc0) !== 0x80) return more;
  }
  return length;
}

/** The least that so many bytes are needed for. */
const LEAST_BY_LENGTH: readonly number[] = [0, 0, 0x80, 0x800, 0x10000];

function codePointAt(bytes: Uint8Array, at: number, length: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return first;
  if (length !== lengthOf(first)) return REPLACEMENT_CODE;
  let codePoint = first & (0x7f >> length);
  for (let more = 1; more < length; more += 1) {
    codePoint = (codePoint << 6) | ((bytes[at + more] ?? 0) & 0x3f);
  }
  const isTooLong = codePoint < (LEAST_BY_LENGTH[length] ?? 0);
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return isTooLong || isSurrogate || codePoint > 0x10ffff ? REPLACEMENT_CODE : codePoint;
}
