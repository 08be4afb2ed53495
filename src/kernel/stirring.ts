/**
 * For which activities of a flowchart something may have changed: somebody came to them, or
 * somebody left who could have come, and can no more.
 *
 * Whoever goes on leaves one activity and is at the next: from there it can come to most of what it
 * could come to before, and for all of that nothing has changed. So there is only to look at what
 * it has lost, however many wait.
 */
import { commonBits, type ReadonlyBits, hasBit, someBut } from '../base/bits.ts';
import type { NodeId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { type Chart, type Gate, samePass } from './chart.ts';
import type { Crowd } from './crowds.ts';
import type { Machine } from './machine.ts';

/** What has changed for those who wait at activities of a scope. */
export interface Stirred {
  /** Everything may have. */
  readonly all: boolean;
  /** Activities at which somebody came. */
  readonly came: Set<NodeId>;
  /** Who is no more. */
  readonly left: Token[];
  /** Who was born, by the activity it came from, or by its own if it came by no edge. */
  readonly born: Map<NodeId, Token[]>;
}

export class Stirring {
  /** Whoever waits there is to be asked. */
  readonly asked: Set<Gate> = new Set();
  /** Blocks there may be for nobody any more. */
  readonly losing: Set<Gate> = new Set();
  readonly #machine: Machine;
  readonly #chart: Chart;
  readonly #crowd: Crowd;
  /** By gate; all, if everything may have changed. */
  readonly #lost = new Map<Gate, Set<number>>();

  constructor(machine: Machine, chart: Chart, crowd: Crowd, stirred: Stirred) {
    this.#machine = machine;
    this.#chart = chart;
    this.#crowd = crowd;
    for (const gate of stirred.all ? this.#occupied() : this.#cameTo(stirred.came)) {
      this.asked.add(gate);
      if (stirred.all) this.losing.add(gate);
    }
    if (!stirred.all) for (const token of stirred.left) this.#lose(token, stirred);
  }

  /** From where somebody could have come to it, and can no more. */
  lostTo(gate: Gate): ReadonlySet<number> {
    return this.#lost.get(gate) ?? new Set(gate.sources);
  }

  #occupied(): readonly Gate[] {
    const { gates } = this.#crowd.region;
    return this.#crowd.halls().flatMap((number) => gates[number] ?? []);
  }

  #cameTo(nodes: ReadonlySet<NodeId>): readonly Gate[] {
    return Array.from(nodes).flatMap((node) => this.#chart.gateAt(node) ?? []);
  }

  #lose(token: Token, { born }: Stirred): void {
    const spot = this.#chart.spotAt(token.node);
    if (spot === undefined) return;
    const { approach, feeds } = this.#crowd.region;
    const kept = this.#keptBy(token, born.get(token.node) ?? NOBODY);
    if (kept === null) return;
    const led = approach.from(spot.number, NO_LOOP);
    // If more is lost than is waited for, it is quicker to go through those who wait.
    let left = this.#crowd.waiting * 4;
    const isMuch = someBut(led, kept, (source) => {
      for (const gate of feeds[source] as readonly Gate[]) {
        if (!isMoved(gate) || this.#crowd.hallAt(gate.number) === undefined) continue;
        if (hasBit(approach.from(spot.number, gate.loop), source)) this.#note(gate, source);
      }
      left -= 1;
      return left <= 0;
    });
    if (isMuch) for (const gate of this.#occupied()) this.#loseAt(gate, spot.number, kept);
  }

  #loseAt(gate: Gate, at: number, kept: readonly ReadonlyBits[]): void {
    if (!isMoved(gate)) return;
    const own = this.#crowd.region.approach.from(at, gate.loop);
    const sources = gate.sources.length > own.length ? commonBits(gate.every, own) : gate.sources;
    for (const source of sources) {
      if (hasBit(own, source) && !isIn(kept, source)) this.#note(gate, source);
    }
  }

  /**
   * To where those can still come who came of it: all who came from there in its pass by edges that
   * lead forward. An activity that fired is what it was fired by. If they are no more either, that
   * is looked at for themselves: so nobody counts who was there before it. Null is everywhere.
   */
  #keptBy({ id, node, groups }: Token, born: readonly Token[]): readonly ReadonlyBits[] | null {
    const { approach } = this.#crowd.region;
    const kept: ReadonlyBits[] = [];
    for (const one of born) {
      if (one.id <= id) continue;
      if (one.via === null && one.node === node && samePass(one.groups, groups)) return null;
      const edge = one.via === null ? undefined : this.#machine.plan.edges.get(one.via);
      const spot = this.#chart.spotAt(one.node);
      if (edge === undefined || spot === undefined || this.#chart.isBack(edge.id)) continue;
      if (!samePass(one.groups, this.#chart.passAt(node, one.node, groups))) continue;
      kept.push(approach.ahead(spot.number));
    }
    return kept;
  }

  #note(gate: Gate, source: number): void {
    this.asked.add(gate);
    if (gate.mode === 'converge') return;
    this.losing.add(gate);
    const lost = this.#lost.get(gate);
    if (lost === undefined) this.#lost.set(gate, new Set([source]));
    else lost.add(source);
  }
}

function isIn(sets: readonly ReadonlyBits[], at: number): boolean {
  for (const set of sets) if (hasBit(set, at)) return true;
  return false;
}

const NO_LOOP = -1;
const NOBODY: readonly Token[] = [];

/** Whether it matters there who can still come. */
function isMoved({ mode }: Gate): boolean {
  return mode !== 'merge' && mode !== 'convergeStrict';
}
