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

/** How many parameters each of these has: they are null where it has nothing to say. */
const BIRTH_CELLS = 7;
const CLAIM_CELLS = 5;
const VALUE_CELLS = 6;
const TOKEN_CELLS = 25;

/** What a plain commit has, and how often: once at most. */
class Parts {
  head: Write | null = null;
  input: Write | null = null;
  history: Write | null = null;
  closed: Cell = null;
  value: Write | null = null;
}

/** Null if it is not plain. */
export function askForOne(row: CommitRow, told: number | null): Ask | null {
  const parts = partsOf(row);
  const token = parts === null ? null : tokenOf(row);
  if (parts === null || token === null) return null;
  const { head, history, closed } = parts;
  if (head === null || history === null) return null;
  return [
    queries.own.commitOne,
    told,
    shardOf(row.instance),
    ...head.slice(1, 15),
    history[3] ?? null,
    history[5] ?? null,
    ...birthOf(row, parts),
    ...claimOf(row),
    closed,
    ...valueOf(parts.value),
    ...token,
  ];
}

function partsOf(row: CommitRow): Parts | null {
  const parts = new Parts();
  for (const write of row.writes) {
    switch (write[0]) {
      case 'updateInstance':
      case 'putInstance':
        parts.head = write;
        break;
      case 'putInput':
        parts.input = write;
        break;
      case 'putHistory':
        parts.history = write;
        break;
      case 'endToken':
        if (write[2] !== row.fence?.token) return null;
        break;
      case 'closeScope':
        if (parts.closed !== null) return null;
        parts.closed = write[2] ?? null;
        break;
      case 'addVariable':
      case 'putVariable':
        if (parts.value !== null) return null;
        parts.value = write;
        break;
      case 'putKey':
      case 'closeVariables':
        // With the instance, and with the scope.
        break;
      default:
        return null;
    }
  }
  return parts;
}

/** Its key, tenant, birthday and parent are the last cells of what is written. */
function birthOf({ key }: CommitRow, { head, input }: Parts): Cells {
  if (head?.[0] !== 'putInstance') return nothing(BIRTH_CELLS);
  return [...head.slice(15, 20), input?.[2] ?? null, key === null ? null : shardOf(...key)];
}

function claimOf({ fence, writes }: CommitRow): Cells {
  if (fence === null) return nothing(CLAIM_CELLS);
  const { token, worker, version, expired } = fence;
  const ends = writes.some(([name]) => name === 'endToken');
  return [token, worker, version, Number(expired), Number(ends)];
}

function valueOf(write: Write | null): Cells {
  if (write === null) return nothing(VALUE_CELLS);
  return [...write.slice(2, 7), Number(write[0] === 'addVariable')];
}

/** Null if there are several, or if one was there before. */
function tokenOf({ tokens, taken, take, bornAfter }: CommitRow): Cells | null {
  const [token, ...others] = [...tokens, ...taken];
  if (token === undefined) return nothing(TOKEN_CELLS);
  if (others.length > 0 || Number(token[1]) <= bornAfter) return null;
  const claim =
    taken.length > 0 && take !== null ? [take.worker, take.leaseMs, 1] : [null, null, 0];
  return [...token.slice(1), ...claim];
}

function nothing(count: number): Cells {
  return Array.from({ length: count }, () => null);
}
