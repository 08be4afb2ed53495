/** Messages as a database gets them, and what a commit writes of those who wait and had them. */
import type { Touched } from '../model/commit.ts';
import { encode, exact } from './payload.ts';
import type { Commit, NewMessage, PendingRequest } from './store.ts';
import type { Cell, Write } from './writes.ts';

/** Listens: 0 it only waits, 1 it does, 2 it does and is busy. */
export function subscriptionWrites({
  head,
  subscribed,
  turned,
  hushed,
}: Touched): readonly Write[] {
  const { id, updatedAt } = head;
  const writes: Write[] = [];
  for (const { token, type, key, since = updatedAt, live } of subscribed) {
    const listens = live === undefined ? 0 : 1;
    writes.push(['subscribe', id, token, exact(type), exact(key), since, listens]);
    if (live === 'behind') writes.push(['catchUp', id, exact(type), exact(key), since]);
  }
  for (const { token, busy } of turned) writes.push(['turn', id, token, busy ? 2 : 1]);
  if (hushed) writes.push(['hush', id]);
  return writes;
}

/** Who has the message: 0 is one who waits, 1 are those who listen. */
export function heardIn({ message, heard }: Pick<Commit, 'message' | 'heard'>): readonly number[] {
  if (message === null) return [];
  return heard === undefined ? [0] : heard === 'only' ? [1] : [0, 1];
}

export function deliveryWrites(commit: Commit): readonly Write[] {
  const { id, updatedAt } = commit.touched.head;
  const { message } = commit;
  return heardIn(commit).flatMap((heard): readonly Write[] => {
    const had: Write = ['putDelivery', message, id, updatedAt, heard];
    return heard === 1 ? [had, ['dropUnheard', id, message]] : [had];
  });
}

/** Now and the time to live follow: only the database knows what time it is. */
export function messageCells(message: NewMessage): readonly Cell[] {
  const { id, type, key, instance = null, data, tenant, trace } = message;
  const whose = [exactUnlessNull(tenant ?? null), exactUnlessNull(trace ?? null)];
  return [exact(id), exact(type), exact(key), instance, encode(data), ...whose];
}

function exactUnlessNull(text: string | null): string | null {
  return text === null ? null : exact(text);
}

/** Whatever is left out is null; now comes before, and the limit follows. */
export function pendingCells(request: PendingRequest): readonly Cell[] {
  const { type = null, key = null, instance = null, tenant = null, before } = request;
  return [before ?? Number.MAX_SAFE_INTEGER, type, key, instance, tenant];
}
