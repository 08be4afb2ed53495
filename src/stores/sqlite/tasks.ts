/** Finding tasks in a SQLite file, on the caller's side: each list is read by itself. */
import { encodeUnlessNull } from '../payload.ts';
import { type TaskQuestion, tasksBy } from '../task-finding.ts';
import type { Tasks } from '../tasks.ts';
import type { Cell } from '../writes.ts';
import type { Connection } from './connection.ts';

export function sqliteTasks(database: () => Connection): Tasks {
  return tasksBy((question) => database().call('tasks.find', question.query, askedBy(question)));
}

function askedBy(question: TaskQuestion): readonly (readonly Cell[])[] {
  if (question.query !== 'tasksOf') {
    return question.lists.map((list) => [...list, ...question.cells]);
  }
  const { instance, key, order, lists, cells } = question;
  return [[instance, key, order, encodeUnlessNull(lists), ...cells]];
}
