/**
 * The visits of an instance, read off its changes. A commit is taken in once and costs what is in
 * it, so a history that grows while someone looks is not read again from its start.
 *
 * A claim stands in the commit that brings the answer, and says when it was: a handler was at work
 * from then to the commit, and whoever was ready before that was queued.
 */
import type { Commit, Fault, Json, Wait } from '../api/shapes.ts';
import { type NewScope, type NewToken, type RestoredToken, type Told, told } from './told.ts';
import type { Attempt, Departure, Segment, SegmentKind, Visit } from './visit.ts';
import { waitText } from './wait-text.ts';

type Writable<Of> = { -readonly [Name in keyof Of]: Of[Name] };

interface Draft extends Writable<Omit<Visit, 'attempts' | 'segments'>> {
  readonly attempts: Attempt[];
  readonly segments: Writable<Segment>[];
  /** The claim whose answer has not been told yet. */
  claim: { readonly at: number; readonly worker: string } | null;
  /** What it is or would be doing, if it were not suspended. */
  doing: { readonly kind: SegmentKind; readonly why: string };
}

interface Around {
  readonly scopes: readonly number[];
  readonly index: number | null;
  readonly item: Json;
}

export function visitsOf(commits: readonly Commit[]): readonly Visit[] {
  const book = new VisitBook();
  for (const commit of commits) book.add(commit);
  return book.visits();
}

export class VisitBook {
  readonly #visits: Draft[] = [];
  readonly #byToken = new Map<number, Draft>();
  readonly #open = new Set<Draft>();
  readonly #scopes = new Map<number, NewScope>();
  readonly #arounds = new Map<number, Around>();
  /** What was written in this commit, until a token has left with it. */
  readonly #written = new Map<string, Json>();
  #n = 0;
  #at = 0;
  #isPaused = false;

  /** Commits come in their order. */
  add({ n, at, changes }: Commit): void {
    this.#n = n;
    this.#at = at;
    if (this.#written.size > 0) this.#written.clear();
    for (const change of changes) this.#take(told(change));
  }

  /** Those of one book are the same objects from one time to the next. */
  visits(): readonly Visit[] {
    return this.#visits.slice();
  }

  nodeOf(token: number): string {
    return this.#byToken.get(token)?.node ?? '';
  }

  #take(change: Told): void {
    switch (change.did) {
      case 'open-scope':
        return this.#openScope(change.scope);
      case 'return-scope':
      case 'end-saga':
        return this.#goOn(this.#scopes.get(change.scope)?.owner ?? null);
      case 'start-saga':
        return this.#inSaga(change.scope);
      case 'write':
        if (change.space !== 'items') {
          this.#written.set(written(change.scope, change.space, change.name), change.value);
        }
        return;
      case 'suspend':
        return this.#suspend();
      case 'resume':
        return this.#resume();
      case 'restore':
        return this.#restore(change.as.tokens, change.as.scopes);
      case 'birth-token':
        return void this.#birth(change.token);
      default:
        if ('token' in change) this.#takeOf(change);
    }
  }

