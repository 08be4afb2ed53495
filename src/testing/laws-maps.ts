/**
 * The book of maps, kept from the history alone: which items began, what came of each, and what the
 * map made of them. It shares nothing with the nodes but the closures of the flow, which it asks
 * itself, on values that it has kept itself.
 *
 * - The list is what the closure says, each item begins once and in order, with its own item and
 *   number, and never are more at work at a time than the limit says.
 * - What an item comes to is kept once, in its place, and is what its region came to; one that
 *   fails is kept as the fault, where that is asked for, and else ends the map.
 * - The results are in the order of the list and complete, unless the map had seen enough: then
 *   nothing of it is left in that same commit.
 * - Nothing of all that is seen by a closure.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { Sight } from '../kernel/code.ts';
import type { Instance } from '../kernel/instance.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Change, NewScope, Restored } from '../model/change.ts';
import type { CodeView } from '../model/definition.ts';
import type { NodeId } from '../model/ids.ts';
import type { Fault } from '../model/instance.ts';
import { obey, obeySame } from './laws-ending.ts';

interface Floor {
  readonly id: number;
  readonly parent: number | null;
  node: NodeId | null;
  readonly index: number | null;
  readonly item: Json;
  readonly results: Map<string, Json>;
  readonly vars: Map<string, Json>;
  /** Of a map: which items have begun, and what came of those that are done. */
  readonly begun: Set<number>;
  readonly kept: Map<number, Json>;
  /** Of a map: whose runner failed, and will begin it again once someone has mended that. */
  readonly again: Set<number>;
  /** Of a map: it has seen enough. */
  enough: boolean;
}

interface ItemConfig {
  readonly limit?: number;
  readonly as?: string;
  readonly last?: string;
  readonly collects?: true;
  readonly asks?: true;
  readonly settles?: true;
}

export class MapBook {
  #machine: Machine;
  /** Closures that go wrong are not asked. */
  readonly #asks: boolean;
  readonly #floors = new Map<number, Floor>();
  #input: Json = null;
  /** Faults of this commit. */
  #faults: Fault[] = [];
  /** Items of this commit that are gone, and whose map they were of. */
  #gone: { floor: Floor; map: Floor }[] = [];

  constructor(machine: Machine, isTrapped: boolean) {
    this.#machine = machine;
    this.#asks = !isTrapped;
  }

  /** The instance goes on by this plan from the next commit on. */
  cross(machine: Machine): void {
    this.#machine = machine;
  }

  enter(changes: readonly Change[], after: Instance): void {
    this.#faults = [];
    this.#gone = [];
    for (const [n, change] of changes.entries()) this.#note(change, changes[n - 1]);
    for (const { floor, map } of this.#gone) {
      const { index } = floor;
      const isKnown = index !== null && (map.kept.has(index) || map.again.has(index));
      const mayStop = map.enough || (!this.#asks && this.#configOf(floor.node).asks === true);
      const isLost = this.#floors.has(map.id) && !isKnown && !mayStop;
      obey('map', !isLost, () => `item ${floor.index} of ${map.node} is gone without a word`);
    }
    for (const map of this.#floors.values()) {
      const isLeft = map.enough && !this.#isEmpty(map);
      obey('map', !isLeft, () => `${map.node} has seen enough and goes on`);
    }
    this.#checkHidden(after);
  }

  #note(change: Change, before: Change | undefined): void {
    switch (change.did) {
      case 'start-instance':
        this.#input = change.instance.input;
        return;
      case 'open-scope':
        return this.#opened(change.scope);
      case 'write':
        return this.#write(change);
      case 'end-token':
        if (change.fault !== undefined) this.#faults.push(change.fault);
        return;
      case 'return-scope': {
        const floor = this.#floors.get(change.scope);
        if (change.promote === true && floor !== undefined) this.#promote(floor);
        if (floor !== undefined && this.#kindOf(floor.node) === 'map') {
          this.#checkResults(floor, before);
        }
        return this.#close(change.scope);
      }
      case 'close-scope':
      case 'release-scope':
      case 'end-saga':
        return this.#close(change.scope);
      case 'place-scope': {
        const floor = this.#floors.get(change.scope);
        if (floor !== undefined) floor.node = change.node;
        return;
      }
      case 'restore':
        return this.#restore(change.as);
      default:
        return;
    }
  }

