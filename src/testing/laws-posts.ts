/**
 * The book of what goes to other instances.
 *
 * - No two posts have the same id, ever.
 * - Every call posts one start, in the commit in which it begins to wait; one that is cancelled
 *   posts one cancel, and whoever has its answer posts none. Every emit posts one message.
 * - An instance that somebody waits for posts one answer, in its last commit, and says in it what
 *   it came to.
 */
import { unreachable } from '../base/assert.ts';
import type { Change } from '../model/change.ts';
import type { NodeId } from '../model/ids.ts';
import type { Head, Wake } from '../model/instance.ts';
import type { Plan } from '../model/plan.ts';
import type { Post } from '../model/post.ts';
import { obey } from './laws-ending.ts';

export class PostBook {
  readonly #plan: Plan;
  readonly #ids = new Set<string>();
  readonly #nodes = new Map<number, string>();
  /** Who waits for which instance. */
  readonly #calls = new Map<number, string>();
  /** Who goes on as if it had been done. */
  readonly #skipped = new Set<number>();
  #isOver = false;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  enter(changes: readonly Change[], head: Head): void {
    obey('posts', !this.#isOver, () => 'the instance is over and goes on');
    const due: string[] = [];
    for (const change of changes) due.push(...this.#dueAfter(change, head));
    const posts = changes.flatMap((change) => (change.did === 'post' ? [change.post] : []));
    for (const { id } of posts) {
      obey('posts', !this.#ids.has(id), () => `two posts have the id ${id}`);
      this.#ids.add(id);
    }
    const found = posts.map(tell).sort().join('; ');
    const expected = due.sort().join('; ');
    obey('posts', found === expected, () => `posted [${found}], not [${expected}]`);
    const last = changes.at(-1);
    const isAnswer = last?.did === 'post' && last.post.do === 'answer';
    const answers = posts.some((post) => post.do === 'answer');
    obey('posts', !answers || isAnswer, () => 'something comes after the answer');
  }

  /** What has to be posted because of a change. */
  #dueAfter(change: Change, { parent }: Head): string[] {
    switch (change.did) {
      case 'birth-token':
        this.#nodes.set(change.token.id, change.token.node);
        return [];
      case 'park-token':
        if (change.wait.on !== 'child') return [];
        this.#calls.set(change.token, change.wait.instance);
        return [`start ${change.wait.instance} for ${change.token}`];
      case 'wake-token':
        this.#calls.delete(change.token);
        if (isSkip(change.wake)) this.#skipped.add(change.token);
        return [];
      case 'end-token':
        return this.#dueAtEnd(change);
      case 'finish':
        this.#isOver = true;
        return parent === null ? [] : [`answer ${change.as} to ${parent.token}`];
      default:
        return [];
    }
  }

  #dueAtEnd({ token, why }: Extract<Change, { did: 'end-token' }>): string[] {
    const node = this.#plan.nodes.get((this.#nodes.get(token) ?? '') as NodeId);
    const callee = this.#calls.get(token);
    this.#calls.delete(token);
    if (callee !== undefined) return [`cancel ${callee}`];
    const emits = node?.kind === 'emit' && why === 'done' && !this.#skipped.has(token);
    return emits ? ['message'] : [];
  }
}

function isSkip({ payload }: Wake): boolean {
  return typeof payload === 'object' && payload !== null && Reflect.get(payload, 'on') === 'skip';
}

function tell(post: Post): string {
  switch (post.do) {
    case 'publish':
      return 'message';
    case 'start':
      return `start ${post.instance} for ${post.parent?.token ?? 'nobody'}`;
    case 'cancel':
      return `cancel ${post.instance}`;
    case 'answer':
      return `answer ${post.answer.status} to ${post.to.token}`;
    default:
      return unreachable(post);
  }
}
