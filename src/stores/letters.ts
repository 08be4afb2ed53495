/**
 * The part of the port that is about letters: events for the world outside, kept from the commit
 * that writes them until a target has them.
 *
 * Within an instance they leave one by one, in the order in which they were written: only the first
 * that is not dead can be claimed. A dead one has been given up, and holds nobody back. Nobody
 * renews these claims: a lease is as long as a send may take, and then some.
 */
import type { Json } from '../base/json.ts';
import type { InstanceId, Instant } from '../model/ids.ts';

export interface Letters {
  /** Takes letters that are ready and due, longest due first, at most one of each instance. */
  claim(request: LetterRequest): Promise<readonly ClaimedLetter[]>;
  /** Their target has them: they are gone. Claims that are lost or over are left alone. */
  sent(held: readonly LetterHeld[]): Promise<void>;
  /** One more attempt that came to nothing. Claims that are lost are left alone. */
  failed(failures: readonly FailedLetter[]): Promise<void>;
  /** Gives claims back as they were. Those that are lost or over are left alone. */
  release(held: readonly LetterHeld[]): Promise<void>;
  /** Claims whose lease is over, longest first. They stay until somebody says that they failed. */
  expired(limit: number): Promise<readonly ExpiredLetter[]>;

  /** In the order of writing, from behind the cursor on. */
  list(request: LetterListRequest): Promise<readonly LetterRow[]>;
  /** Dead ones become ready again, at their old place in the order. Says which ones were dead. */
  requeue(ids: readonly string[]): Promise<readonly string[]>;
}

export type LetterStatus = 'ready' | 'sending' | 'dead';

export interface LetterRequest {
  readonly worker: string;
  /** Null stands for any. */
  readonly types: readonly string[] | null;
  readonly limit: number;
  readonly leaseMs: number;
}

/** A claim as its holder proves it. */
export interface LetterHeld {
  readonly id: string;
  readonly instance: InstanceId;
  /** Grows with every write of the letter. */
  readonly version: number;
  readonly worker: string;
}

export interface ExpiredLetter extends LetterHeld {
  /** Those that came to nothing before this one. */
  readonly attempts: number;
}

export interface ClaimedLetter extends ExpiredLetter {
  readonly flow: string;
  readonly type: string;
  readonly key: string | null;
  /** Undefined if what is stored is no JSON: someone has edited it by hand. */
  readonly data: Json | undefined;
  /** The traceparent of whoever wrote it, if that had one. */
  readonly trace?: string;
  readonly createdAt: Instant;
}

export interface FailedLetter {
  readonly held: LetterHeld;
  /** True: the lease must be over. Otherwise it must still hold. */
  readonly expired: boolean;
  readonly error: string;
  /** The pause before it, and whatever is behind it, is due again; null gives it up. */
  readonly afterMs: number | null;
}

export interface LetterListRequest {
  readonly status: LetterStatus | null;
  readonly type: string | null;
  readonly instance: InstanceId | null;
  /** The place of the last one that was had; 0 from the beginning. */
  readonly after: number;
  readonly limit: number;
}

export interface LetterRow {
  readonly id: string;
  readonly instance: InstanceId;
  readonly flow: string;
  readonly type: string;
  readonly key: string | null;
  readonly data: Json | undefined;
  readonly status: LetterStatus;
  readonly attempts: number;
  /** When it may be sent. */
  readonly availableAt: Instant;
  readonly lastError: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Its place in the order of writing. */
  readonly place: number;
}
