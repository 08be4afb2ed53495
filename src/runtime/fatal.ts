import type { JsonObject } from '../base/json.ts';

/**
 * Thrown by a handler to say that trying again would not help: no retry policy does, neither the
 * step's nor that of a try around it. A catch catches it as any other, by its code.
 */
export class Fatal extends Error {
  override readonly name: string = 'Fatal';
  readonly code: string;
  readonly details: JsonObject | undefined;
  /** By this it is known, whichever copy of this package made it. */
  readonly fatal = true as const;

  constructor(
    message: string,
    options: { code?: string; details?: JsonObject; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = options.code ?? 'handler.fatal';
    this.details = options.details;
  }
}
