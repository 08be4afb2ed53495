/** Finding tasks in a Postgres database: one statement reads the lists of all shards. */
import { pageOf, questionOf, type TaskQuestion } from '../task-finding.ts';
import type { TaskList } from '../task-rows.ts';
import type { FoundTasks, TaskRequest, Tasks } from '../tasks.ts';
import { Desk } from './desk.ts';
import { type Ask, column, columns, type Driver } from './driver.ts';
import * as queries from './queries.ts';
import { ALL_SHARDS, shardOf } from './shard.ts';

export class PostgresTasks implements Tasks {
  readonly #desk: Desk;

  constructor(driver: () => Driver) {
    this.#desk = new Desk(driver);
  }

  async find(request: TaskRequest): Promise<FoundTasks> {
    const question = questionOf(request);
    if (question === null) return { tasks: [], next: null };
    return pageOf(await this.#desk.ask(...askFor(question)), request.limit);
  }
}

function askFor(question: TaskQuestion): Ask {
  if (question.query !== 'tasksOf') {
    const { query, lists, cells } = question;
    return [queries[query], column(ALL_SHARDS), ...named(lists), ...cells];
  }
  const { instance, key, order, lists, cells } = question;
  const shards = column(instance === null ? ALL_SHARDS : [shardOf(instance)]);
  const among = lists === null ? [null, null] : named(lists);
  return [queries.tasksOf, shards, instance, key, order, ...among, ...cells];
}

function named(lists: readonly TaskList[]): readonly string[] {
  return columns(lists);
}
