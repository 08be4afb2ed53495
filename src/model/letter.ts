import type { Json } from '../base/json.ts';

/**
 * An event for the world outside. It is written down in the commit that decides it and brought to
 * its target afterwards, at least once and in order within its instance. Its id never changes, so
 * that whoever receives it can tell what came before.
 */
export interface Letter {
  readonly id: string;
  readonly type: string;
  /** What it is about: the instance's business key, unless its author says otherwise. */
  readonly key: string | null;
  readonly data: Json;
  /** What its writer is part of, for whoever looks from outside. */
  readonly trace?: string;
}
