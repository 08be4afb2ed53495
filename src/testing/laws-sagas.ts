/**
 * The book of what may have to be undone, kept from the changes alone.
 *
 * That compensations come once, newest first and one at a time is read off as `checkInvariants`
 * reads it, after every commit. Beyond that, with the plan at hand: a step that can be undone is
 * recorded if and only if some saga reaches it, with that saga; and nothing goes forward any more
 * in a scope that is undone or drains.
 */
import { SagaAudit } from '../kernel/invariants-sagas.ts';
import type { Change, NewToken, NewUndo } from '../model/change.ts';
import type { NodeId } from '../model/ids.ts';
import type { Plan } from '../model/plan.ts';
import { obey } from './laws-ending.ts';

/** A scope as the books keep it. */
export interface BookScope {
  readonly id: number;
  parent: number | null;
  owner: number | null;
  readonly node: string | null;
  /** The saga that hears of what is left in it. */
  drains: number | null;
}

export class SagaBook {
  readonly #plan: Plan;
  readonly #scopes: ReadonlyMap<number, BookScope>;
  readonly #audit = new SagaAudit();
  readonly #undoing = new Set<number>();
  readonly #tokens = new Map<number, NewToken>();
  readonly #changes: Change[] = [];
  /** Recorded in this commit. */
  readonly #recorded = new Map<number, NewUndo>();

  /** The scopes are kept by someone else, who has heard of everything before this change. */
  constructor(plan: Plan, scopes: ReadonlyMap<number, BookScope>) {
    this.#plan = plan;
    this.#scopes = scopes;
  }

  enter(change: Change): void {
    this.#changes.push(change);
    switch (change.did) {
      case 'birth-token':
        return this.#birth(change.token);
      case 'record-undo':
        return this.#record(change.undo);
      case 'end-token':
        return this.#end(change);
      case 'start-saga':
        obey('saga', !this.#undoing.has(change.scope), () => `saga ${change.scope} starts twice`);
        this.#undoing.add(change.scope);
        return;
      case 'end-saga':
        obey('saga', this.#undoing.has(change.scope), () => `saga ${change.scope} never started`);
        return;
      case 'release-scope':
        // The saga around it goes on in its place, unless it was left to undo itself.
        if (this.#scopes.get(change.scope)?.drains !== change.scope) {
          this.#undoing.delete(change.scope);
        }
        return;
      default:
        return;
    }
  }

  /** The commit is over. */
  close(): void {
    const [problem] = this.#audit.enter(this.#changes.splice(0));
    obey('P11', problem === undefined, () => problem ?? '');
    this.#recorded.clear();
  }

  /** True of a step with an undo. */
  canBeUndone(node: string): boolean {
    return configOf(this.#plan, node)?.undoAttempts !== undefined;
  }

  isUnwanted(scope: number): boolean {
    return this.#undoing.has(scope) || (this.#scopes.get(scope)?.drains ?? null) !== null;
  }

  #birth(token: NewToken): void {
    const { id, scope, mode } = token;
    this.#tokens.set(id, token);
    const backward = mode === 'compensation';
    const fits = backward ? this.#undoing.has(scope) : !this.isUnwanted(scope);
    obey('saga', fits, () => `token ${id} goes ${backward ? 'back' : 'forward'} in ${scope}`);
  }

  #record(undo: NewUndo): void {
    const { token, node, saga } = undo;
    const born = this.#tokens.get(token);
    obey(
      'recorded',
      born?.node === node,
      () => `undo ${undo.id} is of another node than its token`,
    );
    const right = this.#sagaOf(born?.scope ?? 0);
    obey('recorded', saga === right, () => `undo ${undo.id} is in saga ${saga}, not ${right}`);
    this.#recorded.set(token, undo);
  }

  #end({ token, why }: Extract<Change, { did: 'end-token' }>): void {
    const { node = '', scope = 0, mode } = this.#tokens.get(token) ?? {};
    this.#tokens.delete(token);
    if (mode === 'compensation') return;
    const isRecorded = this.#recorded.has(token);
    if (!this.canBeUndone(node)) {
      return obey('recorded', !isRecorded, () => `${node} cannot be undone and is recorded`);
    }
    if (why !== 'done') return;
    const reached = this.#sagaOf(scope) !== null;
    const what = reached ? 'is not recorded' : 'is recorded for nobody';
    obey('recorded', isRecorded === reached, () => `token ${token} at ${node} ${what}`);
  }

  /** The saga that undoes what is done in a scope. */
  #sagaOf(id: number): number | null {
    if (this.#undoing.has(id)) return id;
    let asks = false;
    for (let scope = this.#scopes.get(id); scope !== undefined; ) {
      if (scope.drains !== null) return scope.drains;
      if (scope.parent === null) return asks || this.#plan.saga !== 'none' ? scope.id : null;
      const reach = configOf(this.#plan, scope.node ?? '')?.saga;
      if (!asks && reach === 'scope') return scope.id;
      if (!asks && reach === 'none') return null;
      asks ||= reach === 'instance';
      scope = this.#scopes.get(scope.parent);
    }
    return null;
  }
}

interface Config {
  readonly undoAttempts?: number;
  readonly saga?: string;
}

function configOf(plan: Plan, id: string): Config | null {
  return (plan.nodes.get(id as NodeId)?.config ?? null) as Config | null;
}
