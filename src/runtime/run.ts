/** One instance, as its owner sees it. Holds nothing but the id: everything is asked for. */
import { type Duration, parseDuration } from '../base/duration.ts';
import { EngineError } from '../base/engine-error.ts';
import { admitJson } from '../base/json.ts';
import { fold } from '../kernel/fold.ts';
import { assemble, type Instance, rowsOf } from '../kernel/instance.ts';
import type { Change } from '../model/change.ts';
import type { InstanceId, Instant, NodeId, TokenId } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { Fault, Head, InstanceStatus, Remedy, Scope, Token, Undo } from '../model/instance.ts';
import type { DroppedNote, Store } from '../stores/store.ts';
import type { Endings } from './endings.ts';
import type { Published, Sending } from './messages.ts';
import type { Request } from './strides.ts';

/** `waiting` is `running` with nothing ready. */
export type RunStatus = InstanceStatus | 'waiting';

/** An instance at one moment. */
export interface InstanceView extends Omit<Head, 'status'> {
  readonly status: RunStatus;
  readonly tokens: readonly Token[];
  readonly scopes: readonly Scope[];
  /** What can be undone, is being undone, or could not be. */
  readonly undos: readonly Undo[];
  /** Tokens that failed and wait for someone to mend them. */
  readonly incidents: readonly Incident[];
}

/** A token that failed, why, and what can be done about it. */
export interface Incident {
  readonly token: TokenId;
  readonly node: NodeId;
  readonly fault: Fault | null;
  readonly can: readonly Remedy[];
}

/** One commit; or, where notes were asked for, a result that came too late for any. */
export interface HistoryEntry {
  readonly n: number | null;
  readonly at: Instant;
  readonly commitId: string | null;
  readonly changes: readonly Change[];
  readonly dropped?: DroppedNote;
}

export interface RunHouse {
  readonly store: Store;
  readonly endings: Endings;
  /** Everything that moves an instance goes the one way. */
  readonly apply: (request: Request) => Promise<'moved' | 'still' | 'broken'>;
  readonly send: (to: InstanceId, isOver: boolean, sending: Sending) => Promise<Published>;
}

/** History is read in pages, so that a long one does not come as one answer. */
const PAGE = 1_000;

export class Run<Output = unknown> {
  readonly id: InstanceId;
  readonly #house: RunHouse;

  constructor(house: RunHouse, id: InstanceId) {
    this.#house = house;
    this.id = id;
  }

  /** The output, once the instance has completed; rejects if it failed or was canceled. */
  async result(options: { timeout?: Duration } = {}): Promise<Output> {
    const ms = options.timeout === undefined ? undefined : durationOf(options.timeout);
    const head = await this.#house.endings.wait(this.id, ms);
    switch (head.status) {
      case 'completed':
        return head.output as Output;
      case 'canceled':
        throw new EngineError('instance.canceled', `instance ${this.id} was canceled`);
      default: {
        const { fault } = head;
        const where = typeof fault?.node === 'string' ? ` at "${fault.node}"` : '';
        const why = `${fault?.message ?? 'no reason is known'} (${fault?.code ?? 'unknown'})`;
        throw new EngineError('instance.failed', `instance ${this.id} failed${where}: ${why}`, {
          details: { fault, instance: this.id },
        });
      }
    }
  }

  /**
   * A message for this instance alone: a wait for the type has it, whatever its key, and it is kept
   * for its ttl if there is none yet. An id is known in the whole store: the same again, to whoever
   * it may be, is a duplicate.
   */
  async send(
    type: string,
    data?: unknown,
    options: { id?: string; ttl?: Duration } = {},
  ): Promise<Published> {
    const { endedAt } = await this.inspect();
    const { id, ttl } = options;
    const said = { ...(id === undefined ? {} : { id }), ...(ttl === undefined ? {} : { ttl }) };
    return this.#house.send(this.id, endedAt !== null, { type, data, ...said });
  }

  /**
   * Ends the instance, whatever it does, and the instances it called. With `saga`, what was done is
   * undone first. One that is over already stays what it is.
   */
  async cancel(options: { saga?: boolean } = {}): Promise<void> {
    const saga = options.saga === true;
    await this.#tell((at) => ({ type: 'cancel', at, saga }));
  }

