/** What a Postgres store may be given; anything else is refused before anything is done. */
import type { Durability } from './migrate.ts';
import type { Pool } from 'pg';
import { EngineError } from '../../base/engine-error.ts';
import { checkDurability, checkStoreOptions } from '../options.ts';
import { notADatabase } from './driver.ts';

export interface PostgresOptions {
  /** Where the tables lie; made if it is not there. */
  schema?: string;
  /** Connections of this process, one for bells and one for heartbeats aside. */
  poolSize?: number;
  /** Whether other processes are told of work at once; otherwise they find it within their poll. */
  listen?: boolean;
  /** `full` refuses a server that confirms what it may lose; `relaxed` takes it as it is. */
  durability?: Durability;
  /** For tests: time is what it says, and not the clock of the database. */
  clock?: () => number;
}

export const POOL_SIZE = 10;
/** The engine itself needs some at all times; a transaction of a handler's may need one more. */
const POOL_SIZE_MIN = 3;

/** Others Postgres folds or cuts, or whoever looks at the tables would have to quote them. */
const SCHEMA = /^[a-z_][a-z0-9_]{0,50}$/;

const FIELDS: readonly (keyof PostgresOptions)[] = [
  ...(['schema', 'poolSize', 'listen', 'durability', 'clock'] as const),
];

export function checkOptions(
  from: string | Pool,
  options: PostgresOptions & { readonly schema: string; readonly poolSize: number },
): void {
  checkStoreOptions('postgres', options, FIELDS);
  checkDurability(options.durability);
  const { schema, poolSize } = options;
  // Most often a variable of the environment that is not set.
  if (!(typeof from === 'string' ? isUrl(from) : isPool(from))) throw notADatabase();
  const size = typeof from === 'string' ? poolSize : (from.options.max ?? POOL_SIZE);
  if (!SCHEMA.test(schema)) {
    throw bad(`schema has at most 51 characters, of a-z, 0-9 and _; came "${schema}"`);
  }
  if (!Number.isSafeInteger(size) || size < POOL_SIZE_MIN) {
    throw bad(`a pool has ${POOL_SIZE_MIN} connections or more; came ${size}`);
  }
}

/** pg knows a third scheme, for a server on this machine that is reached by a file. */
function isUrl(from: string): boolean {
  return /^(?:postgres(?:ql)?|socket):/i.test(from) && URL.canParse(from);
}

/** By its shape: a program may have another copy of pg than we do. */
function isPool(from: Partial<Pool> | null | undefined): boolean {
  return typeof from?.connect === 'function' && typeof from.options === 'object';
}

function bad(message: string): EngineError {
  return new EngineError('engine.option-invalid', message);
}
