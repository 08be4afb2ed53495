/**
 * Requests by a `fetch` that the host program brings: for its tests, or for a network of its own.
 *
 * How it finds and connects to a host is its affair, so only the URL could be checked. It is asked
 * to follow no redirect, and is left behind if it does not heed the signal.
 */
import { brokenAs, placeOf } from './failures.ts';
import type { HttpLimits } from './limits.ts';
import { type Patience, unlessAborted } from './patience.ts';
import { type Incoming, joinHeaders, type Outgoing, type Transport } from './transport.ts';

export function createFetchTransport(ask: typeof fetch, limits: HttpLimits): Transport {
  return {
    exchange: (outgoing, patience) => exchange(ask, limits, outgoing, patience),
    close: () => {},
  };
}

async function exchange(
  ask: typeof fetch,
  { firstByteTimeoutMs, maxHeaderBytes }: HttpLimits,
  { method, url, headers, body }: Outgoing,
  patience: Patience,
): Promise<Incoming> {
  const { signal } = patience;
  const place = placeOf(url);
  const late = (): Error => brokenAs(`${place} did not answer within ${firstByteTimeoutMs} ms`);
  const answered = patience.limit(firstByteTimeoutMs, late);
  const sent = body === undefined ? {} : { body: Uint8Array.from(body) };
  const init: RequestInit = {
    method,
    headers: { ...headers },
    redirect: 'manual',
    signal,
    ...sent,
  };
  try {
    const response = await unlessAborted(signal, ask(url.href, init));
    const incoming = incomingOf(response, signal);
    if (sizeOf(incoming.headers) <= maxHeaderBytes) return incoming;
    incoming.discard();
    throw brokenAs(`${place} did not answer: its headers are longer than http.maxHeaderBytes`);
  } finally {
    answered();
  }
}

function incomingOf(response: Response, signal: AbortSignal): Incoming {
  const { status, statusText, headers, body } = response;
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
  return {
    ...{ status, statusText, headers: joinHeaders(headers) },
    body: chunksOf(reader, signal),
    discard: () => void reader?.cancel().catch(() => {}),
  };
}

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await unlessAborted(signal, reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function sizeOf(headers: Readonly<Record<string, string>>): number {
  return Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    0,
  );
}
