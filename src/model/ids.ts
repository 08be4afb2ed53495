declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** The SHA-256 of a plan's canonical JSON: equal plans have equal names. */
export type PlanHash = Branded<string, 'PlanHash'>;
export type NodeId = Branded<string, 'NodeId'>;
export type EdgeId = Branded<string, 'EdgeId'>;
/** A UUIDv7, made by the shell. */
export type InstanceId = Branded<string, 'InstanceId'>;

/**
 * Scopes, tokens, groups and undos share one counter per instance. Dense integers instead of random
 * ids keep the kernel free of chance, make traces readable, and give every run of a plan the same
 * names.
 */
export type ScopeId = Branded<number, 'ScopeId'>;
export type TokenId = Branded<number, 'TokenId'>;
export type GroupId = Branded<number, 'GroupId'>;
export type UndoId = Branded<number, 'UndoId'>;

/** Milliseconds since the Unix epoch, always handed in by the shell. */
export type Instant = Branded<number, 'Instant'>;
