/**
 * What a commit writes beyond its rows if it suspends, resumes or restores its instance, or if the
 * instance is suspended when it comes.
 *
 * While an instance is suspended its tokens are held: what the indexes of work and of timers go by
 * is put aside (`held_handler`, `held_wake_at`), and so nobody finds them. Of any other instance
 * nothing is held. The order matters: who resumes frees everything before the tokens it alters are
 * written, and what is suspended afterwards holds them once they are. Held or not, a token is the
 * same to whoever has claimed it: its status, its version and its lease stay what they are.
 */
import type { Touched } from '../model/commit.ts';
import type { Head } from '../model/instance.ts';
import { encode, isOver } from './payload.ts';
import type { Commit } from './store.ts';
import type { Write } from './writes.ts';

/** Whether it wants its writes in an order that only the long way keeps. */
export function isRare({ pausing, restoring }: Touched): boolean {
  return pausing || restoring;
}

/** It is suspended with its flow, and not by its own name. */
export function isHalted({ status, pauses }: Head): boolean {
  return status === 'suspended' && pauses.at(-1)?.halt === true;
}

/** Before the tokens are written. */
export function pauseWrites({ head, pausing }: Touched): readonly Write[] {
  if (!pausing) return NONE;
  const halted = isHalted(head) ? 1 : null;
  const pauses: Write = ['putPauses', head.id, encode(head.pauses), halted];
  return head.status === 'suspended' ? [pauses] : [pauses, ['freeTokens', head.id]];
}

/**
 * After they are. Those that were written say themselves what is put aside: of what was held
 * before, nothing stays.
 */
export function holdWrites({ head, pausing, tokens }: Touched): readonly Write[] {
  if (head.status !== 'suspended') return NONE;
  const writes: Write[] = pausing ? [['holdTokens', head.id]] : [];
  for (const { id, handler, wakeAt } of tokens) {
    writes.push(['holdToken', head.id, id, handler, wakeAt]);
  }
  return writes;
}

const NONE: readonly Write[] = [];

/** What starts takes its key; and what is restored may have been over, and is open again. */
export function takesKey({ expected, touched: { head, restoring } }: Commit): boolean {
  return expected === 0 || (restoring && !isOver(head.status));
}

/** Claims and releases write a token without a commit, but hardly ever so often. */
const VERSIONS_PER_COMMIT = 1_000_000;

/**
 * The version with which a token that has no row begins. One that is restored may have had a row
 * and claims in an earlier life, and whoever still has one of those must not pass for whoever
 * claims it next (P2): so it begins above all the versions it can have had.
 */
export function firstVersion({ head, restoring }: Touched): number {
  return restoring && head.version > 1 ? head.version * VERSIONS_PER_COMMIT : 0;
}
