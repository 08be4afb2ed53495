/**
 * What somebody has typed and not sent: kept for this tab, so that looking at another task, or a
 * reload, loses nothing of it.
 */
import { useCallback, useState } from 'react';

const KEPT = 'perdure.draft.';

function read<Value>(name: string, initial: Value): Value {
  try {
    const text = sessionStorage.getItem(KEPT + name);
    return text === null ? initial : (JSON.parse(text) as Value);
  } catch {
    return initial;
  }
}

function dropDraft(name: string): void {
  sessionStorage.removeItem(KEPT + name);
}

/** A component with a draft has a key of the same name: another draft is another component. */
export function useDraft<Value>(
  name: string,
  initial: Value,
): readonly [Value, (value: Value) => void, () => void] {
  const [value, setValue] = useState<Value>(() => read(name, initial));
  const change = useCallback(
    (next: Value) => {
      setValue(next);
      if (next === undefined) dropDraft(name);
      else sessionStorage.setItem(KEPT + name, JSON.stringify(next));
    },
    [name],
  );
  const drop = useCallback(() => {
    dropDraft(name);
    setValue(initial);
  }, [name]);
  return [value, change, drop];
}
