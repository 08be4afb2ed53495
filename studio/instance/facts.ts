/**
 * A history as what it has in common with others: which node, in which pass, did what, with which
 * value. Numbers of tokens, times, workers and names of commits are of one instance alone, and stay
 * out of it.
 */
import type { Commit, Fault, Json } from '../api/shapes.ts';
import { type NewScope, type Told, told } from './told.ts';

export type FactKind = 'path' | 'result' | 'fault' | 'wait' | 'person' | 'end' | 'version';

export interface Fact {
  readonly kind: FactKind;
  /** The commit, and its place among the facts of the instance. */
  readonly n: number;
  readonly at: number;
  /** Empty where it is about the whole instance. */
  readonly node: string;
  /** What of: the same one in another instance has the same. */
  readonly key: string;
  readonly value: Json;
}

export interface Facts {
  readonly input: Json;
  readonly facts: readonly Fact[];
  /** It has ended: nothing will come after the last of them. */
  readonly isOver: boolean;
}

export function factsOf(commits: readonly Commit[]): Facts {
  const reader = new FactReader();
  for (const commit of commits) reader.add(commit);
  return reader.read();
}

interface Place {
  readonly node: string;
  readonly path: string;
}

class FactReader {
  readonly #facts: Fact[] = [];
  readonly #scopes = new Map<number, string>();
  readonly #tokens = new Map<number, Place>();
  readonly #seen = new Map<string, number>();
  #input: Json = null;
  #isOver = false;
  #n = 0;

  add({ n, changes }: Commit): void {
    this.#n = n;
    for (const change of changes) this.#take(told(change));
  }

  read(): Facts {
    return { input: this.#input, facts: this.#facts, isOver: this.#isOver };
  }

  #take(change: Told): void {
    switch (change.did) {
      case 'start-instance':
        this.#input = change.instance.input;
        return this.#tell('version', '', 'version', change.instance.flowVersion);
      case 'open-scope':
        return this.#open(change.scope);
      case 'birth-token': {
        const { id, node, scope, via = '' } = change.token;
        // At a join they come in any order: each is known by where it came from.
        this.#tokens.set(id, { node, path: `${this.#scopes.get(scope) ?? ''}${node} ${via}` });
        return this.#of('path', id, 'begins', null);
      }
      case 'write':
        return this.#write(change);
      case 'act':
        return this.#tell('person', '', 'act', change.act.verb);
      case 'migrate':
        return this.#tell('version', '', 'migrate', change.flowVersion);
      case 'set-output':
        return this.#tell('result', '', 'output', withoutTimes(change.output));
      case 'restore':
        this.#isOver = false;
        return this.#tell('person', '', 'restore', null);
      case 'finish': {
        this.#isOver = true;
        return this.#tell('end', '', 'finish', [change.as, faultOf(change.fault)]);
      }
      default:
        if ('token' in change) this.#hearOf(change);
    }
  }

  #hearOf(change: Extract<Told, { readonly token: number }>): void {
    switch (change.did) {
      case 'park-token':
        if (change.error !== undefined) {
          this.#of('fault', change.token, 'fails', faultOf(change.error));
        }
        return this.#of('wait', change.token, 'waits', change.wait.on);
      case 'retry-token':
      case 'recover-token':
        return this.#of('fault', change.token, 'fails', faultOf(change.error));
      case 'alter-task': {
        const { by, did, decision = null } = change.entry;
        return this.#of('person', change.token, 'task', [did, decision, by]);
      }
      case 'end-token': {
        const { why, fault, outcomes = [] } = change;
        if (fault !== undefined) this.#of('fault', change.token, 'fails', faultOf(fault));
        return this.#of('path', change.token, 'ends', [why, ...outcomes]);
      }
      case 'wake-token':
        return this.#of('wait', change.token, 'wakes', change.wake.reason);
      default:
    }
  }

  #open({ id, parent, node, index }: NewScope): void {
    const around = parent === null ? '' : (this.#scopes.get(parent) ?? '');
    const name = node === null ? '' : `${node}${index === undefined ? '' : `[${index}]`} › `;
    this.#scopes.set(id, around + name);
  }

  /** What a node keeps of its items is in the order in which they happened to be done. */
  #write({ scope, space, name, value }: Extract<Told, { readonly did: 'write' }>): void {
    if (space === 'items') return;
    const path = `${this.#scopes.get(scope) ?? ''}${name}`;
    const node = space === 'results' ? name : '';
    this.#tell('result', node, `${path} ${space}`, withoutTimes(value));
  }

  #of(kind: FactKind, token: number, what: string, value: Json): void {
    const { node, path } = this.#tokens.get(token) ?? { node: '', path: '' };
    this.#tell(kind, node, `${path} ${what}`, value);
  }

  #tell(kind: FactKind, node: string, name: string, value: Json): void {
    const count = (this.#seen.get(name) ?? 0) + 1;
    this.#seen.set(name, count);
    const key = count === 1 ? name : `${name} ${count}`;
    this.#facts.push({ kind, node, key, value, n: this.#n, at: this.#facts.length });
  }
}

function faultOf(fault: Fault | undefined): Json {
  return fault === undefined ? null : [fault.code, fault.message];
}

/** Milliseconds since 1970 were twelve digits and more before any instance ran. */
const TIME_MIN = 1e12;

/** Decisions say when they were made; that tells nothing of how one instance went. */
function withoutTimes(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutTimes);
  const kept: [string, Json][] = [];
  for (const [name, inside] of Object.entries(value)) {
    const isTime = /^at$|At$/.test(name) && typeof inside === 'number' && inside > TIME_MIN;
    if (!isTime) kept.push([name, withoutTimes(inside)]);
  }
  return Object.fromEntries(kept);
}
