/** A timer of a component: it does not go off when that is gone. */
import { type RefObject, useEffect, useRef } from 'react';

export type Timer = RefObject<ReturnType<typeof setTimeout> | null>;

export function useTimer(): Timer {
  const timer: Timer = useRef(null);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return timer;
}
