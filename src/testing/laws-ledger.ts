/**
 * A second book, kept from the history alone and in the plainest way: who is alive, where, with
 * which groups on its stack. Every change must make sense in it.
 *
 * - A token is born once, of a parent that leaves by that edge in the same breath, with the
 *   parent's groups (a fork adds a fresh one, a join takes the last one off), and it ends once.
 * - A parent leaves by all its edges, by one or by none, as its kind says.
 * - A join fires when every living member of the group stands at it, once for a group (P10), and
 *   takes all of them; and it does not wait any longer than that. An inclusive one fires when
 *   nobody can still come (see `laws-inclusive.ts`).
 * - A scope closes when nothing lives in it (P8); what is let go of before that drains, and only
 *   what a handler may be at work on lives in it.
 * - Where a race is won nobody else is left.
 *
 * Nothing is indexed and nothing shared with the kernel but the words of its changes.
 */
import type { Change, Departure, LatchKey, NewToken } from '../model/change.ts';
import type { Plan, PlanNode } from '../model/plan.ts';
import { obey } from './laws-ending.ts';
import { checkMerge, checkNobodyWaits, type Merge } from './laws-inclusive.ts';
import { type BookScope, SagaBook } from './laws-sagas.ts';
import { kindBlocks } from './random-kinds.ts';

export interface Entry {
  readonly id: number;
  readonly node: string;
  readonly scope: number;
  readonly groups: readonly number[];
  readonly via: string | null;
  readonly undoes: boolean;
  /** It keeps an activity of a flowchart from running twice, and is nobody itself. */
  readonly isBlock: boolean;
  /** What it rests on; null while it moves or is ready. */
  on: string | null;
}

