/**
 * The events that tell what becomes of a workflow and its tasks, read off the changes of a stride:
 * no kind has to think of them, and whatever happens to an instance, by itself or by people, is
 * told in the very commit in which it happens.
 *
 * Nodes that nobody wrote are not told of. A task around one that fails fails with it.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Instance } from '../../kernel/instance.ts';
import { isLive } from '../../kernel/instance.ts';
import type { Chronicle, View } from '../../kernel/kind.ts';
import type { Change } from '../../model/change.ts';
import type { NodeId, ScopeId, TokenId } from '../../model/ids.ts';
import type { Fault } from '../../model/instance.ts';
import type { Letter } from '../../model/letter.ts';
import type { PlanNode } from '../../model/plan.ts';
import { DATA, type Envelope, KEYS } from '../../model/serverless.ts';
import { isoOf } from './moments.ts';
import { documentOf, workflowOf } from './scene.ts';
import { errorOf, pointerOf } from './trouble.ts';

type Told = Omit<Letter, 'id'>;

/** They keep their names after the project has changed its own. */
const PREFIX = 'io.serverlessworkflow.';
/** An output that is longer is not sent along: events are for telling, not for carrying data. */
export const EVENT_OUTPUT_CHARS_MAX = 65_536;

export function lifecycle(chronicle: Chronicle): readonly Told[] {
  const { told } = chronicle.view;
  if (told.lifecycle === 'none') return [];
  const teller = new Teller(chronicle, told.lifecycle === 'all');
  for (const change of chronicle.changes) teller.read(change);
  return teller.events;
}

class Teller {
  readonly events: Told[] = [];
  readonly #before: Instance;
  readonly #after: Instance;
  readonly #nodes: ReadonlyMap<NodeId, PlanNode>;
  readonly #view: View;
  readonly #tellsTasks: boolean;
  readonly #at: string;
  readonly #name: string;
  /** Of tokens born in this stride. */
  readonly #born = new Map<TokenId, { readonly node: NodeId; readonly scope: ScopeId }>();
  readonly #owners = new Map<ScopeId, TokenId>();
  /** What was written last, by scope and name: the output of whoever ends next. */
  readonly #written = new Map<string, Json>();
  /** Tokens around one that failed, and what with. */
  readonly #failing = new Map<TokenId, Fault>();

  constructor({ before, after, nodes, view }: Chronicle, tellsTasks: boolean) {
    this.#before = before;
    this.#after = after;
    this.#nodes = nodes;
    this.#view = view;
    this.#tellsTasks = tellsTasks;
    this.#at = isoOf(view.now);
    const { name, namespace } = documentOf(view);
    this.#name = `${name}-${view.instance}.${namespace}`;
  }

