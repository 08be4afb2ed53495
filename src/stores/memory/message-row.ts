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
  readonly data: string;
  readonly publishedAt: number;
  readonly expiresAt: number;
}

export function messageOf({ id, type, key, instance, data }: MessageRow): Message {
  const target = instance === undefined ? {} : { instance };
  return Object.freeze({ id, type, key, ...target, data: parseJson(data) });
}
