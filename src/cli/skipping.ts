/**
 * Time that is not waited for. In memory the whole engine runs on a clock that is set forward to
 * whatever is due next. On a database, which others may use, only this instance and those it called
 * are hurried: who sleeps is woken, and who would be tried again later is tried now. There a wait
 * for a message goes on waiting for it. A timeout is not hurried while what it limits may still be
 * done: that would be no time to do it in.
 */
import type { Engine, InstanceView, Token } from '../index.ts';

/** Codes that mean that it has moved on by itself, or that its time is nobody's to skip. */
const MOVED_ON: ReadonlySet<unknown> = new Set([
  'instance.over',
  'instance.suspended',
  'operation.refused',
  'token.gated',
  'token.not-found',
]);

/** An instance that calls others that call others has an end. */
const DEPTH_MAX = 100;

/** Hurries whatever waits for nothing but time; the history says for whom. */
export async function hurry(engine: Engine, id: string, actor: string, depth = 0): Promise<void> {
  const run = depth < DEPTH_MAX ? await engine.get(id) : undefined;
  if (run === undefined) return;
  const { tokens, updatedAt } = await run.inspect();
  const now = Math.max(updatedAt, Date.now());
  for (const { wait } of tokens) {
    if (wait?.on === 'child') await hurry(engine, wait.instance, actor, depth + 1);
  }
  for (const token of hurriedIn(tokens, now)) {
    const arm = token.wait?.on === 'first' ? token.wait.timer : undefined;
    try {
      await run.wake(token.id, null, {
        ...{ actor, reason: 'time is skipped' },
        ...(arm === undefined ? {} : { arm }),
      });
    } catch (thrown) {
      if (!MOVED_ON.has(Reflect.get(Object(thrown), 'code'))) throw thrown;
    }
  }
}

/** All that sleep; where nobody does and all others wait, too, the timeout that is over first. */
function hurriedIn(tokens: readonly Token[], now: number): readonly Token[] {
  const timed = tokens.filter((token) => waitsForTime(token, now));
  const sleepers = timed.filter((token) => !isTimeout(token));
  const isBusy = tokens.some(({ status, wait }) => status !== 'waiting' || wait?.on === 'child');
  if (sleepers.length > 0 || isBusy) return sleepers;
  return timed.toSorted((a, b) => (a.wakeAt ?? 0) - (b.wakeAt ?? 0)).slice(0, 1);
}

/** A token beside what it limits, which waits for nothing but its time to be over. */
function isTimeout({ wait }: Token): boolean {
  return wait?.on === 'first' && wait.any.length === 0;
}

function waitsForTime({ status, wait, wakeAt, availableAt }: Token, now: number): boolean {
  if (status === 'ready') return availableAt > now;
  if (wait?.on === 'time') return wakeAt !== null && wakeAt > now;
  return wait?.on === 'first' && wait.timer !== undefined && wakeAt !== null && wakeAt > now;
}

/**
 * The next moment at which something of it is due, of the instances it called too. Null if that is
 * not for it to say: it waits for something else, or for its turn.
 */
export async function nextMoment(
  engine: Engine,
  view: InstanceView,
  now: number,
  depth = 0,
): Promise<number | null> {
  const moments: number[] = [];
  for (const { status, wait, wakeAt, availableAt } of view.tokens) {
    if (status === 'ready' && availableAt <= now) return null;
    if (status === 'ready') moments.push(availableAt);
    if (wakeAt !== null) moments.push(wakeAt);
    if (wait?.on !== 'child' || depth >= DEPTH_MAX) continue;
    const child = await (await engine.get(wait.instance))?.inspect();
    const next = child === undefined ? null : await nextMoment(engine, child, now, depth + 1);
    if (next === null) return null;
    moments.push(next);
  }
  return moments.length === 0 ? null : Math.min(...moments);
}