  read(change: Change): void {
    switch (change.did) {
      case 'start-instance':
        return this.#workflow('started', {
          definition: definitionOf(this.#view),
          startedAt: this.#at,
        });
      case 'birth-token': {
        const { id, node, scope, status } = change.token;
        this.#born.set(id, { node, scope });
        return this.#birth(node, status !== 'ready');
      }
      case 'open-scope':
        if (change.scope.owner !== null) this.#owners.set(change.scope.id, change.scope.owner);
        return;
      case 'write':
        this.#written.set(`${change.scope} ${change.name}`, change.value);
        return;
      case 'claim-token':
        return this.#task('started', change.token, { startedAt: isoOf(change.at) });
      case 'park-token':
        if (change.error === undefined && change.wait.on !== 'scope') {
          this.#task('status-changed', change.token, { updatedAt: this.#at, status: 'waiting' });
        }
        return;
      case 'wake-token':
        return this.#woken(change.token);
      case 'end-token':
        return this.#end(change);
      case 'suspend':
      case 'resume':
        return this.#paused(change.did === 'suspend' ? 'suspended' : 'resumed');
      case 'finish':
        return this.#finish(change);
      default:
        return;
    }
  }

  #birth(node: NodeId, starts: boolean): void {
    if (this.#nodes.get(node)?.kind === 'sw-ear') {
      return this.#workflow('correlation-started', { startedAt: this.#at });
    }
    this.#about(node, 'created', { createdAt: this.#at });
    if (starts) this.#about(node, 'started', { startedAt: this.#at });
  }

  /** Woken by time, a try that had failed begins anew. */
  #woken(token: TokenId): void {
    const before = this.#before.tokens.get(token);
    const isTry = this.#nodes.get(before?.node as NodeId)?.kind === 'sw-try';
    if (isTry && before?.wait?.on === 'time') {
      this.#task('retried', token, { retriedAt: this.#at });
    } else this.#task('status-changed', token, { updatedAt: this.#at, status: 'running' });
  }

  #end({ token, why, fault, outcomes }: Extract<Change, { did: 'end-token' }>): void {
    const { node, scope } = this.#placeOf(token);
    if (why === 'failed' && fault !== undefined) {
      this.#failAround(scope, fault);
      return this.#about(node, 'faulted', { faultedAt: this.#at, error: this.#error(fault) });
    }
    if (why === 'cancelled') {
      const cause = this.#failing.get(token);
      if (cause === undefined) return this.#about(node, 'cancelled', { cancelledAt: this.#at });
      const error = this.#error(cause);
      return this.#about(node, 'faulted', { faultedAt: this.#at, error });
    }
    if (outcomes?.includes('skipped') === true) {
      return this.#about(node, 'status-changed', { updatedAt: this.#at, status: 'skipped' });
    }
    if (this.#nodes.get(node)?.kind === 'sw-ear') return this.#correlated(scope);
    const output = this.#outputOf(node, scope);
    this.#about(node, 'completed', { completedAt: this.#at, ...output });
  }

  #failAround(scope: ScopeId, fault: Fault): void {
    for (let at: ScopeId | null = scope; at !== null; ) {
      const owner: TokenId | null =
        this.#owners.get(at) ?? this.#before.scopes.get(at)?.owner ?? null;
      if (owner === null) return;
      this.#failing.set(owner, fault);
      at = this.#placeOf(owner).scope;
    }
  }

  #correlated(scope: ScopeId): void {
    const known = this.#before.scopes.get(scope)?.vars.get(KEYS) ?? {};
    const correlationKeys = this.#written.get(`${scope} ${KEYS}`) ?? known;
    this.#workflow('correlation-completed', { completedAt: this.#at, correlationKeys });
  }

  #paused(how: 'suspended' | 'resumed'): void {
    const when = { [how === 'suspended' ? 'suspendedAt' : 'resumedAt']: this.#at };
    this.#workflow(how, when);
    for (const { node } of this.#after.tokens.values().filter(isLive)) this.#about(node, how, when);
  }

  #finish({ as, fault }: Extract<Change, { did: 'finish' }>): void {
    switch (as) {
      case 'completed':
        return this.#workflow('completed', {
          completedAt: this.#at,
          ...within(this.#after.head.output),
        });
      case 'canceled':
        return this.#workflow('cancelled', { cancelledAt: this.#at });
      default: {
        const error = fault === undefined ? {} : { error: this.#error(fault) };
        return this.#workflow('faulted', { faultedAt: this.#at, ...error });
      }
    }
  }

  #error(fault: Fault): JsonObject {
    return errorOf(fault, workflowOf(this.#view).errors);
  }

  #outputOf(node: NodeId, scope: ScopeId): JsonObject {
    const { into = DATA } = envelopeIn(this.#nodes.get(node)) ?? {};
    const output = this.#written.get(`${scope} ${into}`);
    return output === undefined ? {} : within(output);
  }

  #placeOf(token: TokenId): { readonly node: NodeId; readonly scope: ScopeId } {
    const known = this.#born.get(token) ?? this.#before.tokens.get(token);
    return known ?? { node: '' as NodeId, scope: 0 as ScopeId };
  }

  #task(what: string, token: TokenId, data: JsonObject): void {
    this.#about(this.#placeOf(token).node, what, data);
  }

  #about(id: NodeId, what: string, data: JsonObject): void {
    const node = this.#nodes.get(id);
    if (!this.#tellsTasks || node === undefined || node.hidden) return;
    const { at } = envelopeIn(node) ?? {};
    const task = at ?? pointerOf(id);
    this.#say(`task.${what}`, { workflow: this.#name, task, ...data });
  }

  #workflow(what: string, data: JsonObject): void {
    this.#say(`workflow.${what}`, { name: this.#name, ...data });
  }

  #say(what: string, data: JsonObject): void {
    this.events.push({ type: `${PREFIX}${what}.v1`, key: this.#view.instance, data });
  }
}

function envelopeIn(node: PlanNode | undefined): Envelope | undefined {
  const config = node?.config;
  return isJsonObject(config) ? (config['task'] as unknown as Envelope | undefined) : undefined;
}

function within(output: Json): JsonObject {
  return JSON.stringify(output).length <= EVENT_OUTPUT_CHARS_MAX ? { output } : {};
}

function definitionOf(view: View): JsonObject {
  const { name, namespace, version } = documentOf(view);
  return { name, namespace, version };
}
