/** What becomes of the hints of a commit: who is rung, here and in other processes. */
import { unreachable } from '../base/assert.ts';
import type { Hint } from '../model/hint.ts';
import type { TokenId } from '../model/ids.ts';
import type { Head } from '../model/instance.ts';
import type { Bell, Store } from '../stores/store.ts';
import type { Endings } from './endings.ts';
import type { Worker } from './worker.ts';

export interface Ears {
  readonly worker: () => Worker | null;
  readonly store: Store;
  readonly endings: () => Endings;
  readonly ringLetters: () => void;
}

/** Hints that no other process has a use for, where somebody here has. */
const OUR_OWN: ReadonlySet<Hint['do']> = new Set(['abort', 'alarm', 'await']);

/** See `OnHints`. */
export function hear(
  ears: Ears,
  hints: readonly Hint[],
  head: Head,
  taken: readonly TokenId[],
  isLate: boolean,
): void {
  let bell: Bell | null = null;
  for (const hint of hints) {
    if (hint.do === 'offer' && taken.includes(hint.token)) continue;
    // What is waited for is delivered by whoever is here, if somebody is; a time comes likewise.
    if (hint.do === 'await' && ears.worker() === null) bell = 'all';
    else if (hint.do === 'alarm' && ears.worker() === null) bell ??= 'work';
    // Another process may do what is left, or wait for the end.
    else if (!OUR_OWN.has(hint.do)) bell ??= 'work';
    if (hint.do === 'ended' && isLate) ears.endings().ask(head.id);
    else ring(ears, head, hint);
  }
  if (bell !== null) ears.store.ring(bell);
}

/** The handlers that something was left ready for, and nobody here has taken. */
export function offeredIn(hints: readonly Hint[], taken: readonly TokenId[]): readonly string[] {
  return hints.flatMap((hint) => {
    return hint.do === 'offer' && !taken.includes(hint.token) ? [hint.handler] : [];
  });
}

function ring({ worker: find, endings, ringLetters }: Ears, head: Head, hint: Hint): void {
  const worker = find();
  switch (hint.do) {
    case 'ended':
      return endings().tell(head);
    case 'abort':
      return worker?.abort(head, hint.token);
    case 'await':
      return worker?.ringWait({ instance: head.id, token: hint.token });
    case 'carry':
      return worker?.ringFor('posts');
    case 'send':
      return ringLetters();
    case 'alarm':
      return worker?.ringAt(hint.at);
    case 'lanes':
      return worker?.ringFor('lanes');
    case 'offer':
      // What is ready of a tenant's is let through first, as what is under a limit.
      return head.tenant === null ? worker?.ringWork() : worker?.ringFor('lanes');
    default:
      unreachable(hint);
  }
}
