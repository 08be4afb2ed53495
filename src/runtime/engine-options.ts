/** What an engine is made of, checked first: from a program without types, it may be anything. */
import { EngineError } from '../base/engine-error.ts';
import type { Target } from '../calls/target.ts';
import type { CustomKind } from '../model/custom-kind.ts';
import type { Flow } from '../model/definition.ts';
import type { Limits } from '../model/limits.ts';
import type { Store } from '../stores/store.ts';
import { checkFields, told, wrong } from './fields.ts';
import { checkKinds } from './kinds.ts';
import type { Handlers } from './shared-handlers.ts';
import type { Logger } from './logger.ts';
import type { EngineWorker } from './options.ts';
import type { OutboxOptions } from './outbox-options.ts';
import { checkHost, type HostOptions } from './serverless/options.ts';

export interface EngineOptions extends HostOptions {
  readonly store: Store;
  readonly flows?: readonly Flow[];
  /** Kinds of nodes that flows name by text; those that flows carry need not be here. */
  readonly kinds?: readonly CustomKind[];
  /** Handlers of chains and flowcharts, by type or as `flow/type`. */
  readonly handlers?: Handlers;
  readonly worker?: Partial<EngineWorker> | false;
  /** Where events for the world outside go. */
  readonly outbox?: Target | OutboxOptions;
  readonly limits?: Partial<Limits>;
  readonly logger?: Logger;
}

const FIELDS: readonly (keyof EngineOptions)[] = [
  ...(['store', 'flows', 'kinds', 'handlers', 'worker', 'outbox', 'limits', 'logger'] as const),
  ...(['http', 'secrets', 'serverless'] as const),
];
const LEVELS: readonly string[] = ['debug', 'info', 'warn', 'error'];

export function checkEngine(options: EngineOptions): void {
  checkFields('createEngine', options, FIELDS);
  const { store, flows = [], handlers = {}, logger } = options;
  if (!has(store, ['open', 'commit', 'close'])) {
    const makers = 'memory(), sqlite(path) or postgres(url)';
    throw wrong(`store is what ${makers} gives; came ${told(store)}`, 'store');
  }
  if (!Array.isArray(flows)) {
    throw wrong(`flows is a list, as [order, refund]; came ${told(flows)}`, 'flows');
  }
  for (const flow of flows) checkFlow(flow);
  checkKinds(options.kinds ?? []);
  checkHost(options);
  if (typeof handlers !== 'object' || handlers === null) {
    throw wrong(`handlers is an object, by step of a chain; came ${told(handlers)}`, 'handlers');
  }
  if (logger !== undefined && !has(logger, LEVELS)) {
    throw wrong(`logger has ${LEVELS.join(', ')}, as pino has; came ${told(logger)}`, 'logger');
  }
}

/** A flow as a frontend finished it: what was begun and not ended is none. */
export function checkFlow(flow: unknown): void {
  if (typeof flow === 'object' && flow !== null && 'definition' in flow) return;
  const isBegun = has(flow, ['end']);
  const came = isBegun ? 'this one has not been ended: call .end()' : `came ${told(flow)}`;
  const message = `a flow is what flow(…)….end() or chain(…) gives; ${came}`;
  throw new EngineError('definition.invalid', message, { details: { diagnostics: [] } });
}

function has(value: unknown, verbs: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return verbs.every((verb) => typeof Reflect.get(value, verb) === 'function');
}
