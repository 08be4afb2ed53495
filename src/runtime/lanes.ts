/** The lanes of a store, for people: what is limited, what is at work there, and what waits. */
import { EngineError } from '../base/engine-error.ts';
import type { LaneRow, Lanes } from '../stores/lanes.ts';
import { checkPage, PAGE_MAX } from './options.ts';

export interface LaneListOptions {
  /** Only those after this name. */
  readonly after?: string;
  readonly limit?: number;
}

export class EngineLanes {
  readonly #lanes: Lanes;
  readonly #assertOpen: () => void;

  constructor(lanes: Lanes, assertOpen: () => void) {
    this.#lanes = lanes;
    this.#assertOpen = assertOpen;
  }

  /** By name: those that have tokens, or had some within their rate's time. */
  async list({ after, limit = PAGE_MAX }: LaneListOptions = {}): Promise<readonly LaneRow[]> {
    this.#assertOpen();
    checkPage(limit);
    if (after !== undefined && typeof after !== 'string') {
      throw new EngineError('engine.option-invalid', 'after is the name of a lane');
    }
    return this.#lanes.list(after ?? null, limit);
  }
}
