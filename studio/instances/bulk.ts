/**
 * What is done to many instances: which action, and what came of it. Nothing is done that was not
 * tried out before with the very same filter and action: `planOf` is what the two are compared by.
 */
import type { BulkResult, Json, Status } from '../api/shapes.ts';
import type { Cause } from '../api/shapes.ts';
import type { Filter } from './sought.ts';

export type Target =
  | { readonly is: 'filter'; readonly filter: Filter; readonly words: string }
  | { readonly is: 'chosen'; readonly ids: readonly string[] };

export type Deed =
  | 'retry'
  | 'revive'
  | 'suspend'
  | 'resume'
  | 'cancel'
  | 'migrate'
  | 'send'
  | 'set';

/** As it is filled in: whatever was typed stays, also while another action is chosen. */
export interface Draft {
  readonly deed: Deed;
  readonly saga: boolean;
  readonly version: string;
  readonly type: string;
  readonly data: string;
  readonly name: string;
  readonly value: string;
}

export const DRAFT: Draft = {
  ...{ deed: 'retry', saga: true, version: '', type: '', data: '', name: '', value: '' },
};

export interface DeedWords {
  readonly deed: Deed;
  readonly label: string;
  readonly means: string;
}

export const DEEDS: readonly DeedWords[] = [
  { deed: 'retry', label: 'Retry', means: 'Whatever waits to be mended is run again.' },
  {
    deed: 'revive',
    label: 'Revive',
    means: 'Failed instances go on where they failed. Nothing that was done is done again.',
  },
  { deed: 'suspend', label: 'Suspend', means: 'They stand still until they are resumed.' },
  { deed: 'resume', label: 'Resume', means: 'Suspended instances go on.' },
  { deed: 'cancel', label: 'Cancel', means: 'They end, with the instances they called.' },
  { deed: 'migrate', label: 'Migrate', means: 'They go on by another version of their flow.' },
  { deed: 'send', label: 'Send a message', means: 'Each of them gets it, and nobody else.' },
  { deed: 'set', label: 'Set a variable', means: 'Of the whole instance, to another value.' },
];

export type ActionAsked = { readonly do: Deed; readonly [name: string]: Json };

/** The action, or the field that is not right and why. */
export function actionOf(
  draft: Draft,
): { readonly action: ActionAsked } | { readonly field: keyof Draft; readonly problem: string } {
  const { deed } = draft;
  if (deed === 'cancel') return { action: { do: deed, saga: draft.saga } };
  if (deed === 'migrate') {
    const version = Number(draft.version);
    if (Number.isSafeInteger(version) && version > 0) return { action: { do: deed, version } };
    return { field: 'version', problem: 'Versions are whole numbers from 1.' };
  }
  if (deed === 'send') {
    const type = draft.type.trim();
    if (type === '') return { field: 'type', problem: 'Which message?' };
    if (draft.data.trim() === '') return { action: { do: deed, type } };
    const data = jsonOf(draft.data);
    if (data === undefined) return { field: 'data', problem: 'This is no JSON.' };
    return { action: { do: deed, type, data } };
  }
  if (deed === 'set') {
    const name = draft.name.trim();
    if (name === '') return { field: 'name', problem: 'Which variable?' };
    const value = jsonOf(draft.value);
    if (value === undefined) {
      return { field: 'value', problem: 'This is no JSON: text stands in quotes.' };
    }
    return { action: { do: deed, name, value } };
  }
  return { action: { do: deed } };
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** What was tried out, as a text: only the same may be done. */
export function planOf(target: Target, action: ActionAsked): string {
  const whom = target.is === 'filter' ? target.filter : target.ids;
  return JSON.stringify([whom, action]);
}

export type Item = BulkResult['items'][number];
export type Outcome = Item['outcome'];

export interface Sum {
  readonly matched: number;
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly items: readonly Item[];
}

export const NOTHING: Sum = {
  matched: 0,
  counts: { done: 0, unchanged: 0, refused: 0, failed: 0 },
  items: [],
};

export function plus(sum: Sum, page: Omit<BulkResult, 'cursor'>): Sum {
  const { done, unchanged, refused, failed } = page;
  const { counts } = sum;
  return {
    matched: sum.matched + page.matched,
    counts: {
      done: counts.done + done,
      unchanged: counts.unchanged + unchanged,
      refused: counts.refused + refused,
      failed: counts.failed + failed,
    },
    items: [...sum.items, ...page.items],
  };
}

export function plusItem(sum: Sum, item: Item): Sum {
  const none = { done: 0, unchanged: 0, refused: 0, failed: 0 };
  return plus(sum, { ...none, [item.outcome]: 1, matched: 1, items: [item] });
}

export interface Reason {
  readonly outcome: Outcome;
  readonly code: string | null;
  readonly message: string | null;
  readonly ids: readonly string[];
}

const OUTCOMES: readonly Outcome[] = ['failed', 'refused', 'unchanged', 'done'];

/** Those with the same outcome for the same reason together; what went wrong comes first. */
export function reasonsIn(items: readonly Item[]): readonly Reason[] {
  const groups = Map.groupBy(items, ({ id, outcome, error }) =>
    // The message names the instance, and is the same otherwise.
    JSON.stringify([outcome, error?.code, error?.message.replaceAll(id, '')]),
  );
  const reasons = Array.from(groups.values(), (same): Reason => {
    const [{ outcome, error, id } = { outcome: 'done' as const, error: undefined, id: '' }] = same;
    const isOne = same.length === 1;
    const message = error?.message ?? null;
    return {
      ...{ outcome, code: error?.code ?? null, ids: same.map((each) => each.id) },
      message: isOne ? message : (message?.replaceAll(id, '…') ?? null),
    };
  });
  const rank = ({ outcome }: Reason): number => OUTCOMES.indexOf(outcome);
  return reasons.toSorted((a, b) => rank(a) - rank(b) || b.ids.length - a.ids.length);
}

/** What is open may have an incident; what it is just at does not matter. */
export const OPEN: readonly Status[] = ['running', 'waiting', 'compensating', 'suspended'];

/** All that have this cause: those that failed are revived, and what is parked is tried again. */
export function groupOf(cause: Cause): { readonly filter: Filter; readonly deed: Deed } {
  const { flow, code, node, kind } = cause;
  return {
    filter: {
      flow,
      status: kind === 'failed' ? ['failed'] : OPEN,
      error: { code, ...(node === null ? {} : { node }) },
    },
    deed: kind === 'failed' ? 'revive' : 'retry',
  };
}
