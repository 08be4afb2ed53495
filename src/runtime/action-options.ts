/**
 * What an action says, checked before anything is asked of the store: from a program without types,
 * or from the network, it may say anything.
 */
import { EngineError } from '../base/engine-error.ts';
import { admitJson, type Json } from '../base/json.ts';
import { meant } from '../base/nearest.ts';
import type { Action, ActionName } from '../model/action.ts';
import type { Limits } from '../model/limits.ts';
import { checkFields, told, wrong } from './fields.ts';
import { checkName, checkWhole } from './options.ts';

type Check = (name: string, value: unknown) => void;

/** What a part of an action has to be; one that need not be there is asked only if it is. */
const PARTS: Readonly<Record<ActionName, Readonly<Record<string, Check>>>> = {
  cancel: { 'saga?': isFlag, 'activity?': checkName },
  suspend: {},
  resume: {},
  retry: { 'token?': isNumber },
  // What is to be kept is checked where it is (`admitValue`).
  skip: { token: isNumber, 'result?': isAny },
  revive: {},
  wake: { 'token?': isNumber, 'data?': isAny, 'vars?': isNamed, 'arm?': checkName, 'as?': isAny },
  set: { name: checkName, value: isGiven, 'scope?': isNumber },
  move: { token: isNumber, to: checkName },
  // What is sent is checked as any message.
  send: { 'type?': isAny, 'data?': isAny, 'id?': isAny },
  rerun: { from: checkName, 'copy?': isFlag, 'id?': checkName, 'key?': checkName },
  migrate: { version: isNumber, 'from?': isNumber, 'nodes?': isAny },
};

export function checkAction(action: Action): void {
  const names = Object.keys(PARTS);
  const said = (action ?? {}) as unknown as Readonly<Record<string, unknown>>;
  const verb = said['do'];
  if (typeof verb !== 'string') {
    throw wrong(`an action says what to do ({ do: … }); there are ${names.join(', ')}`, 'do');
  }
  if (!Object.hasOwn(PARTS, verb)) {
    throw wrong(`there is no action "${verb}"; ${meant(verb, names)}`, 'do');
  }
  const parts = Object.entries(PARTS[action.do]);
  const known = parts.map(([part]) => part.replace('?', ''));
  checkFields(`the action "${verb}"`, action, ['do', ...known]);
  for (const [part, check] of parts) {
    const name = part.replace('?', '');
    if (name === part || said[name] !== undefined) check(name, said[name]);
  }
  if (action.do === 'cancel' && action.saga === true && action.activity !== undefined) {
    throw wrong('a saga undoes what an instance did: cancel an activity without it', 'saga');
  }
  if (action.do !== 'rerun' || action.copy === true) return;
  const odd = action.id === undefined ? action.key : action.id;
  if (odd !== undefined) throw wrong('an id and a key are those of a copy: say copy: true');
}

function isNamed(name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(`${name} are given by name, as an object; came ${told(value)}`, name);
  }
  for (const variable of Object.keys(value)) checkName('the name of a variable', variable);
}

/** Of a token, a scope or a version: counted from one. */
function isNumber(name: string, value: unknown): void {
  checkWhole(name, value, 1);
}

function isFlag(name: string, value: unknown): void {
  if (typeof value !== 'boolean')
    throw wrong(`${name} is true or false; came ${told(value)}`, name);
}

function isAny(): void {}

/** A value that got lost on its way is not to become null, and to take the place of another. */
function isGiven(name: string, value: unknown): void {
  if (value === undefined) throw wrong(`${name} is JSON, and null if it is to be none`, name);
}

/** A value as it is kept: JSON, and not too much of it. */
export function admitValue(what: string, value: unknown, { VALUE_CHARS_MAX }: Limits): Json {
  const admitted = admitJson(value);
  if (!admitted.ok) throw new EngineError('input.invalid', `${what} is JSON: ${admitted.problem}`);
  const size = JSON.stringify(admitted.value).length;
  if (size <= VALUE_CHARS_MAX) return admitted.value;
  const rule = `at most VALUE_CHARS_MAX ${VALUE_CHARS_MAX} characters of JSON`;
  throw new EngineError('input.invalid', `${what} has ${rule}; came ${size}`);
}
