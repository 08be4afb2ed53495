/** A message as the memory store keeps it. */
import { parseJson } from '../../base/json.ts';
import type { InstanceId } from '../../model/ids.ts';
import type { Message } from '../../model/input.ts';

export interface MessageRow {
  readonly n: number;
  readonly id: string;
  readonly type: string;
  /** Empty if it has none, or is for one instance. */
  readonly key: string;
  readonly instance: InstanceId | undefined;
  /** Undefined: whoever waits may have it, of whatever tenant. */
  readonly tenant: string | undefined;
  readonly trace: string | undefined;
  readonly data: string;
  readonly publishedAt: number;
  readonly expiresAt: number;
}

export type TenantOf = (instance: InstanceId) => string | null;

/** Whether an instance may have it, as far as tenants go. */
export function isOfTenant(
  { tenant }: MessageRow,
  tenantOf: TenantOf,
  instance: InstanceId,
): boolean {
  return tenant === undefined || tenant === tenantOf(instance);
}

export function messageOf(row: MessageRow): Message {
  const { id, type, key, instance, tenant, trace, data } = row;
  const target = instance === undefined ? {} : { instance };
  const whose = {
    ...(tenant === undefined ? {} : { tenant }),
    ...(trace === undefined ? {} : { trace }),
  };
  return Object.freeze({ id, type, key, ...target, ...whose, data: parseJson(data) });
}
