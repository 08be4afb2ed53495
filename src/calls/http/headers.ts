/**
 * Headers of a request: checked before anything is sent, and shown without what opens doors.
 *
 * A value holds neither line breaks nor other control characters, so that none can become a second
 * header or a second request. What frames a message on the wire is the client's own to write.
 */
import { notAskable } from './failures.ts';

export type Headers = Readonly<Record<string, string>>;

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible characters, spaces and tabs, each of them one byte. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const OURS = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]);
const SECRET = new Set(['authorization', 'cookie', 'proxy-authorization']);
/** What stands for a value that nobody is to read. */
const HIDDEN = '***';

/** With names in lower case; throws `configuration` if there is one that no request can have. */
export function readHeaders(given: Headers): Record<string, string> {
  const entries = Object.entries(given).map(([name, value]) => {
    if (!NAME.test(name)) {
      throw notAskable(`the name of a header is letters, digits and -; came ${shown(name)}`);
    }
    if (typeof value !== 'string' || !VALUE.test(value)) {
      throw notAskable(
        `the header "${name}" is a text of one line, with no characters past U+00FF`,
      );
    }
    const key = name.toLowerCase();
    if (OURS.has(key)) throw notAskable(`the header "${name}" is set by the client: leave it out`);
    return [key, value.trim()] as const;
  });
  return Object.fromEntries(entries);
}

/** For whoever is told what was asked. */
export function hideSecrets(headers: Headers): Headers {
  return mapHeaders(headers, (name, value) => (SECRET.has(name) ? HIDDEN : value));
}

/** What another origin must not be given. */
export function withoutSecrets(headers: Headers): Headers {
  return mapHeaders(headers, (name, value) => (SECRET.has(name) ? undefined : value));
}

export function withoutContent(headers: Headers): Headers {
  return mapHeaders(headers, (name, value) => (name.startsWith('content-') ? undefined : value));
}

function mapHeaders(
  headers: Headers,
  change: (name: string, value: string) => string | undefined,
): Headers {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const changed = change(name, value);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
