/** How a call waits for a time to be over: by the clock of the process, or by one a test moves. */
import { broken } from './faults.ts';

export interface Alarm {
  /** Calls back after so many milliseconds, unless cancelled before. */
  set(ms: number, ring: () => void): () => void;
}

/** As far as setTimeout goes; what lies further away is waited for in parts. */
export const TIMER_MS_MAX = 2_147_483_647;

export const processAlarm: Alarm = {
  set(ms, ring) {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const part = Math.min(Math.max(left, 0), TIMER_MS_MAX);
      timer = setTimeout(() => (left > part ? wait(left - part) : ring()), part);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** Until the time is over, or nobody wants to wait any more. */
export function waitOr(alarm: Alarm, ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      stop.removeEventListener('abort', end);
      resolve();
    };
    const cancel = alarm.set(ms, end);
    stop.addEventListener('abort', end);
    if (stop.aborted) end();
  });
}

/** Whoever has not answered by then has failed; what comes back ends the waiting. */
export function limitAnswer(
  alarm: Alarm,
  ms: number,
  place: string,
  fail: (error: Error) => void,
): () => void {
  return alarm.set(ms, () => fail(broken(`${place} did not answer within ${ms} ms`)));
}
