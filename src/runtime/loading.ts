/** An instance as the store holds it, or the error that says there is none. */
import { EngineError } from '../base/engine-error.ts';
import type { InstanceId } from '../model/ids.ts';
import type { InstanceRows } from '../model/instance.ts';
import type { Store } from '../stores/store.ts';

export async function loadRows(store: Pick<Store, 'load'>, id: InstanceId): Promise<InstanceRows> {
  const [rows] = await store.load([id]);
  if (rows === undefined) throw notFound(id);
  return rows;
}

export function notFound(id: string): EngineError {
  const message = `there is no instance ${id}`;
  return new EngineError('instance.not-found', message, { details: { instance: id } });
}
