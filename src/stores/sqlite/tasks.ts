/** Finding tasks in a SQLite file, on the caller's side: each list is read by itself. */
import { encodeUnlessNull } from '../payload.ts';
import { pageOf, questionOf, type TaskQuestion } from '../task-finding.ts';
import type { FoundTasks, TaskRequest, Tasks } from '../tasks.ts';
import type { Cell } from '../writes.ts';
import type { Connection } from './connection.ts';

export class SqliteTasks implements Tasks {
  readonly #database: () => Connection;

  constructor(database: () => Connection) {
    this.#database = database;
  }

  async find(request: TaskRequest): Promise<FoundTasks> {
    const question = questionOf(request);
    if (question === null) return { tasks: [], next: null };
    const rows = await this.#database().call('tasks.find', question.query, askedBy(question));
    return pageOf(rows, request.limit);
  }
}

function askedBy(question: TaskQuestion): readonly (readonly Cell[])[] {
  if (question.query !== 'tasksOf') {
    return question.lists.map((list) => [...list, ...question.cells]);
  }
  const { instance, key, order, lists, cells } = question;
  return [[instance, key, order, encodeUnlessNull(lists), ...cells]];
}
