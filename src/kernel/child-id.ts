import { sha256 } from '../base/hash.ts';
import type { InstanceId, Instant } from '../model/ids.ts';

/**
 * The id of an instance that is called: a UUIDv7 as any other, but made of the post that calls it
 * instead of chance, so that carrying the call twice starts one instance.
 */
export function childId(post: string, at: Instant): InstanceId {
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0').slice(-12);
  const hash = sha256(post);
  const variant = ((Number.parseInt(hash.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  const parts = [`7${hash.slice(0, 3)}`, variant + hash.slice(4, 7), hash.slice(7, 19)];
  return `${time.slice(0, 8)}-${time.slice(8)}-${parts.join('-')}` as InstanceId;
}
