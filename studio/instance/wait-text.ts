/**
 * What a wait is for, in words that go on after “waiting”: “for people: finance, legal”. Until when
 * is not in it: that stands on the token.
 */
import type { Json, Wait } from '../api/shapes.ts';

export function waitText(wait: Wait): string {
  switch (wait.on) {
    case 'time':
      return 'for its moment';
    case 'message':
      return `for ${messageText(wait)}`;
    case 'first':
      return firstText(awaitedIn(wait));
    case 'join':
    case 'inclusive':
      return 'for the other branches';
    case 'merge':
      return wait['block'] === true ? 'to keep its place' : 'for others to arrive';
    case 'scope':
      return 'for what is inside it';
    case 'saga':
      return 'until what was done is undone';
    case 'child':
      return `for the instance ${textOf(wait['instance'])}`;
    case 'task':
      return peopleText(fieldsOf(wait['task']));
    case 'signal':
      return `to be woken: ${textOf(wait['name'])}`;
    case 'incident':
      return 'for someone to mend it';
    default:
      return `for ${wait.on}`;
  }
}

/** The messages that answer a wait for the first of several. */
export function awaitedIn(wait: Wait): readonly string[] {
  return listIn(wait['any']).map((one) => messageText(fieldsOf(one)));
}

/** The first of these, whatever it is. */
export function firstText(parts: readonly string[]): string {
  return parts.length === 1 ? `for ${parts[0]}` : `for the first of ${parts.join(', ')}`;
}

function messageText({ type, key }: Fields): string {
  const isKeyed = typeof key === 'string' && key !== '' && key !== '*';
  return `message ${textOf(type)}${isKeyed ? ` with key ${key}` : ''}`;
}

/** Whose turn it is: seats that have not voted, whoever has the task, or whoever may claim it. */
function peopleText(task: Fields): string {
  if (task['kind'] === 'approval') return seatsText(fieldsOf(task['approval']));
  if (typeof task['assignee'] === 'string') return `for people: ${task['assignee']}`;
  const candidates = fieldsOf(task['candidates']);
  const names = ['any', 'users', 'groups'].flatMap((kind) => listIn(candidates[kind]).map(String));
  if (names.length === 0) return 'for people: anybody';
  return `for people: ${names.length === 1 ? names[0] : `one of ${names.join(', ')}`}`;
}

function seatsText(approval: Fields): string {
  if (approval['returned'] === true) {
    return `for ${textOf(approval['submitter'] ?? 'its submitter')} to send it again`;
  }
  const voted = new Set(listIn(approval['votes']).map((vote) => fieldsOf(vote)['seat']));
  const names = listIn(approval['seats']).map((seat) => textOf(fieldsOf(seat)['name']));
  return `for people: ${names.filter((name) => !voted.has(name)).join(', ')}`;
}

type Fields = { readonly [name: string]: Json | undefined };

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function fieldsOf(value: Json | undefined): Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : {};
}

function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
