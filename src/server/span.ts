/** How long something may be, as the options of the server say it. */
import { type Duration, parseDuration } from '../index.ts';
import { wrong } from './wrong.ts';

const TEXT_CHARS_MAX = 60;

/** In milliseconds; `name` is the option, for whoever has to mend it. */
export function spanMs(name: string, span: Duration, max: number): number {
  const read = parseDuration(span);
  const isWhole = typeof span === 'string' || Number.isInteger(span);
  if (read.ok && isWhole && read.value <= max) return read.value;
  const came = String(span).slice(0, TEXT_CHARS_MAX);
  throw wrong(`${name} is milliseconds, '30s' or '1h30m', at most ${max} ms; came "${came}"`);
}
