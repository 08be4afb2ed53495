/** What a stride means for those who wait for messages: subscriptions that begin, and that end. */
import type { Mutable } from '../base/mutable.ts';
import type { Topic } from '../model/awaited.ts';
import type { SubscriptionRow, Touched, TurnRow } from '../model/commit.ts';
import type { TokenId } from '../model/ids.ts';
import type { Listening, Token } from '../model/instance.ts';
import { listeningOf } from './listening.ts';

type Rows = Pick<Touched, 'subscribed' | 'unsubscribed' | 'turned' | 'hushed'>;

export class Subscriptions {
  #begun: SubscriptionRow[] | null = null;
  #ended: TokenId[] | null = null;
  #turned: TurnRow[] | null = null;
  /** What those listened to who do not any more. */
  #left: Listening[] | null = null;

  /** A token as it was and as it is. */
  note(was: Token | undefined, token: Token | undefined): void {
    // What goes on waiting as it did has waited since it began.
    if (was?.wait === token?.wait && was?.wake?.listens === token?.wake?.listens) return;
    const left = was && listeningOf(was);
    const begun = token && listeningOf(token);
    if (was !== undefined && token !== undefined && isSame(left, begun)) {
      return this.#turn(was, token);
    }
    if (was !== undefined && (left !== undefined || waitsFor(was) !== null)) {
      this.#ended ??= [];
      this.#ended.push(was.id);
    }
    if (left !== undefined) {
      this.#left ??= [];
      this.#left.push(left);
    }
    if (token !== undefined) this.#begin(token, begun);
  }

  #turn(was: Token, { id: token, wait }: Token): void {
    if ((was.wait === null) === (wait === null)) return;
    this.#turned ??= [];
    this.#turned.push({ token, busy: wait === null });
  }

  #begin(token: Token, listening: Listening | undefined): void {
    const awaited = listening?.any ?? waitsFor(token);
    if (awaited === null) return;
    this.#begun ??= [];
    const since = token.wait?.on === 'first' ? token.wait.since : listening?.since;
    const from = since === undefined ? {} : { since };
    const live = listening === undefined ? {} : { live: 'behind' as const };
    for (const { type, key } of awaited) {
      this.#begun.push({ token: token.id, type, key, ...from, ...live });
    }
    if (listening !== undefined && token.wait === null) this.#busy(token.id);
  }

  /** One that was set down just when it had begun to listen, or is as it was once. */
  #busy(token: TokenId): void {
    this.#turned ??= [];
    this.#turned.push({ token, busy: true });
  }

  into(touched: Mutable<Rows>): void {
    if (this.#ended !== null) touched.unsubscribed = this.#ended;
    if (this.#turned !== null) touched.turned = this.#turned;
    const begun = this.#begun?.map((row) => (this.#goesOn(row) ? { ...row, live: 'on' } : row));
    if (begun !== undefined) touched.subscribed = begun as readonly SubscriptionRow[];
    const listens = begun?.some(({ live }) => live !== undefined) === true;
    touched.hushed = this.#left !== null && !listens;
  }

  /** In its place another has listened to the same, from the same moment on. */
  #goesOn({ type, key, since, live }: SubscriptionRow): boolean {
    if (live === undefined || this.#left === null) return false;
    return this.#left.some(
      (left) =>
        left.since === since && left.any.some((one) => one.type === type && one.key === key),
    );
  }
}

/** What a token that does not listen waits for. */
function waitsFor({ wait }: Token): readonly Topic[] | null {
  if (wait?.on === 'message') return [wait];
  return wait?.on === 'first' ? wait.any : null;
}

function isSame(one: Listening | undefined, other: Listening | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (one.since !== other.since || one.any.length !== other.any.length) return false;
  return one.any.every(({ type, key }, at) => {
    const twin = other.any[at];
    return twin?.type === type && twin.key === key;
  });
}
