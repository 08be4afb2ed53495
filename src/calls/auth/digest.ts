/**
 * Digest authentication as RFC 7616 has it: an answer to a challenge, without telling the password.
 *
 * The first request to an origin brings nothing and is told a nonce; the same request again brings
 * the answer. Later ones answer the same nonce with a higher count at once, until the server finds
 * it stale and tells another. A 401 to an answer that is not stale is the end: the name or the
 * password is wrong. Of the qualities of protection `auth` is understood, and none at all.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Authorization } from '../calling.ts';
import { createShelf, type Shelf } from '../http/shelf.ts';
import type { Asked, Authenticator } from './authenticator.ts';
import { parseChallenges } from './challenges.ts';
import { fingerprintOf, type Part, textOf } from './policy.ts';

/** Origins and policies whose nonces are remembered. */
export const SESSIONS_MAX = 1_000;

/** As they are called in challenges, and by OpenSSL. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-256': 'sha256',
  'SHA-512-256': 'sha512-256',
};

export interface Session {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  /** As the server wrote it; undefined if it named none, which means MD5. */
  readonly algorithm: string | undefined;
  readonly hasQop: boolean;
  readonly hidesName: boolean;
  readonly isStale: boolean;
  /** Answers given to this nonce so far. */
  count: number;
}

interface Login {
  readonly username: string;
  readonly password: string;
}

export function createDigest(): (part: Part) => Authenticator {
  const sessions = createShelf<Session>({ entriesMax: SESSIONS_MAX });
  return (part) => {
    const login = { username: textOf(part, 'username'), password: textOf(part, 'password') };
    return authenticatorOf(sessions, login, fingerprintOf(part.values));
  };
}

function authenticatorOf(
  sessions: Shelf<Session>,
  login: Login,
  fingerprint: string,
): Authenticator {
  const keyOf = ({ url }: Asked): string => `${fingerprint} ${url.origin}`;
  let hasAnswered = false;
  return {
    first: async (asked) => {
      const session = sessions.find(keyOf(asked));
      return session && answer(session, login, asked);
    },
    again: async (asked, challenges) => {
      const session = readSession(challenges);
      if (session === undefined || (hasAnswered && !session.isStale)) {
        sessions.drop(keyOf(asked));
        return undefined;
      }
      hasAnswered = true;
      sessions.put(keyOf(asked), session);
      return answer(session, login, asked);
    },
  };
}

/** The first challenge that can be met: a server names the one it likes best first. */
export function readSession(header: string): Session | undefined {
  for (const { scheme, parameters } of parseChallenges(header)) {
    const nonce = parameters.get('nonce');
    const algorithm = parameters.get('algorithm');
    const qops = parameters.get('qop')?.split(/[\s,]+/);
    const isMet = hashNameOf(algorithm) !== undefined && (qops?.includes('auth') ?? true);
    if (scheme !== 'digest' || nonce === undefined || !isMet) continue;
    return {
      ...{ nonce, algorithm, hasQop: qops !== undefined, count: 0 },
      realm: parameters.get('realm') ?? '',
      opaque: parameters.get('opaque'),
      hidesName: isTrue(parameters.get('userhash')),
      isStale: isTrue(parameters.get('stale')),
    };
  }
  return undefined;
}

/** The answer to a session's nonce, the next in count. */
export function answer(
  session: Session,
  { username, password }: Login,
  asked: Asked,
  cnonce: string = randomBytes(16).toString('hex'),
): Authorization {
  session.count += 1;
  const { realm, nonce, opaque, algorithm, hasQop, hidesName } = session;
  const hash = (text: string): string =>
    createHash(hashNameOf(algorithm) ?? 'md5')
      .update(text, 'utf8')
      .digest('hex');
  const uri = `${asked.url.pathname}${asked.url.search}`;
  const nc = session.count.toString(16).padStart(8, '0');
  // Headers arrive a byte a character; what is hashed are the bytes.
  const room = Buffer.from(realm, 'latin1').toString('utf8');
  const secret = hash(`${username}:${room}:${password}`);
  const isSession = algorithm?.toUpperCase().endsWith('-SESS') ?? false;
  const key = isSession ? hash(`${secret}:${nonce}:${cnonce}`) : secret;
  const count = hasQop ? `${nc}:${cnonce}:auth:` : '';
  const response = hash(`${key}:${nonce}:${count}${hash(`${asked.method}:${uri}`)}`);
  const parameters = [
    hidesName ? `username=${quoted(hash(`${username}:${room}`))}` : nameOf(username),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    `response=${quoted(response)}`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(hasQop ? [`qop=auth`, `nc=${nc}`] : []),
    ...(hasQop || isSession ? [`cnonce=${quoted(cnonce)}`] : []),
    ...(hidesName ? ['userhash=true'] : []),
  ];
  return { scheme: 'Digest', parameter: parameters.join(', ') };
}

/** A name that is more than ASCII goes as RFC 8187 has it. */
function nameOf(username: string): string {
  return /^[\x20-\x7e]*$/.test(username)
    ? `username=${quoted(username)}`
    : `username*=UTF-8''${encodeURIComponent(username).replaceAll(/['()*!]/g, escaped)}`;
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function hashNameOf(algorithm = 'MD5'): string | undefined {
  const name = algorithm.toUpperCase().replace(/-SESS$/, '');
  return Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined;
}

function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true';
}
