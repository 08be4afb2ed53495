/**
 * What the program around the kernel says of itself, for expressions that ask: as with the time,
 * the kernel is told and never looks. It is no part of any state, and may be another after a
 * restart.
 */
import { EMPTY, type Json, type JsonObject } from '../base/json.ts';

export interface Told {
  /** Secrets that the host has made known, by name. */
  readonly secrets: Readonly<Record<string, Json>>;
  /** What is run by: `name`, `version` and `metadata`. */
  readonly runtime: JsonObject;
  /** Whether an event is written down for everything that becomes of a workflow and its tasks. */
  readonly lifecycle: 'all' | 'workflow' | 'none';
  /** Whether there is an outbox that brings letters out. */
  readonly letters: boolean;
  /** Where outputs can be had, by the id of their instance: for those who are only told of them. */
  readonly outputs?: string;
}

export const NOTHING_TOLD: Told = Object.freeze({
  secrets: Object.freeze({}),
  runtime: EMPTY,
  lifecycle: 'none',
  letters: false,
});
