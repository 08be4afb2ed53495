/**
 * Text as jq counts it: in code points, compared in their order. JavaScript counts UTF-16 units;
 * for texts without surrogates, which are nearly all, the two are the same.
 */

const SURROGATE = /[\ud800-\udfff]/;
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export const REPLACEMENT = '\ufffd';

/** Half a pair is no character. */
export function wellFormed(text: string): string {
  return SURROGATE.test(text) ? text.replace(LONE, REPLACEMENT) : text;
}

export function hasSurrogates(text: string): boolean {
  return SURROGATE.test(text);
}

export function countCodePoints(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let count = 0;
  for (let at = 0; at < text.length; at += widthAt(text, at)) count += 1;
  return count;
}

/** From one code point up to another, both counted from the start. */
export function sliceCodePoints(text: string, from: number, to: number): string {
  if (!SURROGATE.test(text)) return text.slice(from, to);
  const start = unitOf(text, 0, from);
  return text.slice(start, unitOf(text, start, to - from));
}

/** The unit that is so many code points behind another one. */
function unitOf(text: string, start: number, codePoints: number): number {
  let at = start;
  for (let left = codePoints; left > 0 && at < text.length; left -= 1) at += widthAt(text, at);
  return at;
}

function widthAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdbff) return 1;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
}

export function countUtf8Bytes(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (widthAt(text, at) === 2) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return bytes;
}

/** By code points: units from U+E000 on come before surrogates, which stand for higher ones. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    if (left >= 0xd800 && right >= 0xd800) {
      return rank(left) - rank(right);
    }
    return left - right;
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xe000 ? unit - 0x2000 : unit + 0x2000;
}
