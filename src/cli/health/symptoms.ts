/** How what was found is said. */
import type { Symptom } from '../../index.ts';

export type { Symptom };

/** Fine, unless there is something to do about it. */
export function noted(name: string, found: string, advice: string | null = null): Symptom {
  return { name, status: advice === null ? 'ok' : 'warn', found, advice };
}

export function failed(name: string, found: string, advice: string): Symptom {
  return { name, status: 'fail', found, advice };
}

/** Many are shown by the first of them. */
export function someOf(ids: readonly string[], more = false): string {
  const shown = ids.slice(0, SHOWN_MAX).join(', ');
  const rest = ids.length - SHOWN_MAX;
  return rest > 0 || more ? `${shown} and ${more ? 'more' : `${rest} more`}` : shown;
}

const SHOWN_MAX = 5;
