/**
 * What the steps of the conformance kit mean, the ones that no scenario of it uses included. Two
 * are our own, for what it does not cover: an event that comes while a workflow waits, and someone
 * who cancels it.
 */
import { parse } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../src/base/json.ts';
import { no, ok, type Result } from '../src/base/result.ts';
import type { ScenarioStep } from './ctk-features.ts';

export type Ending = 'complete' | 'fault' | 'cancel';

/** How something ends, and with what, if that is said. */
export interface Ended {
  readonly ends: Ending;
  readonly output?: Json;
  /** Members that its error has. */
  readonly error?: JsonObject;
}

export type Expectation =
  | ({ readonly of: 'workflow' } & Ended)
  | ({ readonly of: 'task'; readonly task: string } & Ended)
  /** Dotted paths into the output. */
  | { readonly of: 'output'; readonly has: readonly string[] }
  | { readonly of: 'output'; readonly at: string; readonly is: Json }
  | { readonly of: 'output'; readonly at: string; readonly items: number }
  | { readonly of: 'order'; readonly task: string; readonly runs: 'first' | 'last' }
  | {
      readonly of: 'order';
      readonly task: string;
      readonly runs: 'after' | 'before';
      readonly other: string;
    };

export type Deed =
  | { readonly do: 'define'; readonly text: string }
  | { readonly do: 'input'; readonly value: Json }
  | { readonly do: 'execute' }
  | { readonly do: 'publish'; readonly event: JsonObject }
  | { readonly do: 'cancel' }
  | { readonly do: 'expect'; readonly what: Expectation };

type Reader = (words: readonly string[], document: string | undefined) => Deed;

const ENDINGS = 'complete|fault|cancel';

/** Whoever is called "the workflow" is no task: those come last. */
const STEPS: readonly (readonly [RegExp, Reader])[] = [
  [/^(?:given )?a workflow with definition:$/, (_, document) => define(document)],
  [
    /^(?:given )?the workflow input is:$/,
    (_, document) => ({ do: 'input', value: valueOf(document) }),
  ],
  [/^the workflow is executed$/, () => ({ do: 'execute' })],
  [/^the event is published:$/, (_, document) => ({ do: 'publish', event: objectOf(document) })],
  [/^the workflow is cancelled$/, () => ({ do: 'cancel' })],
  [
    new RegExp(`^the workflow should (${ENDINGS})( with output:| with error:)?$`),
    ([ends = '', more], document) => expected({ of: 'workflow', ...ended(ends, more, document) }),
  ],
  [
    /^the workflow output should have properties (.+)$/,
    ([list = '']) => expected({ of: 'output', has: quotedIn(list) }),
  ],
  [
    /^the workflow output should have an? '([^']+)' property with value:$/,
    ([at = ''], document) => expected({ of: 'output', at, is: valueOf(document) }),
  ],
  [
    /^the workflow output should have an? '([^']+)' property containing (\d+) items?$/,
    ([at = '', count]) => expected({ of: 'output', at, items: Number(count) }),
  ],
  [
    /^(.+) should run (first|last)$/,
    ([task = '', runs]) =>
      expected({ of: 'order', task, runs: runs === 'first' ? 'first' : 'last' }),
  ],
  [
    /^(.+) should run (after|before) (.+)$/,
    ([task = '', runs, other = '']) =>
      expected({ of: 'order', task, runs: runs === 'after' ? 'after' : 'before', other }),
  ],
  [
    new RegExp(`^(.+) should (${ENDINGS})( with output:| with error:)?$`),
    ([task = '', ends = '', more], document) =>
      expected({ of: 'task', task, ...ended(ends, more, document) }),
  ],
];

/** The problem is a sentence: nobody knows the step, or it needs something else below it. */
export function readStep({ text, document }: ScenarioStep): Result<Deed, string> {
  for (const [pattern, read] of STEPS) {
    const found = pattern.exec(text.trim());
    if (found === null) continue;
    if (text.trim().endsWith(':') && document === undefined)
      return no('the text below it is missing');
    try {
      return ok(read(found.slice(1), document));
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      return no(thrown.message);
    }
  }
  return no('there is no such step');
}

function expected(what: Expectation): Deed {
  return { do: 'expect', what };
}

function define(document: string | undefined): Deed {
  return { do: 'define', text: document ?? '' };
}

function ended(ends: string, more: string | undefined, document: string | undefined): Ended {
  const ending = ends as Ending;
  if (more === undefined) return { ends: ending };
  return more.endsWith('error:')
    ? { ends: ending, error: objectOf(document) }
    : { ends: ending, output: valueOf(document) };
}

function valueOf(document: string | undefined): Json {
  return (parse(document ?? '') ?? null) as Json;
}

function objectOf(document: string | undefined): JsonObject {
  const value = valueOf(document);
  if (isJsonObject(value)) return value;
  throw new Error(`an object is expected below it; came ${JSON.stringify(value)}`);
}

function quotedIn(list: string): readonly string[] {
  return Array.from(list.matchAll(/'([^']*)'/g), ([, name = '']) => name);
}
