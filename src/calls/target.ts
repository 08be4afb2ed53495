/** Where letters go: what a target is, and what it is handed. */
import type { Json, JsonObject } from '../base/json.ts';

/** An event for the world outside, as a target is given it. Frozen to the bottom. */
export interface OutboxEvent {
  /** The same on every attempt: whoever receives it can tell what came before. */
  readonly id: string;
  readonly type: string;
  /** What it is about: the instance's business key, unless its author said otherwise. */
  readonly key: string | null;
  readonly data: Json;
  /** The whole CloudEvent, where its author made one: `emit` of a Serverless Workflow does. */
  readonly event?: JsonObject;
  /** What its writer is part of (W3C `traceparent`), where an SDK traced that. */
  readonly trace?: string;
  readonly instance: string;
  readonly flow: string;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  /** Which attempt this is, from 1. */
  readonly attempt: number;
}

export interface SendTools {
  /** Aborted when nobody waits for this attempt any more: it took too long, or all is closing. */
  readonly signal: AbortSignal;
}

/**
 * Returns, or resolves, once the event has arrived for good. Whatever it throws is one attempt that
 * came to nothing; `Fatal` says that another would not help, and an error with a number as
 * `retryAfterMs` asks for at least that much time before the next one.
 */
export type Send = (event: OutboxEvent, tools: SendTools) => unknown;

/** A broker behind the same small interface. `close` is called when the engine closes. */
export interface Broker {
  send: Send;
  close?(): unknown;
}

export type Target = Send | Broker;
