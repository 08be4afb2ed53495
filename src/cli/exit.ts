/**
 * How a command ends, as whoever called it sees it. The numbers are a promise: scripts rely on
 * them. docs/command-line.md shows the same table, and a test compares the two.
 */
import type { EngineErrorCode } from '../index.ts';

export const EXIT = {
  /** What was asked for is done. */
  fine: 0,
  /** The thing itself failed: a run, a check, an operation that was refused. */
  failed: 1,
  /** The command line or a definition is wrong; nothing was done. */
  usage: 2,
  /** There is no such instance, flow, node, token, task, schedule or dead letter. */
  notFound: 3,
  /** The store cannot be reached or used. */
  store: 4,
  /** Told to stop by the keyboard, or by whoever runs the process. */
  interrupted: 130,
  terminated: 143,
  /** Nobody reads its answer any more, and what it runs is not over. */
  unread: 141,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Every code of an EngineError, and how a command ends that meets it. */
const EXITS: Readonly<Record<EngineErrorCode, ExitCode>> = {
  'command.invalid': EXIT.usage,
  'definition.invalid': EXIT.usage,
  'definition.not-found': EXIT.notFound,
  'definition.unreadable': EXIT.usage,
  'duration.invalid': EXIT.usage,
  'engine.closed': EXIT.failed,
  'engine.option-invalid': EXIT.usage,
  'export.invalid': EXIT.usage,
  'input.invalid': EXIT.usage,
  'instance.canceled': EXIT.failed,
  'instance.exists': EXIT.failed,
  'instance.failed': EXIT.failed,
  'instance.not-found': EXIT.notFound,
  'instance.over': EXIT.failed,
  'instance.suspended': EXIT.failed,
  'message.invalid': EXIT.usage,
  'migration.refused': EXIT.failed,
  'node.not-found': EXIT.notFound,
  'operation.refused': EXIT.failed,
  'result.timeout': EXIT.failed,
  'schedule.invalid': EXIT.usage,
  'schedule.not-found': EXIT.notFound,
  'store.corrupt': EXIT.store,
  'store.denied': EXIT.store,
  'store.full': EXIT.store,
  'store.no-transactions': EXIT.usage,
  'store.not-durable': EXIT.store,
  'store.read-only': EXIT.store,
  'store.refused': EXIT.store,
  'store.too-new': EXIT.store,
  'store.too-old': EXIT.store,
  'store.unreachable': EXIT.store,
  'task.forbidden': EXIT.failed,
  'task.invalid': EXIT.usage,
  'task.not-found': EXIT.notFound,
  'task.refused': EXIT.failed,
  'token.gated': EXIT.failed,
  'token.not-found': EXIT.notFound,
  'token.not-parked': EXIT.failed,
  'token.not-waiting': EXIT.failed,
  'variable.reserved': EXIT.usage,
  'work.invalid': EXIT.usage,
  'work.lost': EXIT.failed,
};

/** What two copies of the package throw at each other is known by its code, not by its class. */
export function exitOf(code: string): ExitCode {
  return Object.hasOwn(EXITS, code) ? EXITS[code as EngineErrorCode] : EXIT.failed;
}

export function exitCodes(): readonly (readonly [string, ExitCode])[] {
  return Object.entries(EXITS);
}
