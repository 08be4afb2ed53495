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

function print(level: string, details: object, message: string): void {
  process.stderr.write(`perdure ${level}: ${message} ${JSON.stringify(details)}\n`);
}
