/** Stores that misbehave the way the world does, in front of a real one. */
import type { Store } from '../stores/store.ts';

/** Makes the call, or does not; before, after, or instead of whatever else it does. */
export type Around = (verb: keyof Store, call: () => Promise<unknown>) => Promise<unknown>;

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
  return new Proxy(store, {
    get: (target, verb) => {
      const value: unknown = Reflect.get(target, verb);
      if (typeof value !== 'function') return value;
      if (AT_ONCE.has(verb)) return value.bind(target);
      return (...parameters: unknown[]) =>
        around(verb as keyof Store, async () => Reflect.apply(value, target, parameters));
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
