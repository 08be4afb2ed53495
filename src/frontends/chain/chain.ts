/**
 * `chain(type, version, steps, options)`: a process that is a line of steps and nothing else.
 *
 * All steps are written down when an instance starts, and from then on the rows alone decide how it
 * goes on: the definition is not asked again. Handlers are not part of it either; they are given to
 * the engine by the type of their step, for every version and every chain that has such a step, or
 * as `chain/step` for one chain alone.
 *
 * As with flows, nothing here throws: what is wrong is collected in the definition's diagnostics,
 * and whoever takes the chain reports all of it.
 */
import type { Duration } from '../../base/duration.ts';
import type { Flow } from '../../model/definition.ts';
import type { Diagnostic, DraftEdge, DraftNode } from '../../model/draft.ts';
import {
  checkFlowName,
  complain,
  type Findings,
  findingsOf,
  isRecord,
  readOptions,
  show,
} from '../builder/checks.ts';
import { dataFlow } from '../builder/data-flow.ts';
import { type LimitOptions, readLimit } from '../builder/limit-options.ts';
import { given, readDuration, readSearch, readTimeLimit, type Rule } from '../builder/readers.ts';

export interface ChainOptions extends LinkOptions {
  /** Whether a step that waited for too long is run again, to deal with it; true if not given. */
  readonly waitingTimeouts?: boolean;
  /** How many of its steps may be at work at a time, all together, and how many begin per time. */
  readonly limit?: LimitOptions;
  /** What instances are found by (`engine.list`): fields of the context. */
  readonly search?: readonly string[];
  /** What is different for single steps, by their type. */
  readonly steps?: Readonly<Record<string, LinkOptions & { readonly limit?: LimitOptions }>>;
}

export interface LinkOptions {
  /** Executions in all, the first one among them; 10 if not given. */
  readonly maxAttempts?: number;
  /** The pause after the first failure (`'1s'`), doubled each time up to the longest (`'5m'`). */
  readonly backoff?: { readonly base?: Duration; readonly max?: Duration };
  /** How long one execution may take; as long as it takes if not given. */
  readonly timeout?: Duration;
  /** Higher goes first among what is ready; the instance's priority if not given. */
  readonly priority?: number;
}

/** The defaults of the engine this comes from. */
const MAX_ATTEMPTS = 10;
const BACKOFF_BASE_MS = 1_000;
const BACKOFF_MAX_MS = 300_000;
const TYPE_CHARS_MAX = 200;
const START = ':chain';
const LINK_OPTIONS = ['maxAttempts', 'backoff', 'timeout', 'priority', 'limit'] as const;
const OPTIONS = [...LINK_OPTIONS, 'waitingTimeouts', 'search', 'steps'] as const;
// Control characters break every log that shows them; half a surrogate pair is not UTF-8.
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** What a chain is about: an instance begins with it, and ends with what its steps made of it. */
export function chain<Context = unknown>(
  type: string,
  version: number,
  steps: readonly string[],
  options?: ChainOptions,
): Flow<Context, Context> {
  const what = typeof type === 'string' ? `chain "${type}"` : 'a chain';
  const found = findingsOf(START);
  const asked = readOptions(found, what, OPTIONS, options);
  const isVersion = Number.isSafeInteger(version) && version >= 1;
  if (!isVersion) {
    const rule = `the version of ${what} is a whole number, 1 or more`;
    complain(found, 'flow.bad-version', `${rule}; came ${show(version)}`);
  }
  const types = readSteps(found, what, steps);
  const links = draw(found, what, types, asked);
  const limit = readLimit(found, limitOf(what), asked['limit']);
  const sought = { code: 'chain.bad-option', what: `the search of ${what}` };
  const search = readSearch(found, sought, asked['search']);
  const name = typeof type === 'string' ? type : '';
  const draft = {
    name,
    version: isVersion ? version : 1,
    start: START,
    saga: 'none' as const,
    ...(limit && { limit }),
    ...(search && { search }),
    nodes: [startOf(links), ...links],
    edges: edgesOf(links),
  };
  const diagnostics = [...checkFlowName(type), ...found.list.map(ofChain)];
  return dataFlow(draft, diagnostics);
}

/** What is wrong with a chain is wrong with it as a whole: its start is none of the author's. */
function ofChain({ code, message }: Diagnostic): Diagnostic {
  return { code, message };
}

function readSteps(found: Findings, what: string, steps: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(steps) ? steps : [];
  if (list.length === 0) {
    const rule = `${what} has a list of one step type or more`;
    complain(found, 'chain.no-steps', `${rule}; came ${show(steps)}`);
  }
  return list.filter((step): step is string => {
    if (isType(step)) return true;
    const size = `1 to ${TYPE_CHARS_MAX} characters`;
    const rule = `a step type is a printable text of ${size}, not blank and without "/"`;
    complain(found, 'chain.bad-step', `${rule}; came ${show(step)} in ${what}`);
    return false;
  });
}

