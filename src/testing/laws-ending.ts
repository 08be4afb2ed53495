/** What a run came to, in words two runs can be compared by; and what it is to break a law. */
import type { Json } from '../base/json.ts';
import { timeless } from './random-luck.ts';

/** How a run ended and what it did on the way, apart from ids and times. */
export interface Ending {
  readonly status: string;
  readonly output: Json;
  readonly fault: string | null;
  /** How often each node the author wrote was visited. */
  readonly visits: ReadonlyMap<string, number>;
}

export function showEnding({ status, output, fault, visits }: Ending): string {
  return JSON.stringify({ status, fault, output, visits: Object.fromEntries(visits) });
}

/** An ending as JSON, to be compared: without when people did something, and who. */
export function plainEnding({ visits, output, ...rest }: Ending): unknown {
  const told = JSON.parse(timeless(JSON.stringify(output))) as Json;
  return { ...rest, output: told, visits: Object.fromEntries(visits) };
}

/** A law does not hold. The name tells which, so that shrinking does not slip to another one. */
export class LawBroken extends Error {
  override readonly name: string = 'LawBroken';
  readonly law: string;

  constructor(law: string, message: string) {
    super(message);
    this.law = law;
  }
}

/** States a law. The message is only made when it is broken, because most never are. */
export function obey(law: string, holds: boolean, message: () => string): void {
  if (!holds) throw new LawBroken(law, message());
}

/** Two JSON values must be the same; tells the first place where they are not. */
export function obeySame(law: string, what: string, found: unknown, expected: unknown): void {
  const place = differenceIn(found, expected, '');
  if (place !== null) throw new LawBroken(law, `${what}: ${place}`);
}

/** Walks instead of writing text: most of a state is shared with the one before it. */
function differenceIn(found: unknown, expected: unknown, path: string): string | null {
  if (Object.is(found, expected)) return null;
  if (!isObject(found) || !isObject(expected) || Array.isArray(found) !== Array.isArray(expected)) {
    return `at ${path || 'the top'} found ${brief(found)}, expected ${brief(expected)}`;
  }
  const keys = Object.keys(expected);
  const more = Object.keys(found).find((key) => !Object.hasOwn(expected, key));
  if (more !== undefined) return `at ${path}/${more} found ${brief(found[more])}, expected nothing`;
  for (const key of keys) {
    const place = differenceIn(found[key], expected[key], `${path}/${key}`);
    if (place !== null) return place;
  }
  return null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function brief(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300);
}
