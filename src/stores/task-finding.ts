/**
 * How a database finds tasks: it reads lists, each from a place on and in the order asked for, and
 * leaves out what is not as asked for. Which lists hold all that can be meant is decided here.
 * Those of one instance, or of a business key, are few: they are looked up by it and put in order.
 *
 * What stands in several of the lists is one task all the same, and the page is cut only then.
 */
import type { InstanceId, TokenId } from '../model/ids.ts';
import type { Task } from '../model/task.ts';
import { instant, integer, integerOrNull, jsonIfAny, text, textOrNull } from './cells.ts';
import type { Row } from './rows.ts';
import { OPEN, type TaskList } from './task-rows.ts';
import type {
  FoundTask,
  FoundTasks,
  TaskAudience,
  TaskPlace,
  TaskRequest,
  Tasks,
} from './tasks.ts';
import { compareTexts } from './texts.ts';
import type { Cell } from './writes.ts';

export type TaskQuestion = {
  /** Where to begin and how far to go, and everything else asked for. */
  readonly cells: readonly Cell[];
} & (
  | {
      readonly query: 'tasksByCreated' | 'tasksByDue' | 'tasksByPriority';
      readonly lists: readonly TaskList[];
    }
  | {
      readonly query: 'tasksOf';
      readonly instance: string | null;
      readonly key: string | null;
      readonly order: TaskRequest['order'];
      /** Null: it does not matter in which they are. */
      readonly lists: readonly TaskList[] | null;
    }
);

const BY_ORDER = {
  created: 'tasksByCreated',
  due: 'tasksByDue',
  priority: 'tasksByPriority',
} as const;

/** The verbs about tasks, made of what a database answers. */
export function tasksBy(ask: (question: TaskQuestion) => Promise<readonly Row[]>): Tasks {
  return {
    find: async (request) => {
      const question = questionOf(request);
      return pageOf(question === null ? [] : await ask(question), request.limit);
    },
  };
}

/** Null: it is for nobody at all. */
function questionOf(request: TaskRequest): TaskQuestion | null {
  const { instance, key, order } = request;
  const audience = request.for === null ? null : listsFor(request.for);
  if (audience?.length === 0) return null;
  const cells = cellsOf(request);
  if (instance !== null || key !== null) {
    return { query: 'tasksOf', instance, key, order, lists: audience, cells };
  }
  return { query: BY_ORDER[order], lists: audience ?? [shortest(request)], cells };
}

/** Of the lists that hold all who can be meant, the one that has fewest others, most often. */
function shortest({ assignee, tenant, flow }: TaskRequest): TaskList {
  if (assignee !== null) return ['assignee', assignee];
  if (tenant !== null) return ['tenant', tenant];
  return flow === null ? OPEN : ['flow', flow];
}

/** The lists of an audience. */
export function listsFor({ user, groups, assigned, offered }: TaskAudience): readonly TaskList[] {
  const lists: TaskList[] = [];
  if (assigned && user !== null) lists.push(['assignee', user]);
  if (!offered) return lists;
  if (user !== null) lists.push(['user', user]);
  for (const group of new Set(groups)) lists.push(['group', group]);
  return [...lists, ['all', '']];
}

function cellsOf(request: TaskRequest): readonly Cell[] {
  const { kind, flow, node, tenant, assignee, unassigned } = request;
  const { created, due, followUp, priority, limit } = request;
  const { rank, instance, token } = request.after ?? { rank: firstOf(request), ...NOBODY };
  return [
    ...[rank, instance, token, lastOf(request), limit + 1],
    ...[kind, flow, node, tenant, assignee, Number(unassigned)],
    ...[created.from ?? Number.MIN_SAFE_INTEGER, created.to ?? Number.MAX_SAFE_INTEGER],
    ...[due.from, due.to, followUp.from, followUp.to, priority],
  ];
}

/** Before any task of the same rank. */
const NOBODY = { instance: '', token: 0 };

/** A list is read from here on, */
function firstOf({ order, created, due }: TaskRequest): number {
  const from = order === 'created' ? created.from : order === 'due' ? due.from : null;
  return from ?? Number.MIN_SAFE_INTEGER;
}

/** and up to here. */
function lastOf({ order, created, due, priority }: TaskRequest): number {
  if (order === 'priority') return priority === null ? Number.MAX_SAFE_INTEGER : 0 - priority;
  const { to } = order === 'created' ? created : due;
  return to === null ? Number.MAX_SAFE_INTEGER : to - 1;
}

/** A page of what was found: in order, and each once. */
function pageOf(rows: readonly Row[], limit: number): FoundTasks {
  const places = rows.map((row) => ({ row, place: placeIn(row) }));
  const inOrder = places
    .sort((a, b) => comparePlaces(a.place, b.place))
    .filter(({ place }, at, all) => !isSame(place, all[at - 1]?.place));
  const page = inOrder.slice(0, limit);
  const next = inOrder.length > limit ? (page.at(-1)?.place ?? null) : null;
  return { tasks: page.map(({ row }) => readTask(row)), next };
}

function placeIn(row: Row): TaskPlace {
  return {
    rank: integer(row, 'rank'),
    instance: text(row, 'instance_id') as InstanceId,
    token: integer(row, 'token_id') as TokenId,
  };
}

export function comparePlaces(a: TaskPlace, b: TaskPlace): number {
  return a.rank - b.rank || compareTexts(a.instance, b.instance) || a.token - b.token;
}

function isSame(a: TaskPlace, b: TaskPlace | undefined): boolean {
  return b !== undefined && a.instance === b.instance && a.token === b.token;
}

function readTask(row: Row): FoundTask {
  const wait = jsonIfAny(row, 'wait') as unknown as { readonly task: Task } | null | undefined;
  return Object.freeze({
    instance: text(row, 'instance_id') as InstanceId,
    token: integer(row, 'token_id') as TokenId,
    node: text(row, 'node_id') as FoundTask['node'],
    flow: text(row, 'flow'),
    flowVersion: integer(row, 'flow_version'),
    key: textOrNull(row, 'key'),
    tenant: textOrNull(row, 'tenant'),
    createdAt: instant(row, 'created_at'),
    wakeAt: integerOrNull(row, 'wake_at') as FoundTask['wakeAt'],
    isSuspended: text(row, 'status') === 'suspended',
    task: wait?.task ?? unreadable(text(row, 'kind') as Task['kind']),
  });
}

/** One that someone edited by hand must not hide the others of its page. */
function unreadable(kind: Task['kind']): Task {
  const title = 'what is stored here is no task: restore the database from a backup';
  return Object.freeze({ kind, title, trail: [] });
}
