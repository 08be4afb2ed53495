/**
 * The events that tell what becomes of a workflow and its tasks, read off the changes of a stride:
 * no kind has to think of them, and whatever happens to an instance, by itself or by people, is
 * told in the very commit in which it happens.
 *
 * Nodes that nobody wrote are not told of; what lies inside the node of a task is told as that
 * task's. A task around one that fails fails with it. The phases that have no event of their own
 * (pending, waiting, running again, skipped) are told as changes of status.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Instance } from '../../kernel/instance.ts';
import { isLive } from '../../kernel/instance.ts';
import type { Chronicle } from '../../kernel/kind.ts';
import type { Change, NewToken } from '../../model/change.ts';
import type { NodeId, ScopeId, TokenId } from '../../model/ids.ts';
import type { Fault } from '../../model/instance.ts';
import type { PlanNode } from '../../model/plan.ts';
import { DATA, type EarConfig, type Envelope, KEYS } from '../../model/serverless.ts';
import { isKeeper, type Told, Words } from './lifecycle-words.ts';
import { pointerOf } from './trouble.ts';

export function lifecycle(chronicle: Chronicle): readonly Told[] {
  const { view } = chronicle;
  if (view.told.lifecycle === 'none' || isKeeper(view)) return [];
  const teller = new Teller(chronicle);
  for (const change of chronicle.changes) teller.read(change);
  teller.end();
  return teller.words.events;
}

type Did<What extends Change['did']> = Extract<Change, { did: What }>;
type Born = Pick<NewToken, 'id' | 'node' | 'scope' | 'status' | 'via'>;

class Teller {
  readonly words: Words;
  readonly #before: Instance;
  readonly #after: Instance;
  readonly #nodes: ReadonlyMap<NodeId, PlanNode>;
  /** Of tokens born in this stride. */
  readonly #born = new Map<TokenId, { readonly node: NodeId; readonly scope: ScopeId }>();
  /** Born by whoever ends next, and told of after that. */
  readonly #next: Born[] = [];
  readonly #owners = new Map<ScopeId, TokenId>();
  /** What was written last, by scope and name: the output of whoever ends next. */
  readonly #written = new Map<string, Json>();
  /** Tokens around one that failed, and what with. */
  readonly #failing = new Map<TokenId, Fault>();
  /** Those that do not run at all. */
  readonly #skipped: ReadonlySet<TokenId>;
  /** Where a listener goes on listening by another token. */
  readonly #listening = new Set<ScopeId>();

  constructor({ before, after, nodes, view, changes }: Chronicle) {
    this.#before = before;
    this.#after = after;
    this.#nodes = nodes;
    this.words = new Words(view);
    this.#skipped = new Set(changes.flatMap((each) => (isSkip(each) ? each.token : [])));
  }

  read(change: Change): void {
    switch (change.did) {
      case 'start-instance':
        return this.words.started();
      case 'birth-token':
        return this.#birth(change.token);
      case 'open-scope': {
        const { id, owner } = change.scope;
        if (owner === null) return;
        this.#owners.set(id, owner);
        return this.#recovered(owner);
      }
      case 'write':
        return void this.#written.set(`${change.scope} ${change.name}`, change.value);
      case 'claim-token':
        return this.#claimed(change);
      case 'park-token':
        return this.#parked(change);
      case 'wake-token':
        return this.#woken(change);
      case 'end-token':
        this.#ended(change);
        return this.#nextBegin();
      case 'suspend':
      case 'resume':
        return this.#paused(change.did === 'suspend' ? 'suspended' : 'resumed');
      case 'finish':
        return this.words.finished(change, this.#after.head.output);
      default:
        return;
    }
  }

  /** Whether it waits now or goes on, if that is not as before. */
  end(): void {
    this.#nextBegin();
    const now = phaseOf(this.#after);
    const isTold = now === 'running' || now === 'waiting';
    if (isTold && now !== phaseOf(this.#before)) this.words.status(now);
  }

  /** Whoever comes by an edge is born before the one that it follows has ended. */
  #birth(token: Born): void {
    const { id, node, scope, via } = token;
    this.#born.set(id, { node, scope });
    if (via === undefined) return this.#begin(token);
    if (this.#kindOf(node) === 'sw-ear') this.#listening.add(scope);
    else this.#next.push(token);
  }

  #nextBegin(): void {
    for (const token of this.#next.splice(0)) this.#begin(token);
  }

  #begin({ id, node, status }: Born): void {
    if (this.#kindOf(node) === 'sw-ear') {
      this.words.correlating();
      return this.#heeds(node, 'waiting');
    }
    this.#about(node, 'created', 'createdAt');
    // A call has not begun before somebody claims it.
    if (status !== 'ready' && !this.#skipped.has(id)) this.#about(node, 'started', 'startedAt');
  }

  /** By whoever makes a call, the first time. What was merely set down has begun long ago. */
  #claimed({ token, at }: Did<'claim-token'>): void {
    const { node } = this.#placeOf(token);
    const isFirst = this.#before.tokens.get(token)?.attempts === 0 && !this.#skipped.has(token);
    if (isFirst && this.#kindOf(node) === 'sw-call') this.#about(node, 'started', 'startedAt', at);
  }

  #parked({ token, wait, error }: Did<'park-token'>): void {
    this.#recovered(token);
    if (error === undefined && wait.on !== 'scope') this.#status(token, 'waiting');
  }

  /** A try that had failed begins anew when its time has come; so does what people have mended. */
  #woken({ token, wake }: Did<'wake-token'>): void {
    const { node } = this.#placeOf(token);
    const wait = this.#before.tokens.get(token)?.wait?.on;
    const isTry = this.#kindOf(node) === 'sw-try' && wait === 'time';
    if (isTry || wake.reason === 'retry') {
      this.words.task('retried', this.#taskAt(node), this.words.at('retriedAt'));
    } else if (wait !== 'scope') this.#status(token, 'running');
  }

  #ended({ token, why, fault }: Did<'end-token'>): void {
    const { node, scope } = this.#placeOf(token);
    if (why === 'failed' && fault !== undefined) {
      this.#failAround(scope, fault);
      return this.#faulted(node, fault);
    }
    if (why === 'cancelled') {
      const cause = this.#failing.get(token);
      if (cause !== undefined) return this.#faulted(node, cause);
      return this.#about(node, 'cancelled', 'cancelledAt');
    }
    this.#recovered(token);
    if (this.#kindOf(node) === 'sw-ear') return this.#heard(node, scope);
    if (this.#skipped.has(token)) return this.#status(token, 'skipped');
    const task = this.#writtenAt(node);
    if (task !== undefined) this.words.completed(task, this.#outputOf(node, scope));
  }

  /** All that a listener waited for has come, unless it goes on with another token. */
  #heard(node: NodeId, scope: ScopeId): void {
    if (this.#listening.delete(scope)) return;
    const known = this.#before.scopes.get(scope)?.vars.get(KEYS) ?? {};
    this.words.correlated(this.#written.get(`${scope} ${KEYS}`) ?? known);
    this.#heeds(node, 'running');
  }

  #failAround(scope: ScopeId, fault: Fault): void {
    for (let owner = this.#ownerOf(scope); owner !== null; ) {
      this.#failing.set(owner, fault);
      owner = this.#ownerOf(this.#placeOf(owner).scope);
    }
  }

  /** It has caught what failed inside it: it goes on, and so does everything around it. */
  #recovered(token: TokenId): void {
    for (let at: TokenId | null = token; at !== null && this.#failing.delete(at); ) {
      at = this.#ownerOf(this.#placeOf(at).scope);
    }
  }

  #paused(how: 'suspended' | 'resumed'): void {
    this.words.workflow(how, this.words.at(`${how}At`));
    const live = this.#after.tokens.values().filter(isLive);
    for (const { node } of live) this.#about(node, how, `${how}At`);
  }

  #faulted(node: NodeId, fault: Fault): void {
    const error = this.words.error(fault);
    this.words.task('faulted', this.#writtenAt(node), { ...this.words.at('faultedAt'), error });
  }

  #about(node: NodeId, what: string, when: string, at?: number): void {
    this.words.task(what, this.#writtenAt(node), this.words.at(when, at));
  }

  #status(token: TokenId, status: string): void {
    const task = this.#taskAt(this.#placeOf(token).node);
    this.words.task('status-changed', task, { ...this.words.at('updatedAt'), status });
  }

  /** What a listener does is done by a node inside it. */
  #heeds(ear: NodeId, status: string): void {
    const config = this.#nodes.get(ear)?.config as unknown as EarConfig | undefined;
    this.words.task('status-changed', config?.at, { ...this.words.at('updatedAt'), status });
  }

  #outputOf(node: NodeId, scope: ScopeId): Json | undefined {
    const { into = DATA } = envelopeIn(this.#nodes.get(node)) ?? {};
    return this.#written.get(`${scope} ${into}`);
  }

  #ownerOf(scope: ScopeId): TokenId | null {
    return this.#owners.get(scope) ?? this.#before.scopes.get(scope)?.owner ?? null;
  }

  #placeOf(token: TokenId): { readonly node: NodeId; readonly scope: ScopeId } {
    const known = this.#born.get(token) ?? this.#before.tokens.get(token);
    return known ?? { node: '' as NodeId, scope: 0 as ScopeId };
  }

  #kindOf(node: NodeId): string | undefined {
    return this.#nodes.get(node)?.kind;
  }

  /** The task that somebody wrote as this node; undefined if nobody did. */
  #writtenAt(id: NodeId): string | undefined {
    const node = this.#nodes.get(id);
    if (node === undefined || node.hidden) return undefined;
    return envelopeIn(node)?.at ?? pointerOf(id);
  }

  /** The same, or the task that this node does something for. */
  #taskAt(id: NodeId): string | undefined {
    return envelopeIn(this.#nodes.get(id))?.at ?? this.#writtenAt(id);
  }
}

function isSkip(change: Change): change is Did<'end-token'> {
  return change.did === 'end-token' && change.outcomes?.includes('skipped') === true;
}

/** Where its own events have said that it runs, it does, before and after. */
function phaseOf({ head, tokens }: Instance): string {
  const { status } = head;
  if (status === undefined || status === 'suspended') return 'running';
  if (status !== 'running') return status;
  return tokens.values().some((token) => token.status === 'ready') ? 'running' : 'waiting';
}

function envelopeIn(node: PlanNode | undefined): Envelope | undefined {
  const config: Json | undefined = node?.config;
  return isJsonObject(config ?? null)
    ? ((config as JsonObject)['task'] as unknown as Envelope | undefined)
    : undefined;
}
