/** One instance, as its owner sees it. Holds nothing but the id: everything is asked for. */
import type { Duration } from '../base/duration.ts';
import { EngineError } from '../base/engine-error.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { fold } from '../kernel/fold.ts';
import { assemble, type Instance, rowsOf } from '../kernel/instance.ts';
import type { Change } from '../model/change.ts';
import type { Acting, Action } from '../model/action.ts';
import type { CustomKind } from '../model/custom-kind.ts';
import type { InstanceId, Instant, NodeId, TokenId } from '../model/ids.ts';
import type { Fault, Head, InstanceStatus, Remedy, Scope, Token, Undo } from '../model/instance.ts';
import type { HeldToken } from '../stores/lanes.ts';
import type { DroppedNote, Store } from '../stores/store.ts';
import type { Acted } from './acting.ts';
import { durationOf } from './durations.ts';
import type { Endings } from './endings.ts';
import { exportInstance, type ExportedInstance } from './export.ts';
import { loadRows, notFound } from './loading.ts';
import type { Published, Sending } from './messages.ts';
import { checkFields, wrong } from './fields.ts';
import { missingFor, type ShownStall } from './missing-handlers.ts';
import { ACTING, checkPage, checkWhole } from './options.ts';
import { historyOf } from './pasts.ts';
import type { Previewed } from './strides.ts';

/** `waiting` is `running` with nothing ready. */
export type RunStatus = InstanceStatus | 'waiting';

/** An instance at one moment. */
export interface InstanceView extends Omit<Head, 'status' | 'stalled'> {
  readonly status: RunStatus;
  /** Nothing will move it before someone mends it, or has a handler for what is due. */
  readonly stalled: ShownStall | null;
  readonly tokens: readonly Token[];
  readonly scopes: readonly Scope[];
  /** What can be undone, is being undone, or could not be. */
  readonly undos: readonly Undo[];
  /** Tokens that failed and wait for someone to mend them. */
  readonly incidents: readonly Incident[];
  /** Tokens that are ready and wait because of a limit. Of times past nobody knows. */
  readonly held: readonly HeldToken[];
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

export interface RerunOptions {
  /** A new instance goes on from there, and this one stays what it is. */
  readonly copy?: boolean;
  /** Of the copy; it has no business key unless this names one. */
  readonly id?: string;
  readonly key?: string;
}

export interface HistoryOptions {
  /** Also results that came too late and were dropped. */
  readonly notes?: boolean;
  /** Only commits behind this one; 0, and so all of them, if not said. */
  readonly after?: number;
  /** At most so many; all there are if not said. */
  readonly limit?: number;
}

interface WakeOptions {
  readonly arm?: string;
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly as?: CustomKind;
}

/** The version to go on by, and what nodes are called there that are called otherwise here. */
export type MigrateTo = Omit<Extract<Action, { do: 'migrate' }>, 'do'>;

/** What an action would change, and what the instance would be; before is null for a copy. */
export interface Preview {
  readonly changes: readonly Change[];
  readonly before: InstanceView | null;
  readonly after: InstanceView;
}

export interface RunHouse {
  readonly store: Store;
  readonly endings: Endings;
  readonly act: (id: InstanceId, action: Action, acting: Acting) => Promise<Acted>;
  readonly preview: (id: InstanceId, action: Action) => Promise<Previewed>;
  readonly send: (to: InstanceId, sending: Sending & { acting: Acting }) => Promise<Published>;
}

export class Run<Output = unknown> {
  readonly id: InstanceId;
  /** It was there before: a start found that it has the key, and was told to take it. */
  readonly existing: boolean;
  readonly #house: RunHouse;

  constructor(house: RunHouse, id: InstanceId, existing: boolean = false) {
    this.#house = house;
    this.id = id;
    this.existing = existing;
  }

  /** The output, once the instance has completed; rejects if it failed or was canceled. */
  async result(options: { timeout?: Duration } = {}): Promise<Output> {
    checkFields('result', options, ['timeout']);
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
    options: Acting & { id?: string; ttl?: Duration } = {},
  ): Promise<Published> {
    checkFields('send', options, [...ACTING, 'id', 'ttl']);
    const { id, ttl, ...acting } = options;
    const said = { ...(id === undefined ? {} : { id }), ...(ttl === undefined ? {} : { ttl }) };
    return this.#house.send(this.id, { type, data, ...said, acting });
  }

