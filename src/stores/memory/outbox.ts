/** What commits have posted and nobody has carried yet, oldest first. It outlives its instance. */
import { parseJson } from '../../base/json.ts';
import type { InstanceId } from '../../model/ids.ts';
import type { PostRow } from '../store.ts';

export interface PostText {
  readonly id: string;
  readonly instance: InstanceId;
  readonly text: string;
}

export class Outbox {
  readonly #posts = new Map<string, PostText>();

  /** The same id is the same post, and on its way already. */
  put(post: PostText): void {
    if (!this.#posts.has(post.id)) this.#posts.set(post.id, post);
  }

  /** Whether there is anything, but for what these instances have posted. */
  hasAny(without: readonly InstanceId[]): boolean {
    for (const { instance } of this.#posts.values()) if (!without.includes(instance)) return true;
    return false;
  }

  hasOf(instance: InstanceId): boolean {
    for (const post of this.#posts.values()) if (post.instance === instance) return true;
    return false;
  }

  first(limit: number, without: readonly InstanceId[]): PostRow[] {
    const leftOut = new Set(without);
    const found: PostRow[] = [];
    for (const { instance, text } of this.#posts.values()) {
      if (found.length >= limit) break;
      if (leftOut.has(instance)) continue;
      found.push(Object.freeze({ instance, post: parseJson(text) as unknown as PostRow['post'] }));
    }
    return found;
  }

  carried(ids: readonly string[]): void {
    for (const id of ids) this.#posts.delete(id);
  }
}
