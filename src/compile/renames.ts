/**
 * Nodes of two plans that are probably the same under another name: of one kind, in one region, and
 * alike in their settings or in what stands around them. It is a guess, and is only ever offered: a
 * name that is in both plans is never questioned, and of two that fit equally well none is taken.
 */
import { sameJson } from '../base/json.ts';
import type { Rename } from '../model/plan-diff.ts';
import type { PlanNode } from '../model/plan.ts';
import type { Outline } from './outline.ts';

export class Renames {
  readonly #from: Outline;
  readonly #to: Outline;
  readonly #names = new Map<string, string>();
  readonly found: Rename[] = [];

  constructor(from: Outline, to: Outline) {
    this.#from = from;
    this.#to = to;
    // One that is found may be what stands around the next.
    for (let before = -1; before !== this.#names.size; ) {
      before = this.#names.size;
      this.#look();
      this.#lookAtRegions();
    }
  }

  /** What a node of the one plan is called in the other, as far as is known. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  get mapping(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#names);
  }

  #look(): void {
    const taken = new Set(this.#names.values());
    const gone = [...this.#from.nodes.values()].filter(
      ({ id }) => !this.#to.plan.nodes.has(id) && !this.#names.has(id),
    );
    const come = [...this.#to.nodes.values()].filter(
      ({ id }) => !this.#from.plan.nodes.has(id) && !taken.has(id),
    );
    const pairs = gone.flatMap((was) =>
      come.flatMap((is) => {
        const why = this.#why(was, is);
        return why === null ? [] : [{ was, is, why }];
      }),
    );
    for (const pair of pairs) {
      const rivals = pairs.filter(({ was, is }) => was === pair.was || is === pair.is);
      const isBest = rivals.every((one) => one === pair || one.why.length < pair.why.length);
      if (isBest) this.#take(pair.was.id, pair.is.id, pair.why);
    }
  }

  #take(from: string, to: string, why: readonly string[]): void {
    this.#names.set(from, to);
    this.found.push({ from, to, why: why.join(', ') });
    for (const { id, kind } of this.#from.hidden()) {
      if (!id.startsWith(`${from}/`)) continue;
      const name = to + id.slice(from.length);
      if (this.#to.plan.nodes.get(name as never)?.kind === kind) this.#names.set(id, name);
    }
  }

  /** Null if that is not enough. */
  #why(was: PlanNode, is: PlanNode): readonly string[] | null {
    if (was.kind !== is.kind || !sameJson([...was.code], [...is.code])) return null;
    if (!this.isSameRegion(was, is)) return null;
    const before = this.#before(this.#from, was.id).map((id) => this.nameOf(id));
    const after = this.#waysOf(this.#from, was.id).map((id) => this.nameOf(id));
    const [settings, held] = [this.#hasSameSettings(was, is), this.#hasSameInside(was, is)];
    const isBehind = sameJson(before.sort(), this.#before(this.#to, is.id).sort());
    const leads = sameJson(after.sort(), this.#waysOf(this.#to, is.id).sort());
    const why = [`both are of kind ${is.kind}`];
    if (settings) why.push('with the same settings');
    if (held) why.push('around the same nodes');
    if (isBehind) why.push(`behind ${said(before)}`);
    if (leads) why.push(`before ${said(after)}`);
    const isEnough = held || (settings && (isBehind || leads)) || (isBehind && leads);
    return isEnough ? why : null;
  }

  #before({ ways }: Outline, id: string): string[] {
    return [...ways].flatMap(([from, to]) => (to.has(id) ? [from] : []));
  }

  #waysOf({ ways }: Outline, id: string): string[] {
    return [...(ways.get(id) ?? [])];
  }

  /** Apart from where its ways lead: names change there, too. */
  #hasSameSettings(was: PlanNode, is: PlanNode): boolean {
    const plain = (outline: Outline, node: PlanNode): string =>
      JSON.stringify(outline.settingsOf(node)).replaceAll(/"-> [^"]*"/g, '""');
    return plain(this.#from, was) === plain(this.#to, is);
  }

  #hasSameInside(was: PlanNode, is: PlanNode): boolean {
    const there = this.#to.inside(is.id);
    return [...this.#from.inside(was.id)].some((id) => there.has(this.nameOf(id)));
  }

  /** Regions that no author wrote come and go with the number of steps in them. */
  isSameRegion(was: PlanNode, is: PlanNode): boolean {
    const [from, to] = [this.#from, this.#to];
    const names = from.around(was).filter((id) => {
      const hidden = from.plan.nodes.get(id)?.hidden === true;
      return !hidden || to.plan.nodes.has(this.nameOf(id) as never);
    });
    const known = new Set([...from.plan.nodes.keys()].map((id) => this.nameOf(id)));
    const there = to.around(is).filter((id) => {
      return to.plan.nodes.get(id)?.hidden !== true || known.has(id);
    });
    return sameJson(
      names.map((id) => this.nameOf(id)),
      [...there],
    );
  }

  /** Of arms and branches not the names tell which is which, but what lies in them. */
  #lookAtRegions(): void {
    for (const was of this.#from.hidden()) {
      const owner = this.#from.ownerOf(was);
      const inside = this.#from.inside(was.id);
      if (owner === null || inside.size === 0 || this.#names.has(was.id)) continue;
      const holds = [...inside].map((id) => this.nameOf(id));
      const [only, another] = this.#to.hidden().filter((is) => {
        const isOf = is.kind === was.kind && this.#to.ownerOf(is) === this.nameOf(owner);
        return isOf && holds.some((id) => this.#to.inside(is.id).has(id));
      });
      const isOther = only !== undefined && another === undefined && only.id !== was.id;
      if (isOther && this.#comesFrom(only, inside)) this.#names.set(was.id, only.id);
    }
  }

  /** Whether all that was there before lay among these. */
  #comesFrom({ id }: PlanNode, inside: ReadonlySet<string>): boolean {
    const there = this.#to.inside(id);
    return [...this.#from.nodes.keys()].every(
      (node) => !there.has(this.nameOf(node)) || inside.has(node),
    );
  }
}

/** With what is hidden, the whole of what a person said of the author's nodes. */
export function wholeMapping(
  from: Outline,
  to: Outline,
  said: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const whole = new Map<string, string>();
  for (const [node, name] of Object.entries(said)) {
    for (const { id } of from.hidden()) {
      const other = id.startsWith(`${node}/`) ? name + id.slice(node.length) : null;
      if (other !== null && to.plan.nodes.has(other as never)) whole.set(id, other);
    }
  }
  for (const [node, name] of Object.entries(said)) whole.set(node, name);
  return Object.fromEntries(whole);
}

function said(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.map((name) => `"${name}"`).join(', ');
}
