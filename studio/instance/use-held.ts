/**
 * Which tokens of an instance a worker has just now. Claims are in no commit, so nothing is pushed
 * when one is made: as long as something could be claimed, it is asked for now and then.
 */
import { useEffect, useMemo, useState } from 'react';
import type { Token } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';

interface Hold {
  readonly instance: string;
  readonly token: number;
  readonly since: number | null;
}

interface WorkersAnswer {
  readonly workers: readonly { readonly holds?: readonly Hold[] }[];
}

const LOOK_MS = 1_000;

/** The same tokens, of which those are executing that somebody is at. */
export function useHeld(id: string, tokens: readonly Token[], isLive: boolean): readonly Token[] {
  const mayBeHeld = isLive && tokens.some(isClaimable);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!mayBeHeld) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setTurn((count) => count + 1);
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [mayBeHeld]);
  const { value } = useAsked<WorkersAnswer>(mayBeHeld ? '/api/workers' : null, {}, turn);
  return useMemo(() => {
    const all = value?.workers.flatMap(({ holds = [] }) => holds) ?? [];
    const held = new Map(all.filter(({ instance }) => instance === id).map(heldSince));
    if (!mayBeHeld || held.size === 0) return tokens;
    return tokens.map((token) => {
      const since = held.get(token.id);
      if (since === undefined || !isClaimable(token)) return token;
      return { ...token, status: 'executing', updatedAt: since ?? token.updatedAt };
    });
  }, [id, tokens, value, mayBeHeld]);
}

function isClaimable({ status, handler }: Token): boolean {
  return status === 'ready' && handler !== null;
}

function heldSince({ token, since }: Hold): readonly [number, number | null] {
  return [token, since];
}
