/**
 * Who must hear of what an operator has done: whoever was at work is not forgotten, and whoever
 * could be at work is called.
 */
import type { Json } from '../base/json.ts';
import type { Outcome as Stride } from '../kernel/advance.ts';
import { type Instance, isLive } from '../kernel/instance.ts';
import type { Token } from '../model/instance.ts';
import type { Plan } from '../model/plan.ts';
import { obey } from './laws-ending.ts';

/** A step that can be undone was at work: it runs on under its name, or is in doubt. */
export function checkDoubt(
  { nodes, saga }: Plan,
  { id, visit, node, mode }: Token,
  after: Instance,
): void {
  const { undoAttempts } = (nodes.get(node)?.config ?? {}) as { undoAttempts?: number };
  const isAlone = [...nodes.values()].every(({ config }) => sagaIn(config) === undefined);
  if (undoAttempts === undefined || mode === 'compensation' || saga === 'none' || !isAlone) return;
  const isOn = after.tokens.get(id)?.visit === visit;
  const isNoted = after.undos.values().some((undo) => undo.token === id && undo.visit === visit);
  const isOver = after.head.endedAt !== null;
  obey('in doubt', isOn || isNoted || isOver, () => `token ${id} was at work, and is forgotten`);
}

function sagaIn(config: Json): unknown {
  return (config as { saga?: unknown } | null)?.saga;
}

/** Whoever could be called once it goes on is called, whatever was said before. */
export function checkCalled({ after, hints }: Stride): void {
  const { status, updatedAt: now } = after.head;
  if (status === 'suspended') return;
  const has = (text: string): boolean => hints.some((hint) => JSON.stringify(hint).includes(text));
  for (const token of after.tokens.values().filter(isLive)) {
    const { id, handler, availableAt, wakeAt, wait } = token;
    const isDue = token.status === 'ready' && handler !== null && availableAt <= now;
    obey('called', !isDue || has(`"offer","token":${id},`), () => `nobody is called for ${id}`);
    const at =
      token.status === 'ready' && handler !== null && availableAt > now ? availableAt : wakeAt;
    obey('called', at === null || has(`"alarm","at":${at}`), () => `no alarm is set for ${id}`);
    const waits = wait?.on === 'message' || wait?.on === 'first';
    const asked =
      !waits || (wait.on === 'first' && wait.any.length === 0) || has(`"await","token":${id},`);
    obey('called', asked, () => `nobody looks whether ${id} has its message already`);
  }
}
