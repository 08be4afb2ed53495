/** A number that grows while somebody looks: what has no stream is asked for again by it. */
import { useEffect, useState } from 'react';

const LOOK_MS = 2_000;

export function useBeat(everyMs = LOOK_MS): number {
  const [beat, setBeat] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setBeat((count) => count + 1);
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return beat;
}
