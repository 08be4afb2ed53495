/**
 * A node kind that an application brings. It decides what comes of a token, from values alone, and
 * answers with a move; the kernel does the rest. What it answers is never trusted: whatever is no
 * move becomes a fault of the instance.
 *
 * Its name has a dot in it and those of ours have none, so neither can ever be taken for the other,
 * and a process that does not have the kind can tell from the plan that somebody else does.
 */
import type { Duration } from '../base/duration.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Outbound } from './chain.ts';

declare const takes: unique symbol;
declare const gives: unique symbol;

/** `Given` is the config its nodes are written with, `Value` the result they have. */
export interface CustomKind<Given = never, Value = unknown, Way extends string = string> {
  /** With at least one dot: `acme.gate`. */
  readonly kind: string;
  readonly version?: string;
  readonly title?: string;
  /** Checks the config of a node when its flow is deployed. */
  readonly config?: ConfigCheck;
  /** What a config looks like, for people and programs that write one. */
  readonly configSchema?: JsonObject;
  /** Its nodes may pause; without this a pause is a fault. */
  readonly pauses?: boolean;
  /** Who may wake them: anyone, or whoever has this very object. The latter, if not said. */
  readonly wakes?: 'any' | 'owner';
  /** The ways its nodes can go on by; one, without a name, if not said. */
  readonly ways?: readonly Way[];
  enter(view: KindView<never>): unknown;
  resume?(view: PausedView<never>, signal: KindSignal): unknown;
  leave?(view: PausedView<never>, why: LeaveReason): unknown;
  /** Only the compiler sees these two. */
  readonly [takes]?: (given: Given) => void;
  readonly [gives]?: Value;
}

/** Answers with the config as it is to be kept, or throws what is wrong with it; at once. */
export type ConfigCheck = ((config: Json) => unknown) | ConfigSchema;

/** As much of a Standard Schema as is asked of it. */
export interface ConfigSchema {
  readonly '~standard': { readonly validate: (value: unknown) => unknown };
}

/** What a kind may look at: values only, frozen. */
export interface KindView<Config = Json> {
  readonly config: Config;
  /** The name of the node, and of the ways that lead on from it. */
  readonly node: string;
  readonly ways: readonly string[];
  readonly instance: string;
  /** The business key of the instance. */
  readonly key: string | null;
  /** The number of the token: what `run.wake` takes. */
  readonly token: number;
  readonly input: Json;
  readonly results: JsonObject;
  readonly vars: JsonObject;
  readonly item: Json;
  readonly index: number | null;
  /** The time of what happens, in milliseconds since 1970; there is no other clock. */
  readonly now: number;
}

export interface PausedView<Config = Json> extends KindView<Config> {
  /** What it paused with. */
  readonly pause: { readonly name: string; readonly data: Json };
}

/** What ended a pause. */
export type KindSignal =
  | { readonly on: 'wake'; readonly data: Json }
  | { readonly on: 'message'; readonly data: Json }
  | { readonly on: 'time' };

export type LeaveReason = 'done' | 'cancelled' | 'failed';

/** What a kind answers. Made by `go()`, `pause()`, `fault()` and `end()`; plain values. */
export type KindMove<Value = unknown, Way extends string = string> =
  | KindGo<Value, Way>
  | KindPause
  | KindFault
  | KindEnd;

export interface KindGo<Value = unknown, Way extends string = string> extends GoOptions<Way> {
  readonly move: 'go';
  readonly result?: Value;
}

export interface GoOptions<Way extends string = string> {
  /** Which of the ways that the kind has. */
  readonly way?: Way;
  /** Variables to set: in the scope of the node, or in that of the whole instance. */
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly in?: 'scope' | 'instance';
  /** Events for the world outside, sent from the outbox, in the same commit. */
  readonly outbound?: readonly Outbound[];
}

export interface KindPause extends PauseOptions {
  readonly move: 'pause';
}

