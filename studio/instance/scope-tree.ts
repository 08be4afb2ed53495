/** Scopes as a tree: regions in regions, items and passes by their number. */
import type { Instance, Scope, Token } from '../api/shapes.ts';

export interface ScopeTree {
  readonly root: Scope | undefined;
  readonly byId: ReadonlyMap<number, Scope>;
  readonly inside: ReadonlyMap<number, readonly Scope[]>;
  readonly tokens: ReadonlyMap<number, readonly Token[]>;
}

export function scopeTree({ scopes, tokens }: Pick<Instance, 'scopes' | 'tokens'>): ScopeTree {
  return {
    root: scopes.find(({ parent }) => parent === null),
    byId: new Map(scopes.map((scope) => [scope.id, scope])),
    inside: Map.groupBy(
      scopes.filter(({ parent }) => parent !== null),
      ({ parent }) => parent ?? 0,
    ),
    tokens: Map.groupBy(tokens, ({ scope }) => scope),
  };
}

/** A scope and all within it; null means that none is left out. */
export function scopesWithin(tree: ScopeTree, id: number | null): ReadonlySet<number> | null {
  if (id === null || tree.root?.id === id) return null;
  const all = new Set<number>();
  const ahead = [id];
  for (let one = ahead.pop(); one !== undefined; one = ahead.pop()) {
    all.add(one);
    for (const scope of tree.inside.get(one) ?? []) ahead.push(scope.id);
  }
  return all;
}

/** From the root to it. */
export function pathTo(tree: ScopeTree, id: number): readonly Scope[] {
  const path: Scope[] = [];
  for (let at = tree.byId.get(id); at !== undefined; ) {
    path.unshift(at);
    at = at.parent === null ? undefined : tree.byId.get(at.parent);
  }
  return path;
}

export function scopeName({ parent, node, index }: Scope): string {
  if (parent === null) return 'The whole instance';
  return `${node ?? 'region'}${index === null ? '' : ` [${index}]`}`;
}