  #takeOf(change: Extract<Told, { readonly token: number }>): void {
    const visit = this.#visit(change.token);
    switch (change.did) {
      case 'claim-token':
        return this.#claim(visit, change.worker, change.at);
      case 'activate-token':
        visit.startedAt = this.#at;
        return this.#shift(visit, QUEUED.kind, QUEUED.why);
      case 'enter-token':
        return cut(visit, this.#at);
      case 'park-token':
        this.#answered(visit, change.error ?? null);
        return this.#wait(visit, change.wait);
      case 'wake-token':
        visit.wake = { reason: change.wake.reason, payload: change.wake.payload };
        if (change.enter === true) return cut(visit, this.#at);
        return this.#shift(visit, QUEUED.kind, QUEUED.why);
      case 'rest-token':
        return this.#shift(visit, 'queued', 'for its next turn');
      case 'recover-token':
        this.#answered(visit, change.error);
        return this.#shift(visit, 'queued', 'for another worker');
      case 'retry-token':
        return this.#retry(visit, change.error, change.availableAt);
      case 'hasten-token':
        return this.#shift(visit, QUEUED.kind, QUEUED.why);
      case 'place-token':
        visit.node = change.node ?? visit.node;
        visit.scope = change.scope ?? visit.scope;
        return;
      case 'drop-token':
        return this.#end(visit, 'cancelled', null);
      case 'end-token':
        visit.outcomes = change.outcomes ?? NONE;
        return this.#end(visit, change.why, change.fault ?? null);
      default:
    }
  }

  #birth(token: NewToken | RestoredToken): Draft {
    const { id, scope, node, status = 'executing', wait = null, availableAt } = token;
    const visit = this.#draft(id, node, scope);
    visit.via = token.via ?? null;
    visit.mode = token.mode ?? 'forward';
    if (status === 'created') visit.startedAt = null;
    if (status === 'waiting' && wait !== null) this.#wait(visit, wait);
    if (status === 'ready') this.#queue(visit, availableAt ?? this.#at, 'waiting', 'for its time');
    return visit;
  }

