/** What moving to another plan does to an instance, row by row; part of `apply`. */
import { assert, unreachable } from '../base/assert.ts';
import type { Change } from '../model/change.ts';
import type { TokenId } from '../model/ids.ts';
import { indexToken, type Scratch, scopeOf, tokenOf, undosOf } from './instance.ts';

export type MigrationDid = 'migrate' | 'place-token' | 'place-scope' | 'place-undo' | 'drop-token';

export function applyMigration(
  scratch: Scratch,
  change: Extract<Change, { did: MigrationDid }>,
): void {
  switch (change.did) {
    case 'migrate': {
      const { plan, flowVersion } = change;
      scratch.head = { ...scratch.head, plan, flowVersion };
      return;
    }
    case 'place-token':
      return placeToken(scratch, change);
    case 'place-scope': {
      const scope = scopeOf(scratch, change.scope);
      scratch.scopes.set(scope.id, { ...scope, node: change.node });
      return;
    }
    case 'place-undo': {
      const undo = scratch.undos.get(change.undo);
      assert(undo !== undefined, () => `undo ${change.undo} is there`);
      undosOf(scratch).set(undo.id, { ...undo, node: change.node });
      return;
    }
    case 'drop-token':
      return dropToken(scratch, change.token);
    default:
      unreachable(change);
  }
}

/** What it does there does not change, nor since when: its `updatedAt` stays. */
function placeToken(scratch: Scratch, change: Extract<Change, { did: 'place-token' }>): void {
  const { did: _, token: id, ...fields } = change;
  const before = tokenOf(scratch, id);
  const after = { ...before, ...fields };
  // Joins are known by their node, and what was set down by its handler.
  indexToken(scratch, before, -1);
  indexToken(scratch, after, 1);
  scratch.tokens.set(id, after);
}

function dropToken(scratch: Scratch, id: TokenId): void {
  const { status } = tokenOf(scratch, id);
  assert(status === 'created', () => `token ${id} is ${status}, and only what never began goes`);
  scratch.tokens.delete(id);
}
