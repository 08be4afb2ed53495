/**
 * The client that a transactional step is given: one of the pool's, for as long as its transaction
 * is open. A handler that lives on past its time would else write into somebody else's transaction,
 * or into none.
 */
import type pg from 'pg';
import { EngineError } from '../../base/engine-error.ts';
import type { Loan } from './driver.ts';

/** As long as a timer can: the time limit of a step is what ends a statement of its handler. */
const NEVER_MS = 2 ** 31 - 1;

type Config = string | (pg.QueryConfig & { query_timeout?: number }) | pg.Submittable;

export function lentClient({ client, isOurs }: Loan, isOver: () => boolean): pg.PoolClient {
  const send = client.query.bind(client) as (...asked: readonly unknown[]) => unknown;
  const query = (config: Config, ...rest: readonly unknown[]): unknown =>
    isOver() ? Promise.reject(over()) : send(isOurs ? patient(config) : config, ...rest);
  // It goes back when its transaction ends. Libraries that take it for their own may give it back.
  const release = (): void => {};
  return new Proxy(client, {
    get: (target, name): unknown =>
      name === 'query' ? query : name === 'release' ? release : Reflect.get(target, name),
  });
}

/** Our own statements are given up after a while; those of others take as long as they take. */
function patient(config: Config): Config {
  if (typeof config === 'string') return { text: config, query_timeout: NEVER_MS };
  return 'submit' in config ? config : { query_timeout: NEVER_MS, ...config };
}

function over(): EngineError {
  const message = 'the transaction is over: a step has its tx until its handler has returned';
  return new EngineError('store.refused', message);
}
