/**
 * CloudEvents 1.0 as a program hands them in: checked as the specification says, so that what is
 * kept is an event for whoever hears it.
 */
import { EngineError } from '../base/engine-error.ts';
import { admitJson, isJsonObject, type JsonObject } from '../base/json.ts';
import { CLOUD_EVENT, type CloudEvent } from '../model/cloud-event.ts';
import { eventProblem, withoutNulls } from '../model/cloud-event-rules.ts';
import { told } from './fields.ts';

/** Whether it means to be an event. */
export function isEventLike(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'specversion' in value;
}

/** The event as it is kept, or why it is none. */
export function checkEvent(value: object): CloudEvent & JsonObject {
  const admitted = admitJson(value);
  if (!admitted.ok) {
    throw bad(`an event is JSON: ${admitted.problem}; bytes go as "data_base64"`);
  }
  if (!isJsonObject(admitted.value)) {
    throw bad(`an event is an object; came ${told(admitted.value)}`);
  }
  const event = withoutNulls(admitted.value);
  const problem = eventProblem(event);
  if (problem !== undefined) throw bad(problem);
  return event as CloudEvent & JsonObject;
}

/** As the data of its message. */
export function wrapped(event: JsonObject): JsonObject {
  return Object.freeze({ [CLOUD_EVENT]: event });
}

export function bad(message: string): EngineError {
  return new EngineError('message.invalid', message);
}
