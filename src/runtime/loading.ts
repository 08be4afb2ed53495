/** An instance as the store holds it, or whether there is one, or the error that there is none. */
import { EngineError } from '../base/engine-error.ts';
import type { InstanceId } from '../model/ids.ts';
import type { InstanceRows } from '../model/instance.ts';
import type { Store } from '../stores/store.ts';
import { checkFields } from './fields.ts';
import { checkText } from './options.ts';

export async function loadRows(store: Pick<Store, 'load'>, id: InstanceId): Promise<InstanceRows> {
  const [rows] = await store.load([id]);
  if (rows === undefined) throw notFound(id);
  return rows;
}

/** The same id if there is such an instance, and it is of the tenant that is named. */
export async function findInstance(
  store: Pick<Store, 'load'>,
  id: string,
  options: { readonly tenant?: string },
): Promise<InstanceId | undefined> {
  checkText('id', id);
  checkFields('get', options, ['tenant']);
  const [rows] = await store.load([id as InstanceId]);
  const isTheirs = options.tenant === undefined || rows?.head.tenant === options.tenant;
  return isTheirs ? rows?.head.id : undefined;
}

export function notFound(id: string): EngineError {
  const message = `there is no instance ${id}`;
  return new EngineError('instance.not-found', message, { details: { instance: id } });
}
