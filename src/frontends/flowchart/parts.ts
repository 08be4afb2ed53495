/**
 * The objects a definition is made of, and what is said of them: of which activity it is, and where
 * in the file it stands, if it came from one.
 */
import { meant } from '../../base/nearest.ts';
import type { Diagnostic, Span } from '../../model/draft.ts';
import { type Findings, findingsOf, isRecord, show } from '../builder/checks.ts';

/** One reading of a definition. */
export interface Desk {
  readonly diagnostics: Diagnostic[];
  /** Where an object, or what stands under one of its keys, was written. */
  readonly placeOf: (part: object, key?: string | number) => Span | undefined;
}

/** An object of the definition. Its fields were read once, and are looked at here only. */
export interface Part {
  readonly desk: Desk;
  readonly source: object;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The activity it is about; absent: the flowchart as a whole. */
  readonly node?: string;
  /** What it is called in a sentence. */
  readonly what: string;
}

/** Fields that were given; undefined if the value is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}

export function say(
  { desk, source, node }: Part,
  { code, message }: Diagnostic,
  field?: string | number,
): void {
  const span =
    (field === undefined ? undefined : desk.placeOf(source, field)) ?? desk.placeOf(source);
  desk.diagnostics.push({
    ...{ code, message },
    ...(node === undefined ? {} : { node }),
    ...(span === undefined ? {} : { span }),
  });
}

/** Has a field read by one of the builder's readers, and says what it complains about. */
export function hear<Value>(part: Part, field: string, read: (found: Findings) => Value): Value {
  const found = findingsOf(part.node ?? '');
  const value = read(found);
  for (const diagnostic of found.list) say(part, diagnostic, field);
  return value;
}

export function checkFields(part: Part, known: readonly string[]): void {
  for (const field of Object.keys(part.fields)) {
    if (known.includes(field)) continue;
    const advice = known.length === 0 ? 'it takes none' : meant(field, known);
    const message = `${part.what} has no ${show(field)}; ${advice}`;
    say(part, { code: 'option.unknown', message }, field);
  }
}

/** Says it of what stands at a place of one of its lists, which may be no object. */
export function sayOfItem(
  part: Part,
  [field, index]: readonly [string, number],
  diagnostic: Diagnostic,
): void {
  const list = part.fields[field];
  say(
    { ...part, source: typeof list === 'object' && list ? list : part.source },
    diagnostic,
    index,
  );
}

/** A list; undefined if it is none, which has been said then. */
export function readList(part: Part, field: string, code: string): readonly unknown[] | undefined {
  const value = part.fields[field];
  if (Array.isArray(value)) return Array.from(value as readonly unknown[]);
  const message = `the ${field} of ${part.what} are a list; came ${show(value)}`;
  say(part, { code, message }, field);
  return undefined;
}