  #draft(token: number, node: string, scope: number): Draft {
    const { scopes, index, item } = this.#around(scope);
    const isSecond = this.#byToken.has(token);
    // Written out in full: there may be tens of thousands, and spreading costs most of the reading.
    const visit: Draft = {
      key: isSecond ? `${token}.${this.#n}` : String(token),
      token,
      node,
      scope,
      scopes,
      index,
      item,
      via: null,
      mode: 'forward',
      bornN: this.#n,
      bornAt: this.#at,
      startedAt: this.#at,
      endedN: null,
      endedAt: null,
      how: null,
      isCut: false,
      attempts: [],
      segments: [],
      output: undefined,
      wake: null,
      lastError: null,
      outcomes: NONE,
      wait: null,
      claim: null,
      doing: QUEUED,
    };
    this.#visits.push(visit);
    this.#byToken.set(token, visit);
    this.#open.add(visit);
    return visit;
  }

  /** One that is not known was there before the first commit that is. */
  #visit(token: number): Draft {
    const known = this.#byToken.get(token);
    if (known !== undefined) return known;
    const visit = this.#draft(token, '', 0);
    visit.isCut = true;
    return visit;
  }

  #claim(visit: Draft, worker: string, at: number): void {
    if (visit.isCut && visit.segments.length === 0) {
      visit.bornAt = Math.min(visit.bornAt, at);
      visit.startedAt = visit.bornAt;
    }
    cut(visit, at);
    push(visit, 'running', at, `at ${worker}`);
    visit.claim = { at, worker };
  }

  /** What a handler came to, if one was at work. */
  #answered(visit: Draft, error: Fault | null): void {
    if (error !== null) {
      visit.lastError = error;
      if (visit.node === '') visit.node = error.node ?? '';
    }
    if (visit.claim === null) return;
    const { at, worker } = visit.claim;
    visit.attempts.push({ from: at, to: Math.max(at, this.#at), worker, error });
    visit.claim = null;
  }

  #retry(visit: Draft, error: Fault, availableAt: number): void {
    this.#answered(visit, error);
    cut(visit, this.#at);
    this.#queue(visit, availableAt, 'retry', `after “${error.message}”`);
  }

  #queue(visit: Draft, from: number, before: SegmentKind, why: string): void {
    if (this.#isPaused) return this.#shift(visit, 'queued', QUEUED.why);
    visit.doing = QUEUED;
    if (from > this.#at) {
      push(visit, before, this.#at, why);
      cut(visit, from);
    }
    push(visit, 'queued', Math.max(from, this.#at), QUEUED.why);
  }

  #wait(visit: Draft, wait: Wait): void {
    visit.wait = wait;
    this.#shift(visit, 'waiting', waitText(wait));
  }

  #shift(visit: Draft, kind: SegmentKind, why: string): void {
    cut(visit, this.#at);
    visit.doing = { kind, why };
    if (this.#isPaused) push(visit, 'paused', this.#at, 'while it is suspended');
    else push(visit, kind, this.#at, why);
  }

  #end(visit: Draft, why: Departure, fault: Fault | null): void {
    this.#answered(visit, fault);
    cut(visit, this.#at);
    visit.how = why;
    visit.endedN = this.#n;
    visit.endedAt = this.#at;
    if (why === 'done') this.#takeOutput(visit);
    this.#open.delete(visit);
  }

  /** Under its own name; a task of a Serverless Workflow hands on the data of its region. */
  #takeOutput(visit: Draft): void {
    if (this.#written.size === 0) return;
    const { node, scope } = visit;
    const tail = node.slice(node.lastIndexOf('/') + 1);
    const isTaken =
      this.#takeWritten(visit, written(scope, 'results', node)) ||
      (tail !== node && this.#takeWritten(visit, written(scope, 'results', tail)));
    if (!isTaken) this.#takeWritten(visit, written(scope, 'vars', '$data'));
  }

  #takeWritten(visit: Draft, name: string): boolean {
    if (!this.#written.has(name)) return false;
    visit.output = this.#written.get(name);
    return this.#written.delete(name);
  }

  #openScope(scope: NewScope): void {
    this.#know(scope);
    if (scope.owner !== null)
      this.#wait(this.#visit(scope.owner), { on: 'scope', scope: scope.id });
  }

  #know(scope: NewScope): void {
    this.#scopes.set(scope.id, scope);
    this.#arounds.delete(scope.id);
  }

  #goOn(owner: number | null): void {
    if (owner !== null) cut(this.#visit(owner), this.#at);
  }

  #inSaga(id: number): void {
    const owner = this.#scopes.get(id)?.owner ?? null;
    if (owner !== null) this.#wait(this.#visit(owner), { on: 'saga', scope: id });
  }

  /** The same for all tokens of a scope; which scope is around which never changes. */
  #around(scope: number): Around {
    const known = this.#arounds.get(scope);
    if (known !== undefined) return known;
    const { parent = null, index = null, item = null } = this.#scopes.get(scope) ?? {};
    const outer = parent === null ? NOWHERE : this.#around(parent);
    const scopes = [scope, ...outer.scopes];
    const pass = index === null ? outer : { index, item };
    const found: Around = { scopes, index: pass.index, item: pass.item };
    this.#arounds.set(scope, found);
    return found;
  }

  /** What a handler has goes on to the end of its step; nothing else does. */
  #suspend(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    for (const visit of this.#open) {
      if (visit.startedAt !== null) this.#shift(visit, visit.doing.kind, visit.doing.why);
    }
  }

  #resume(): void {
    this.#isPaused = false;
    for (const visit of this.#open) {
      const isHeld = visit.segments.at(-1)?.kind === 'paused';
      if (isHeld) this.#shift(visit, visit.doing.kind, visit.doing.why);
    }
  }

  /** It is as it was before: what was open is over, and what was open then is there once more. */
  #restore(tokens: readonly RestoredToken[], scopes: readonly NewScope[]): void {
    for (const visit of [...this.#open]) this.#end(visit, 'cancelled', null);
    for (const scope of scopes) this.#know(scope);
    for (const token of tokens) {
      if (!FINAL.has(token.status)) this.#birth(token);
    }
  }
}

const NONE: readonly never[] = [];
const NOWHERE: Around = { scopes: NONE, index: null, item: null };
const QUEUED = { kind: 'queued', why: 'for a worker' } as const;
const FINAL: ReadonlySet<string> = new Set(['completed', 'failed', 'terminated']);

function written(scope: number, space: string, name: string): string {
  return `${scope} ${space} ${name}`;
}

/** Nothing of it lasts longer than this, and what would begin later does not begin. */
function cut({ segments }: Draft, at: number): void {
  for (let last = segments.at(-1); last !== undefined; last = segments.at(-1)) {
    if (last.from >= at) {
      segments.pop();
      continue;
    }
    if (last.to === null || last.to > at) last.to = at;
    return;
  }
}

function push({ segments }: Draft, kind: SegmentKind, from: number, why: string): void {
  segments.push({ kind, from, to: null, why });
}
