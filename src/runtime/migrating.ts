/**
 * From an action that moves an instance to another version to the stride that does it: the plan to
 * go on by is found, here or in the store, and so is what its nodes are called there.
 */
import { EngineError } from '../base/engine-error.ts';
import { mappingFor } from '../compile/diff.ts';
import { advance, type Outcome } from '../kernel/advance.ts';
import type { Instance } from '../kernel/instance.ts';
import type { Machine } from '../kernel/machine.ts';
import { migrate } from '../kernel/migrate.ts';
import type { Action } from '../model/action.ts';
import type { Act } from '../model/change.ts';
import type { Instant } from '../model/ids.ts';
import type { Input, Migration } from '../model/input.ts';
import type { Head } from '../model/instance.ts';
import type { Plan } from '../model/plan.ts';
import type { Store } from '../stores/store.ts';
import { wrong } from './fields.ts';
import type { Library } from './library.ts';

/** What is to happen to an instance: an input, or another plan. */
export type Happening = Input | Migrating | Heedful;

/** Only to what somebody has looked at: if something has happened since, they look again. */
export interface Heedful {
  readonly type: 'if-seen';
  readonly seen: number;
  readonly happening: Input | Migrating;
}

export interface Migrating extends Migration {
  readonly type: 'migrate';
  /** The machine of the plan it is to go on by. */
  readonly to: Machine;
}

export function strideBy(machine: Machine, before: Instance, happening: Happening): Outcome {
  if (happening.type === 'if-seen') {
    const isSeen = before.head.version === happening.seen;
    return isSeen ? strideBy(machine, before, happening.happening) : movedOn(before);
  }
  if (happening.type !== 'migrate') return advance(machine, before, happening);
  const { to, ...migration } = happening;
  return migrate(machine, to, before, migration);
}

function movedOn(before: Instance): Outcome {
  const message = 'the instance has moved on';
  const refused = { code: 'operation.refused', message, details: { stale: true } } as const;
  return { after: before, changes: [], hints: [], refused };
}

interface MigratingHouse {
  readonly store: Store;
  readonly library: Library;
}

export async function migrating(
  { store, library }: MigratingHouse,
  head: Head,
  { version, from: seen, nodes = {} }: Extract<Action, { do: 'migrate' }>,
  by: { readonly act: Act },
): Promise<(at: Instant) => Migrating> {
  const { plan: from } = library.find(head.plan) ?? (await library.load(head.plan, store));
  const to = await findMachine({ store, library }, head.flow, version);
  checkMapping(nodes);
  const leaving = { from: from.hash, to, ...by };
  // It is there already: whoever says so again may name nodes that it has no more.
  if (from.hash === to.plan.hash) return (at) => ({ type: 'migrate', at, nodes: {}, ...leaving });
  if (seen !== undefined && seen !== from.version) throw elsewhere(head, seen);
  checkNodes(from, to.plan, nodes);
  const whole = mappingFor(from, to.plan, nodes);
  return (at) => ({ type: 'migrate', at, nodes: whole, ...leaving });
}

function elsewhere({ id: instance, flow, flowVersion: version }: Head, from: number): EngineError {
  const runs = `instance ${instance} runs version ${version} of "${flow}" by now`;
  const message = `${runs}, and this was meant for version ${from}: look at it again`;
  return new EngineError('operation.refused', message, { details: { instance, version, from } });
}

/** By what is registered here, else by the plan of that version that was stored last. */
export async function findMachine(
  { store, library }: MigratingHouse,
  flow: string,
  version: number,
): Promise<Machine> {
  const here = library.registered(flow, version)?.plan.hash;
  const known = here === undefined ? undefined : library.find(here);
  if (known !== undefined) return known;
  const stored = (await store.plans()).filter(({ name }) => name === flow);
  const found = stored.findLast((plan) => plan.version === version);
  if (found !== undefined) {
    return library.find(found.hash) ?? (await library.load(found.hash, store));
  }
  const versions = [...new Set(stored.map((plan) => plan.version))];
  const which = `version ${JSON.stringify(version)} of "${flow}"`;
  const message = `there is no ${which} here or in the store`;
  throw new EngineError('definition.not-found', `${message}; there are ${versions.join(', ')}`, {
    details: { flow, version, versions },
  });
}

function checkMapping(nodes: unknown): void {
  const isRecord = typeof nodes === 'object' && nodes !== null && !Array.isArray(nodes);
  if (isRecord && Object.values(nodes).every((node) => typeof node === 'string')) return;
  throw wrong('nodes is an object: of each node that has another name, that name', 'nodes');
}

/** A name that is in neither plan is a slip of the pen, whether a token stands there or not. */
function checkNodes(from: Plan, to: Plan, nodes: Readonly<Record<string, string>>): void {
  const pairs = Object.entries(nodes).flatMap(([was, is]) => [
    [from, was] as const,
    [to, is] as const,
  ]);
  const odd = pairs.find(([plan, node]) => !plan.nodes.has(node as never));
  if (odd === undefined) return;
  const [{ name, version, nodes: all }, node] = odd;
  const known = [...all.values()].filter(({ hidden }) => !hidden).map(({ id }) => id);
  const what = `version ${version} of "${name}" has no node "${node}"`;
  const message = `${what}; it has ${known.join(', ')}`;
  throw new EngineError('node.not-found', message, { details: { node, version, nodes: known } });
}
