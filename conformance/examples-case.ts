/**
 * What there is to know of an example before it can be run: what it is given, what is done while it
 * runs, and how it ends. A file may be shown in several takes, each with its own end.
 */
import type { Json } from '../src/base/json.ts';
import type { Duration } from '../src/base/duration.ts';
import type { Run } from '../src/runtime/run.ts';
import type { ServerlessOptions } from '../src/runtime/serverless/options.ts';
import type { Letters } from './examples-letters.ts';
import type { Pattern } from './examples-pattern.ts';
import type { Places } from './examples-places.ts';
import type { Scenery } from './examples-world.ts';

export interface Example {
  /** Rows of the checklist that it shows to be so. */
  readonly rows?: readonly string[];
  readonly takes: readonly Take[];
}

/** By the name of the file. */
export type Examples = Readonly<Record<string, Example>>;

export interface Take {
  /** What sets it apart, and why it ends as it does where that may surprise. */
  readonly about?: string;
  readonly input?: Json;
  readonly secrets?: Readonly<Record<string, Json>>;
  /** What the host allows of what is off by default. */
  readonly allows?: Pick<ServerlessOptions, 'shell' | 'script' | 'container' | 'process'>;
  /** How the servers are that it talks to. */
  readonly scenery?: Scenery;
  /** The text with what cannot be here put in the place of what it names. */
  readonly text?: (text: string, places: Places) => string | Promise<string>;
  /** Definitions of other workflows that it runs. */
  readonly others?: readonly string[];
  /** Nobody starts it: something that happens meanwhile does. */
  readonly startsItself?: true;
  readonly meanwhile?: (stage: Stage) => Promise<void>;
  readonly ends: Ending;
  /** How long it takes, by the clock of the engine; less than one if not said. */
  readonly seconds?: number;
  /** Every request that it makes, in order; none if not said. */
  readonly asks?: readonly Ask[] | 'whatever';
  /** Every event that it sends; none if not said. */
  readonly sends?: readonly Pattern[];
  /** What is to be seen elsewhere when it is over, and what that is. */
  readonly leaves?: readonly [(places: Places) => Json | Promise<Json>, Pattern];
}

export type Ending =
  | { readonly output: Pattern }
  | { readonly error: Pattern }
  /** It has no end of its own. */
  | 'cancelled';

/** `GET https://…`, or that with what it says as well. */
export type Ask = string | AskWithMore;

export interface AskWithMore {
  readonly ask: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Pattern;
}

/** While it runs. */
export interface Stage {
  readonly places: Places;
  readonly letters: Letters;
  /** Lets everything happen that can, then publishes the event and lets it have its effect. */
  readonly publish: (event: Event) => Promise<void>;
  /** The same with time. */
  readonly advance: (duration: Duration) => Promise<void>;
  /** Runs until nothing can happen any more; what waits for messages keeps this waiting. */
  readonly settle: () => Promise<void>;
  readonly run: () => Promise<Run>;
}

export interface Event {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly data: Json;
  readonly [extension: string]: Json;
}

/** An event with what it needs; its id is its own. */
export function event(id: string, type: string, data: Json, more: Partial<Event> = {}): Event {
  return { specversion: '1.0', id, source: 'https://events.example.com', type, data, ...more };
}

/** The text with one part of it replaced; it must be there. */
export function put(text: string, part: string, instead: string): string {
  if (!text.includes(part)) throw new Error(`there is no ${JSON.stringify(part)} in the example`);
  return text.replaceAll(part, () => instead);
}