export class Ledger {
  readonly #plan: Plan;
  readonly #living = new Map<number, Entry>();
  readonly #scopes = new Map<number, BookScope>();
  readonly #sagas: SagaBook;
  readonly #used = new Set<number>();
  readonly #fired = new Set<number>();
  readonly visits: Map<string, number> = new Map();
  /** Born by an edge, and the parent has not ended yet. */
  #births: NewToken[] = [];
  #firing: LatchKey | null = null;
  /** A join has fired and nobody was taken yet: the first one is the parent of what leaves it. */
  #leaving = false;
  /** Set down: the next stride goes on with them. */
  readonly #resting = new Set<number>();
  /** An inclusive join that fires: whom it has taken so far. */
  #merge: Merge | null = null;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#sagas = new SagaBook(plan, this.#scopes);
  }

  get living(): ReadonlyMap<number, Entry> {
    return this.#living;
  }

  /** One commit. Afterwards no birth is without a parent and no complete join waits. */
  enter(changes: readonly Change[]): void {
    for (const change of changes) {
      if (this.#merge !== null && !this.#isMerging(change)) this.#settleMerge();
      this.#sagas.enter(change);
      this.#enter(change);
    }
    this.#settleMerge();
    this.#sagas.close();
    obey('births', this.#births.length === 0, () => `token ${this.#births[0]?.id} has no parent`);
    for (const entry of this.#living.values()) {
      if (entry.on !== 'join') continue;
      const group = entry.groups.at(-1) ?? 0;
      const missing = this.missing({ scope: entry.scope, node: entry.node, group });
      const where = `join ${entry.node} for group ${group}`;
      obey('join.waits', missing.length > 0, () => `${where} is complete and does not fire`);
    }
    // Who was set down has not moved yet, and inclusive joins are asked when everybody has.
    if (this.#resting.size === 0) checkNobodyWaits(this.#plan, [...this.#living.values()]);
    this.#checkDraining();
  }

  /** What nobody wants any more lives only as long as a handler may be at work on it. */
  #checkDraining(): void {
    for (const { id, scope, node, on, undoes } of this.#living.values()) {
      if ((this.#scopes.get(scope)?.drains ?? null) === null || undoes) continue;
      const atWork = on === null && this.#sagas.canBeUndone(node);
      obey('drains', atWork, () => `token ${id} at ${node} lives on in scope ${scope}`);
    }
  }

  #isMerging(change: Change): boolean {
    if (change.did !== 'end-token' || change.why !== 'joined') return false;
    const { node, scope, via } = this.#entry(change.token);
    if (node !== this.#merge?.node || scope !== this.#merge.scope) return false;
    // A second of the same edge belongs to the next firing.
    return !this.#merge.taken.some((entry) => entry.via === via);
  }

  #settleMerge(): void {
    const merge = this.#merge;
    this.#merge = null;
    if (merge === null) return;
    const place = this.#nodeOf(merge.node);
    this.#checkWays(place, this.#births, merge.scope);
    const born = new Set(this.#births.map(({ id }): number => id));
    const others = [...this.#living.values()].filter(({ id }) => !born.has(id));
    const shared = checkMerge(this.#plan, others, merge);
    // Which of the forks they all came through are over is the plan's to say; none is made up.
    for (const child of this.#births) {
      this.#checkGroups(child, shared.slice(0, child.groups?.length ?? 0));
    }
    this.#births = [];
  }

  /** The living members of a group that do not stand at this join with it on top. */
  missing({ scope, node, group }: { scope: number; node: string; group: number }): Entry[] {
    return [...this.#living.values()].filter(
      (entry) =>
        entry.groups.includes(group) &&
        !(
          entry.on === 'join' &&
          entry.node === node &&
          entry.scope === scope &&
          entry.groups.at(-1) === group
        ),
    );
  }

  #enter(change: Change): void {
    switch (change.did) {
      case 'birth-token':
        return this.#birth(change.token);
      case 'park-token':
        this.#entry(change.token).on = change.wait.on;
        this.#resting.delete(change.token);
        return;
      case 'wake-token':
        this.#entry(change.token).on = null;
        // Without a handler's name, or with the flow's, it is the kernel that goes on.
        if (change.enter !== true && (change.handler ?? '/').endsWith('/')) {
          this.#resting.add(change.token);
        }
        return;
      case 'rest-token':
        this.#resting.add(change.token);
        return;
      case 'enter-token':
        this.#resting.delete(change.token);
        return;
      case 'end-token':
        this.#resting.delete(change.token);
        return this.#end(this.#entry(change.token), change.why);
      case 'open-scope':
        this.#use(change.scope.id);
        this.#scopes.set(change.scope.id, { ...change.scope, drains: null });
        if (change.scope.owner === null) return;
        this.#entry(change.scope.owner).on = 'scope';
        this.#resting.delete(change.scope.owner);
        return;
      case 'return-scope':
        return this.#return(change.scope);
      case 'close-scope':
        return this.#close(change.scope);
      case 'drain-scope':
        this.#scopeOf(change.scope).drains = change.to;
        return;
      case 'release-scope':
        return this.#release(change.scope);
      case 'start-saga':
      case 'end-saga':
        return this.#saga(change);
      case 'fire-latch':
        return this.#fire(change.latch);
      case 'drop-latch':
        return this.#drop(change.latch);
      case 'finish':
        obey('finish', this.#living.size === 0, () => 'the instance is over and tokens live on');
        return;
      default:
        return;
    }
  }

  #birth(token: NewToken): void {
    this.#use(token.id);
    const { id, node, scope, groups = [], via = null, mode } = token;
    obey('births', this.#scopes.has(scope), () => `token ${id} is born in a closed scope`);
    const undoes = mode === 'compensation';
    const { wait = null } = token;
    const isBlock = wait?.on === 'merge' && wait.block === true;
    this.#living.set(id, { id, node, scope, groups, via, undoes, isBlock, on: wait?.on ?? null });
    if (undoes) return;
    // Who waits before an activity has not come to it.
    if (wait?.on !== 'merge') this.visits.set(node, (this.visits.get(node) ?? 0) + 1);
    if (isBlock) return;
    if (via === null) this.#checkFirst(token);
    else this.#births.push(token);
  }

  /** Without an edge, a token is the first of the instance or of a region, and carries nothing. */
  #checkFirst({ id, node, scope, groups = [] }: NewToken): void {
    const opener = this.#scopes.get(scope)?.node ?? null;
    const region = this.#nodeOf(node).parent;
    const first = opener === null ? node === this.#plan.start : region === opener;
    obey('births', first, () => `token ${id} begins at ${node}, where nothing begins`);
    if (this.#nodeOf(node).merge !== undefined) return;
    obey('groups', groups.length === 0, () => `token ${id} begins with groups ${groups.join('/')}`);
  }

  #end(entry: Entry, why: Departure): void {
    const { id, node, groups, undoes } = entry;
    if (why === 'joined') return this.#join(entry);
    const children = this.#births;
    this.#births = [];
    this.#living.delete(id);
    if (why !== 'done') {
      obey('births', children.length === 0, () => `token ${id} is ${why} and has children`);
      return;
    }
    if (undoes) {
      obey('births', children.length === 0, () => `compensation ${id} has children`);
      return;
    }
    const place = this.#nodeOf(node);
    if (place.kind === 'win') this.#checkWon(entry);
    // Nobody waits for it, so it goes nowhere.
    if (this.#sagas.isUnwanted(entry.scope) && children.length === 0) return;
    this.#checkWays(place, children, entry.scope);
    if (place.kind === 'fork') return this.#checkFork(entry, children);
    if (place.kind === 'join')
      obey('join.once', groups.length === 0, () => `token ${id} walks through ${node}`);
    for (const child of children) this.#checkGroups(child, groups);
  }

  /** The first to come is the only one left, but for what drains. */
  #checkWon({ id, scope, node }: Entry): void {
    const drains = this.#scopeOf(scope).drains !== null;
    const left = [...this.#living.values()].find((entry) => entry.scope === scope);
    const lives = left !== undefined && !drains;
    obey('won', !lives, () => `token ${id} wins at ${node}, and token ${left?.id} lives on`);
    const below = [...this.#scopes.values()].find(
      ({ parent, owner }) => parent === scope && owner !== null,
    );
    obey('won', below === undefined, () => `token ${id} wins, and scope ${below?.id} is open`);
  }

  #join(entry: Entry): void {
    if (entry.on === 'merge') return void this.#living.delete(entry.id);
    if (this.#nodeOf(entry.node).kind === 'inclusive') {
      this.#merge ??= { node: entry.node, scope: entry.scope, taken: [] };
      this.#merge.taken.push(entry);
      this.#living.delete(entry.id);
      return;
    }
    const latch = this.#firing;
    const here =
      latch?.node === entry.node &&
      latch.scope === entry.scope &&
      latch.group === entry.groups.at(-1);
    obey('join.takes', here, () => `token ${entry.id} is joined where nothing fires`);
    if (this.#leaving) {
      this.#checkWays(this.#nodeOf(entry.node), this.#births, entry.scope);
      for (const child of this.#births) this.#checkGroups(child, entry.groups.slice(0, -1));
      this.#births = [];
      this.#leaving = false;
    }
    this.#living.delete(entry.id);
  }

  #fire(latch: LatchKey): void {
    const name = `join ${latch.node} for group ${latch.group}`;
    obey('join.once', !this.#fired.has(latch.group), () => `${name} fires a second time`);
    const [missing] = this.missing(latch);
    const who = (): string => `${name} fires without token ${missing?.id} at ${missing?.node}`;
    obey('join.early', missing === undefined, who);
    this.#fired.add(latch.group);
    this.#firing = latch;
    this.#leaving = true;
  }

  #drop({ scope, node, group }: LatchKey): void {
    const left = [...this.#living.values()].find(
      (entry) =>
        entry.on === 'join' &&
        entry.node === node &&
        entry.scope === scope &&
        entry.groups.at(-1) === group,
    );
    obey('join.takes', left === undefined, () => `join ${node} leaves token ${left?.id} behind`);
  }

  #checkWays(place: PlanNode, children: readonly NewToken[], scope: number): void {
    const taken = children.map((child): string => child.via ?? '').toSorted();
    const by = kindBlocks[place.kind]?.leavesBy ?? 'all';
    const ways: readonly string[] = place.out;
    const all = taken.join() === ways.toSorted().join();
    const one = taken.length === 1 && ways.includes(taken[0] ?? '');
    const many = (place.config as { readonly many?: true } | null)?.many === true;
    const some = many ? taken.length > 0 && taken.every((way) => ways.includes(way)) : one;
    const any = new Set(taken).size === taken.length && taken.every((way) => ways.includes(way));
    const right = { none: taken.length === 0, one, some, all, any }[by];
    obey('ways', right, () => `${place.id} leaves by ${taken.join() || 'no edge'}, not by ${by}`);
    const home = children.every((child) => child.scope === scope);
    obey('ways', home, () => `${place.id} leads out of its scope`);
  }

  #checkFork(parent: Entry, children: readonly NewToken[]): void {
    const group = children[0]?.groups?.at(-1) ?? 0;
    this.#use(group);
    for (const child of children) this.#checkGroups(child, [...parent.groups, group]);
  }

  #checkGroups({ id, node, groups = [], via }: NewToken, expected: readonly number[]): void {
    if (this.#nodeOf(node).merge !== undefined) return this.#checkPass(groups, via ?? '', expected);
    const same = groups.join('/') === expected.join('/');
    obey(
      'groups',
      same,
      () => `token ${id} at ${node} has ${groups.join('/')}, not ${expected.join('/')}`,
    );
  }

  /** Of its pass a token keeps the loops that it is still in; an edge back begins one anew. */
  #checkPass(groups: readonly number[], via: string, before: readonly number[]): void {
    const isBack = [...this.#plan.edges.values()].some(({ id, back }) => id === via && back);
    if (isBack) this.#use(groups.at(-1) ?? 0);
    const kept = isBack ? groups.slice(0, -1) : groups;
    const isKept = kept.every((group, level) => group === (before[level] ?? 0));
    const isTrimmed = groups.at(-1) !== 0;
    obey(
      'groups',
      isKept && isTrimmed,
      () => `${via} makes ${groups.join('/')} of ${before.join('/')}`,
    );
  }

  #return(scope: number): void {
    const { owner, drains } = this.#scopeOf(scope);
    obey('scope.owner', owner !== null, () => `scope ${scope} returns to nobody`);
    const isEmpty = ![...this.#living.values()].some((entry) => entry.scope === scope);
    if (drains !== null && !isEmpty) this.#release(scope);
    else this.#close(scope);
    if (owner !== null) this.#entry(owner).on = null;
  }

  #release(scope: number): void {
    const book = this.#scopeOf(scope);
    obey('drains', book.drains !== null, () => `scope ${scope} is let go of and does not drain`);
    // One that undoes itself lies in the root from then on, which is the oldest.
    book.parent = book.drains === scope ? Math.min(...this.#scopes.keys()) : book.drains;
    book.owner = null;
  }

  #saga({ did, scope }: Extract<Change, { did: 'start-saga' | 'end-saga' }>): void {
    const { owner } = this.#scopeOf(scope);
    if (did === 'end-saga') this.#close(scope);
    if (owner !== null) this.#entry(owner).on = did === 'end-saga' ? null : 'saga';
  }

  #close(scope: number): void {
    const inside = [...this.#living.values()].find((entry) => entry.scope === scope);
    const below = [...this.#scopes].find(([, { parent }]) => parent === scope);
    obey('scope.empty', inside === undefined, () => `scope ${scope} closes on token ${inside?.id}`);
    obey('scope.empty', below === undefined, () => `scope ${scope} closes on scope ${below?.[0]}`);
    this.#scopes.delete(scope);
  }

  #scopeOf(id: number): BookScope {
    const scope = this.#scopes.get(id);
    if (scope === undefined) obey('scope.open', false, () => `scope ${id} is not open`);
    return scope as BookScope;
  }

  #use(id: number): void {
    obey('ids', !this.#used.has(id), () => `id ${id} is given twice`);
    this.#used.add(id);
  }

  #entry(id: number): Entry {
    const entry = this.#living.get(id);
    if (entry === undefined) obey('ends', false, () => `token ${id} is moved and does not live`);
    return entry as Entry;
  }

  #nodeOf(id: string): PlanNode {
    const node = [...this.#plan.nodes.values()].find((candidate) => candidate.id === id);
    if (node === undefined) obey('births', false, () => `${id} is not a node of the plan`);
    return node as PlanNode;
  }
}
