/** Stores that misbehave the way the world does, in front of a real one. */
import type { Store } from '../stores/store.ts';

/** Makes the call, or does not; before, after, or instead of whatever else it does. */
export type Around = (verb: StoreVerb, call: () => Promise<unknown>) => Promise<unknown>;

/** A verb of the port, or of one of its parts. */
export type StoreVerb =
  | keyof Store
  | `letters.${keyof Store['letters']}`
  | `schedules.${keyof Store['schedules']}`
  | `halts.${keyof Store['halts']}`
  | `lanes.${keyof Store['lanes']}`
  | `servers.${keyof Store['servers']}`
  | `instances.${keyof Store['instances']}`
  | `tasks.${keyof Store['tasks']}`
  | `receipts.${keyof Store['receipts']}`
  | `health.${keyof Store['health']}`;

/** Parts of the port with verbs of their own. */
const PARTS: ReadonlySet<PropertyKey> = new Set<keyof Store>([
  'letters',
  'schedules',
  'halts',
  'lanes',
  'servers',
  'instances',
  'tasks',
  'receipts',
  'health',
]);

/** These answer at once and so cannot be held up. */
const AT_ONCE: ReadonlySet<PropertyKey> = new Set<keyof Store>([
  'now',
  'within',
  'letGo',
  'listen',
  'ring',
]);

/** Every verb that has a promise for an answer goes through `around`. */
export function guardedStore(store: Store, around: Around): Store {
  return guarded(store, '', around);
}

function guarded<Part extends object>(part: Part, path: string, around: Around): Part {
  return new Proxy(part, {
    get: (target, verb) => {
      const value: unknown = Reflect.get(target, verb);
      const name = `${path}${String(verb)}`;
      if (PARTS.has(name)) return guarded(value as object, `${name}.`, around);
      if (typeof value !== 'function') return value;
      if (AT_ONCE.has(name)) return value.bind(target);
      return (...parameters: unknown[]) =>
        around(name as StoreVerb, async () => Reflect.apply(value, target, parameters));
    },
  });
}

/** Some verbs are replaced. */
export function wrappedStore(store: Store, verbs: Partial<Store>): Store {
  return new Proxy(store, {
    get: (target, verb) => {
      const own: unknown = Reflect.get(verbs, verb);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, verb);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
