/** Whether there is room for two things side by side. */
import { useSyncExternalStore } from 'react';

/** Narrower than this, two columns are two strips. */
const NARROW = matchMedia('(max-width: 900px)');

function listen(hear: () => void): () => void {
  NARROW.addEventListener('change', hear);
  return () => NARROW.removeEventListener('change', hear);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(listen, () => NARROW.matches);
}
