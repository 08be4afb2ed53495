/**
 * P11, read off history alone: what was done is undone once, newest first, one at a time.
 *
 * - A step is recorded once, in the commit in which it ends: as done, or in doubt if it did not
 *   complete.
 * - A compensation is born for the newest record of its saga that is not settled, while no other of
 *   that saga lives; and it ends only when its record is settled. Only where a saga is cut short by
 *   the one around it is a compensation cancelled, and then its record is tried anew.
 * - A record is settled once, and none is left over when its saga or its scope is over.
 */
import type { Change, NewToken, NewUndo, Restored } from '../model/change.ts';

interface Recorded {
  readonly id: number;
  readonly token: number;
  saga: number;
  pending: boolean;
}

export class SagaAudit {
  readonly #records = new Map<number, Recorded>();
  /** Who has been recorded. */
  readonly #tokens = new Set<number>();
  /** Compensations that live, and the record that each of them undoes. */
  readonly #undoing = new Map<number, Recorded>();
  /** Recorded in this commit by a token that has not ended yet, and whether it is in doubt. */
  readonly #open = new Map<number, boolean>();
  #found: string[] = [];

  /** One commit; what is wrong with it. */
  enter(changes: readonly Change[]): readonly string[] {
    this.#found = [];
    for (const change of changes) this.#enter(change);
    for (const token of this.#open.keys()) this.#say(`token ${token} is recorded and lives on`);
    this.#open.clear();
    return this.#found;
  }

  #say(message: string): void {
    this.#found.push(message);
  }

  #enter(change: Change): void {
    switch (change.did) {
      case 'record-undo':
        return this.#record(change.undo);
      case 'birth-token':
        return this.#birth(change.token);
      case 'settle-undo':
        return this.#settle(change.undo);
      case 'end-token':
        return this.#end(change.token, change.why);
      case 'hand-undos':
        return this.#hand(change.from, change.to);
      case 'end-saga':
      case 'return-scope':
        return this.#close(change.scope);
      case 'restore':
        return this.#restore(change.as);
      default:
        return;
    }
  }

  #record({ id, saga, token, inDoubt = false }: NewUndo): void {
    if (this.#tokens.has(token)) this.#say(`token ${token} is recorded twice`);
    this.#tokens.add(token);
    this.#records.set(id, { id, token, saga, pending: true });
    this.#open.set(token, inDoubt);
  }

  #birth({ id, undoes, mode }: NewToken): void {
    if (undoes === undefined) {
      if (mode === 'compensation') this.#say(`compensation ${id} undoes nothing`);
      return;
    }
    const record = this.#records.get(undoes);
    if (record === undefined) return this.#say(`token ${id} undoes ${undoes}, which is not there`);
    if (!record.pending) this.#say(`undo ${undoes} is settled, and token ${id} undoes it again`);
    for (const [other, { saga }] of this.#undoing) {
      if (saga === record.saga) this.#say(`tokens ${other} and ${id} undo at the same time`);
    }
    const newer = this.#pendingIn(record.saga).find((other) => other.id > record.id);
    if (newer) this.#say(`token ${id} undoes ${record.id}, and ${newer.id} is newer`);
    this.#undoing.set(id, record);
  }

  #settle(id: number): void {
    const record = this.#records.get(id);
    if (record === undefined) return this.#say(`undo ${id} is settled and was not recorded`);
    if (!record.pending) this.#say(`undo ${id} is settled twice`);
    const undone = [...this.#undoing.values()].includes(record);
    if (!undone) this.#say(`undo ${id} is settled and nobody undoes it`);
    record.pending = false;
  }

  #end(token: number, why: string): void {
    const inDoubt = this.#open.get(token);
    this.#open.delete(token);
    if (inDoubt === true && why === 'done') this.#say(`token ${token} is done and in doubt`);
    if (inDoubt === false && why !== 'done') {
      this.#say(`token ${token} is ${why} and recorded as done`);
    }
    const record = this.#undoing.get(token);
    this.#undoing.delete(token);
    if (record === undefined || why === 'cancelled') return;
    if (record.pending) this.#say(`compensation ${token} is ${why}, undo ${record.id} is open`);
  }

  /** What is restored may be done again, and is recorded again. */
  #restore({ tokens, undos }: Restored): void {
    this.#records.clear();
    this.#undoing.clear();
    for (const { id, token, saga, status } of undos) {
      this.#records.set(id, { id, token, saga, pending: status === 'pending' });
    }
    for (const { id } of tokens) this.#tokens.delete(id);
  }

  #hand(from: number, to: number | null): void {
    for (const record of this.#records.values()) {
      if (record.saga !== from) continue;
      if (to === null) this.#records.delete(record.id);
      else record.saga = to;
    }
  }

  #close(scope: number): void {
    for (const { id } of this.#pendingIn(scope)) {
      this.#say(`scope ${scope} is over and undo ${id} is open`);
    }
  }

  #pendingIn(scope: number): Recorded[] {
    return [...this.#records.values()].filter(({ saga, pending }) => pending && saga === scope);
  }
}