  /** Runs a token that waits to be mended once more; without a token, every one that does. */
  async retry(token?: number): Promise<void> {
    const parked = await this.#parked(token, 'retry');
    for (const { id } of parked) await this.#tell((at) => ({ type: 'retry', at, token: id }));
  }

  /** Has a token that waits to be mended go on as if this were its result. */
  async skip(token: number, result?: unknown): Promise<void> {
    const value = admitJson(result);
    if (!value.ok) throw new EngineError('input.invalid', `a result is JSON: ${value.problem}`);
    const parked = await this.#parked(token, 'skip');
    for (const { id } of parked) {
      await this.#tell((at) => ({ type: 'skip', at, token: id, value: value.value }));
    }
  }

  async #tell(input: (at: Instant) => Input): Promise<void> {
    const came = await this.#house.apply({ instance: this.id, input });
    if (came === 'moved') return;
    // Nothing to do for an instance that is there is no mistake; one that is not there is.
    await this.inspect();
  }

  async #parked(token: number | undefined, by: Remedy): Promise<readonly Token[]> {
    const tokens = (await this.tokens()).filter(({ wait }) => wait?.on === 'incident');
    const chosen = token === undefined ? tokens : tokens.filter(({ id }) => id === token);
    const able = chosen.filter(({ wait }) => wait?.on === 'incident' && wait.can.includes(by));
    if (able.length > 0) return able;
    const what = token === undefined ? 'no token' : `token ${token} does not exist or`;
    const message = `${what} of instance ${this.id} waits for someone to ${by} it`;
    throw new EngineError('token.not-parked', message, {
      details: { instance: this.id, token, parked: tokens.map(({ id, node }) => ({ id, node })) },
    });
  }

  async status(): Promise<RunStatus> {
    return (await this.inspect()).status;
  }

  async tokens(): Promise<readonly Token[]> {
    return (await this.inspect()).tokens;
  }

  /** Everything that is true of the instance now. */
  async inspect(): Promise<InstanceView> {
    const [rows] = await this.#house.store.load([this.id]);
    if (rows === undefined) throw notFound(this.id);
    return viewOf(assemble(rows));
  }

  /** Every commit in order; with `notes`, also results that came too late and were dropped. */
  async history(options: { notes?: boolean } = {}): Promise<readonly HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    for (let after = 0; ; ) {
      const { store } = this.#house;
      const rows = await store.history({ instance: this.id, after, limit: PAGE });
      entries.push(...rows);
      if (rows.length < PAGE) break;
      after = rows.at(-1)?.n ?? after;
    }
    if (entries.length === 0) throw notFound(this.id);
    if (options.notes !== true) return entries;
    const notes = await this.#house.store.dropped(this.id);
    const dropped = notes.map((note) => ({
      n: null,
      at: note.at,
      commitId: null,
      changes: [],
      dropped: note,
    }));
    return [...entries, ...dropped].sort((a, b) => a.at - b.at);
  }

  /** The instance as it was after commit n, from the nearest snapshot and the history since. */
  async at(n: number): Promise<InstanceView> {
    const { store } = this.#house;
    const from = (await store.snapshot(this.id, n)) ?? null;
    const after = from?.head.version ?? 0;
    const rows = await store.history({ instance: this.id, after, limit: n - after });
    if (after + rows.length !== n || n < 1) {
      const message = `instance ${this.id} has no commit ${n}`;
      throw new EngineError('instance.not-found', message, { details: { instance: this.id, n } });
    }
    return viewOf(fold(this.id, rows, from));
  }
}

function viewOf(instance: Instance): InstanceView {
  const { head, tokens, scopes, undos } = rowsOf(instance);
  const busy = tokens.some(({ status }) => status === 'ready' || status === 'executing');
  const status = head.status === 'running' && !busy ? 'waiting' : head.status;
  return { ...head, status, tokens, scopes, undos, incidents: tokens.flatMap(incidentOf) };
}

function incidentOf({ id, node, wait, lastError }: Token): readonly Incident[] {
  if (wait?.on !== 'incident') return [];
  return [{ token: id, node, fault: lastError, can: wait.can }];
}

function notFound(id: string): EngineError {
  const message = `there is no instance ${id}`;
  return new EngineError('instance.not-found', message, { details: { instance: id } });
}

export function durationOf(duration: Duration): number {
  const ms = parseDuration(duration);
  if (ms.ok) return ms.value;
  throw new EngineError('duration.invalid', ms.problem);
}
