/**
 * What waits for people, in memory. There are no lists to read from a place on: all that is open is
 * walked and put in order, each time.
 */
import { parseJson } from '../../base/json.ts';
import type { InstanceId, TokenId } from '../../model/ids.ts';
import type { Head } from '../../model/instance.ts';
import type { TaskRow } from '../../model/task.ts';
import { encode } from '../payload.ts';
import type { InstanceRow } from './rows.ts';
import { comparePlaces, listsFor } from '../task-finding.ts';
import { listsOf, type TaskList } from '../task-rows.ts';
import { type FoundTask, type FoundTasks, rankOf, type TaskRequest, type Tasks } from '../tasks.ts';
import { isWithin } from './instances.ts';

/** An open task, as it is to be found. */
export interface ListedTask extends TaskRow {
  readonly lists: readonly TaskList[];
}

/** Made before anything is written: a name that no database keeps is refused here, too. */
export function listed(head: Head, row: TaskRow): ListedTask {
  return { ...row, lists: listsOf(head, row) };
}

/** What is kept of an instance, as far as its tasks show it. */
type Home = Pick<InstanceRow, 'head' | 'tokens'>;

export class MemoryTasks implements Tasks {
  readonly #homeOf: (id: InstanceId) => Home | undefined;
  readonly #open = new Map<InstanceId, Map<TokenId, ListedTask>>();

  constructor(homeOf: (id: InstanceId) => Home | undefined) {
    this.#homeOf = homeOf;
  }

  put(instance: InstanceId, task: ListedTask): void {
    const own = this.#open.get(instance) ?? new Map<TokenId, ListedTask>();
    this.#open.set(instance, own.set(task.token, task));
  }

  close(instance: InstanceId, token: TokenId): void {
    this.#open.get(instance)?.delete(token);
  }

  closeAll(instance: InstanceId): void {
    this.#open.delete(instance);
  }

  async find(request: TaskRequest): Promise<FoundTasks> {
    const { order, after, limit } = request;
    const found = this.#meant(request)
      .map((task) => ({ task, place: { ...task, rank: rankOf(order, task.createdAt, task.task) } }))
      .filter(({ place }) => after === null || comparePlaces(place, after) > 0)
      .sort((a, b) => comparePlaces(a.place, b.place));
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1)?.place : undefined;
    return {
      // Through text and back, as with any other store.
      tasks: page.map(({ task }) => parseJson(encode(task)) as unknown as FoundTask),
      next: last === undefined ? null : placeOf(last),
    };
  }

  #meant(request: TaskRequest): FoundTask[] {
    const audience = request.for === null ? null : listsFor(request.for);
    const found: FoundTask[] = [];
    for (const [instance, tasks] of this.#open) {
      const home = this.#homeOf(instance);
      if (home === undefined || !isOf(home.head, request)) continue;
      const { flow, flowVersion, key, tenant, status } = home.head;
      const about = { instance, flow, flowVersion, key, tenant };
      const isSuspended = status === 'suspended';
      for (const { lists, ...row } of tasks.values()) {
        if (!isMeant(row, request)) continue;
        if (audience !== null && !audience.some((list) => isIn(list, lists))) continue;
        const wakeAt = home.tokens.get(row.token)?.token.wakeAt ?? null;
        found.push({ ...about, ...row, wakeAt, isSuspended });
      }
    }
    return found;
  }
}

function placeOf({ rank, instance, token }: NonNullable<FoundTasks['next']>): FoundTasks['next'] {
  return { rank, instance, token };
}

function isOf(head: Head, { instance, flow, tenant, key }: TaskRequest): boolean {
  const wanted = [
    [instance, head.id],
    [flow, head.flow],
    [tenant, head.tenant],
    [key, head.key],
  ];
  return wanted.every(([one, is]) => one === null || one === is);
}

function isMeant({ node, task, createdAt }: TaskRow, request: TaskRequest): boolean {
  const { assignee = null, priority = 0, due = null, followUp = null } = task;
  return (
    (request.kind === null || request.kind === task.kind) &&
    (request.node === null || request.node === node) &&
    (request.assignee === null || request.assignee === assignee) &&
    (!request.unassigned || assignee === null) &&
    isWithin(request.created, createdAt) &&
    isWithin(request.due, due) &&
    isWithin(request.followUp, followUp) &&
    (request.priority === null || priority >= request.priority)
  );
}

function isIn([list, name]: TaskList, lists: readonly TaskList[]): boolean {
  return lists.some((one) => one[0] === list && one[1] === name);
}
