/** What people say when they do something with a task, checked before anything is asked. */
import type { Json } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import type { Limits } from '../model/limits.ts';
import { type Asker, type Attachment, NOBODY, type TaskAsk } from '../model/task.ts';
import { admitValue } from './action-options.ts';
import { checkFields, told, wrong } from './fields.ts';
import { type Moment, readMoment } from './filter.ts';
import { checkOnce, checkWhole, HALF_A_PAIR, isName } from './options.ts';

/** Who does something with a task. The engine does not know people: the caller says who it is. */
export interface TaskActor {
  readonly actor: string;
  /** The groups they belong to, as the caller knows it. */
  readonly groups?: readonly string[];
  readonly comment?: string;
  /** They have no say in it, and do it all the same: the trail says so. */
  readonly override?: boolean;
  /** A name for doing it, by which `tasks.wasDone` knows it again. */
  readonly once?: string;
}

/** Null removes what was said before. */
export interface TaskUpdate {
  readonly due?: Moment | null;
  readonly followUp?: Moment | null;
  readonly priority?: number;
}

const ACTOR: readonly (keyof TaskActor)[] = ['actor', 'groups', 'comment', 'override', 'once'];
const ATTACHMENT: readonly (keyof Attachment)[] = ['name', 'url', 'type'];
const UPDATE: readonly (keyof TaskUpdate)[] = ['due', 'followUp', 'priority'];

/** Comments stand in the task for as long as it is open. */
export const COMMENT_CHARS_MAX = 10_000;
const URL_CHARS_MAX = 2_000;

/** Names of people and groups stand in indexes of the database, several in one. */
const PERSON_CHARS_MAX = 250;

export function readPerson(field: string, value: unknown): string {
  if (isName(value) && value.length <= PERSON_CHARS_MAX) return value;
  throw wrong(
    `${field} is a name of 1 to ${PERSON_CHARS_MAX} characters; came ${told(value)}`,
    field,
  );
}

export function readGroups(groups: unknown): readonly string[] {
  if (groups === undefined) return [];
  if (!Array.isArray(groups)) throw wrong(`groups is a list; came ${told(groups)}`, 'groups');
  return groups.map((group: unknown) => readPerson('a group', group));
}

/** Who it is, and what else this call takes beside that. */
export function askerOf(what: string, who: unknown, more: readonly string[] = []): Asker {
  checkFields(what, who, [...ACTOR, ...more]);
  const { actor, groups, comment, override = false, once } = who as Partial<TaskActor>;
  checkOnce(once);
  if (typeof override !== 'boolean') {
    throw wrong(`override is true or false; came ${told(override)}`, 'override');
  }
  const by = readPerson('actor', actor);
  if (Object.values<string>(NOBODY).includes(by)) {
    throw wrong(`actor is a person, and "${by}" says that it was none`, 'actor');
  }
  return {
    by,
    groups: readGroups(groups),
    ...(comment === undefined ? {} : { comment: readComment(comment) }),
    ...(override ? { override } : {}),
    ...(once === undefined ? {} : { once }),
  };
}

/** A plain name will do where nothing else is to be said. */
export function briefly(who: unknown): unknown {
  return typeof who === 'string' ? { actor: who } : who;
}

function readComment(comment: unknown): string {
  const isText = typeof comment === 'string' && comment !== '' && !HALF_A_PAIR.test(comment);
  if (isText && comment.length <= COMMENT_CHARS_MAX) return comment;
  const rule = `a text of 1 to COMMENT_CHARS_MAX ${COMMENT_CHARS_MAX} characters`;
  throw wrong(`comment is ${rule}; came ${told(comment)}`, 'comment');
}

type Asking<Do extends TaskAsk['do']> = Omit<Extract<TaskAsk, { do: Do }>, keyof Asker>;

export function readAttachment(attachment: unknown): Asking<'attach'> {
  checkFields('an attachment', attachment, ATTACHMENT);
  const { name, url, type } = attachment as Partial<Attachment>;
  if (typeof url !== 'string' || url === '' || url.length > URL_CHARS_MAX) {
    const rule = `a text of 1 to ${URL_CHARS_MAX} characters that says where it lies`;
    throw wrong(`url is ${rule}; came ${told(url)}`, 'url');
  }
  const kind = type === undefined ? {} : { type: readPerson('type', type) };
  return { do: 'attach', attachment: { name: readPerson('name', name), url, ...kind } };
}

export function readUpdate(update: unknown): Asking<'update'> {
  checkFields('an update', update, UPDATE);
  const { due, followUp, priority } = update as TaskUpdate;
  if (priority !== undefined) checkWhole('priority', priority, Number.MIN_SAFE_INTEGER);
  const set: Mutable<Asking<'update'>> = { do: 'update' };
  if (due !== undefined) set.due = due === null ? null : readMoment('due', due);
  if (followUp !== undefined) {
    set.followUp = followUp === null ? null : readMoment('followUp', followUp);
  }
  if (priority !== undefined) set.priority = priority;
  if (Object.keys(set).length > 1) return set;
  throw wrong(`an update has a due, a followUp or a priority, and this one has none`);
}

const DECISIONS = ['approve', 'reject', 'revise'] as const;

export function readDecision(decision: unknown, round: number | undefined): Asking<'decide'> {
  const known = DECISIONS.find((each) => each === decision);
  if (known === undefined) {
    throw wrong(`decision is one of ${DECISIONS.join(', ')}; came ${told(decision)}`, 'decision');
  }
  if (round === undefined) return { do: 'decide', decision: known };
  checkWhole('round', round, 1);
  return { do: 'decide', decision: known, round };
}

export function admitOutput(what: string, value: unknown, limits: Limits): Json {
  return admitValue(what, value === undefined ? null : value, limits);
}