  #kindOf(node: NodeId | null): string {
    return node === null ? '' : (this.#machine.plan.nodes.get(node)?.kind ?? '');
  }

  #configOf(node: NodeId | null): ItemConfig {
    return (this.#machine.plan.nodes.get(node as NodeId)?.config ?? {}) as ItemConfig;
  }

  #opened({ id, parent, node, index = null, item = null, vars = {} }: NewScope): void {
    const floor: Floor = {
      ...{ id, parent, node, index, item, results: new Map() },
      ...{ vars: new Map(Object.entries(vars)), begun: new Set(), kept: new Map(), enough: false },
      again: new Set(),
    };
    if (this.#kindOf(node) === 'map') this.#checkList(floor);
    this.#floors.set(id, floor);
    if (this.#kindOf(node) === 'item') this.#begin(floor);
  }

  #checkList({ node, item, parent }: Floor): void {
    const { over } = this.#configOf(node) as { readonly over?: Json };
    if (over === undefined && !this.#asks) return;
    const list = over ?? this.#ask(node, 'over', parent ?? 0);
    obeySame('map', `${node} goes over another list`, item, list);
  }

  #begin(floor: Floor): void {
    const { index, item, node, parent } = floor;
    const map = this.#floors.get(parent ?? 0) as Floor;
    const told = `item ${index} of ${map.node}`;
    const isAgain = map.again.delete(index ?? -1);
    if (!isAgain) {
      obey('map', index !== null && !map.begun.has(index), () => `${told} begins twice`);
      obey('map', index === map.begun.size, () => `${told} begins after ${map.begun.size} others`);
    }
    obey('map', !map.enough, () => `${told} begins though it has seen enough`);
    map.begun.add(index as number);
    const { as, limit = Number.POSITIVE_INFINITY } = this.#configOf(node);
    obeySame('map', told, item, (map.item as readonly Json[])[index as number]);
    if (as !== undefined) obeySame('map', `"${as}" of ${told}`, floor.vars.get(as), item);
    const atWork = [...this.#floors.values()].filter((one) => one.parent === map.id).length;
    obey('map', atWork <= limit, () => `${told} begins, and ${atWork} are at work`);
  }

  #write({ scope, space, name, value }: Extract<Change, { did: 'write' }>): void {
    const floor = this.#floors.get(scope);
    if (floor === undefined) return;
    if (space === 'items') this.#keep(floor, name, value);
    else floor[space].set(name, value);
  }

  #keep(map: Floor, name: string, value: Json): void {
    if (name.startsWith('again ') && value !== null) map.again.add(value as number);
    if (!/^\d+$/.test(name)) return;
    const index = Number(name);
    const told = `item ${index} of ${map.node}`;
    const floor = [...this.#floors.values()].find(
      (one) => one.parent === map.id && one.index === index,
    );
    obey('map', floor !== undefined && !map.kept.has(index), () => `${told} is kept unasked`);
    if (floor === undefined) return;
    map.kept.set(index, value);
    const { settles, asks } = this.#configOf(floor.node);
    const { status, reason } = (settles === true ? value : {}) as JsonObject;
    if (status === 'rejected') {
      if (!this.#asks) return;
      const isFault = this.#faults.some((one) => JSON.stringify(one) === JSON.stringify(reason));
      return obey('map', isFault, () => `${told} is kept as failed, and did not fail so`);
    }
    const result = this.#resultOf(floor);
    if (result === undefined) return;
    const expected = settles === true ? { status: 'fulfilled', value: result } : result;
    obeySame('map', `what came of ${told}`, value, expected);
    if (asks === true) map.enough = this.#ask(floor.node, 'until', floor.id) === true;
  }

