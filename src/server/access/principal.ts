/**
 * Who asks, and what they may. However somebody proved who they are (a key, a token of an identity
 * provider, the application's own way, or by sitting at the machine), from here on they are a
 * principal, and the policy looks at nothing else.
 */

/** What a route asks for. A principal has some of these; a role is a usual set of them. */
export type Scope =
  /** Looks at everything of its tenant. */
  | 'read'
  | 'start'
  | 'publish'
  /** Does tasks, as itself. */
  | 'tasks'
  /** Says in whose name it does something: for programs that know their users themselves. */
  | 'act-as'
  /** Does to instances what operators do. */
  | 'operate'
  /** Fetches work and answers for it. */
  | 'work'
  | 'deploy'
  | 'schedule'
  | 'metrics'
  /** What is about the whole store: the outbox, halts of flows, pruning, checking. */
  | 'admin';

export type Role = 'viewer' | 'starter' | 'person' | 'worker' | 'operator' | 'admin';

export const SCOPES: readonly Scope[] = [
  ...(['read', 'start', 'publish', 'tasks', 'act-as', 'operate', 'work'] as const),
  ...(['deploy', 'schedule', 'metrics', 'admin'] as const),
];

export const ROLES: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['read'],
  starter: ['read', 'start', 'publish'],
  person: ['read', 'tasks'],
  worker: ['work'],
  operator: ['read', 'start', 'publish', 'tasks', 'act-as', 'operate', 'schedule', 'metrics'],
  admin: SCOPES,
};

export interface Principal {
  /** Stands in histories and logs as whoever did it: `key:ci`, `ann@example.com`. */
  readonly id: string;
  /** The only tenant it knows of; null for one that is in charge of all of them. */
  readonly tenant: string | null;
  readonly scopes: ReadonlySet<Scope>;
  /** The groups it belongs to, as tasks name them. */
  readonly groups: readonly string[];
}

/** Whoever sits at the machine, where nobody need say who they are. */
export const LOCAL: Principal = Object.freeze({
  id: 'local',
  tenant: null,
  scopes: new Set(SCOPES),
  groups: [],
});
