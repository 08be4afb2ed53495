/** Builtins on texts, and between texts and other values. */
import type { Json } from '../../../base/json.ts';
import { partsOf } from '../values/access.ts';
import { add } from '../values/arithmetic.ts';
import { type Builtins, plain0, plain1 } from '../compile/builtin.ts';
import type { Meter } from '../budget.ts';
import { raise, raiseAbout } from '../faults.ts';
import { format } from '../values/formats.ts';
import { printJson } from '../values/json-print.ts';
import { readJson } from '../values/json-read.ts';
import { parseNumber } from '../values/number-text.ts';
import {
  asciiDown,
  asciiUp,
  explode,
  implode,
  splitText,
  trimEnd,
  trimStart,
} from '../values/strings.ts';
import { countUtf8Bytes } from '../values/text.ts';
import { isTrue } from '../values/values.ts';

export const TEXTS: Builtins = {
  'tojson/0': plain0(printJson),
  'fromjson/0': plain0((value, meter) => {
    if (typeof value !== 'string') return raiseAbout(meter, value, 'only strings can be parsed');
    return readJson(value, meter);
  }),
  'tostring/0': plain0(textOf),
  'tonumber/0': plain0(toNumber),
  'toboolean/0': plain0((value, meter) => {
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    return raiseAbout(meter, value, 'cannot be parsed as a boolean');
  }),
  'ascii/0': plain0((value, meter) => implode([value], meter)),
  'explode/0': plain0((value, meter) => explode(needText(value, EXPLODE, meter), meter)),
  'implode/0': plain0(implode),
  'ascii_downcase/0': letters(asciiDown),
  'ascii_upcase/0': letters(asciiUp),
  'utf8bytelength/0': plain0((value, meter) => {
    if (typeof value !== 'string') {
      return raiseAbout(meter, value, 'only strings have UTF-8 byte length');
    }
    meter.scan(value.length);
    return countUtf8Bytes(value);
  }),
  'startswith/1': plain1(startsWith),
  'endswith/1': plain1(endsWith),
  'ltrimstr/1': plain1((value, part, meter) => trimStartBy(value, part, meter)),
  'rtrimstr/1': plain1((value, part, meter) => trimEndBy(value, part, meter)),
  'trimstr/1': plain1((value, part, meter) =>
    trimEndBy(trimStartBy(value, part, meter), part, meter),
  ),
  'trim/0': blanks((text) => trimEnd(trimStart(text))),
  'ltrim/0': blanks(trimStart),
  'rtrim/0': blanks(trimEnd),
  'split/1': plain1((value, by, meter) => {
    if (typeof value !== 'string' || typeof by !== 'string') {
      return raise(meter, 'split input and separator must be strings');
    }
    return splitText(value, by, meter);
  }),
  'join/1': plain1(join),
  'format/1': plain1((value, name, meter) => {
    if (typeof name !== 'string') return raiseAbout(meter, name, 'is not a valid format');
    return format(name, value, meter);
  }),
};

const EXPLODE = 'explode input must be a string';

function needText(value: Json, message: string, meter: Meter): string {
  return typeof value === 'string' ? value : raise(meter, message);
}

function textOf(value: Json, meter: Meter): string {
  return typeof value === 'string' ? value : printJson(value, meter);
}

function toNumber(value: Json, meter: Meter): Json {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') {
    meter.scan(value.length);
    const number = parseNumber(value);
    if (number !== undefined) {
      if (!Number.isFinite(number)) meter.odd = true;
      return number;
    }
  }
  return raiseAbout(meter, value, 'cannot be parsed as a number');
}

/** jq takes the text apart for this, and says so. */
function letters(change: (text: string) => string): Builtins[string] {
  return plain0((value, meter) => {
    const text = needText(value, EXPLODE, meter);
    meter.write(text.length);
    return change(text);
  });
}

function blanks(trim: (text: string) => string): Builtins[string] {
  return plain0((value, meter) => {
    const text = needText(value, 'trim input must be a string', meter);
    meter.write(text.length);
    return trim(text);
  });
}

function startsWith(value: Json, part: Json, meter: Meter): boolean {
  if (typeof value !== 'string' || typeof part !== 'string') {
    return raise(meter, 'startswith() requires string inputs');
  }
  meter.scan(value.length + part.length);
  return value.startsWith(part);
}

function endsWith(value: Json, part: Json, meter: Meter): boolean {
  if (typeof value !== 'string' || typeof part !== 'string') {
    return raise(meter, 'endswith() requires string inputs');
  }
  meter.scan(value.length + part.length);
  return value.endsWith(part);
}

function trimStartBy(value: Json, part: Json, meter: Meter): string {
  const starts = startsWith(value, part, meter);
  return starts ? (value as string).slice((part as string).length) : (value as string);
}

function trimEndBy(value: Json, part: Json, meter: Meter): string {
  const ends = endsWith(value, part, meter);
  const text = value as string;
  return ends ? text.slice(0, text.length - (part as string).length) : text;
}

/** Numbers and booleans are written, null and false are nothing, anything else is an error. */
function join(value: Json, by: Json, meter: Meter): Json {
  let joined: Json = null;
  for (const part of partsOf(value, meter)) {
    meter.pay(1);
    const before: Json = joined === null ? '' : add(joined, by, meter);
    const isWritten = typeof part === 'boolean' || typeof part === 'number';
    const written = isWritten ? printJson(part, meter) : isTrue(part) ? part : '';
    joined = add(before, written, meter);
  }
  return joined ?? '';
}
