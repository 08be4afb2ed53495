/** What one stride means for the tables: the difference between two states, as rows. */
import { assert } from '../base/assert.ts';
import { EMPTY, type Json } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { Table } from '../base/table.ts';
import type { GroupId, NodeId, ScopeId, TokenId, UndoId } from '../model/ids.ts';
import type { TagRow, Touched, ValueRow } from '../model/commit.ts';
import type { Latch, Token, Undo } from '../model/instance.ts';
import type { Letter } from '../model/letter.ts';
import type { Post } from '../model/post.ts';
import type { TaskRow } from '../model/task.ts';
import type { Change, NewScope, Space } from '../model/change.ts';
import { type Gathering, type Instance, type OpenScope, scopeRow } from './instance.ts';
import { Subscriptions } from './subscriptions.ts';
import { isUnwanted } from './undos.ts';

export function touchedBy(
  before: Instance,
  { after, changes }: { readonly after: Instance; readonly changes: readonly Change[] },
): Touched {
  const restoring = changes.some(({ did }) => did === 'restore');
  const touched: Mutable<Touched> = {
    head: after.head,
    bornAfter: before.head.counter ?? 0,
    changes,
    pausing: before.head.pauses !== after.head.pauses && after.head.pauses.length > 0,
    restoring,
    laned: NONE,
    drained: drainedBy(before, after, changes),
    tokens: NONE,
    endedTokens: NONE,
    scopes: NONE,
    closedScopes: NONE,
    values: restoring ? NONE : valuesWritten(before, after, changes),
    latches: NONE,
    droppedLatches: NONE,
    subscribed: NONE,
    unsubscribed: NONE,
    turned: NONE,
    hushed: false,
    tasks: NONE,
    closedTasks: NONE,
    undos: NONE,
    droppedUndos: NONE,
    posts: postsIn(changes),
    letters: lettersIn(changes),
    tags: tagsIn(changes),
  };
  const heard = new Subscriptions();
  Table.eachDifference(before.tokens, after.tokens, { touched, heard }, touchToken);
  heard.into(touched);
  Table.eachDifference(before.scopes, after.scopes, touched, touchScope);
  Table.eachDifference(before.gatherings, after.gatherings, touched, touchGroup);
  if (before.undos !== after.undos) {
    Table.eachDifference(before.undos, after.undos, touched, touchUndo);
  }
  return restoring ? whole(touched, before, after) : touched;
}

/** Only who is in a scope that began to drain, or to be undone, can be wanted no more. */
function drainedBy(
  before: Instance,
  after: Instance,
  changes: readonly Change[],
): readonly TokenId[] {
  const begun = new Set<ScopeId>();
  for (const change of changes) {
    if (change.did === 'start-saga' || change.did === 'drain-scope') begun.add(change.scope);
    // Nothing is undone in a scope before nobody is left in it.
    else if (begun.size > 0 && undoes(change)) begun.delete(change.token.scope);
  }
  if (begun.size === 0) return NONE;
  const drained = after.tokens.values().filter((token) => {
    if (!begun.has(token.scope)) return false;
    const was = before.tokens.get(token.id);
    if (token.status !== 'ready' || !isUnwanted(after, token)) return false;
    return was === undefined || !isUnwanted(before, was);
  });
  return drained.map(({ id }) => id);
}

function undoes(change: Change): change is Extract<Change, { did: 'birth-token' }> {
  return change.did === 'birth-token' && change.token.mode === 'compensation';
}

/** Nothing that scopes held before it was restored is left, so all they hold now is new. */
function whole(touched: Touched, before: Instance, after: Instance): Touched {
  const scopes = after.scopes.values().map(scopeRow);
  const values = scopes.flatMap(({ id: scope, results, vars, items = EMPTY }) =>
    Object.entries({ results, vars, items }).flatMap(([space, held]) =>
      Object.entries(held).map(([name, value]): ValueRow => {
        return { scope, space: space as Space, name, value, isNew: true };
      }),
    ),
  );
  return { ...touched, scopes, values, closedScopes: before.scopes.keys() };
}