  /**
   * Ends the instance, whatever it does, and the instances it called. With `saga`, what was done is
   * undone first. One that is over already stays what it is. With `activity`, only that one of a
   * flowchart ends, and the flowchart goes on without it.
   */
  async cancel(options: Acting & { saga?: boolean; activity?: string } = {}): Promise<void> {
    checkFields('cancel', options, [...ACTING, 'saga', 'activity']);
    const { saga = false, activity, ...acting } = options;
    const only = activity === undefined ? {} : { activity };
    await this.act({ do: 'cancel', saga, ...only }, acting);
  }

  /**
   * Holds the instance where it is. What is at work goes on to the end of its step; nothing else
   * begins, no timer fires, no timeout runs, and messages are kept, until it is resumed.
   */
  async suspend(acting: Acting = {}): Promise<void> {
    await this.act({ do: 'suspend' }, acting);
  }

  async resume(acting: Acting = {}): Promise<void> {
    await this.act({ do: 'resume' }, acting);
  }

  /** Runs a token that failed once more, and at once; without a token, every one that did. */
  async retry(token?: number, acting: Acting = {}): Promise<void> {
    const which = token === undefined ? {} : { token };
    await this.act({ do: 'retry', ...which }, acting);
  }

  /** Has a token go on as if this were its result, whatever it does now. */
  async skip(token: number, result?: unknown, acting: Acting = {}): Promise<void> {
    await this.act({ do: 'skip', token, result: result as Json }, acting);
  }

  /** Has an instance that failed go on where it failed. */
  async revive(acting: Acting = {}): Promise<void> {
    await this.act({ do: 'revive' }, acting);
  }

  /**
   * Gives a waiting token what it waits for: a message with this data, or its moment. Null is the
   * only one that waits for something from outside. Variables are set in its scope. What waits for
   * whoever has its kind is woken by the kind itself: `as`.
   */
  async wake(
    token: number | null,
    data?: unknown,
    options: Acting & WakeOptions = {},
  ): Promise<void> {
    checkFields('wake', options, [...ACTING, 'arm', 'vars', 'as']);
    // One that was looked for and not found is not to become whichever there is.
    if (token === undefined) throw wrong('token is a number, or null for the only one that waits');
    const { arm, vars, as, ...acting } = options;
    const said = {
      ...(token === null ? {} : { token }),
      ...(arm === undefined ? {} : { arm }),
      ...(vars === undefined ? {} : { vars: vars as JsonObject }),
      ...(as === undefined ? {} : { as }),
    };
    await this.act({ do: 'wake', data: data as Json, ...said }, acting);
  }

  /** Gives a variable another value: of one scope, or of the instance as a whole. */
  async set(
    name: string,
    value: unknown,
    options: Acting & { scope?: number } = {},
  ): Promise<void> {
    checkFields('set', options, [...ACTING, 'scope']);
    const { scope, ...acting } = options;
    const where = scope === undefined ? {} : { scope };
    await this.act({ do: 'set', name, value: value as Json, ...where }, acting);
  }

  /** Has a token leave what it does and go on at another node of its region. */
  async move(token: number, node: string, acting: Acting = {}): Promise<void> {
    await this.act({ do: 'move', token, to: node }, acting);
  }

  /**
   * Goes back to when the instance last came to a node, and on from there: values are what they
   * were, and what has happened since happens again. With `copy` a new instance does that.
   */
  async rerun(node: string, options: Acting & RerunOptions = {}): Promise<Run<Output>> {
    checkFields('rerun', options, [...ACTING, 'copy', 'id', 'key']);
    const { copy, id, key, ...acting } = options;
    const more = {
      ...(copy === undefined ? {} : { copy }),
      ...(id === undefined ? {} : { id }),
      ...(key === undefined ? {} : { key }),
    };
    return this.act({ do: 'rerun', from: node, ...more }, acting);
  }

  /**
   * Has the instance go on by another version of its flow, with everything where it is; nodes that
   * have other names there are mapped. What has no place there refuses it all, with every reason.
   */
  async migrate(to: MigrateTo, acting: Acting = {}): Promise<void> {
    await this.act({ do: 'migrate', ...to }, acting);
  }

