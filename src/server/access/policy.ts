/**
 * The one place where it is decided whether somebody may do something. Every route has a policy
 * (one without does not compile), and every request is asked here, before anything is done of it.
 *
 * A tenant is kept apart in two ways. A route of what belongs to tenants (`tenants: 'own'`) is told
 * whose it is about, and hands that on to whatever it asks of the engine; what belongs to another
 * is as if it were not there. A route of what belongs to nobody (`tenants: 'all'`: flows, the
 * outbox, the store itself) is only for those who are in charge of all.
 */
import type { Principal, Scope } from './principal.ts';

export type Policy =
  /** Anybody, also those who have not said who they are: whether the server is alive. */
  | { readonly for: 'anyone' }
  | {
      readonly for: 'scope';
      readonly scope: Scope;
      /** What belongs to tenants, each its own; what is shared by all; or what is nobody's. */
      readonly tenants: 'own' | 'shared' | 'all';
    };

export const ANYONE: Policy = Object.freeze({ for: 'anyone' });

/** For whoever may do this, to what is of their tenant. */
export function own(scope: Scope): Policy {
  return { for: 'scope', scope, tenants: 'own' };
}

/** For whoever may do this: there is nothing of any tenant in it. */
export function shared(scope: Scope): Policy {
  return { for: 'scope', scope, tenants: 'shared' };
}

/** For whoever may do this and is of no tenant. */
export function all(scope: Scope): Policy {
  return { for: 'scope', scope, tenants: 'all' };
}

export type Verdict = 'allowed' | 'unauthenticated' | 'forbidden';

export function judge(policy: Policy, principal: Principal | null): Verdict {
  if (policy.for === 'anyone') return 'allowed';
  if (principal === null) return 'unauthenticated';
  if (!principal.scopes.has(policy.scope)) return 'forbidden';
  return policy.tenants === 'all' && principal.tenant !== null ? 'forbidden' : 'allowed';
}
