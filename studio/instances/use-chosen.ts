/** Which instances are selected: they stay so while the list changes around them. */
import { useCallback, useState } from 'react';

export interface Chosen {
  readonly ids: ReadonlySet<string>;
  readonly choose: (ids: readonly string[], isChosen: boolean) => void;
  readonly toggle: (id: string) => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

export function useChosen(): Chosen {
  const [ids, setIds] = useState(NONE);
  const choose = useCallback((some: readonly string[], isChosen: boolean) => {
    const these = new Set(some);
    setIds((old) =>
      isChosen ? new Set([...old, ...some]) : new Set([...old].filter((id) => !these.has(id))),
    );
  }, []);
  const toggle = useCallback((id: string) => {
    setIds((old) =>
      old.has(id) ? new Set([...old].filter((one) => one !== id)) : new Set([...old, id]),
    );
  }, []);
  const clear = useCallback(() => setIds(NONE), []);
  return { ids, choose, toggle, clear };
}
