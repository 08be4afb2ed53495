/**
 * What happens, as it happens: server-sent events, read by `fetch` because they need a header.
 *
 * A browser has six connections to a server, for all pages together. So a page has one stream of
 * commits at a time, and none while nobody looks at it; it comes back with the last id it had.
 */
import { useEffect, useRef, useState } from 'react';
import { authorized } from './asking.ts';
import type { Commit } from './shapes.ts';
import { useTimer } from './use-timer.ts';

export interface ServerEvent {
  readonly id: string | null;
  readonly type: string;
  readonly data: string;
}

const RETRY_MS_FIRST = 300;
const RETRY_MS_MAX = 5_000;

export type LiveState = 'open' | 'waiting' | 'ended';

/** Follows until the signal says so, through any break. Ends where the server says it is over. */
async function follow(
  url: string,
  hear: (event: ServerEvent) => void,
  tell: (state: LiveState) => void,
  signal: AbortSignal,
): Promise<void> {
  let last: string | null = null;
  let pause = RETRY_MS_FIRST;
  while (!signal.aborted) {
    try {
      const headers = authorized(last === null ? {} : { 'last-event-id': last });
      const response = await fetch(url, { headers, signal });
      if (response.status >= 400 && response.status < 500) break;
      if (response.ok && response.body !== null) {
        tell('open');
        for await (const event of eventsIn(response.body)) {
          // Only now: a stream that breaks as soon as it is open is not to be asked for in a hurry.
          pause = RETRY_MS_FIRST;
          last = event.id ?? last;
          hear(event);
        }
      }
    } catch {
      if (signal.aborted) return;
    }
    tell('waiting');
    await rest(pause, signal);
    pause = Math.min(pause * 2, RETRY_MS_MAX);
  }
  tell('ended');
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let kept = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    kept += read.value;
    const blocks = kept.split('\n\n');
    kept = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== null) yield event;
    }
  }
}

function eventOf(block: string): ServerEvent | null {
  let id: string | null = null;
  let type = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === 'id') id = value;
    if (name === 'event') type = value;
    if (name === 'data') data.push(value);
  }
  return data.length === 0 ? null : { id, type, data: data.join('\n') };
}

/** Follows while the page is looked at and `url` is not null. */
export function useEvents(url: string | null, hear: (event: ServerEvent) => void): LiveState {
  const [state, setState] = useState<LiveState>('waiting');
  const [isSeen, setIsSeen] = useState(document.visibilityState === 'visible');
  const heard = useRef(hear);
  heard.current = hear;
  useEffect(() => {
    const look = (): void => setIsSeen(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  useEffect(() => {
    if (url === null || !isSeen) return undefined;
    const ending = new AbortController();
    void follow(url, (event) => heard.current(event), setState, ending.signal);
    return () => ending.abort();
  }, [url, isSeen]);
  return state;
}

/** One commit, out of an event of either stream. */
export function commitIn(event: ServerEvent): Commit | null {
  return event.type === 'commit' ? (JSON.parse(event.data) as Commit) : null;
}

/** However much happens, a list is asked for again no sooner than this. */
const PULSE_MS = 700;
/** How often one looks while nobody tells: for more than 10,000 open ones there is no stream. */
const LOOK_MS = 3_000;

/** A number that is another one whenever something has happened, though not all the time. */
export function usePulse(url: string | null = '/api/events'): number {
  const [pulse, setPulse] = useState(0);
  const timer = useTimer();
  const state = useEvents(url, () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      setPulse((count) => count + 1);
    }, PULSE_MS);
  });
  useEffect(() => {
    if (url === null || state === 'open') return undefined;
    const look = setInterval(() => {
      if (document.visibilityState === 'visible') setPulse((count) => count + 1);
    }, LOOK_MS);
    return () => clearInterval(look);
  }, [url, state]);
  return pulse;
}