  /** Undefined if nobody can say. */
  #resultOf(floor: Floor): Json | undefined {
    const { collects, asks, last } = this.#configOf(floor.node);
    if ((collects === true || asks === true) && !this.#asks) return undefined;
    if (collects === true) return this.#ask(floor.node, 'collect', floor.id);
    return last === undefined
      ? Object.fromEntries(floor.results)
      : (floor.results.get(last) ?? null);
  }

  /** What a map comes to is said right before its items are let go of. */
  #checkResults(map: Floor, before: Change | undefined): void {
    const { node, kept, item, parent } = map;
    if (before?.did !== 'write' || before.name !== node || before.scope !== parent) return;
    const list = [...kept].sort(([a], [b]) => a - b).map(([, value]) => value);
    obeySame('map', `what ${node} comes to`, before.value, list);
    const isWhole = kept.size === (item as readonly Json[]).length;
    obey('map', isWhole || map.enough || !this.#asks, () => `${node} is over before its items are`);
  }

  #isEmpty(map: Floor): boolean {
    return ![...this.#floors.values()].some(({ parent }) => parent === map.id);
  }

  #promote({ parent, results }: Floor): void {
    const above = this.#floors.get(parent ?? 0);
    for (const [name, value] of results) above?.results.set(name, value);
  }

  #close(scope: number): void {
    const floor = this.#floors.get(scope);
    this.#floors.delete(scope);
    const map = floor && this.#floors.get(floor.parent ?? 0);
    if (floor === undefined || map === undefined || this.#kindOf(floor.node) !== 'item') return;
    // What was let go of lies elsewhere.
    if (this.#kindOf(map.node) === 'map') this.#gone.push({ floor, map });
  }

  #restore({ scopes, tokens }: Restored): void {
    this.#floors.clear();
    for (const { id, parent, node, index, item, results, vars, items = {} } of scopes) {
      const kept = Object.entries(items).filter(([name]) => /^\d+$/.test(name));
      const next = Number(items['next'] ?? 0);
      this.#floors.set(id, {
        ...{ id, parent, node, index, item },
        // Nobody runs its items any more, and it has not gone on yet.
        enough: !tokens.some(({ scope }) => scope === id),
        ...{ results: new Map(Object.entries(results)), vars: new Map(Object.entries(vars)) },
        begun: new Set(Array.from({ length: next }, (_, n) => n)),
        kept: new Map(kept.map(([name, value]) => [Number(name), value])),
        again: new Set(
          Object.entries(items).flatMap(([name, value]) =>
            name.startsWith('again ') && value !== null ? [value as number] : [],
          ),
        ),
      });
    }
  }

  #ask(node: NodeId | null, slot: string, scope: number): Json {
    return this.#machine.code?.get(node as NodeId)?.[slot]?.(this.#viewFrom(scope)) as Json;
  }

  #viewFrom(scope: number): CodeView {
    const up: Floor[] = [];
    for (let at = this.#floors.get(scope); at !== undefined; ) {
      up.push(at);
      at = this.#floors.get(at.parent ?? 0);
    }
    const pass = up.find(({ index }) => index !== null);
    const of = up.find(({ node }) => this.#kindOf(node) === 'item');
    const all = (space: 'results' | 'vars'): JsonObject =>
      Object.fromEntries(up.toReversed().flatMap((floor) => [...floor[space]]));
    const { index = null } = pass ?? {};
    const { item = null } = of ?? {};
    return { input: this.#input, results: all('results'), vars: all('vars'), item, index };
  }

  /** What a map knows of its items is nobody else's. */
  #checkHidden(after: Instance): void {
    for (const { id, node } of after.scopes.values()) {
      if (this.#kindOf(node) !== 'map') continue;
      const { results, vars } = new Sight(after, id);
      const seen = [...Object.keys(results), ...Object.keys(vars)];
      const leak = seen.find((name) => /^(\d+|next|runners|settles|again \d+)$/.test(name));
      obey('hidden', leak === undefined, () => `"${leak}" of a map is seen in scope ${id}`);
    }
  }
}