export interface PauseOptions {
  /** What it waits for, in a word, for people to read; the name of the node if not given. */
  readonly name?: string;
  /** Kept with the pause: `resume` and `leave` have it, and whoever lists the tokens sees it. */
  readonly data?: unknown;
  /** A message of this type ends it, too; its key is the business key if not given. */
  readonly event?: string;
  readonly key?: string;
  /** It ends by itself after so long. What is suspended has its time stand still. */
  readonly timeout?: Duration;
  /** It ends by itself at this moment, in milliseconds since 1970. */
  readonly until?: number;
  readonly outbound?: readonly Outbound[];
}

export interface KindFault {
  readonly move: 'fault';
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface KindEnd {
  readonly move: 'end';
  readonly output?: unknown;
  readonly outbound?: readonly Outbound[];
}

/** What is told of a kind. */
export interface KindDescriptor {
  readonly kind: string;
  readonly version: string | null;
  readonly title: string | null;
  readonly pauses: boolean;
  readonly wakes: 'any' | 'owner';
  readonly ways: readonly string[];
  readonly configSchema: JsonObject | null;
}

const NAME = /^[a-z0-9][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)+$/i;
const NAME_CHARS_MAX = 100;

/** Whether a kind is an application's, by its name. */
export function isCustom(kind: string): boolean {
  return kind.includes('.');
}

/** What is wrong with a definition of a kind; from a program without types it may be anything. */
export function kindProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'is what defineKind(…) gives';
  const own = value as Readonly<Record<string, unknown>>;
  const { kind, config, pauses, wakes, ways, version, title } = own;
  if (typeof kind !== 'string' || !NAME.test(kind) || kind.length > NAME_CHARS_MAX) {
    return `has a name with a dot in it, as 'acme.gate', of ${NAME_CHARS_MAX} characters at most`;
  }
  const stray = Object.keys(own).find((name) => !FIELDS.has(name));
  if (stray !== undefined) return `has no "${stray}"; it knows ${[...FIELDS].join(', ')}`;
  if (typeof own['enter'] !== 'function') return 'has enter(view), which answers with a move';
  for (const verb of ['resume', 'leave'] as const) {
    const isVerb = own[verb] === undefined || typeof own[verb] === 'function';
    if (!isVerb) return `has ${verb} as a function, or not at all`;
  }
  if (config !== undefined && typeof config !== 'function' && !isSchema(config)) {
    return 'checks its config by a Standard Schema or a function';
  }
  if (pauses !== undefined && typeof pauses !== 'boolean') return 'pauses: true or false';
  if (wakes !== undefined && wakes !== 'any' && wakes !== 'owner') return `wakes: 'any' or 'owner'`;
  for (const text of [version, title]) {
    if (text !== undefined && typeof text !== 'string') return 'has texts as version and title';
  }
  return ways === undefined ? undefined : waysProblem(ways);
}

const FIELDS: ReadonlySet<string> = new Set([
  ...['kind', 'version', 'title', 'config', 'configSchema', 'pauses', 'wakes', 'ways'],
  ...['enter', 'resume', 'leave'],
]);

function waysProblem(ways: unknown): string | undefined {
  const isList = Array.isArray(ways) && ways.length > 0;
  const isNames = isList && ways.every((way) => typeof way === 'string' && way !== '');
  if (isNames && new Set(ways).size === ways.length) return undefined;
  return 'has ways as a list of different names, one or more';
}

function isSchema(value: unknown): value is ConfigSchema {
  if (typeof value !== 'object' || value === null) return false;
  const standard: unknown = Reflect.get(value, '~standard');
  return (
    typeof standard === 'object' &&
    standard !== null &&
    typeof Reflect.get(standard, 'validate') === 'function'
  );
}

export function describeKind(own: CustomKind): KindDescriptor {
  const { kind, version = null, title = null, pauses = false, wakes = 'owner', ways = [] } = own;
  return Object.freeze({
    ...{ kind, version, title, pauses, wakes, ways },
    configSchema: own.configSchema ?? null,
  });
}
