/**
 * The lines that handlers log, kept for whoever looks at an instance. The last ones of all: this is
 * for a program at hand, and not a store of logs.
 */
import { type Logger, redacting } from '../../index.ts';

export interface LogLine {
  readonly seq: number;
  readonly at: number;
  readonly level: keyof Logger;
  readonly message: string;
  readonly instance: string | null;
  readonly node: string | null;
  readonly token: number | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

export const LOG_LINES_MAX = 10_000;

export class LogLines {
  readonly #lines: LogLine[] = [];
  #count = 0;

  /** A logger that keeps what it is told, without what is secret in it, and hands it on. */
  around(logger: Logger): Logger {
    const keep = (level: keyof Logger): Logger['info'] => {
      return (details, message) => this.#keep(level, details, message);
    };
    const kept = redacting(eachLevel(keep));
    const both = (level: keyof Logger): Logger['info'] => {
      return (details, message) => {
        kept[level](details, message);
        logger[level](details, message);
      };
    };
    return eachLevel(both);
  }

  /** Those of an instance, or all, that came after one. */
  read(instance: string | null, after: number): { lines: readonly LogLine[]; last: number } {
    const lines = this.#lines.filter((line) => {
      return line.seq > after && (instance === null || line.instance === instance);
    });
    return { lines, last: this.#count };
  }

  #keep(level: keyof Logger, details: object, message: string): void {
    const { instance, node, token, ...fields } = details as Readonly<Record<string, unknown>>;
    this.#count += 1;
    this.#lines.push({
      ...{ seq: this.#count, at: Date.now(), level, message, fields: plain(fields) },
      instance: typeof instance === 'string' ? instance : null,
      node: typeof node === 'string' ? node : null,
      token: typeof token === 'number' ? token : null,
    });
    if (this.#lines.length > LOG_LINES_MAX) this.#lines.shift();
  }
}

function eachLevel(make: (level: keyof Logger) => Logger['info']): Logger {
  const [debug, info, warn, error] = [make('debug'), make('info'), make('warn'), make('error')];
  return { debug, info, warn, error };
}

/** Handlers log whatever they have: here it is told as JSON, or as text where it is none. */
function plain(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields).map(([name, value]): [string, unknown] => {
    try {
      return [name, JSON.parse(JSON.stringify(value ?? null))];
    } catch {
      return [name, String(value)];
    }
  });
  return Object.fromEntries(entries);
}
