/**
 * What a host allows Serverless Workflows, and what it gives them: an address book, secrets, and
 * whether they may start processes. What is not allowed is refused: a definition is somebody's
 * text.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import type { HttpOptions } from '../../calls/http/client.ts';
import { RUN_LIMITS, type RunOptions } from '../../calls/running/run-options.ts';
import { checkFields, told, wrong } from '../fields.ts';

/** By name, or whoever knows them: asked once when a workflow comes, and again before each call. */
export type Secrets =
  | Readonly<Record<string, Json>>
  | ((name: string) => Json | undefined | Promise<Json | undefined>);

export interface ServerlessOptions {
  /** Commands that `run: shell` may be given; all of them if true. */
  readonly shell?: boolean | readonly string[];
  /** Languages that `run: script` may be in; all there are if true. */
  readonly script?: boolean | readonly string[];
  /** Images that `run: container` may run; all of them if true. */
  readonly container?: boolean | readonly string[];
  /** Programs that `call: mcp` may start to talk to; all of them if true. */
  readonly process?: boolean | readonly string[];
  /** Where programs are looked for, which of them run Python and containers, and their limits. */
  readonly run?: RunOptions;
  /** Folders that `file:` resources may be read from. */
  readonly files?: readonly string[];
  /** What relative addresses of endpoints and resources are relative to. */
  readonly base?: string;
  /** Where `name:version@default` is looked for. */
  readonly catalog?: string;
  /** What `$runtime.metadata` is. */
  readonly metadata?: JsonObject;
  /** Whether workflows start by the schedules they have; they do, if not said. */
  readonly schedules?: boolean;
  /** Which events are written to the outbox; all of them if there is one, if not said. */
  readonly lifecycle?: 'all' | 'workflow' | 'none';
  /**
   * Where outputs can be had, as a URL: events that tell of one have it, with the id of the
   * instance behind it and, of a task, its place in the definition as a fragment.
   */
  readonly outputs?: string;
}

/** The same for every kind of flow that calls something. */
export interface HostOptions {
  readonly http?: HttpOptions;
  readonly secrets?: Secrets;
  readonly serverless?: ServerlessOptions;
}

const FIELDS: readonly (keyof ServerlessOptions)[] = [
  ...(['shell', 'script', 'container', 'process', 'files', 'base', 'catalog'] as const),
  ...(['metadata', 'schedules', 'lifecycle', 'outputs', 'run'] as const),
];
const PROGRAMS = ['path', 'python', 'containers'] as const;
const LIFECYCLES: ReadonlySet<unknown> = new Set([undefined, 'all', 'workflow', 'none']);

export function checkHost({ secrets = {}, serverless = {} }: HostOptions): void {
  const isGiven =
    typeof secrets === 'function' || (typeof secrets === 'object' && secrets !== null);
  if (!isGiven) {
    throw wrong(`secrets is an object, or a function of a name; came ${told(secrets)}`, 'secrets');
  }
  checkFields('serverless', serverless, FIELDS);
  for (const name of ['shell', 'script', 'container', 'process'] as const) {
    const allowed: unknown = serverless[name] ?? false;
    const isList = Array.isArray(allowed) && allowed.every((each) => typeof each === 'string');
    if (typeof allowed === 'boolean' || isList) continue;
    const rule = `serverless.${name} is true, or a list of names`;
    throw wrong(`${rule}; came ${told(allowed)}`, `serverless.${name}`);
  }
  checkRun(serverless.run ?? {});
  const { schedules = true } = serverless;
  if (typeof schedules !== 'boolean') {
    const rule = 'serverless.schedules is true or false';
    throw wrong(`${rule}; came ${told(schedules)}`, 'serverless.schedules');
  }
  const { outputs } = serverless;
  if (outputs !== undefined && !(typeof outputs === 'string' && URL.canParse(outputs))) {
    throw wrong(`serverless.outputs is a URL; came ${told(outputs)}`, 'serverless.outputs');
  }
  if (!LIFECYCLES.has(serverless.lifecycle)) {
    const rule = "serverless.lifecycle is 'all', 'workflow' or 'none'";
    throw wrong(`${rule}; came ${told(serverless.lifecycle)}`, 'serverless.lifecycle');
  }
}

function checkRun(run: RunOptions): void {
  checkFields('serverless.run', run, [...PROGRAMS, 'limits']);
  for (const name of PROGRAMS) {
    const given: unknown = run[name];
    if (given === undefined || (typeof given === 'string' && given !== '')) continue;
    throw wrong(`serverless.run.${name} is a text; came ${told(given)}`, `serverless.run.${name}`);
  }
  const { limits = {} } = run;
  checkFields('serverless.run.limits', limits, Object.keys(RUN_LIMITS));
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    const field = `serverless.run.limits.${name}`;
    throw wrong(`${field} is a whole number above 0; came ${told(value)}`, field);
  }
}
