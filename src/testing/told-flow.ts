/** One step that does as it is told, for processes that a test holds by the hand. */
import { flow } from '../frontends/builder/flow.ts';
import type { HandlerTools } from '../frontends/builder/views.ts';
import type { Flow } from '../model/definition.ts';
import type { EngineWorker } from '../runtime/options.ts';

export interface Task {
  /** The process, by its name, in which the step goes on only when it is told to. */
  readonly holdIn?: string;
  /** For so long the step then waits, as for an answer from elsewhere. */
  readonly takesMs?: number;
  /** For so long it computes in the end, and lets nothing else of its process happen. */
  readonly blockMs?: number;
}

/** What `told-worker.ts` is given. */
export interface Post {
  readonly place: string;
  readonly name: string;
  readonly worker?: Partial<EngineWorker>;
  /** Whether it has the code of the step; it does if not given. */
  readonly hasCode?: boolean;
}

export type Work = (tools: HandlerTools & { readonly input: Task }) => string | Promise<string>;

/** The result, and the output, is the name of the process that did it. */
export function toldFlow(work: Work): Flow<Task, string> {
  return flow<Task>('told')
    .step('work', work)
    .end(({ results }) => results.work);
}

/** For a process that only starts it and looks at it. */
export function toldElsewhere(): Flow<Task, string> {
  return toldFlow(() => {
    throw new Error('only a worker runs the step');
  });
}
