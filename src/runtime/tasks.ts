/**
 * Work that waits for people: found, looked at, and done.
 *
 * Whatever is done with a task is one input for the kernel and one commit: what was decided and
 * that the token goes on cannot come apart, in whatever process, with or without a worker. What is
 * refused has a code and consumes nothing. The engine knows no people: the caller says who acts and
 * to which groups they belong, and that stands in the task's trail and in the history.
 */
import { EngineError } from '../base/engine-error.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Refusal } from '../kernel/stride.ts';
import type { Instant } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import type { Attachment, TaskAsk } from '../model/task.ts';
import type { Store } from '../stores/store.ts';
import type { FoundTask } from '../stores/tasks.ts';
import { checkSchema, toldIn } from '../expressions/schema/schema.ts';
import type { Strides } from './strides.ts';
import { isKnown, ONCE_MS } from './bulk-part.ts';
import { checkFields } from './fields.ts';
import { checkOnce } from './options.ts';
import { cursorOf, readTaskFilter, type TaskFilter } from './task-filter.ts';
import { noTask, readTaskId, type TaskRef } from './task-id.ts';
import {
  admitOutput,
  askerOf,
  briefly,
  readAttachment,
  readDecision,
  readPerson,
  readUpdate,
  type TaskActor,
  type TaskUpdate,
} from './task-options.ts';
import { type TaskView, viewOfTask } from './task-view.ts';
import type { Worker } from './worker.ts';

export interface TaskPage {
  readonly tasks: readonly TaskView[];
  /** For the next page; null on the last. */
  readonly cursor: string | null;
}

export interface TasksHouse {
  readonly store: Store;
  readonly strides: Strides;
  readonly limits: Limits;
  readonly worker: () => Worker | null;
  readonly assertOpen: () => void;
}

export class Tasks {
  readonly #house: TasksHouse;

  constructor(house: TasksHouse) {
    this.#house = house;
  }

  /** Open tasks, oldest first, a page at a time. */
  async list(filter: TaskFilter = {}): Promise<TaskPage> {
    this.#house.assertOpen();
    const request = readTaskFilter(filter);
    const { limit, order } = request;
    const found: FoundTask[] = [];
    let after = request.after;
    do {
      const left = { ...request, after, limit: limit - found.length };
      const { tasks, next } = await this.#house.store.tasks.find(left);
      found.push(...tasks.filter((each) => !hasSpoken(each, filter.actor)));
      after = next;
    } while (after !== null && found.length < limit);
    return { tasks: found.map(viewOfTask), cursor: after && cursorOf(after, order) };
  }

  /** One that is open; undefined if there is none, or none any more. */
  async get(id: string): Promise<TaskView | undefined> {
    this.#house.assertOpen();
    return this.#find(readTaskId(id));
  }

  /** Takes one that is offered. One that is theirs already stays so. */
  async claim(id: string, who: TaskActor | string): Promise<void> {
    await this.#ask(id, { do: 'claim', ...askerOf('claim', briefly(who)) });
  }

  /** Gives it back: to whoever delegated it, or to those it was offered to. */
  async unclaim(id: string, who: TaskActor | string): Promise<void> {
    await this.#ask(id, { do: 'unclaim', ...askerOf('unclaim', briefly(who)) });
  }

  /** Has somebody else do it for whoever it is assigned to; of an approval, have their say. */
  async delegate(id: string, who: TaskActor & { readonly to: string }): Promise<void> {
    const asker = askerOf('delegate', who, ['to']);
    await this.#ask(id, { do: 'delegate', ...asker, to: readPerson('to', who.to) });
  }

  /** Gives it to somebody, whoever has it now; of an approval, the say of `from`. */
  async reassign(
    id: string,
    who: TaskActor & { readonly to: string; readonly from?: string },
  ): Promise<void> {
    const asker = askerOf('reassign', who, ['to', 'from']);
    const to = readPerson('to', who.to);
    const from = who.from === undefined ? {} : { from: readPerson('from', who.from) };
    await this.#ask(id, { do: 'reassign', ...asker, to, ...from });
  }

  async comment(id: string, who: TaskActor & { readonly comment: string }): Promise<void> {
    // Of all that can be said it is the one thing that has to be.
    const said = { ...who, comment: who?.comment ?? '' };
    await this.#ask(id, { do: 'comment', ...askerOf('comment', said) });
  }

  /** Names a file or a page that lies elsewhere. */
  async attach(id: string, attachment: Attachment, who: TaskActor | string): Promise<void> {
    const asker = askerOf('attach', briefly(who));
    await this.#ask(id, { ...readAttachment(attachment), ...asker });
  }

  /** Other dates, or another urgency. */
  async update(id: string, update: TaskUpdate, who: TaskActor | string): Promise<void> {
    const asker = askerOf('update', briefly(who));
    await this.#ask(id, { ...readUpdate(update), ...asker });
  }

