/**
 * Changes as far as these screens read them: src/model/change.ts has all that each of them says. A
 * change of a kind that is not known here is shown as it is, and otherwise passed over.
 */
import type { Change, Fault, Json, JsonObject, Wait } from '../api/shapes.ts';

export interface NewScope {
  readonly id: number;
  readonly parent: number | null;
  readonly owner: number | null;
  readonly node: string | null;
  readonly index?: number;
  readonly item?: Json;
}

export interface NewToken {
  readonly id: number;
  readonly scope: number;
  readonly node: string;
  readonly status?: string;
  readonly via?: string;
  readonly availableAt?: number;
  readonly wait?: Wait;
  readonly mode?: 'forward' | 'compensation';
}

export interface TaskEntry {
  readonly at: number;
  readonly by: string;
  readonly did: string;
  readonly to?: string;
  readonly from?: string;
  readonly decision?: string;
  readonly comment?: string;
  readonly override?: true;
}

export interface Wake {
  readonly reason: string;
  readonly payload: Json;
  readonly arm?: string;
}

interface OfToken {
  readonly token: number;
}

interface OfScope {
  readonly scope: number;
}

export type Told =
  | {
      readonly did: 'start-instance';
      readonly instance: {
        readonly flow: string;
        readonly flowVersion: number;
        readonly input: Json;
      };
    }
  | { readonly did: 'open-scope'; readonly scope: NewScope }
  | ({ readonly did: 'return-scope'; readonly promote?: true } & OfScope)
  | ({ readonly did: 'close-scope' | 'drain-scope' | 'release-scope' | 'end-saga' } & OfScope)
  | ({ readonly did: 'start-saga'; readonly fault?: Fault } & OfScope)
  | ({
      readonly did: 'write';
      readonly space: 'results' | 'vars' | 'items';
      readonly name: string;
      readonly value: Json;
    } & OfScope)
  | { readonly did: 'birth-token'; readonly token: NewToken }
  | ({ readonly did: 'claim-token'; readonly worker: string; readonly at: number } & OfToken)
  | ({ readonly did: 'activate-token' | 'enter-token' | 'rest-token' | 'drop-token' } & OfToken)
  | ({ readonly did: 'hasten-token' } & OfToken)
  | ({
      readonly did: 'park-token';
      readonly wait: Wait;
      readonly wakeAt?: number;
      readonly error?: Fault;
    } & OfToken)
  | ({ readonly did: 'wake-token'; readonly wake: Wake; readonly enter?: true } & OfToken)
  | ({ readonly did: 'alter-task'; readonly entry: TaskEntry } & OfToken)
  | ({ readonly did: 'recover-token'; readonly error: Fault } & OfToken)
  | ({ readonly did: 'retry-token'; readonly error: Fault; readonly availableAt: number } & OfToken)
  | ({
      readonly did: 'end-token';
      readonly why: 'done' | 'joined' | 'failed' | 'cancelled';
      readonly fault?: Fault;
      readonly outcomes?: readonly string[];
    } & OfToken)
  | { readonly did: 'open-latch' | 'fire-latch' | 'drop-latch'; readonly latch: { node: string } }
  | { readonly did: 'record-undo'; readonly undo: { readonly id: number; readonly node: string } }
  | {
      readonly did: 'settle-undo';
      readonly undo: number;
      readonly as: 'completed' | 'failed';
      readonly fault?: Fault;
    }
  | { readonly did: 'hand-undos'; readonly from: number; readonly to: number | null }
  | { readonly did: 'post'; readonly post: JsonObject }
  | { readonly did: 'send'; readonly letter: JsonObject }
  | { readonly did: 'set-output'; readonly output: Json }
  | { readonly did: 'tag'; readonly name: string; readonly value: string | number | boolean | null }
  | {
      readonly did: 'act';
      readonly act: {
        readonly verb: string;
        readonly by: string | null;
        readonly why?: string;
        readonly bulk?: string;
      };
    }
  | { readonly did: 'suspend' | 'resume'; readonly halt?: true }
  | ({ readonly did: 'defer-token'; readonly wakeAt: number } & OfToken)
  | { readonly did: 'migrate'; readonly flowVersion: number }
  | ({ readonly did: 'place-token'; readonly node?: string; readonly scope?: number } & OfToken)
  | ({ readonly did: 'place-scope'; readonly node: string } & OfScope)
  | { readonly did: 'place-undo'; readonly undo: number; readonly node: string }
  | {
      readonly did: 'restore';
      readonly as: { readonly tokens: readonly RestoredToken[] } & Restored;
    }
  | { readonly did: 'stall'; readonly stalled: { readonly reason: string } }
  | { readonly did: 'unstall' }
  | {
      readonly did: 'finish';
      readonly as: 'completed' | 'failed' | 'canceled';
      readonly fault?: Fault;
      readonly outcome?: 'compensated';
    };

export interface RestoredToken extends Omit<NewToken, 'wait' | 'via'> {
  readonly status: string;
  readonly via: string | null;
  readonly wait: Wait | null;
}

interface Restored {
  readonly scopes: readonly NewScope[];
}

export function told(change: Change): Told {
  return change as unknown as Told;
}