function postsIn(changes: readonly Change[]): readonly Post[] {
  let posts: readonly Post[] = NONE;
  for (const change of changes) if (change.did === 'post') posts = appended(posts, change.post);
  return posts;
}

function lettersIn(changes: readonly Change[]): readonly Letter[] {
  let letters: readonly Letter[] = NONE;
  for (const change of changes) {
    if (change.did === 'send') letters = appended(letters, change.letter);
  }
  return letters;
}

/** The last word on each name. */
function tagsIn(changes: readonly Change[]): readonly TagRow[] {
  let tags: readonly TagRow[] = NONE;
  for (const change of changes) {
    if (change.did !== 'tag') continue;
    const { name, value } = change;
    const others = tags.filter((tag) => tag.name !== name);
    tags = [...others, { name, value }];
  }
  return tags;
}

function touchUndo(
  touched: Mutable<Touched>,
  id: UndoId,
  _was: Undo | undefined,
  undo: Undo | undefined,
): void {
  if (undo !== undefined) touched.undos = appended(touched.undos, undo);
  else touched.droppedUndos = appended(touched.droppedUndos, id);
}

function touchToken(
  { touched, heard }: { readonly touched: Mutable<Touched>; readonly heard: Subscriptions },
  id: TokenId,
  was: Token | undefined,
  token: Token | undefined,
): void {
  if (token !== undefined) touched.tokens = appended(touched.tokens, token);
  else touched.endedTokens = appended(touched.endedTokens, id);
  if (isLaned(was) || isLaned(token)) touched.laned = appended(touched.laned, id);
  heard.note(was, token);
  // People find it where it is now.
  if (was?.wait === token?.wait) return touchMoved(touched, was, token);
  const wait = token?.wait;
  if (wait?.on === 'task') touched.tasks = appended(touched.tasks, taskRow(token as Token, wait));
  else if (was?.wait?.on === 'task') touched.closedTasks = appended(touched.closedTasks, id);
}

function touchMoved(
  touched: Mutable<Touched>,
  was: Token | undefined,
  token: Token | undefined,
): void {
  if (token?.wait?.on !== 'task' || was?.node === token.node) return;
  touched.tasks = appended(touched.tasks, taskRow(token, token.wait));
}

function taskRow({ id, node, createdAt }: Token, { task }: TaskWait): TaskRow {
  return { token: id, node, task, createdAt };
}

type TaskWait = Extract<Token['wait'], { on: 'task' }>;

function isLaned(token: Token | undefined): boolean {
  return token !== undefined && token.lanes.length > 0;
}

function touchScope(
  touched: Mutable<Touched>,
  id: ScopeId,
  was: OpenScope | undefined,
  scope: OpenScope | undefined,
): void {
  if (scope === undefined) touched.closedScopes = appended(touched.closedScopes, id);
  else if (was === undefined || isElsewhere(was, scope)) {
    touched.scopes = appended(touched.scopes, scopeRow(scope));
  }
}

function isElsewhere(was: OpenScope, scope: OpenScope): boolean {
  return was.owner !== scope.owner || was.drains !== scope.drains || was.node !== scope.node;
}

function touchGroup(
  touched: Mutable<Touched>,
  group: GroupId,
  was: readonly Gathering[] | undefined,
  is: readonly Gathering[] | undefined,
): void {
  for (const { node, latch } of is ?? NONE) {
    if (latch === null || latch === latchAt(was, node)) continue;
    touched.latches = appended(touched.latches, latch);
  }
  for (const { node, latch } of was ?? NONE) {
    if (latch === null || latchAt(is, node) !== null) continue;
    const dropped = { scope: latch.scope, node, group };
    touched.droppedLatches = appended(touched.droppedLatches, dropped);
  }
}

function latchAt(gatherings: readonly Gathering[] | undefined, at: NodeId): Latch | null {
  return gatherings?.find(({ node }) => node === at)?.latch ?? null;
}

