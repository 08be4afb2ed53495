/**
 * A round of one plain commit. On an idle engine that is what every step is: its head and history,
 * the claim it used up, and at most one new token, one value and one closed scope. It goes as plain
 * parameters to `commit_one`, which does with them what `commit_round` does with lists (`once.ts`):
 * the same guards, the same order of locks, and PD001 if a guard does not hold. Whatever has more
 * to write is no plain commit, and goes as lists.
 */
import type { Cell, CommitRow, Write } from '../writes.ts';
import type { Ask } from './driver.ts';
import * as queries from './queries.ts';
import { shardOf } from './shard.ts';

type Cells = readonly Cell[];

/** What the function gets where there is nothing. */
const NO_BIRTH = nothing(7);
const NO_CLAIM = nothing(5);
const NO_VALUE = nothing(6);
const NO_TOKEN = nothing(25);

/** Worker, lease and how many claims it has had. */
const UNCLAIMED: Cells = [null, null, 0];

/** What a plain commit writes beside its token, each of it once at most. */
interface Parts {
  readonly head: Write;
  readonly history: Write;
  readonly input: Write | undefined;
  readonly closed: Write | undefined;
  readonly value: Write | undefined;
  /** The token of its claim ends. */
  readonly ends: boolean;
}

/** Null if it is not plain. */
export function askForOne(row: CommitRow, told: number | null): Ask | null {
  const parts = partsOf(row);
  const token = tokenOf(row);
  if (parts === null || token === null || !hasPlainKey(row, parts)) return null;
  const { head, history, closed, value } = parts;
  return [
    queries.own.commitOne,
    told,
    shardOf(row.instance),
    ...head.slice(1, 15),
    history[3] ?? null,
    history[5] ?? null,
    ...birthOf(row, parts),
    ...claimOf(row, parts),
    closed?.[2] ?? null,
    ...(value === undefined
      ? NO_VALUE
      : [...value.slice(2, 7), Number(value[0] === 'addVariable')]),
    ...token,
  ];
}

function partsOf({ fence, writes, holds }: CommitRow): Parts | null {
  if (holds.length > 0) return null;
  let head: Write | undefined;
  let history: Write | undefined;
  let input: Write | undefined;
  let closed: Write | undefined;
  let value: Write | undefined;
  let ends = false;
  for (const write of writes) {
    switch (write[0]) {
      case 'updateInstance':
      case 'putInstance':
        head = write;
        break;
      case 'putHistory':
        history = write;
        break;
      case 'putInput':
        input = write;
        break;
      case 'endToken':
        if (write[2] !== fence?.token) return null;
        ends = true;
        break;
      case 'closeScope':
        if (closed !== undefined) return null;
        closed = write;
        break;
      case 'addVariable':
      case 'putVariable':
        if (value !== undefined) return null;
        value = write;
        break;
      case 'putKey':
      case 'closeVariables':
        // With the instance, and with the scope.
        break;
      default:
        return null;
    }
  }
  if (head === undefined || history === undefined) return null;
  return { head, history, input, closed, value, ends };
}

/** The function keeps the key of one that starts as it was given: one of a tenant's is no such. */
function hasPlainKey({ key }: CommitRow, { head }: Parts): boolean {
  return head[0] !== 'putInstance' || key === null || key[1] === head[15];
}

/** Its key, tenant, birthday and parent are the last cells of what is written. */
function birthOf({ key }: CommitRow, { head, input }: Parts): Cells {
  if (head[0] !== 'putInstance') return NO_BIRTH;
  return [...head.slice(15, 20), input?.[2] ?? null, key === null ? null : shardOf(...key)];
}

function claimOf({ fence }: CommitRow, { ends }: Parts): Cells {
  if (fence === null) return NO_CLAIM;
  const { token, worker, version, expired } = fence;
  return [token, worker, version, Number(expired), Number(ends)];
}

/** Null if there are several, or if one was there before. */
function tokenOf({ tokens, taken, take, bornAfter }: CommitRow): Cells | null {
  const [token, ...others] = [...tokens, ...taken];
  if (token === undefined) return NO_TOKEN;
  if (others.length > 0 || Number(token[1]) <= bornAfter) return null;
  const isTaken = taken.length > 0 && take !== null;
  return [...token.slice(1), ...(isTaken ? [take.worker, take.leaseMs, 1] : UNCLAIMED)];
}

function nothing(count: number): Cells {
  return Array.from({ length: count }, () => null);
}
