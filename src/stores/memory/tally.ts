/** Counting instances in memory, and why something is wrong with them. */
import type { Fault } from '../../model/instance.ts';
import type { ShownStatus, Tally, TallyCause, TallyGroup, TallyRequest } from '../instances.ts';
import { CAUSE_MESSAGE_CHARS_MAX, CAUSE_MESSAGES_MAX, CAUSES_MAX, tallyOf } from '../tallying.ts';
import type { InstanceRow } from './rows.ts';
import type { Tables } from './tables.ts';

export function tallyIn(tables: Tables, { flow, tenant, walk }: TallyRequest): Tally {
  const rows = tables
    .scanBack(null, Number.POSITIVE_INFINITY)
    .flatMap((id) => tables.find(id) ?? [])
    .filter(({ head }) => tenant === null || head.tenant === tenant)
    // Of a tenant all flows are walked, as in a database.
    .filter(({ head }) => tenant !== null || flow === null || head.flow === flow);
  const meant = rows.slice(0, walk).filter(({ head }) => flow === null || head.flow === flow);
  return tallyOf(groupsOf(meant), rows.length <= walk, causesOf(meant));
}

/** What is claimed is ready here. */
export function shownStatus({ head, tokens }: InstanceRow): ShownStatus {
  if (head.status !== 'running') return head.status;
  return tokens.values().some(({ token }) => token.status === 'ready') ? 'running' : 'waiting';
}

function groupsOf(rows: readonly InstanceRow[]): readonly TallyGroup[] {
  const groups = new Map<string, TallyGroup>();
  for (const row of rows) {
    const { flow, flowVersion: version } = row.head;
    const status = shownStatus(row);
    const name = JSON.stringify([flow, version, status]);
    groups.set(name, { flow, version, status, count: (groups.get(name)?.count ?? 0) + 1 });
  }
  return [...groups.values()]
    .map((group) => Object.freeze(group))
    .sort(
      (a, b) => compare(a.flow, b.flow) || a.version - b.version || compare(a.status, b.status),
    );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

interface Wrong {
  readonly cause: Omit<TallyCause, 'count' | 'messages'>;
  readonly message: string;
}

interface Counting {
  readonly cause: Wrong['cause'];
  count: number;
  readonly messages: Map<string, number>;
}

/** Newest first, as the rows are: what is found first is the newest. */
function causesOf(rows: readonly InstanceRow[]): readonly TallyCause[] {
  const causes = new Map<string, Counting>();
  for (const { cause, message } of rows.flatMap(wrongIn)) {
    const name = JSON.stringify([cause.flow, cause.node, cause.code, cause.kind]);
    const known = causes.get(name) ?? { cause, count: 0, messages: new Map<string, number>() };
    known.count += 1;
    known.messages.set(message, (known.messages.get(message) ?? 0) + 1);
    causes.set(name, known);
  }
  const told = [...causes.values()].sort((a, b) => b.count - a.count).slice(0, CAUSES_MAX);
  return Object.freeze(
    told.map(({ cause, count, messages }) =>
      Object.freeze({
        ...cause,
        count,
        messages: mostOf(messages),
      }),
    ),
  );
}

function mostOf(messages: ReadonlyMap<string, number>): TallyCause['messages'] {
  const told = Array.from(messages, ([message, count]) => Object.freeze({ message, count }));
  return Object.freeze(told.sort((a, b) => b.count - a.count).slice(0, CAUSE_MESSAGES_MAX));
}

function wrongIn({ head, tokens }: InstanceRow): readonly Wrong[] {
  const { id: newest, flow, status, fault } = head;
  const wrong = (
    kind: TallyCause['kind'],
    node: string | null,
    { code, message }: Fault,
  ): Wrong => ({
    cause: { flow, node, code, kind, newest },
    message: Array.from(message).slice(0, CAUSE_MESSAGE_CHARS_MAX).join(''),
  });
  if (status === 'failed' && fault !== null) return [wrong('failed', fault.node, fault)];
  return tokens.values().flatMap(({ token: { wait, node, lastError } }) => {
    if (wait?.on !== 'incident' || lastError === null) return [];
    return [wrong('incident', node, lastError)];
  });
}
