/** What carries one request and brings one answer: Node itself, or a `fetch` of the host's. */
import type { Patience } from './patience.ts';

export interface Transport {
  /** One request, no redirect. Throws whatever the network says; the signal's reason is not its. */
  readonly exchange: (outgoing: Outgoing, patience: Patience) => Promise<Incoming>;
  readonly close: () => void;
}

export interface Outgoing {
  /** In upper case. */
  readonly method: string;
  readonly url: URL;
  /** Checked, and their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

export interface Incoming {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Without its content codings. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Nobody wants the rest. */
  readonly discard: () => void;
}

/** Names in lower case; several of one name joined by a comma. */
export function joinHeaders(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [given, value] of pairs) {
    const name = given.toLowerCase();
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(joined);
}
