/**
 * Something done with a task in the name of whoever one is now. It is sent with a key, so that what
 * has to be sent again, because no answer came, is done once all the same.
 */
import { useRef, useState } from 'react';
import { get, pathTo, type Problem, postOnce, problemFrom } from '../api/asking.ts';
import type { JsonObject, Task } from '../api/shapes.ts';
import { type Me, useMe } from '../shell/me.ts';
import { sayProblem } from '../shell/toasts.tsx';

export type Verb =
  | ('claim' | 'unclaim' | 'comment' | 'recall' | 'delegate' | 'reassign' | 'update' | 'attach')
  | ('complete' | 'decide' | 'resubmit');

export interface Deed {
  readonly verb: Verb;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly comment?: string;
  readonly override?: boolean;
}

/** Undefined: the task is done, and gone. */
export type After = { readonly task: Task | undefined };

export interface Doing {
  /** Null if it was refused: then the problem says why. */
  readonly act: (deed: Deed) => Promise<After | null>;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  readonly forget: () => void;
}

function bodyOf({ body = {}, comment = '', override = false }: Deed, me: Me): JsonObject {
  return {
    ...(body as JsonObject),
    ...(me.actor === null ? {} : { actor: me.actor }),
    ...(me.groups.length === 0 ? {} : { groups: me.groups }),
    ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
    ...(override ? { override } : {}),
  };
}

export function useDeed(task: Task): Doing {
  const me = useMe();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const keys = useRef(new Map<string, string>());
  const act = async (deed: Deed): Promise<After | null> => {
    const body = bodyOf(deed, me);
    const same = JSON.stringify([deed.verb, body]);
    const key = keys.current.get(same) ?? crypto.randomUUID();
    keys.current.set(same, key);
    setIsBusy(true);
    setProblem(null);
    try {
      await postOnce(pathTo('tasks', task.id, deed.verb), body, key);
      keys.current.delete(same);
      return { task: await taskNow(task.id) };
    } catch (thrown) {
      const why = problemFrom(thrown);
      // What nobody answered may be done: only then is it the same request again.
      if (why.code !== 'studio.offline') keys.current.delete(same);
      setProblem(why);
      return null;
    } finally {
      setIsBusy(false);
    }
  };
  return { act, isBusy, problem, forget: () => setProblem(null) };
}

async function taskNow(id: string): Promise<Task | undefined> {
  try {
    return await get<Task>(pathTo('tasks', id));
  } catch (thrown) {
    const why = problemFrom(thrown);
    if (why.code !== 'task.not-found') sayProblem(why);
    return undefined;
  }
}