function isType(step: unknown): boolean {
  if (typeof step !== 'string' || step.trim() === '' || step.length > TYPE_CHARS_MAX) return false;
  // With a slash before it stands the name of a chain.
  return !UNPRINTABLE.test(step) && !step.includes('/') && step !== '__proto__';
}

function startOf(links: readonly DraftNode[]): DraftNode {
  const settings = { links: links.map(({ id }) => id) };
  return { id: START, kind: 'chain', settings, hidden: true };
}

/** For people: what comes after what. The tokens do not ask. */
function edgesOf(links: readonly DraftNode[]): readonly DraftEdge[] {
  return links.map(({ id: to }, index) => {
    const from = links[index - 1]?.id ?? START;
    // Each has one way in: its name is enough, whatever arrows there may be in names.
    return { id: `->${to}`, from, to };
  });
}

/** A link is named by the type of its step, and by its place too where it is not the first. */
function draw(
  found: Findings,
  what: string,
  types: readonly string[],
  asked: Readonly<Record<string, unknown>>,
): readonly DraftNode[] {
  const { waitingTimeouts = true, steps } = asked;
  if (typeof waitingTimeouts !== 'boolean') {
    const rule = `waitingTimeouts of ${what} is true or false`;
    complain(found, 'chain.bad-option', `${rule}; came ${show(waitingTimeouts)}`);
  }
  const own = readOwn(found, what, types, steps);
  const patient = waitingTimeouts === false ? { patient: true } : {};
  const settings = new Map(
    [...new Set(types)].map((type) => {
      const whose = own[type] === undefined ? what : `step "${type}" of ${what}`;
      return [type, { type, ...readLink(found, whose, asked, own[type] ?? {}), ...patient }];
    }),
  );
  const seen = new Set([START]);
  return types.map((type, seq) => {
    let id = type;
    // A type may be called what a link of another would be.
    while (seen.has(id) || (id !== type && settings.has(id))) id += `#${seq}`;
    seen.add(id);
    return { id, kind: 'link', settings: settings.get(type) ?? {} };
  });
}

type Asked = Readonly<Record<string, unknown>>;

function readOwn(
  found: Findings,
  what: string,
  types: readonly string[],
  steps: unknown,
): Readonly<Record<string, Asked>> {
  if (steps === undefined) return {};
  if (!isRecord(steps)) {
    const rule = `steps of ${what} is an object with options by step type`;
    complain(found, 'chain.bad-option', `${rule}; came ${show(steps)}`);
    return {};
  }
  for (const type of Object.keys(steps)) {
    if (types.includes(type)) continue;
    const message = `steps of ${what} names "${type}", which is none of ${types.join(', ')}`;
    complain(found, 'chain.unknown-step', message);
  }
  return Object.fromEntries(
    Object.entries(steps).map(([type, options]) => [
      type,
      readOptions(found, `step "${type}" of ${what}`, LINK_OPTIONS, options),
    ]),
  );
}

/** What a step says for itself goes before what its chain says for all of them. */
function readLink(
  found: Findings,
  whose: string,
  chained: Asked,
  own: Asked,
): DraftNode['settings'] {
  const { maxAttempts = MAX_ATTEMPTS, timeout } = { ...chained, ...own };
  const isCount = Number.isSafeInteger(maxAttempts) && (maxAttempts as number) >= 1;
  if (!isCount) {
    const rule = `maxAttempts of ${whose} is a whole number, 1 or more`;
    complain(found, 'chain.bad-option', `${rule}; came ${show(maxAttempts)}`);
  }
  const pauses = (asked: Asked): Asked =>
    readOptions(found, `backoff of ${whose}`, ['base', 'max'], asked['backoff']);
  const backoff = { ...pauses(chained), ...pauses(own) };
  const pause = (name: 'base' | 'max', usual: number): number => {
    const rule = { code: 'chain.bad-option', what: `backoff.${name} of ${whose}` };
    const given = backoff[name];
    return given === undefined ? usual : (readDuration(found, rule, given) ?? usual);
  };
  const retry = {
    maxAttempts: isCount ? (maxAttempts as number) : 1,
    delayMs: pause('base', BACKOFF_BASE_MS),
    backoff: 'exponential',
    maxDelayMs: pause('max', BACKOFF_MAX_MS),
    jitter: 0,
  };
  const rule = { code: 'chain.bad-option', what: `timeout of ${whose}` };
  const timeoutMs = readTimeLimit(found, rule, timeout);
  return given({
    retry,
    timeoutMs,
    priority: readPriority(found, whose, { ...chained, ...own }['priority']),
    // What is said for the chain is for all of it together, and for no step by itself.
    limit: readLimit(found, limitOf(whose), own['limit']),
  });
}

function limitOf(whose: string): Rule {
  return { code: 'chain.bad-option', what: `limit of ${whose}` };
}

function readPriority(found: Findings, whose: string, priority: unknown): number | undefined {
  if (priority === undefined) return undefined;
  if (Number.isSafeInteger(priority)) return priority as number;
  const message = `priority of ${whose} is a whole number; came ${show(priority)}`;
  complain(found, 'chain.bad-option', message);
  return undefined;
}
