/**
 * Which claim an assignment stands for, as a text that nobody else needs to understand. All that
 * the answer takes is in it, so any process on the same store can take the answer, and none keeps
 * anything meanwhile. It proves nothing: the fence does, which is the store's.
 */
import type { InstanceId, Instant, TokenId } from '../../model/ids.ts';
import type { Claim } from '../../stores/store.ts';
import { told, wrong } from '../fields.ts';

export interface ClaimRef extends Pick<Claim, 'instance' | 'token' | 'version' | 'at'> {
  /** The version of the instance at the claim: what came of it stands in the history after that. */
  readonly instanceVersion: number;
}

export function assignmentId(ref: ClaimRef): string {
  const { instance, token, version, at, instanceVersion } = ref;
  const parts = [instance, token, version, at, instanceVersion];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

export function readAssignmentId(id: unknown): ClaimRef {
  const [instance, ...numbers] = partsOf(id);
  const [token, version, at, instanceVersion, ...more] = numbers as readonly number[];
  const isWhole = numbers.every((each) => Number.isSafeInteger(each) && Number(each) >= 0);
  if (typeof instance !== 'string' || instanceVersion === undefined || !isWhole) throw noId(id);
  if (more.length > 0 || instance === '') throw noId(id);
  return {
    instance: instance as InstanceId,
    token: token as TokenId,
    version: version as number,
    at: at as Instant,
    instanceVersion,
  };
}

function partsOf(id: unknown): readonly unknown[] {
  if (typeof id !== 'string') throw noId(id);
  try {
    const parts: unknown = JSON.parse(Buffer.from(id, 'base64url').toString());
    if (Array.isArray(parts)) return parts;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
  }
  throw noId(id);
}

function noId(id: unknown): Error {
  return wrong(`the id of an assignment is what fetch gave it; came ${told(id)}`, 'id');
}
