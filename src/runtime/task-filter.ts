/**
 * Which tasks are meant, and where a page of them begins. As with instances, what is misspelt is
 * refused: a list that leaves out nobody would be taken for somebody's own.
 */
import { sha256 } from '../base/hash.ts';
import { meant } from '../base/nearest.ts';
import type { Flow } from '../model/definition.ts';
import type { InstanceId, TokenId } from '../model/ids.ts';
import type { TaskAudience, TaskOrder, TaskPlace, TaskRequest } from '../stores/tasks.ts';
import { checkFields, told, wrong } from './fields.ts';
import { type Moment, readFlow, readMoment, readText } from './filter.ts';
import { checkPage, checkWhole } from './options.ts';
import { readGroups, readPerson } from './task-options.ts';

/** All that is named must hold; what is not named does not matter. */
export interface TaskFilter {
  readonly kind?: 'task' | 'approval';
  readonly instance?: string;
  readonly flow?: string | Pick<Flow, 'name'>;
  readonly node?: string;
  readonly tenant?: string;
  /** The business key of its instance. */
  readonly key?: string;
  readonly assignee?: string;
  /** Only those that are nobody's. */
  readonly unassigned?: boolean;
  /** What this person can do: what is assigned to them, and what is open to them or to all. */
  readonly actor?: string;
  /** The groups that they belong to. */
  readonly groups?: readonly string[];
  /** What is open to this person by name, or to all, and nobody's yet. */
  readonly candidate?: string;
  /** What is open to this group by name, or to all, and nobody's yet. */
  readonly group?: string;
  /** At this moment or later, and before this moment. */
  readonly createdAfter?: Moment;
  readonly createdBefore?: Moment;
  readonly dueAfter?: Moment;
  readonly dueBefore?: Moment;
  readonly followUpAfter?: Moment;
  readonly followUpBefore?: Moment;
  /** At least so urgent. */
  readonly priority?: number;
  /** Oldest first, unless `due` (soonest first) or `priority` (most urgent first). */
  readonly order?: TaskOrder;
  /** 100 unless given. */
  readonly limit?: number;
  /** That of the page before. */
  readonly cursor?: string;
}

const FIELDS: readonly (keyof TaskFilter)[] = [
  ...(['kind', 'instance', 'flow', 'node', 'tenant', 'key', 'assignee', 'unassigned'] as const),
  ...(['actor', 'groups', 'candidate', 'group', 'createdAfter', 'createdBefore'] as const),
  ...(['dueAfter', 'dueBefore', 'followUpAfter', 'followUpBefore'] as const),
  ...(['priority', 'order', 'limit', 'cursor'] as const),
];

const KINDS = ['task', 'approval'] as const;
const ORDERS = ['created', 'due', 'priority'] as const;
const PAGE_DEFAULT = 100;

export function readTaskFilter(filter: TaskFilter): TaskRequest {
  checkFields('what is listed', filter, FIELDS);
  const { limit = PAGE_DEFAULT, unassigned = false, priority = null } = filter;
  checkPage(limit);
  if (priority !== null) checkWhole('priority', priority, Number.MIN_SAFE_INTEGER);
  if (typeof unassigned !== 'boolean') {
    throw wrong(`unassigned is true or false; came ${told(unassigned)}`, 'unassigned');
  }
  const order = oneOf('order', filter.order, ORDERS) ?? 'created';
  return {
    kind: oneOf('kind', filter.kind, KINDS),
    flow: readFlow(filter.flow),
    instance: readText('instance', filter.instance),
    node: readText('node', filter.node),
    tenant: readText('tenant', filter.tenant),
    key: readText('key', filter.key),
    assignee: readText('assignee', filter.assignee),
    ...{ unassigned, priority, order, limit },
    for: audienceOf(filter),
    ...periodsOf(filter),
    after: filter.cursor === undefined ? null : readCursor(filter.cursor, order),
  };
}

function oneOf<Word extends string>(
  field: string,
  given: unknown,
  words: readonly Word[],
): Word | null {
  if (given === undefined) return null;
  const word = words.find((each) => each === given);
  if (word !== undefined) return word;
  const advice = typeof given === 'string' ? meant(given, words) : `there are ${words.join(', ')}`;
  throw wrong(`${field} ${told(given)} is none that there is; ${advice}`, field);
}

type Periods = Pick<TaskRequest, 'created' | 'due' | 'followUp'>;

function periodsOf(filter: TaskFilter): Periods {
  const read = (name: 'created' | 'due' | 'followUp'): Periods['due'] => ({
    from: readMoment(`${name}After`, filter[`${name}After`]),
    to: readMoment(`${name}Before`, filter[`${name}Before`]),
  });
  return { created: read('created'), due: read('due'), followUp: read('followUp') };
}

/** A person and what they can do, or those to whom it is open: one question at a time. */
function audienceOf({ actor, groups, candidate, group }: TaskFilter): TaskAudience | null {
  const named = Object.entries({ actor, candidate, group }).filter(([, who]) => who !== undefined);
  if (named.length > 1) {
    const both = named.map(([name]) => name).join(' and ');
    throw wrong(`${both} are different questions: ask one of them`, named[1]?.[0]);
  }
  if (groups !== undefined && actor === undefined) {
    throw wrong('groups are those of an actor: say whose they are', 'groups');
  }
  if (actor !== undefined) {
    const user = readPerson('actor', actor);
    return { user, groups: readGroups(groups), assigned: true, offered: true };
  }
  const offered = { assigned: false, offered: true } as const;
  if (candidate !== undefined) {
    return { user: readPerson('candidate', candidate), groups: [], ...offered };
  }
  if (group === undefined) return null;
  return { user: null, groups: [readPerson('group', group)], ...offered };
}

/** It is a place in one order: in another it would be anywhere. */
export function cursorOf({ rank, instance, token }: TaskPlace, order: TaskOrder): string {
  const place = `${rank}/${token}/${instance}`;
  return `${place}/${sha256(`${order}/${place}`).slice(0, 6)}`;
}

function readCursor(cursor: unknown, order: TaskOrder): TaskPlace {
  const text = typeof cursor === 'string' ? cursor : '';
  const [, rank, token, instance] = /^(-?\d{1,16})\/(\d{1,15})\/(.+)\/[^/]*$/s.exec(text) ?? [];
  const place = {
    rank: Number(rank),
    token: Number(token) as TokenId,
    instance: instance as InstanceId,
  };
  if (instance !== undefined && text === cursorOf(place, order)) return place;
  throw wrong('cursor is what the page before came with, in the same order', 'cursor');
}
