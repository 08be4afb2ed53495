/**
 * A server that asks for digest authentication and checks every part of what it gets, as RFC 7616
 * has it. A nonce is good for so many requests, each with a higher count than the one before.
 */
import { createHash, randomUUID } from 'node:crypto';
import { parseChallenges } from '../calls/auth/challenges.ts';
import {
  type LocalAnswer,
  type LocalRequest,
  type LocalServer,
  startHttpServer,
} from './http-server.ts';

export interface DigestServerOptions {
  readonly username?: string;
  readonly password?: string;
  readonly realm?: string;
  /** As it is written in the challenge; none at all if null. */
  readonly algorithm?: string | null;
  readonly qop?: string | null;
  readonly opaque?: string;
  /** Requests that a nonce is good for. */
  readonly uses?: number;
  readonly userhash?: boolean;
  /** Written before the challenge, and after it. */
  readonly others?: readonly [string, string];
}

export interface DigestServer extends LocalServer {
  /** What was shown, in order: null where nothing was. */
  readonly shown: readonly (ReadonlyMap<string, string> | null)[];
}

export async function startDigestServer(options: DigestServerOptions = {}): Promise<DigestServer> {
  const shown: (ReadonlyMap<string, string> | null)[] = [];
  const counts = new Map<string, number>();
  const server = await startHttpServer((request) => {
    const [login] = parseChallenges(request.headers['authorization'] ?? '');
    shown.push(login?.parameters ?? null);
    if (login === undefined) return challenge(options, counts, false);
    const verdict = judge(options, counts, request, login.parameters);
    if (verdict === 'good') return { body: 'welcome' };
    return challenge(options, counts, verdict === 'stale');
  });
  return Object.assign(server, { shown });
}

function challenge(
  options: DigestServerOptions,
  counts: Map<string, number>,
  isStale: boolean,
): LocalAnswer {
  const { realm = 'a "quoted" realm', algorithm = 'SHA-256', qop = 'auth', opaque } = options;
  const nonce = randomUUID();
  counts.set(nonce, 0);
  const parts = [
    `realm="${realm.replaceAll('"', String.raw`\"`)}"`,
    `nonce="${nonce}"`,
    ...(algorithm === null ? [] : [`algorithm=${algorithm}`]),
    ...(qop === null ? [] : [`qop="${qop}"`]),
    ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
    ...(isStale ? ['stale=true'] : []),
    ...(options.userhash === true ? ['userhash=true'] : []),
    'charset=UTF-8',
  ];
  const [before = '', after = ''] = options.others ?? [];
  const header = `${before}Digest ${parts.join(', ')}${after}`;
  // A byte a character, as headers go.
  return { status: 401, headers: { 'www-authenticate': Buffer.from(header).toString('latin1') } };
}

function judge(
  options: DigestServerOptions,
  counts: Map<string, number>,
  { method, path }: LocalRequest,
  given: ReadonlyMap<string, string>,
): 'good' | 'bad' | 'stale' {
  const { username = 'Mufasa', password = 'Circle of Life', algorithm = 'SHA-256' } = options;
  const { realm = 'a "quoted" realm', qop = 'auth', opaque, uses = 100, userhash } = options;
  const hash = (text: string): string =>
    createHash(hashOf(algorithm)).update(text, 'utf8').digest('hex');
  const [nonce = '', nc = '', cnonce = ''] = ['nonce', 'nc', 'cnonce'].map((key) => given.get(key));
  const before = counts.get(nonce);
  if (before === undefined || before >= uses) return 'stale';
  const secret = hash(`${username}:${realm}:${password}`);
  const isSession = algorithm?.toLowerCase().endsWith('-sess') ?? false;
  const key = isSession ? hash(`${secret}:${nonce}:${cnonce}`) : secret;
  const middle = qop === null ? nonce : `${nonce}:${nc}:${cnonce}:auth`;
  const wanted = {
    uri: path,
    realm: Buffer.from(realm).toString('latin1'),
    response: hash(`${key}:${middle}:${hash(`${method}:${path}`)}`),
    opaque,
    algorithm: algorithm ?? undefined,
    qop: qop === null ? undefined : 'auth',
    nc: qop === null ? undefined : (before + 1).toString(16).padStart(8, '0'),
    ...nameOf(username, userhash === true ? hash(`${username}:${realm}`) : undefined),
  };
  counts.set(nonce, before + 1);
  return Object.entries(wanted).every(([name, value]) => given.get(name) === value)
    ? 'good'
    : 'bad';
}

function nameOf(username: string, hidden: string | undefined): Record<string, string> {
  if (hidden !== undefined) return { username: hidden, userhash: 'true' };
  const isPlain = /^[\x20-\x7e]*$/.test(username);
  return isPlain ? { username } : { 'username*': `UTF-8''${encodeURIComponent(username)}` };
}

function hashOf(algorithm: string | null): string {
  const name = (algorithm ?? 'MD5').toUpperCase().replace('-SESS', '');
  return { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' }[name] ?? 'md5';
}
