/** Stores by their URL, and engines on them: all that most commands need. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { stackApart } from '../base/log-details.ts';
import {
  createEngine,
  type Engine,
  EngineError,
  type Logger,
  memory,
  type Store,
} from '../index.ts';
import { sqlite } from '../sqlite.ts';
import { type Desk, STORE_DEFAULT, type StoreOptions } from './desk.ts';
import { badCommand } from './failing.ts';
import { storeWords } from './mending.ts';
import type { Terminal } from './terminal.ts';

/** A store that is named and not open yet. */
export interface Place {
  /** As it can be said again: on a command line, without a password. */
  readonly url: string;
  readonly kind: 'memory' | 'sqlite' | 'postgres';
  readonly store: Store;
  /** The file, if it is one. */
  readonly path: string | null;
}

/** The store of the command line, of the environment, or the usual one. */
export async function placeOf({ terminal }: Desk, { store }: StoreOptions): Promise<Place> {
  const named = store ?? terminal.env['PERDURE_STORE'] ?? '';
  const url = named === '' ? STORE_DEFAULT : named;
  const [scheme = ''] = /^[a-z+]+:/i.exec(url) ?? [];
  switch (scheme.toLowerCase()) {
    case 'memory:':
      return { url, kind: 'memory', store: memory(), path: null };
    case 'sqlite:': {
      const file = url.slice(scheme.length).replace(/^\/\/(?=\/)/, '');
      if (file === '') throw badUrl(url);
      const path = resolve(terminal.folder, file);
      return { url, kind: 'sqlite', store: sqlite(path), path };
    }
    case 'postgres:':
    case 'postgresql:': {
      if (!URL.canParse(url)) throw badUrl(url);
      const store = await postgresAt(new URL(url));
      return { url: withoutPassword(url), kind: 'postgres', store, path: null };
    }
    default:
      throw badUrl(url);
  }
}

function badUrl(url: string): EngineError {
  const kinds = 'memory:, sqlite:PATH or postgres://user@host/database';
  return badCommand(`a store is ${kinds}; came "${withoutSecrets(url)}"`);
}

/** `?schema=` says where the tables are, unless they are where they usually are. */
async function postgresAt(server: URL): Promise<Store> {
  const schema = server.searchParams.get('schema');
  server.searchParams.delete('schema');
  try {
    const { postgres } = await import('../postgres.ts');
    return postgres(server.href, schema === null ? {} : { schema });
  } catch (thrown) {
    if (!isMissingPackage(thrown, 'pg')) throw thrown;
    const message = 'Postgres needs the package "pg", which is not installed: npm install pg';
    throw new EngineError('store.unreachable', message, { cause: thrown });
  }
}

function isMissingPackage(thrown: unknown, name: string): boolean {
  if (!(thrown instanceof Error)) return false;
  const isMissing = Reflect.get(thrown, 'code') === 'ERR_MODULE_NOT_FOUND';
  return isMissing && thrown.message.includes(`'${name}'`);
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  shown.searchParams.delete('password');
  return shown.href;
}

/** Of what is no URL: whatever stands where one has its password. */
function withoutSecrets(text: string): string {
  return text
    .replace(/^([a-z+]*:?(?:\/\/)?[^:@/]*):.*@/is, '$1:…@')
    .replaceAll(/([?&][^=&]*password=)[^&]*/gi, '$1…');
}

/**
 * Opening a store makes what it lacks. A file or a schema that is not there is a wrong name, and
 * one that is behind belongs to programs of an older version: neither is for a command to change
 * that only looks or operates.
 */
export async function checkThere(place: Place, where: string): Promise<void> {
  const { url, path, store } = place;
  const making = `run "perdure migrate${where}"`;
  if (path !== null && !existsSync(path)) {
    const advice = `name another with --store, or ${making}`;
    const message = `there is no database at ${url}: ${advice}`;
    throw new EngineError('store.unreachable', message, { details: { path } });
  }
  const { made, missing } = await store.health.migrations();
  if (missing.length === 0) return;
  await store.close();
  const what = made === 0 ? 'nothing of perdure is there' : `it has schema ${made}`;
  const count = missing.length === 1 ? '1 migration is' : `${missing.length} migrations are`;
  const advice = `${count} missing: ${making}, or name another with --store`;
  const message = `${url} is not ready: ${what}, and ${advice}`;
  throw new EngineError('store.too-old', message, { details: { made, missing: missing.length } });
}

/** An engine that works on nothing itself, for as long as it is used. */
export async function withEngine<Value>(
  desk: Desk,
  options: StoreOptions,
  use: (engine: Engine, place: Place) => Promise<Value>,
): Promise<Value> {
  const place = await placeOf(desk, options);
  await checkThere(place, storeWords(desk, options, place));
  const logger = talkLogger(desk.terminal);
  const engine = await createEngine({ store: place.store, worker: false, logger });
  try {
    return await use(engine, place);
  } finally {
    await engine.close();
  }
}

/** What the engine has to say stands beside the answer, as one line. */
export function talkLogger({ talk, paint }: Terminal): Logger {
  const line =
    (word: string, paintOf: 'yellow' | 'red') =>
    (said: object, message: string): void => {
      const { details, stack } = stackApart(said);
      talk(`${paint(paintOf, word)} ${message} ${JSON.stringify(details)}\n${stack}`);
    };
  const nothing = (): void => {};
  return {
    debug: nothing,
    info: nothing,
    warn: line('warning:', 'yellow'),
    error: line('error:', 'red'),
  };
}