  /** Any of the above as a value. The instance it was done to: of a copy, that. */
  async act(action: Action, acting: Acting = {}): Promise<Run<Output>> {
    const { instance } = await this.#house.act(this.id, action, acting);
    return instance === this.id ? this : new Run(this.#house, instance);
  }

  /** What an action would do, by the same rules. Nothing is written. */
  async preview(action: Action): Promise<Preview> {
    const { before, after, changes } = await this.#house.preview(this.id, action);
    const isNew = before.head.version === 0;
    return { changes, before: isNew ? null : viewOf(before), after: viewOf(after) };
  }

  async status(): Promise<RunStatus> {
    return (await this.inspect()).status;
  }

  async tokens(): Promise<readonly Token[]> {
    return (await this.inspect()).tokens;
  }

  /** Everything that is true of the instance now. */
  async inspect(): Promise<InstanceView> {
    const { store } = this.#house;
    const view = viewOf(assemble(await loadRows(store, this.id)));
    const stalled = view.stalled ?? (await missingFor(store, this.id, view.tokens));
    return { ...view, stalled, held: await this.#held(view) };
  }

  /** Only what is ready under a limit can be held back. */
  async #held({ tokens, tenant }: InstanceView): Promise<readonly HeldToken[]> {
    const mayBe = tokens.some(({ status, lanes }) => status === 'ready' && lanes.length > 0);
    return mayBe || tenant !== null ? this.#house.store.lanes.heldOf(this.id) : [];
  }

  /**
   * Every commit in order, or some of them from behind one on; with `notes`, also results that came
   * too late and were dropped.
   */
  async history(options: HistoryOptions = {}): Promise<readonly HistoryEntry[]> {
    checkFields('history', options, ['notes', 'after', 'limit']);
    const { after = 0, limit, notes: withNotes = false } = options;
    checkWhole('after', after, 0);
    if (limit !== undefined) checkPage(limit);
    const entries: readonly HistoryEntry[] = await this.#commits(after, limit);
    // What is behind the last of them is nothing, and no reason to doubt that there is one.
    if (entries.length === 0 && (after === 0 || !(await this.#isThere()))) throw notFound(this.id);
    if (!withNotes) return entries;
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

  #commits(after: number, limit: number | undefined): Promise<readonly HistoryEntry[]> {
    const { store } = this.#house;
    if (limit !== undefined) return store.history({ instance: this.id, after, limit });
    return historyOf(store, this.id, Number.POSITIVE_INFINITY, after);
  }

  async #isThere(): Promise<boolean> {
    const [rows] = await this.#house.store.load([this.id]);
    return rows !== undefined;
  }

  /** The instance as it was after commit n, from the nearest snapshot and the history since. */
  async at(n: number): Promise<InstanceView> {
    const { store } = this.#house;
    // Half a commit would be asked of the store as a number that it refuses.
    if (!Number.isSafeInteger(n) || n < 1) throw this.#noCommit(n);
    const from = (await store.snapshot(this.id, n)) ?? null;
    const after = from?.head.version ?? 0;
    const rows = await store.history({ instance: this.id, after, limit: n - after });
    if (after + rows.length !== n) throw this.#noCommit(n);
    return viewOf(fold(this.id, rows, from));
  }

  #noCommit(n: number): EngineError {
    const message = `instance ${this.id} has no commit ${n}`;
    return new EngineError('instance.not-found', message, { details: { instance: this.id, n } });
  }

  /** All of it as one JSON value, for a file: `replay(file)` shows it without the database. */
  async export(): Promise<ExportedInstance> {
    const exported = await exportInstance(this.#house.store, this.id);
    if (exported === undefined) throw notFound(this.id);
    return exported;
  }
}

export function viewOf(instance: Instance): InstanceView {
  const { head, tokens, scopes, undos } = rowsOf(instance);
  const busy = tokens.some(({ status }) => status === 'ready' || status === 'executing');
  const status = head.status === 'running' && !busy ? 'waiting' : head.status;
  const incidents = tokens.flatMap(incidentOf);
  return { ...head, status, tokens, scopes, undos, incidents, held: [] };
}

function incidentOf({ id, node, wait, lastError }: Token): readonly Incident[] {
  if (wait?.on !== 'incident') return [];
  return [{ token: id, node, fault: lastError, can: wait.can }];
}
