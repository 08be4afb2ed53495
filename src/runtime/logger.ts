import { stackApart } from '../base/log-details.ts';

/** The part of pino's interface we speak. Any logger that has it can be handed to the engine. */
export interface Logger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Says nothing of the everyday; a warning or an error nobody asked to see still reaches stderr. */
export const stderrLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (details, message) => print('warn', details, message),
  error: (details, message) => print('error', details, message),
};

/**
 * The user's logger, such that it cannot throw into the engine: a line is written on the way to a
 * commit, and what waits for that commit must not be left standing. What it refuses goes to stderr.
 */
export function contained(logger: Logger): Logger {
  const line =
    (level: keyof Logger) =>
    (details: object, message: string): void => {
      try {
        logger[level](details, message);
      } catch {
        // Whatever was thrown, the line itself is what somebody wanted to be read.
        stderrLogger[level](details, message);
      }
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

function print(level: string, line: object, message: string): void {
  const { details, stack } = stackApart(line);
  process.stderr.write(`perdure ${level}: ${message} ${textOf(details)}\n${stack}`);
}

/** A handler may log whatever it likes; that it cannot be written is no reason to fail its step. */
function textOf(details: object): string {
  try {
    return JSON.stringify(details);
  } catch {
    // A cycle, a bigint, or a getter or toJSON of the stranger's that threw.
    return '(details that cannot be written)';
  }
}
