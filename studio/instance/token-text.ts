/** What a token is at, in words: why it rests, for whom it waits, and until when. */
import type { Token, Wait } from '../api/shapes.ts';
import { agoText } from '../parts/moment.tsx';
import { awaitedIn, firstText, waitText } from './wait-text.ts';

export function tokenText(token: Token, now: number): string {
  const { status, wait, wakeAt } = token;
  if (status === 'created') return 'its turn has not come';
  if (status === 'executing') return `at work since ${momentText(token.updatedAt, now)}`;
  if (wait === null) return queueText(token, now);
  if (wait.on === 'incident') return failedText(token, wait);
  if (wait.on === 'time') {
    return wakeAt === null ? 'sleeps' : `sleeps until ${momentText(wakeAt, now)}`;
  }
  if (wait.on === 'first') {
    const moment = wakeAt === null ? [] : [momentText(wakeAt, now)];
    return `waits ${firstText([...awaitedIn(wait), ...moment])}`;
  }
  const limit = wakeAt === null ? '' : `, until ${momentText(wakeAt, now)}`;
  return `waits ${waitText(wait)}${limit}`;
}

function queueText(token: Token, now: number): string {
  const { attempts, maxAttempts, availableAt, lastError } = token;
  if (availableAt > now && lastError !== null) {
    const count = `attempt ${attempts + 1} of ${maxAttempts}`;
    return `is tried again at ${momentText(availableAt, now)}, ${count}: ${lastError.message}`;
  }
  // What is due at once may look due later to a clock that is looked at now and then.
  const isLater = availableAt > now && availableAt > token.updatedAt;
  if (isLater) return `queued until ${momentText(availableAt, now)}`;
  // Claims are in no commit: whether a worker has it already, the API does not tell.
  const what = token.handler === null ? 'queued' : 'queued or at work';
  return `${what} since ${momentText(Math.max(token.updatedAt, availableAt), now)}`;
}

function failedText({ lastError }: Token, wait: Wait): string {
  const can = Array.isArray(wait['can']) ? wait['can'].map(String) : [];
  const what = lastError === null ? '' : `: ${lastError.message}`;
  return `failed${what}${can.length === 0 ? '' : ` (${can.join(', ')})`}`;
}

const DAY_MS = 86_400_000;

/** `14:02 (in 3 m)`; with the day where that is far. */
function momentText(at: number, now: number): string {
  const date = new Date(at);
  const day = Math.abs(at - now) < DAY_MS ? '' : `${date.toLocaleDateString()} `;
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return `${day}${date.toLocaleTimeString([], options)} (${agoText(at, now)})`;
}
