/** Builtins on texts, apart from regular expressions and formats. */
import type { Json } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import { raise, raiseAbout } from '../faults.ts';
import { countCodePoints, hasSurrogates, REPLACEMENT } from './text.ts';
import { isList } from './values.ts';

export function splitText(text: string, by: string, meter: Meter): Json {
  if (text === '') return [];
  meter.write(text.length);
  meter.scan(by.length);
  const parts = by === '' && hasSurrogates(text) ? Array.from(text) : text.split(by);
  meter.make(parts.length);
  return parts;
}

/** Where one text occurs in another, in code points; they may overlap. */
export function textPlaces(text: string, part: string, meter: Meter): Json {
  const places: number[] = [];
  if (part === '') return places;
  meter.scan(text.length + part.length);
  const isPlain = !hasSurrogates(text);
  let counted = 0;
  let from = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    meter.pay(1 + part.length / 8);
    counted += isPlain ? at - from : countCodePoints(text.slice(from, at));
    from = at;
    places.push(counted);
  }
  meter.make(places.length);
  return places;
}

const LARGEST_CODE_POINT = 0x10ffff;

export function explode(text: string, meter: Meter): Json {
  meter.make(text.length);
  const codes: number[] = [];
  for (const character of text) codes.push(character.codePointAt(0) as number);
  return codes;
}

export function implode(value: Json, meter: Meter): string {
  if (!isList(value)) return raise(meter, 'implode input must be an array');
  meter.write(value.length);
  meter.pay(value.length);
  // Not added up one by one, which takes more memory than the text.
  const characters: string[] = [];
  for (const code of value) {
    if (typeof code !== 'number' || code !== code) {
      const what = "can't be imploded, unicode codepoint needs to be numeric";
      return raiseAbout(meter, code, what);
    }
    characters.push(characterOf(code));
  }
  return characters.join('');
}

function characterOf(code: number): string {
  const whole = Math.trunc(code);
  const isSurrogate = whole >= 0xd800 && whole <= 0xdfff;
  if (whole < 0 || whole > LARGEST_CODE_POINT || isSurrogate) return REPLACEMENT;
  return String.fromCodePoint(whole);
}

/** Only A to Z; everything else stays as it is. */
export function asciiDown(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function asciiUp(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

const BLANKS_BEFORE =
  /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const BLANK = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

export function trimStart(text: string): string {
  return text.replace(BLANKS_BEFORE, '');
}

/** By hand: a pattern with an end anchor would try from every blank anew. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
