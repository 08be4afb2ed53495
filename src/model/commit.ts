import type { Json } from '../base/json.ts';
import type { Attribute } from './attribute.ts';
import type { Change, LatchKey, Space } from './change.ts';
import type { Instant, ScopeId, TokenId, UndoId } from './ids.ts';
import type { Head, Latch, Scope, Token, Undo } from './instance.ts';
import type { Letter } from './letter.ts';
import type { Post } from './post.ts';
import type { TaskRow } from './task.ts';

/** One commit as history keeps it, numbered by the instance version: from 1, without gaps. */
export interface HistoryRow {
  readonly n: number;
  readonly at: Instant;
  readonly commitId: string;
  readonly changes: readonly Change[];
}

/**
 * The rows one stride touched, as they are after it. What was born and ended within the stride is
 * not here at all: it lives in the changes alone. What the end of the instance takes along is.
 */
export interface Touched {
  readonly head: Head;
  /** The counter before the stride: what has a greater id is born in it. */
  readonly bornAfter: number;
  readonly changes: readonly Change[];
  /** Its pauses are others than before: it was suspended or resumed, or fails suspended. */
  readonly pausing: boolean;
  /** It was restored: rows of any number may be new, and its key is taken again. */
  readonly restoring: boolean;
  /** Born, altered or ended: those that are under limits, or were. */
  readonly laned: readonly TokenId[];
  /** Ready, and nobody wants their results from now on: only whether they have begun matters. */
  readonly drained: readonly TokenId[];
  /** Born or altered. */
  readonly tokens: readonly Token[];
  readonly endedTokens: readonly TokenId[];
  /** Opened, or altered: who owns it, where it lies and whether it drains. Values are apart. */
  readonly scopes: readonly Scope[];
  /** Closed: their values go with them. */
  readonly closedScopes: readonly ScopeId[];
  /** Results and variables written, last write only; those of opened scopes included. */
  readonly values: readonly ValueRow[];
  readonly latches: readonly Latch[];
  readonly droppedLatches: readonly LatchKey[];
  readonly subscribed: readonly SubscriptionRow[];
  /** Tokens that no longer wait for a message they waited for before. */
  readonly unsubscribed: readonly TokenId[];
  /** Tokens that listen as before, and have come to be told something, or are through with it. */
  readonly turned: readonly TurnRow[];
  /** One that listened does not any more, and none has begun to: perhaps nobody does. */
  readonly hushed: boolean;
  /** Opened, or altered. */
  readonly tasks: readonly TaskRow[];
  /** Tokens that no longer wait for people. */
  readonly closedTasks: readonly TokenId[];
  /** Recorded or altered. */
  readonly undos: readonly Undo[];
  readonly droppedUndos: readonly UndoId[];
  /** In the order in which they must be carried. */
  readonly posts: readonly Post[];
  /** In the order in which they must be sent. */
  readonly letters: readonly Letter[];
  /** What it is found by from now on, each name once. */
  readonly tags: readonly TagRow[];
}

/** Null: it is no longer found by this name. */
export interface TagRow {
  readonly name: string;
  readonly value: Attribute | null;
}

export interface ValueRow {
  readonly scope: ScopeId;
  readonly space: Space;
  readonly name: string;
  readonly value: Json;
  /** The name had no value there before. */
  readonly isNew: boolean;
}

/** A projection of `token.wait`, so that a message finds who waits for it (D10); some have many. */
export interface SubscriptionRow {
  readonly token: TokenId;
  readonly type: string;
  readonly key: string;
  /** Since when; since this commit if not given. */
  readonly since?: Instant;
  /**
   * It listens. `behind`: nobody of the instance has listened to the same since then, so that
   * something may be there already.
   */
  readonly live?: 'behind' | 'on';
}

/** While a token that listens is busy, nothing that is listened to comes to its instance. */
export interface TurnRow {
  readonly token: TokenId;
  readonly busy: boolean;
}
