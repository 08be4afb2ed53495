/**
 * Doing something to many instances, or trying out what it would do: a page after the other, and
 * ended between two of them if somebody says so. Asked twice, nothing is done twice.
 */
import { pathTo, post, postOnce, Problem, problemFrom } from '../api/asking.ts';
import type { BulkResult, Preview } from '../api/shapes.ts';
import {
  type ActionAsked,
  type Item,
  NOTHING,
  plus,
  plusItem,
  type Sum,
  type Target,
} from './bulk.ts';

/** Few enough that one sees it move and can end it, many enough to be quick. */
const PAGE_SIZE = 200;

export interface Order {
  readonly target: Target;
  readonly action: ActionAsked;
  readonly dryRun: boolean;
  /** In whose name and why. */
  readonly acting: { readonly actor?: string; readonly reason?: string };
  /** The same for the same order, however often it is sent. */
  readonly key: string;
  readonly signal: AbortSignal;
  readonly tell: (sum: Sum) => void;
}

export function carryOut(order: Order): Promise<Sum> {
  const { target } = order;
  return target.is === 'filter' ? byFilter(order, target.filter) : oneByOne(order, target.ids);
}

async function byFilter(order: Order, filter: unknown): Promise<Sum> {
  const { action, dryRun, acting, key, signal, tell } = order;
  let sum = NOTHING;
  let cursor: string | null = null;
  let turn = 0;
  do {
    const asked = { filter, action, dryRun, limit: PAGE_SIZE, ...acting };
    const body = cursor === null ? asked : { ...asked, cursor };
    const page: BulkResult = dryRun
      ? await post<BulkResult>('/api/actions', body)
      : await postOnce<BulkResult>('/api/actions', body, `${key}-${turn}`);
    sum = plus(sum, page);
    ({ cursor } = page);
    turn += 1;
    tell(sum);
  } while (cursor !== null && !signal.aborted);
  return sum;
}

async function oneByOne(order: Order, ids: readonly string[]): Promise<Sum> {
  let sum = NOTHING;
  for (const [turn, id] of ids.entries()) {
    if (order.signal.aborted) break;
    // Ids may be any text, and keys of requests may not.
    sum = plusItem(sum, await itemOf({ ...order, key: `${order.key}-${turn}` }, id));
    order.tell(sum);
  }
  return sum;
}

/** These mean that nobody can do it just now, and are not about the instance. */
const TROUBLE_STATUS_MIN = 500;

async function itemOf(order: Order, id: string): Promise<Item> {
  const { action, dryRun, acting, key } = order;
  try {
    if (dryRun) {
      const { changes } = await post<Preview>(pathTo('instances', id, 'actions', 'preview'), {
        action,
      });
      return { id, outcome: changes.length === 0 ? 'unchanged' : 'done' };
    }
    await postOnce(pathTo('instances', id, 'actions'), { action, ...acting }, key);
    return { id, outcome: 'done' };
  } catch (thrown) {
    const { code, message, status } = problemFrom(thrown);
    const isAbout = thrown instanceof Problem && status >= 400 && status < TROUBLE_STATUS_MIN;
    return { id, outcome: isAbout ? 'refused' : 'failed', error: { code, message } };
  }
}
