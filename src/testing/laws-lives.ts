/**
 * The book of all the lives of an instance: what must hold over reruns and revives, too.
 *
 * - An execution is known to the outside by its token and its visit. Once its result was kept,
 *   nothing runs under that name any more; what is asked to run again has a name of its own.
 * - What was done is written down once to be undone, and undone at most once. Who goes back does
 *   not forget it, and a saga that is open will come to it.
 * - What was called is waited for, has answered, or was cancelled: never none of these, never two.
 * - A timeout stands still while the instance is suspended.
 */
import type { Instance } from '../kernel/instance.ts';
import type { Change, Restored } from '../model/change.ts';
import type { Input } from '../model/input.ts';
import type { Token } from '../model/instance.ts';
import { isLeftOver } from './laws-failures.ts';
import { obey } from './laws-ending.ts';

/** One commit, whoever brought it about. */
export interface Chapter {
  readonly before: Instance;
  readonly after: Instance;
  readonly input: Input;
  readonly changes: readonly Change[];
}

export class LifeBook {
  /** Names of executions whose result was kept. */
  readonly #kept = new Set<string>();
  /** The highest visit of each token, in any of its lives. */
  readonly #visits = new Map<number, number>();
  /** What was written down to be undone, by the name of its execution. */
  readonly #records = new Map<string, number>();
  readonly #settled = new Set<number>();
  /** When each token began to wait as it waits now. */
  readonly #since = new Map<number, number>();
  /** Instances that were called and have neither answered nor been cancelled. */
  readonly #called = new Set<string>();
  #asleepSince: number | null = null;

  enter(chapter: Chapter): void {
    const { before, after, input, changes } = chapter;
    if (input.type === 'result') this.#execute(before, input);
    if (input.type === 'child') this.#called.delete(input.from);
    for (const change of changes) this.#note(change, input.at);
    if (input.type === 'suspend') this.#asleepSince = input.at;
    if (input.type === 'resume') this.#checkTimes(before, after, input.at);
    this.#checkCalled(after);
    checkRemembered(chapter);
    for (const { id, visit } of after.tokens.values()) {
      this.#visits.set(id, Math.max(visit, this.#visits.get(id) ?? 0));
    }
  }

  /** The visit that what is asked to run again must be beyond. */
  visitsOf(token: number): number {
    return this.#visits.get(token) ?? 0;
  }

  #execute(before: Instance, { token: id, outcome }: Extract<Input, { type: 'result' }>): void {
    const token = before.tokens.get(id);
    if (token === undefined || token.mode === 'compensation' || isLeftOver(before, token)) return;
    const name = nameOf(token);
    obey('keys', !this.#kept.has(name), () => `${name} runs, and its result was kept before`);
    if (outcome.outcome === 'done' || outcome.outcome === 'waiting') this.#kept.add(name);
  }

  #note(change: Change, at: number): void {
    if (change.did === 'park-token') this.#since.set(change.token, at);
    if (change.did === 'record-undo') this.#record(change.undo.id, change.undo);
    if (change.did === 'settle-undo') {
      const { undo } = change;
      obey('undone once', !this.#settled.has(undo), () => `undo ${undo} is settled again`);
      this.#settled.add(undo);
    }
    if (change.did === 'restore') this.#restore(change.as, at);
    if (change.did !== 'post') return;
    const { post } = change;
    if (post.do === 'start') this.#called.add(post.instance);
    if (post.do === 'cancel') this.#called.delete(post.instance);
  }

  #record(id: number, { token, visit = 1 }: { token: number; visit?: number }): void {
    const name = `${token}/${visit}`;
    const other = this.#records.get(name) ?? id;
    obey('undone once', other === id, () => `${name} is written down as ${other} and as ${id}`);
    this.#records.set(name, id);
  }

  #restore({ tokens, undos }: Restored, at: number): void {
    for (const undo of undos) {
      const { id, status } = undo;
      this.#record(id, undo);
      const again = status === 'pending' && this.#settled.has(id);
      obey('undone once', !again, () => `undo ${id} is settled, and is to be undone again`);
    }
    for (const token of tokens) {
      if (token.status !== 'ready' && token.status !== 'waiting') continue;
      const name = nameOf(token);
      // What waits for a message has said so, and is run under another name when it comes.
      const isAgain = token.wait?.on !== 'message' && this.#kept.has(name);
      obey('keys', !isAgain, () => `${name} is done, and is to be run again`);
      this.#since.set(token.id, at);
    }
  }

  #checkCalled(after: Instance): void {
    const waited = after.tokens
      .values()
      .flatMap(({ wait }) => (wait?.on === 'child' ? [wait.instance] : []));
    const open = [...this.#called].sort().join();
    obey('called', waited.sort().join() === open, () => `waits for ${waited.join()}, not ${open}`);
  }

  /** Of those who wait for an answer, and not for a moment of their own. */
  #checkTimes(before: Instance, after: Instance, at: number): void {
    const from = this.#asleepSince ?? at;
    for (const { id, wait, wakeAt } of before.tokens.values()) {
      // What failed meanwhile may take others with it.
      const isGone = after.tokens.get(id) === undefined;
      if (wakeAt === null || isGone) continue;
      const stood = wait?.on === 'time' ? 0 : at - Math.max(from, this.#since.get(id) ?? 0);
      const found = after.tokens.get(id)?.wakeAt;
      const told = (): string => `token ${id} wakes at ${found}, not ${wakeAt} + ${stood}`;
      obey('timeouts', found === wakeAt + stood, told);
    }
  }
}

/** What can be undone still can be, if the instance is open, whatever was gone back to. */
function checkRemembered({ before, after, input }: Chapter): void {
  if (after.head.endedAt !== null) return;
  for (const { id, saga, status } of after.undos.values()) {
    const lost = status === 'pending' && after.scopes.get(saga) === undefined;
    obey('remembered', !lost, () => `undo ${id} is left to scope ${saga}, which is closed`);
  }
  if (input.type !== 'restore' || before.head.endedAt !== null) return;
  for (const { id, status } of before.undos.values()) {
    const lost = status === 'pending' && after.undos.get(id) === undefined;
    obey('remembered', !lost, () => `undo ${id} is forgotten`);
  }
}

/** By this the outside knows an execution, within its instance. */
function nameOf({ id, visit }: Pick<Token, 'id' | 'visit'>): string {
  return `${id}/${visit}`;
}
