/** A step that is run elsewhere: a remote worker fetches it, and brings a result of this type. */
import { markRemote } from '../../model/remote-handler.ts';

/**
 * Stands in the place of a handler: `.step('charge', remote<Receipt>())`. No worker of this program
 * runs the step; whatever else there is to it, its retry policy and its undo, is as ever.
 */
export function remote<Result = unknown>(): (context: unknown) => Result {
  return markRemote(() => {
    throw new Error('this step is for remote workers: it is fetched with engine.work');
  });
}
