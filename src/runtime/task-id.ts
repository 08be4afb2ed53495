/** Which task: the text that people have names the instance and the token that waits. */
import { EngineError } from '../base/engine-error.ts';
import type { InstanceId, TokenId } from '../model/ids.ts';
import { told, wrong } from './fields.ts';

export interface TaskRef {
  readonly id: string;
  readonly instance: InstanceId;
  readonly token: TokenId;
}

export function taskId(instance: InstanceId, token: TokenId): string {
  return `${instance}:${token}`;
}

/** An instance's id may have colons of its own: the last one counts. */
export function readTaskId(id: unknown): TaskRef {
  const [, instance, token] =
    /^(.+):([1-9]\d{0,14})$/s.exec(typeof id === 'string' ? id : '') ?? [];
  if (typeof id === 'string' && instance !== undefined) {
    return { id, instance: instance as InstanceId, token: Number(token) as TokenId };
  }
  const rule = 'is INSTANCE:TOKEN, as tasks.list() gives it';
  throw wrong(`the id of a task ${rule}; came ${told(id)}`, 'id');
}

export function noTask({ id }: TaskRef, why: string): EngineError {
  const message = `there is no open task ${id}: ${why}`;
  return new EngineError('task.not-found', message, { details: { task: id } });
}