  /** Hands in what came of a task. It must fit the form, or nothing has happened. */
  async complete(id: string, output: unknown, who: TaskActor | string): Promise<void> {
    const asker = askerOf('complete', briefly(who));
    this.#house.assertOpen();
    const ref = readTaskId(id);
    const value = admitOutput('the output', output, this.#house.limits);
    // A token has one task for as long as it lives: the form it is checked by cannot change.
    const task = await this.#find(ref);
    if (task?.kind === 'task' && task.form !== null) checkOutput(ref, task.form, value);
    await this.#ask(id, { do: 'complete', ...asker, output: value });
  }

  /** Has a say in an approval: yes, no, or back to whoever asked for it. */
  async decide(
    id: string,
    who: TaskActor & {
      readonly decision: 'approve' | 'reject' | 'revise';
      /** Of the approval that they looked at: refused if there has been another since. */
      readonly round?: number;
    },
  ): Promise<void> {
    const asker = askerOf('decide', who, ['decision', 'round']);
    await this.#ask(id, { ...readDecision(who.decision, who.round), ...asker });
  }

  /** Brings an approval that was sent back to those who have a say, for another round. */
  async resubmit(id: string, data: unknown, who: TaskActor | string): Promise<void> {
    const asker = askerOf('resubmit', briefly(who));
    const value = admitOutput('data', data, this.#house.limits);
    await this.#ask(id, { do: 'resubmit', ...asker, data: value });
  }

  /** Whoever asked for an approval no longer wants it. */
  async recall(id: string, who: TaskActor | string): Promise<void> {
    await this.#ask(id, { do: 'recall', ...askerOf('recall', briefly(who)) });
  }

  /** Whether this was done with the task within a day, by the name that was given to doing it. */
  async wasDone(id: string, once: string, options: { tenant?: string } = {}): Promise<boolean> {
    this.#house.assertOpen();
    checkOnce(once);
    checkFields('wasDone', options, ['tenant']);
    const { store } = this.#house;
    const { instance, token } = readTaskId(id);
    const [rows] = await store.load([instance]);
    if (rows === undefined) return false;
    if (options.tenant !== undefined && rows.head.tenant !== options.tenant) return false;
    return isKnown(store, rows.head, (store.now() - ONCE_MS) as Instant, ({ changes }) =>
      changes.some((change) => {
        return change.did === 'alter-task' && change.token === token && change.entry.once === once;
      }),
    );
  }

  async #find({ instance, token: wanted }: TaskRef): Promise<TaskView | undefined> {
    const [rows] = await this.#house.store.load([instance]);
    const token = rows?.tokens.find(({ id }) => id === wanted);
    if (rows === undefined || token?.wait?.on !== 'task') return undefined;
    const { flow, flowVersion, key, tenant, status } = rows.head;
    const { node, createdAt, wait, wakeAt } = token;
    const about = { instance, token: wanted, flow, flowVersion, key, tenant };
    const isSuspended = status === 'suspended';
    return viewOfTask({ ...about, node, createdAt, wakeAt, isSuspended, task: wait.task });
  }

  async #ask(id: string, ask: TaskAsk): Promise<void> {
    const { assertOpen, strides } = this.#house;
    assertOpen();
    const worker = this.#house.worker();
    const ref = readTaskId(id);
    const { instance, token } = ref;
    const taker = worker === null ? {} : { taker: worker.fresh };
    const applied = await strides.apply({
      ...{ instance, ...taker },
      input: (at) => ({ type: 'task', at, token, ask }),
    });
    if (applied.outcome === 'committed') {
      for (const work of applied.works) worker?.dispatch(work);
    } else if (applied.outcome !== 'nothing') {
      throw noTask(ref, `there is no instance ${instance}`);
    } else if (applied.refused !== undefined) {
      throw refusalOf(ref, applied.refused);
    }
  }
}

/** What waits for another of a group of theirs is nothing that they can do. */
function hasSpoken({ task: { approval } }: FoundTask, person: string | undefined): boolean {
  if (approval === undefined || approval.returned === true) return false;
  return approval.votes.some(({ actor }) => actor === person);
}

function checkOutput({ id }: TaskRef, form: JsonObject, output: Json): void {
  const checked = checkSchema(form, output);
  const problems = checked.ok ? checked.value : checked.problem;
  if (problems.length === 0) return;
  const what = checked.ok
    ? `the output does not fit the form of task ${id}`
    : `the form of task ${id} is no JSON Schema, and nothing fits it: skip the token instead`;
  const message = `${what}: ${problems.map(toldIn).join('; ')}`;
  const broken = checked.ok ? {} : { form };
  throw new EngineError('task.invalid', message, { details: { task: id, problems, ...broken } });
}

function refusalOf(ref: TaskRef, { code, message, details }: Refusal): EngineError {
  if (code === 'task.not-found') return noTask(ref, message);
  return new EngineError(code, message, { details: { ...details, task: ref.id } });
}
