/**
 * What is otherwise in one plan than in another, said of the author's nodes: what a person wants to
 * know before an instance goes on by the newer one, and not what a line of text would show. Names
 * of edges and the nodes that no author wrote are folded away. If nothing else differs but two
 * plans are not the same, that is said too, so that no difference at all means the same plan.
 */
import { type Json, type JsonObject, sameJson } from '../base/json.ts';
import type { Plan, PlanNode } from '../model/plan.ts';
import type { Difference, Impact, PlanDiff, PlanName } from '../model/plan-diff.ts';
import { planBody } from './compile.ts';
import { Outline, THE_START } from './outline.ts';
import { Renames, wholeMapping } from './renames.ts';

export function diffPlans(from: Plan, to: Plan): PlanDiff {
  const comparison = new Comparison(from, to);
  const { renames } = comparison;
  return {
    from: nameOf(from),
    to: nameOf(to),
    differences: comparison.differences(),
    renames: renames.found,
    mapping: renames.mapping,
  };
}

/** A mapping of the author's nodes, with what goes with them unsaid. */
export function mappingFor(
  from: Plan,
  to: Plan,
  nodes: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return wholeMapping(new Outline(from), new Outline(to), nodes);
}

function nameOf({ name, version, hash }: Plan): PlanName {
  return { name, version, hash };
}

class Comparison {
  readonly #from: Outline;
  readonly #to: Outline;
  readonly renames: Renames;

