/** Lists of tasks that have none, and extensions of what is never extended. */
import { type Check, type Checked, doubtful } from './finding.ts';
import { findPart, pointerTo } from './pointer.ts';
import { extensionsOf, listsOfWorkflow, listsWithin, type WalkedList } from './walk.ts';

export const checkLists: Check = function* (checked) {
  for (const { pointer, items } of listsOf(checked)) {
    if (items.length > 0) continue;
    yield doubtful('serverless.empty-list', pointer, 'this list has no tasks, so it does nothing');
  }
  for (const { pointer, extension } of extensionsOf(checked.document['use'])) {
    if (findPart(extension, 'extend') !== 'extension') continue;
    const message = '"extension" meant nothing up to 1.0.3, and is gone since; it extends nothing';
    yield doubtful('serverless.extends-nothing', pointerTo(pointer, 'extend'), message);
  }
};

function listsOf({ document, tasks }: Checked): readonly WalkedList[] {
  return [...listsOfWorkflow(document), ...tasks.flatMap(listsWithin)];
}
