/** The input of an instance that nobody waits for, checked by the schema of its flow. */
import type { Json } from '../base/json.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Limits } from '../model/limits.ts';
import type { Alarm } from './alarm.ts';
import { admitInput } from './births.ts';
import type { Registered } from './library.ts';
import { validateInput } from './schema.ts';

/** How long an input may take to be checked: everyone else waits meanwhile. */
const SCHEMA_MS_MAX = 5_000;

/** A schema is a stranger's code: what it throws is its answer, and so is its silence. */
export async function checkInput(
  { alarm, limits }: { readonly alarm: Alarm; readonly limits: Limits },
  { definition: { schema } }: Registered,
  input: Json,
): Promise<Result<Json, string>> {
  let cancel = (): void => {};
  const late = new Promise<Result<Json, string>>((resolve) => {
    const problem = `the schema of its input did not answer within ${SCHEMA_MS_MAX} ms`;
    if (schema !== undefined) cancel = alarm.set(SCHEMA_MS_MAX, () => resolve(no(problem)));
  });
  try {
    const checked = schema === undefined ? input : validateInput(schema, input);
    const admitted = Promise.resolve(checked).then((value) => ok(admitInput(value, limits)));
    return await Promise.race([admitted, late]);
  } catch (thrown) {
    return no(thrown instanceof Error ? thrown.message : String(thrown));
  } finally {
    cancel();
  }
}