  constructor(from: Plan, to: Plan) {
    this.#from = new Outline(from);
    this.#to = new Outline(to);
    this.renames = new Renames(this.#from, this.#to);
  }

  differences(): readonly Difference[] {
    const found = [
      ...this.#ofFlow(),
      ...this.#ways(THE_START, THE_START, 'flow.start'),
      ...this.#hiddenOf(null, null),
      ...[...this.#to.nodes.values()].flatMap((node) => this.#ofNode(node)),
      ...this.#removed(),
    ];
    return found.length === 0 ? this.#layout() : found;
  }

  #ofFlow(): readonly Difference[] {
    const [was, is] = [settingsOf(this.#from.plan), settingsOf(this.#to.plan)];
    return changesIn(was, is, '').map(({ path, was: before, is: after }) => {
      const message = `${path} of the flow ${says(before, after)}`;
      const isFirst = path === 'vars' || path.startsWith('vars.');
      const impact = isFirst ? 'safe' : 'later';
      return { code: 'flow.setting', node: null, message, impact, path, was: before, is: after };
    });
  }

  #ofNode(is: PlanNode): readonly Difference[] {
    const was = [...this.#from.nodes.values()].find(({ id }) => this.renames.nameOf(id) === is.id);
    if (was === undefined) return [this.#added(is)];
    return [
      ...this.#renamed(was, is),
      ...kinds(was, is),
      ...this.#moved(was, is),
      ...this.#settings(was, is, is.id),
      ...codes(was, is),
      ...this.#hiddenOf(was.id, is.id),
      ...this.#ways(was.id, is.id, 'way.changed'),
    ];
  }

  #added({ id, kind }: PlanNode): Difference {
    const message = `the ${kind} "${id}" is new`;
    return { code: 'node.added', node: id, message, impact: 'later' };
  }

  #removed(): readonly Difference[] {
    const names = new Set(this.#to.nodes.keys());
    const gone = [...this.#from.nodes.values()].filter(
      ({ id }) => !names.has(this.renames.nameOf(id)),
    );
    return gone.map(({ id, kind }) => {
      const message = `the ${kind} "${id}" is gone: what stands there needs another place`;
      return { code: 'node.removed', node: id, message, impact: 'mapping' };
    });
  }

  #renamed(was: PlanNode, is: PlanNode): readonly Difference[] {
    if (was.id === is.id) return [];
    const why = this.renames.found.find(({ from }) => from === was.id)?.why ?? '';
    const message = `"${was.id}" is probably called "${is.id}" now: ${why}`;
    return [{ code: 'node.renamed', node: is.id, message, impact: 'mapping' }];
  }

  #moved(was: PlanNode, is: PlanNode): readonly Difference[] {
    if (this.renames.isSameRegion(was, is)) return [];
    const [before, now] = [this.#from.regionOf(was), this.#to.regionOf(is)];
    const message = `"${is.id}" lies in ${now} now, and lay in ${before}`;
    return [{ code: 'node.moved', node: is.id, message, impact: 'mapping' }];
  }

  #settings(was: PlanNode, is: PlanNode, node: string | null): readonly Difference[] {
    if (was.kind !== is.kind) return [];
    const before = this.#translated(this.#from.settingsOf(was));
    const changes = changesIn(before, this.#to.settingsOf(is), '');
    return changes.map(({ path, was: old, is: now }) => {
      const message = `${path || 'what it is'} of "${is.id}" ${says(old, now)}`;
      return { code: 'node.setting', node, message, impact: 'later', path, was: old, is: now };
    });
  }

  /** By the names of the newer plan. */
  #translated(value: Json): Json {
    if (typeof value === 'string' && value.startsWith('-> ')) {
      const names = value.slice(3).split(', ');
      const known = names.map((id) => this.renames.nameOf(id));
      return `-> ${known.sort().join(', ')}`;
    }
    if (Array.isArray(value)) return value.map((item) => this.#translated(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, inner]) => [key, this.#translated(inner)]);
    return Object.fromEntries(entries) as JsonObject;
  }

  /** What was made for a node, or for the flow as a whole. */
  #hiddenOf(was: string | null, is: string | null): readonly Difference[] {
    const parts = (outline: Outline, owner: string | null): readonly PlanNode[] =>
      outline.hidden().filter((node) => outline.ownerOf(node) === owner);
    const before = new Map(
      parts(this.#from, was).map((node) => [this.renames.nameOf(node.id), node]),
    );
    const after = new Map(parts(this.#to, is).map((node) => [node.id as string, node]));
    const names = [...new Set([...after.keys(), ...before.keys()])];
    return names.flatMap((name) => {
      const [old, now] = [before.get(name), after.get(name)];
      if (old !== undefined && now !== undefined) {
        const [was_, is_] = [this.#from.asSaid(old), this.#to.asSaid(now)];
        return [...kinds(was_, is_), ...this.#settings(was_, is_, is), ...codes(was_, is_)];
      }
      const what = now === undefined ? 'is gone' : 'is new';
      const owner = is === null ? 'the flow' : `"${is}"`;
      const message = `"${name}", a part of ${owner} that nobody wrote, ${what}`;
      const impact: Impact = now === undefined ? 'mapping' : 'later';
      return [{ code: 'node.region' as const, node: is, message, impact }];
    });
  }

  #ways(was: string, is: string, code: 'flow.start' | 'way.changed'): readonly Difference[] {
    const before = this.#from.ways.get(was) ?? new Set<string>();
    const old = new Set([...before].map((id) => this.renames.nameOf(id)));
    const now = this.#to.ways.get(is) ?? new Set<string>();
    const lost = [...old].filter((id) => !now.has(id)).map((to) => `${is} -> ${to}`);
    const come = [...now].filter((id) => !old.has(id)).map((to) => `${is} -> ${to}`);
    if (lost.length + come.length === 0) return [];
    const parts = [
      ...(lost.length === 0 ? [] : [`no longer ${lost.join(', ')}`]),
      ...(come.length === 0 ? [] : [`now ${come.join(', ')}`]),
    ];
    const message = `the way is ${parts.join(', and ')}`;
    const node = code === 'flow.start' ? null : is;
    return [{ code, node, message, impact: 'later', was: lost, is: come }];
  }

  /** Only what the author does not see, or nothing at all. */
  #layout(): readonly Difference[] {
    const body = ({ name: _n, version: _v, ...rest }: JsonObject): JsonObject => rest;
    if (sameJson(body(planBody(this.#from.plan)), body(planBody(this.#to.plan)))) return [];
    const message = 'only the order of nodes or edges, or the names of edges, are others';
    return [{ code: 'plan.layout', node: null, message, impact: 'safe' }];
  }
}

function settingsOf(plan: Plan): JsonObject {
  const { name: _n, version: _v, start: _s, nodes: _o, edges: _e, ...settings } = planBody(plan);
  return settings;
}

function kinds(was: PlanNode, is: PlanNode): readonly Difference[] {
  if (was.kind === is.kind) return [];
  const message = `"${is.id}" is a ${is.kind} now, and was a ${was.kind}`;
  return [{ code: 'node.kind', node: is.id, message, impact: 'mapping' }];
}

function codes(was: PlanNode, is: PlanNode): readonly Difference[] {
  const lost = was.code.filter((slot) => !is.code.includes(slot));
  const come = is.code.filter((slot) => !was.code.includes(slot));
  if (lost.length + come.length === 0) return [];
  const parts = [
    ...(come.length === 0 ? [] : [`takes code for ${come.join(', ')}`]),
    ...(lost.length === 0 ? [] : [`takes none for ${lost.join(', ')} any more`]),
  ];
  const message = `"${is.id}" ${parts.join(' and ')}`;
  return [{ code: 'node.code', node: is.id, message, impact: 'later', was: lost, is: come }];
}

interface Changed {
  readonly path: string;
  readonly was: Json | undefined;
  readonly is: Json | undefined;
}

/** Every leaf that differs, by its path. */
function changesIn(was: Json | undefined, is: Json | undefined, path: string): readonly Changed[] {
  if (was !== undefined && is !== undefined && sameJson(was, is)) return [];
  if (!isObject(was) || !isObject(is)) return [{ path, was, is }];
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort();
  return keys.flatMap((key) => {
    const [old, now] = [ownOf(was, key), ownOf(is, key)];
    if (old === undefined && now === undefined) return [];
    return changesIn(old, now, path === '' ? key : `${path}.${key}`);
  });
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ownOf(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function says(was: Json | undefined, is: Json | undefined): string {
  if (is === undefined) return `is gone, and was ${brief(was)}`;
  if (was === undefined) return `is ${brief(is)}, and was not there`;
  return `is ${brief(is)}, and was ${brief(was)}`;
}

const SHOWN_CHARS_MAX = 120;

function brief(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text;
}
