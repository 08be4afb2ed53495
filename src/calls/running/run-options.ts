/**
 * What a `run` task is told besides what it runs, and what its host has decided about all of them.
 * Whether anything may be run at all is no option of these: that is asked of `permits`.
 */
import { WorkflowError } from '../../model/workflow-error.ts';

const RETURNS = ['stdout', 'stderr', 'code', 'all', 'none'] as const;

/** What of a process is the output of its task. */
export type RunReturn = (typeof RETURNS)[number];

export interface RunWanted {
  /** False: the task is over once the process has begun, and the process goes on without it. */
  readonly await: boolean;
  /** Absent if the definition does not say: stdout, or what a JavaScript script returns. */
  readonly return?: string;
  /** What the name of a container is made of, if it is given none. */
  readonly names?: TaskNames;
}

export interface TaskNames {
  readonly workflow: string;
  readonly namespace: string;
  readonly task: string;
}

export interface RunOptions {
  /** Where programs are looked for, by us and by themselves; by default the host's own `PATH`. */
  readonly path?: string;
  /** What runs Python; by default `python3`. */
  readonly python?: string;
  /** What runs containers; by default `docker`, or `podman` where there is none. */
  readonly containers?: string;
  readonly limits?: Partial<RunLimits>;
}

export interface RunLimits {
  /** What a process may write to stdout, and as much again to stderr, if that is the output. */
  readonly OUTPUT_BYTES_MAX: number;
  /** How long a process that is to end may take for it, before it is killed. */
  readonly KILL_GRACE_MS: number;
  /** How long a JavaScript script may run. Others have the time their task has. */
  readonly SCRIPT_MS_MAX: number;
  /** What a JavaScript script may have in memory. */
  readonly SCRIPT_MEMORY_BYTES_MAX: number;
}

export const RUN_LIMITS: RunLimits = Object.freeze({
  OUTPUT_BYTES_MAX: 1_048_576,
  KILL_GRACE_MS: 2_000,
  SCRIPT_MS_MAX: 30_000,
  SCRIPT_MEMORY_BYTES_MAX: 67_108_864,
});

export function limitsOf({ limits }: RunOptions): RunLimits {
  return { ...RUN_LIMITS, ...limits };
}

export function returnOf({ return: wanted = 'stdout' }: RunWanted): RunReturn {
  const known = RETURNS.find((name) => name === wanted);
  if (known !== undefined) return known;
  const detail = `"return" is one of ${RETURNS.join(', ')}`;
  throw new WorkflowError('configuration', { detail });
}
