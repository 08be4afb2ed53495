/** The lanes of a store, for people: what is limited, what is at work there, and what waits. */
import type { LaneRow, Lanes } from '../stores/lanes.ts';
import { checkFields } from './fields.ts';
import { checkPage, checkText, PAGE_MAX } from './options.ts';

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
  async list(options: LaneListOptions = {}): Promise<readonly LaneRow[]> {
    this.#assertOpen();
    checkFields('what is listed', options, ['limit', 'after']);
    const { after, limit = PAGE_MAX } = options;
    checkPage(limit);
    if (after !== undefined) checkText('after', after);
    return this.#lanes.list(after ?? null, limit);
  }
}
