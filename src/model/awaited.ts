/**
 * Which waits a message is for: those for its type and key, where either may be any. One without a
 * key is for those that take any, and one for an instance for any wait of it for the type. The
 * stores have the same rule as SQL.
 */
import type { InstanceId } from './ids.ts';
import type { Message } from './input.ts';

/** Any type, or any key, where someone waits. No message has it. */
export const ANY = '$any';

export type Topic = Pick<Message, 'type' | 'key'>;

/** What those wait for whom a message is for that is for no single instance. */
export function topicsOf({ type, key }: Topic): readonly Topic[] {
  const keys = key === '' ? [ANY] : [key, ANY];
  return [type, ANY].flatMap((each) => keys.map((one) => ({ type: each, key: one })));
}

export function isFor(
  message: Topic & { readonly instance?: InstanceId | undefined },
  wait: Topic,
  instance: InstanceId,
): boolean {
  if (wait.type !== message.type && wait.type !== ANY) return false;
  if (message.instance !== undefined) return message.instance === instance;
  return wait.key === ANY || (wait.key === message.key && message.key !== '');
}
