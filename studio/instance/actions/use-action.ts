/** One action under way: its fields, what it would do, and doing it once. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Problem, pathTo, post, postOnce, problemFrom } from '../../api/asking.ts';
import type { Instance, Preview } from '../../api/shapes.ts';
import { acting, useMe } from '../../shell/me.ts';
import { type Action, actionOf, BadField, type Values, type Wanted } from './action.ts';

export interface ActionState {
  readonly values: Values;
  readonly change: (patch: Values) => void;
  readonly bad: BadField | null;
  readonly problem: Problem | null;
  /** Of the fields as they are: whoever changes one has to look again. */
  readonly preview: Preview | null;
  readonly isBusy: boolean;
  readonly look: () => void;
  /** Answers the instance that it was done to, or the copy; null if it was refused. */
  readonly perform: (reason: string) => Promise<string | null>;
}

function valuesOf({ token, node, scope, name, verb }: Wanted, instance: Instance): Values {
  const known = instance.scopes.find(({ id, parent }) => id === scope || parent === null);
  const value = known?.vars[name ?? ''];
  return {
    token: token === undefined ? '' : String(token),
    from: node ?? '',
    // A variable of the whole instance, unless another scope is meant.
    scope: verb === 'set' ? String(scope ?? known?.id ?? '') : '',
    name: name ?? '',
    value: value === undefined ? '' : JSON.stringify(value, null, 2),
  };
}

/** Reads the fields; whether they are complete is seen without complaining. */
function read(wanted: Wanted, values: Values): Action | BadField {
  try {
    return actionOf(wanted.verb, values);
  } catch (thrown) {
    if (thrown instanceof BadField) return thrown;
    throw thrown;
  }
}

/** These take nothing that has to be typed first: what they do is shown at once. */
export const AT_ONCE = new Set(['retry', 'suspend', 'resume', 'revive', 'cancel']);

export function useAction(wanted: Wanted, instance: Instance): ActionState {
  const me = useMe();
  const [values, setValues] = useState<Values>(() => valuesOf(wanted, instance));
  const [bad, setBad] = useState<BadField | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [seen, setSeen] = useState<{ readonly of: string; readonly preview: Preview }>();
  const [isBusy, setIsBusy] = useState(false);
  const action = useMemo(() => read(wanted, values), [wanted, values]);
  const text = action instanceof BadField ? '' : JSON.stringify(action);
  /** The same action is the same request, however often it has to be sent. */
  const key = useRef({ of: '', key: '' });
  const base = pathTo('instances', instance.id, 'actions');
  const ask = async <Value>(request: () => Promise<Value>): Promise<Value | null> => {
    setIsBusy(true);
    setProblem(null);
    try {
      return await request();
    } catch (thrown) {
      setProblem(problemFrom(thrown));
      return null;
    } finally {
      setIsBusy(false);
    }
  };
  const look = (): void => {
    setBad(action instanceof BadField ? action : null);
    if (action instanceof BadField) return;
    void ask(() => post<Preview>(`${base}/preview`, { action })).then((preview) => {
      if (preview !== null) setSeen({ of: text, preview });
    });
  };
  useEffect(() => {
    if (AT_ONCE.has(wanted.verb)) look();
  }, []);
  const perform = async (reason: string): Promise<string | null> => {
    const said = text + reason;
    if (key.current.of !== said) key.current = { of: said, key: crypto.randomUUID() };
    const body = { action, ...acting(me, reason) };
    const { key: once } = key.current;
    const done = await ask(() => postOnce<{ readonly instance: string }>(base, body, once));
    return done?.instance ?? null;
  };
  const change = (patch: Values): void => {
    setBad(null);
    setValues((old) => ({ ...old, ...patch }));
  };
  const preview = seen !== undefined && seen.of === text ? seen.preview : null;
  return { values, change, bad, problem, preview, isBusy, look, perform };
}
