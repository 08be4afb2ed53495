/**
 * How far it is with doing something to many: tried out, then done. What was tried out counts only
 * for the very same instances and the very same action.
 */
import { useEffect, useRef, useState } from 'react';
import { type Problem, problemFrom } from '../api/asking.ts';
import { acting, useMe } from '../shell/me.ts';
import { type ActionAsked, NOTHING, planOf, type Sum, type Target } from './bulk.ts';
import { carryOut } from './carrying-out.ts';

export type Phase = 'trying' | 'tried' | 'doing' | 'done';

export interface Progress {
  readonly plan: string;
  readonly phase: Phase;
  readonly sum: Sum;
  readonly problem: Problem | null;
  /** Somebody ended it before it was through. */
  readonly isCut: boolean;
}

export interface Bulk {
  readonly progress: Progress | null;
  readonly run: (action: ActionAsked, dryRun: boolean, reason: string) => void;
  readonly stop: () => void;
}

export function useBulk(target: Target): Bulk {
  const [progress, setProgress] = useState<Progress | null>(null);
  const ending = useRef<AbortController | null>(null);
  const me = useMe();
  useEffect(() => () => ending.current?.abort(), []);
  // The same order sent again, after an answer was lost, is the same: it has one key.
  const keys = useRef(new Map<string, string>());
  const run = (action: ActionAsked, dryRun: boolean, reason: string): void => {
    const plan = planOf(target, action);
    const isTried = progress?.phase === 'tried' && progress.plan === plan;
    if (!dryRun && !isTried) return;
    const mine = new AbortController();
    ending.current = mine;
    const told = keyOf(keys.current, `${plan} ${reason}`);
    const tell = (phase: Phase, sum: Sum, problem: Problem | null = null): void => {
      setProgress({ plan, phase, sum, problem, isCut: mine.signal.aborted });
    };
    const [during, after] = dryRun ? (['trying', 'tried'] as const) : (['doing', 'done'] as const);
    let last = NOTHING;
    tell(during, last);
    carryOut({
      ...{ target, action, dryRun, acting: acting(me, reason), key: told, signal: mine.signal },
      tell: (sum) => {
        last = sum;
        tell(during, sum);
      },
    }).then(
      (sum) => tell(after, sum),
      (thrown: unknown) => tell(after, last, problemFrom(thrown)),
    );
  };
  return { progress, run, stop: () => ending.current?.abort() };
}

function keyOf(keys: Map<string, string>, order: string): string {
  const key = keys.get(order) ?? crypto.randomUUID();
  keys.set(order, key);
  return key;
}
