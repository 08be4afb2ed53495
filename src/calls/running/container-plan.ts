/**
 * What a container runtime is told for `run: container`: a function of the task, and of nothing
 * else (CO-01..CO-04).
 *
 * A command takes the place of the image's own (`CMD`) and is one for `sh`, as in `run: shell`; an
 * entry point of the image stays. Without a command, arguments are those of the image. Ports and
 * volumes go from the host's to the container's, as they do on the command line.
 *
 * Everybody on a machine can read the arguments of a process. So what the environment is set to is
 * handed on in the environment of the client, and only the names are arguments; but for those names
 * that the client goes by itself.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { mapArgument, textArgument } from '../arguments.ts';
import { durationArgument, TIMER_MS_MAX } from '../duration-argument.ts';
import { argumentTexts, inputText, variablesOf } from './process-arguments.ts';
import type { TaskNames } from './run-options.ts';

export interface ContainerPlan {
  readonly image: string;
  /** By which the container is found later; a name may be that of another by then. */
  readonly label: string;
  /** What `docker` is called with. */
  readonly args: readonly string[];
  /** What is added to the environment of the client. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string | null;
  readonly cleanup: Cleanup;
}

/** When a container that has ended is removed. */
export type Cleanup = 'always' | 'never' | { readonly afterMs: number };

const LABEL = 'perdure.run';
/** The runtime's own rule. It also keeps a name from being taken for an option. */
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/;
const IMAGE = /^[a-zA-Z0-9]\S*$/;
const HOST_PORT = /^\d{1,5}$/;
const CONTAINER_PORT = /^\d{1,5}(\/(tcp|udp|sctp))?$/;
/** What clients, and those they start, go by; the rest means nothing to them. */
const OF_THE_CLIENT =
  /^(PATH|HOME|LANG|LC_.*|TMPDIR|(DOCKER|CONTAINERS?|XDG|LD|DYLD|SSH|SSL)_.*|GO.*|.*_PROXY)$/i;
const PULLS: Readonly<Record<string, string>> = {
  ifNotPresent: 'missing',
  always: 'always',
  never: 'never',
};

/** `id` is of this container alone. */
export function planContainer(
  args: JsonObject,
  names: TaskNames | undefined,
  id: string,
): ContainerPlan {
  const image = textArgument('container.image', args['image']);
  if (!IMAGE.test(image)) throw wrong('"container.image" is the name of an image');
  const name = readName(args['name'], names, id);
  const cleanup = readCleanup(args['lifetime']);
  const stdin = inputText(args['stdin']);
  const variables = variablesOf('container.environment', args['environment']);
  const [shown, handed] = shareOut(variables);
  const command = args['command'] ?? null;
  const label = `${LABEL}=${id}`;
  const options = [
    `--name=${name}`,
    `--label=${label}`,
    `--pull=${readPull(args['pullPolicy'])}`,
    ...(cleanup === 'always' ? ['--rm'] : []),
    ...(stdin === null ? [] : ['--interactive']),
    ...readPorts(args['ports']).map((port) => `--publish=${port}`),
    ...readVolumes(args['volumes']).map((volume) => `--volume=${volume}`),
    ...Object.entries(shown).map(([key, value]) => `--env=${key}=${value}`),
    ...Object.keys(handed).map((key) => `--env=${key}`),
  ];
  const words = argumentTexts('container.arguments', args['arguments']);
  const shell =
    command === null ? [] : ['sh', '-c', textArgument('container.command', command), 'sh'];
  const whole = ['run', ...options, image, ...shell, ...words];
  return { image, label, args: whole, env: handed, stdin, cleanup };
}

/** By default as the reference has it, less what no name may have in it (CO-04). */
function readName(given: Json | undefined, names: TaskNames | undefined, id: string): string {
  if (given === undefined || given === null) {
    if (names === undefined) return `perdure-${id}`;
    const { workflow, namespace, task } = names;
    const name = `${workflow}-${id}.${namespace}-${task}`.replaceAll(/[^a-zA-Z0-9_.-]/g, '-');
    return name.replace(/^[^a-zA-Z0-9]+/, '');
  }
  const name = textArgument('container.name', given);
  if (NAME.test(name)) return name;
  throw wrong('"container.name" is letters, digits, "_", "." and "-", and begins with no sign');
}

function readPull(given: Json | undefined): string {
  const policy = given ?? 'ifNotPresent';
  const pull = typeof policy === 'string' && Object.hasOwn(PULLS, policy) ? PULLS[policy] : null;
  if (typeof pull === 'string') return pull;
  throw wrong('"container.pullPolicy" is ifNotPresent, always or never');
}

function readCleanup(given: Json | undefined): Cleanup {
  const { cleanup = 'never', after = null } = mapArgument('container.lifetime', given);
  if (cleanup === 'eventually') {
    if (after === null) throw wrong('"container.lifetime.after" says when eventually is');
    const afterMs = durationArgument('container.lifetime.after', after);
    if (afterMs < TIMER_MS_MAX) return { afterMs };
    throw wrong('"container.lifetime.after" is at most 24 days');
  }
  if (after !== null) throw wrong('"container.lifetime.after" is for the cleanup "eventually"');
  if (cleanup === 'always' || cleanup === 'never') return cleanup;
  throw wrong('"container.lifetime.cleanup" is always, never or eventually');
}

function readPorts(given: Json | undefined): readonly string[] {
  return Object.entries(mapArgument('container.ports', given)).map(([host, to]) => {
    const port = typeof to === 'number' ? `${to}` : to;
    const isPort = typeof port === 'string' && CONTAINER_PORT.test(port);
    if (isPort && HOST_PORT.test(host)) return `${host}:${port}`;
    throw wrong('"container.ports" has a port of the container for one of the host: "8080": 80');
  });
}

function readVolumes(given: Json | undefined): readonly string[] {
  return Object.entries(mapArgument('container.volumes', given)).map(([host, path]) => {
    const isPath = typeof path === 'string' && path.startsWith('/');
    if (host !== '' && !host.includes(':') && isPath) return `${host}:${path}`;
    throw wrong('"container.volumes" has paths of the host, each with one of the container');
  });
}

/** Those that the client would take for its own, and those that it only hands on. */
function shareOut(
  variables: Readonly<Record<string, string>>,
): readonly [Record<string, string>, Record<string, string>] {
  const entries = Object.entries(variables);
  const isOwn = ([key]: readonly [string, string]): boolean => OF_THE_CLIENT.test(key);
  const others = entries.filter((entry) => !isOwn(entry));
  return [Object.fromEntries(entries.filter(isOwn)), Object.fromEntries(others)];
}

function wrong(detail: string): WorkflowError {
  return new WorkflowError('configuration', { detail });
}
