/** Handlers that are not asked for, for a while: claiming them has turned out to be of no use. */
import type { Plan } from '../model/plan.ts';
import type { Store } from '../stores/store.ts';
import type { Library } from './library.ts';
import type { Logger } from './logger.ts';

/** A handler this process turned out not to serve is not asked for again for so long. */
const SHUN_MS = 30_000;

/** More are not named in one line. */
const NAMED_MAX = 5;

/** A version of a flow, and what a stored plan of it needs that is not here. */
export interface Lacking {
  readonly flow: string;
  readonly version: number;
  readonly missing: readonly string[];
}

export class Shunned {
  readonly #store: Store;
  readonly #logger: Logger;
  readonly #until = new Map<string, number>();

  constructor({ store, logger }: { readonly store: Store; readonly logger: Logger }) {
    this.#store = store;
    this.#logger = logger;
  }

  /** This process cannot go on with that flow's instances after all (D19). */
  add(handler: string, lacking: Lacking): void {
    this.#until.set(handler, this.#store.now() + SHUN_MS);
    this.#logger.warn({ handler, ...lacking }, messageOf(lacking));
  }

  /** Code has come: what could not be gone on with perhaps can be now. */
  clear(): void {
    this.#until.clear();
  }

  /** Those of these that are worth asking for. */
  without(handlers: readonly string[]): readonly string[] {
    if (this.#until.size === 0) return handlers;
    const now = this.#store.now();
    for (const [name, until] of this.#until) if (until <= now) this.#until.delete(name);
    return handlers.filter((name) => !this.#until.has(name));
  }
}

export function lackingOf(library: Library, plan: Plan): Lacking {
  return { flow: plan.name, version: plan.version, missing: library.lackedBy(plan) };
}

function messageOf({ flow, version, missing }: Lacking): string {
  const which = `a stored plan of flow "${flow}" version ${version}`;
  if (missing.length === 0) return `${which} needs code this process does not have`;
  const shown = missing
    .slice(0, NAMED_MAX)
    .map((name) => `"${name}"`)
    .join(', ');
  const more = missing.length > NAMED_MAX ? ` and ${missing.length - NAMED_MAX} more` : '';
  const advice = `put the old flow back as version ${version}, and give the changed one another`;
  return `${which} needs ${shown}${more}, which this process does not have: ${advice}`;
}
