/** Finding tasks in a Postgres database: one statement reads the lists of all shards. */
import { type TaskQuestion, tasksBy } from '../task-finding.ts';
import type { Tasks } from '../tasks.ts';
import { Desk } from './desk.ts';
import { type Ask, column, columns, type Driver } from './driver.ts';
import * as queries from './queries.ts';
import { ALL_SHARDS, shardOf } from './shard.ts';

export function postgresTasks(driver: () => Driver): Tasks {
  const desk = new Desk(driver);
  return tasksBy((question) => desk.ask(...askFor(question)));
}

function askFor(question: TaskQuestion): Ask {
  if (question.query !== 'tasksOf') {
    const { query, lists, cells } = question;
    return [queries[query], column(ALL_SHARDS), ...columns(lists), ...cells];
  }
  const { instance, key, order, lists, cells } = question;
  const shards = column(instance === null ? ALL_SHARDS : [shardOf(instance)]);
  const among = lists === null ? [null, null] : columns(lists);
  return [queries.tasksOf, shards, instance, key, order, ...among, ...cells];
}
