/** What the engine may throw at the program that embeds it. Told apart by code, not by message. */
export type EngineErrorCode =
  | 'command.invalid'
  | 'definition.invalid'
  | 'definition.not-found'
  | 'definition.unreadable'
  | 'duration.invalid'
  | 'engine.closed'
  | 'engine.option-invalid'
  | 'export.invalid'
  | 'input.invalid'
  | 'instance.canceled'
  | 'instance.exists'
  | 'instance.failed'
  | 'instance.not-found'
  | 'instance.over'
  | 'instance.suspended'
  | 'message.invalid'
  | 'migration.refused'
  | 'node.not-found'
  | 'operation.refused'
  | 'result.timeout'
  | 'schedule.invalid'
  | 'schedule.not-found'
  | 'store.corrupt'
  | 'store.denied'
  | 'store.full'
  | 'store.no-transactions'
  | 'store.not-durable'
  | 'store.read-only'
  | 'store.refused'
  | 'store.too-new'
  | 'store.too-old'
  | 'store.unreachable'
  | 'task.forbidden'
  | 'task.invalid'
  | 'task.not-found'
  | 'task.refused'
  | 'token.gated'
  | 'token.not-found'
  | 'token.not-parked'
  | 'token.not-waiting'
  | 'variable.reserved'
  | 'work.invalid'
  | 'work.lost';

/** The one error class of the public surface: switch on `code`, never on the message. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError';
  readonly code: EngineErrorCode;
  /** True if the same call may succeed later without anyone changing anything. */
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: EngineErrorCode,
    message: string,
    options: { retryable?: boolean; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.details = options.details ?? {};
  }
}