/** Most of the lists are empty or have one item, and then take no more room than that. */
function appended<Item>(list: readonly Item[], item: Item): readonly Item[] {
  if (list === NONE) return [item];
  (list as Item[]).push(item);
  return list;
}

/** Not frozen: a frozen list is slow to walk. */
const NONE: readonly never[] = [];

/** The last value of every name written, in scopes that are still open. */
function valuesWritten(
  before: Instance,
  after: Instance,
  changes: readonly Change[],
): readonly ValueRow[] {
  if (!changes.some(writesMore)) return simpleWrites(before, after, changes);
  const written = new Written(before);
  for (const change of changes) {
    if (change.did === 'write') written.put(change.scope, change.space, change.name, change.value);
    else if (change.did === 'open-scope') written.open(change.scope);
    else if (change.did === 'return-scope' && change.promote === true)
      written.promote(change.scope);
  }
  return written.rows(after);
}

/** Whether it brings values that no write says: those a region begins with, or leaves behind. */
function writesMore(change: Change): boolean {
  if (change.did === 'open-scope') return change.scope.vars !== undefined;
  return change.did === 'return-scope' && change.promote === true;
}

/** As after most steps: what is written, where the scope is still open, is all there is to it. */
function simpleWrites(
  before: Instance,
  after: Instance,
  changes: readonly Change[],
): readonly ValueRow[] {
  let rows: readonly ValueRow[] = NONE;
  for (const change of changes) {
    if (change.did !== 'write' || after.scopes.get(change.scope) === undefined) continue;
    const { scope, space, name, value } = change;
    if (rows !== NONE) rows = rowsWithout(rows, change);
    const isNew = !isWritten(before, change);
    rows = appended(rows, { scope, space, name, value, isNew });
  }
  return rows;
}

function isWritten(
  { scopes }: Instance,
  { scope, space, name }: Pick<ValueRow, 'scope' | 'space' | 'name'>,
): boolean {
  return scopes.get(scope)?.[space].has(name) === true;
}

function rowsWithout(
  rows: readonly ValueRow[],
  { scope, space, name }: Pick<ValueRow, 'scope' | 'space' | 'name'>,
): readonly ValueRow[] {
  return rows.filter((row) => row.name !== name || row.space !== space || row.scope !== scope);
}

function nothingHeld(): Record<Space, Map<string, Json>> {
  return { results: new Map(), vars: new Map(), items: new Map() };
}

/** What a stride wrote, scope by scope; a region's results move up when it returns them. */
class Written {
  readonly #before: Instance;
  readonly #values = new Map<ScopeId, Record<Space, Map<string, Json>>>();
  readonly #parents = new Map<ScopeId, ScopeId | null>();

  constructor(before: Instance) {
    this.#before = before;
  }

  open({ id, parent, vars }: NewScope): void {
    this.#parents.set(id, parent);
    for (const [name, value] of Object.entries(vars ?? EMPTY)) this.put(id, 'vars', name, value);
  }

  put(scope: ScopeId, space: Space, name: string, value: Json): void {
    const held = this.#values.get(scope) ?? nothingHeld();
    held[space].set(name, value);
    this.#values.set(scope, held);
  }

  promote(scope: ScopeId): void {
    const was = this.#before.scopes.get(scope);
    const parent = this.#parents.get(scope) ?? was?.parent;
    assert(
      parent !== null && parent !== undefined,
      'a region that returns has someone to return to',
    );
    const kept = Object.entries(was?.results.object ?? EMPTY);
    const written = this.#values.get(scope)?.results ?? [];
    for (const [name, value] of [...kept, ...written]) this.put(parent, 'results', name, value);
  }

  rows(after: Instance): readonly ValueRow[] {
    const rows: ValueRow[] = [];
    for (const [scope, spaces] of this.#values) {
      if (after.scopes.get(scope) === undefined) continue;
      for (const space of ['results', 'vars', 'items'] as const) {
        for (const [name, value] of spaces[space]) {
          const isNew = !isWritten(this.#before, { scope, space, name });
          rows.push({ scope, space, name, value, isNew });
        }
      }
    }
    return rows;
  }
}
