/**
 * A second book, kept from the history alone and in the plainest way: who is alive, where, with
 * which groups on its stack. Every change must make sense in it.
 *
 * - A token is born once, of a parent that leaves by that edge in the same breath, with the
 *   parent's groups (a fork adds a fresh one, a join takes the last one off), and it ends once.
 * - A parent leaves by all its edges, by one or by none, as its kind says.
 * - A join fires when every living member of the group stands at it, once for a group (P10), and
 *   takes all of them; and it does not wait any longer than that.
 * - A scope closes when nothing lives in it (P8).
 *
 * Nothing is indexed and nothing shared with the kernel but the words of its changes.
 */
import type { Change, LatchKey, NewScope, NewToken } from '../model/change.ts';
import type { Plan, PlanNode } from '../model/plan.ts';
import { obey } from './laws-ending.ts';
import { kindBlocks } from './random-kinds.ts';

interface Entry {
  readonly id: number;
  readonly node: string;
  readonly scope: number;
  readonly groups: readonly number[];
  /** What it rests on; null while it moves or is ready. */
  on: string | null;
}

export class Ledger {
  readonly #plan: Plan;
  readonly #living = new Map<number, Entry>();
  readonly #scopes = new Map<number, NewScope>();
  readonly #used = new Set<number>();
  readonly #fired = new Set<number>();
  readonly visits: Map<string, number> = new Map();
  /** Born by an edge, and the parent has not ended yet. */
  #births: NewToken[] = [];
  #firing: LatchKey | null = null;
  /** A join has fired and nobody was taken yet: the first one is the parent of what leaves it. */
  #leaving = false;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  get living(): ReadonlyMap<number, Entry> {
    return this.#living;
  }

  /** One commit. Afterwards no birth is without a parent and no complete join waits. */
  enter(changes: readonly Change[]): void {
    for (const change of changes) this.#enter(change);
    obey('births', this.#births.length === 0, () => `token ${this.#births[0]?.id} has no parent`);
    for (const entry of this.#living.values()) {
      if (entry.on !== 'join') continue;
      const group = entry.groups.at(-1) ?? 0;
      const missing = this.missing({ scope: entry.scope, node: entry.node, group });
      const where = `join ${entry.node} for group ${group}`;
      obey('join.waits', missing.length > 0, () => `${where} is complete and does not fire`);
    }
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
        return;
      case 'wake-token':
        this.#entry(change.token).on = null;
        return;
      case 'end-token':
        return this.#end(this.#entry(change.token), change.why);
      case 'open-scope':
        this.#use(change.scope.id);
        this.#scopes.set(change.scope.id, change.scope);
        if (change.scope.owner !== null) this.#entry(change.scope.owner).on = 'scope';
        return;
      case 'return-scope':
        return this.#return(change.scope);
      case 'close-scope':
        return this.#close(change.scope);
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
    this.visits.set(token.node, (this.visits.get(token.node) ?? 0) + 1);
    const { id, node, scope, groups = [], via } = token;
    obey('births', this.#scopes.has(scope), () => `token ${id} is born in a closed scope`);
    this.#living.set(id, { id, node, scope, groups, on: token.wait?.on ?? null });
    if (via === undefined) this.#checkFirst(token);
    else this.#births.push(token);
  }

  /** Without an edge, a token is the first of the instance or of a region, and carries nothing. */
  #checkFirst({ id, node, scope, groups = [] }: NewToken): void {
    const opener = this.#scopes.get(scope)?.node ?? null;
    const region = this.#nodeOf(node).parent;
    const first = opener === null ? node === this.#plan.start : region === opener;
    obey('births', first, () => `token ${id} begins at ${node}, where nothing begins`);
    obey('groups', groups.length === 0, () => `token ${id} begins with groups ${groups.join('/')}`);
  }

  #end(entry: Entry, why: string): void {
    const { id, node, groups } = entry;
    if (why === 'joined') return this.#join(entry);
    const children = this.#births;
    this.#births = [];
    this.#living.delete(id);
    if (why !== 'done') {
      obey('births', children.length === 0, () => `token ${id} is ${why} and has children`);
      return;
    }
    const place = this.#nodeOf(node);
    this.#checkWays(place, children, entry.scope);
    if (place.kind === 'fork') return this.#checkFork(entry, children);
    if (place.kind === 'join')
      obey('join.once', groups.length === 0, () => `token ${id} walks through ${node}`);
    for (const child of children) this.#checkGroups(child, groups);
  }

  #join(entry: Entry): void {
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
    const right = by === 'none' ? taken.length === 0 : by === 'one' ? one : all;
    obey('ways', right, () => `${place.id} leaves by ${taken.join() || 'no edge'}, not by ${by}`);
    const home = children.every((child) => child.scope === scope);
    obey('ways', home, () => `${place.id} leads out of its scope`);
  }

  #checkFork(parent: Entry, children: readonly NewToken[]): void {
    const group = children[0]?.groups?.at(-1) ?? 0;
    this.#use(group);
    for (const child of children) this.#checkGroups(child, [...parent.groups, group]);
  }

  #checkGroups({ id, node, groups = [] }: NewToken, expected: readonly number[]): void {
    const same = groups.join('/') === expected.join('/');
    obey(
      'groups',
      same,
      () => `token ${id} at ${node} has ${groups.join('/')}, not ${expected.join('/')}`,
    );
  }

  #return(scope: number): void {
    const owner = this.#scopes.get(scope)?.owner ?? null;
    obey('scope.owner', owner !== null, () => `scope ${scope} returns to nobody`);
    this.#close(scope);
    if (owner !== null) this.#entry(owner).on = null;
  }

  #close(scope: number): void {
    const inside = [...this.#living.values()].find((entry) => entry.scope === scope);
    const below = [...this.#scopes].find(([, { parent }]) => parent === scope);
    obey('scope.empty', inside === undefined, () => `scope ${scope} closes on token ${inside?.id}`);
    obey('scope.empty', below === undefined, () => `scope ${scope} closes on scope ${below?.[0]}`);
    this.#scopes.delete(scope);
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
