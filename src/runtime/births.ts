/** What an instance begins with, whoever starts it: a program, or another instance. */
import { EngineError } from '../base/engine-error.ts';
import { admitJson, type Json } from '../base/json.ts';
import type { InstanceId } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { Limits } from '../model/limits.ts';
import type { Store } from '../stores/store.ts';
import type { Registered } from './library.ts';
import type { StartOptions } from './options.ts';

/** The input as it is kept: JSON, and not too much of it. */
export function admitInput(input: unknown, { VALUE_CHARS_MAX }: Limits): Json {
  const admitted = admitJson(input);
  if (!admitted.ok) {
    throw new EngineError('input.invalid', `an input is JSON: ${admitted.problem}`);
  }
  if (typeof admitted.value !== 'object' && typeof admitted.value !== 'string') {
    return admitted.value;
  }
  const size = JSON.stringify(admitted.value).length;
  if (size <= VALUE_CHARS_MAX) return admitted.value;
  throw new EngineError(
    'input.invalid',
    `an input has at most VALUE_CHARS_MAX ${VALUE_CHARS_MAX} characters of JSON; came ${size}`,
  );
}

/** What somebody calls an instance nobody was called before, not even one that has been removed. */
export async function checkUnused({ instances }: Store, id: InstanceId): Promise<void> {
  if (!(await instances.wasPruned(id))) return;
  const message = `${id} was the id of an instance that has been removed; choose another`;
  throw new EngineError('instance.exists', message, { details: { instance: id } });
}

export function birthOf(
  { plan }: Registered,
  id: InstanceId,
  input: Json,
  { key, tenant, priority }: StartOptions,
): Extract<Input, { type: 'start' }>['birth'] {
  return {
    id,
    flow: plan.name,
    flowVersion: plan.version,
    input,
    ...(key === undefined ? {} : { key }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(priority === undefined ? {} : { priority }),
  };
}

/** Another has the id or the key. */
export function conflictOf(
  existing: InstanceId,
  wanted: InstanceId,
  { key }: Pick<StartOptions, 'key'>,
): EngineError {
  const what = existing === wanted ? `the id ${wanted}` : `the key "${key}"`;
  return new EngineError('instance.exists', `instance ${existing} has ${what} already`, {
    details: { instance: existing },
  });
}
