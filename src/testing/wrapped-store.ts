/** A store with some of its verbs replaced: how a test misbehaves the way the world does. */
import type { Store } from '../stores/store.ts';

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
