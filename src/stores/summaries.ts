/** Instances as people find them, from rows of any database; and what was asked for, as cells. */
import type { InstanceId, TokenId } from '../model/ids.ts';
import type { Fault, Stalled } from '../model/instance.ts';
import { instant, integer, integerOrNull, jsonIfAny, text, textOrNull } from './cells.ts';
import type { Attributes, FindRequest, FoundInstance } from './instances.ts';
import type { Row } from './rows.ts';
import { readTags } from './tags.ts';
import type { Cell } from './writes.ts';

/** One that someone edited by hand must not hide the others of its page. */
const UNREADABLE: Fault = Object.freeze({
  code: 'store.corrupt',
  message: 'what is stored here is no JSON: restore the database from a backup',
  node: null,
});

const NO_ATTRIBUTES: Attributes = Object.freeze({});

/** Instances, and the rows of what they are found by. */
export function readFound(rows: readonly Row[], tags: readonly Row[]): readonly FoundInstance[] {
  const attributes = readTags(tags);
  return rows.map((row) => readSummary(row, attributes.get(row.id) ?? NO_ATTRIBUTES));
}

function readSummary(row: Row, attributes: Attributes): FoundInstance {
  const fault = jsonIfAny(row, 'fault');
  const parent = textOrNull(row, 'parent_instance_id') as InstanceId | null;
  return Object.freeze({
    id: text(row, 'id') as InstanceId,
    flow: text(row, 'flow'),
    flowVersion: integer(row, 'flow_version'),
    status: text(row, 'shown') as FoundInstance['status'],
    key: textOrNull(row, 'key'),
    tenant: textOrNull(row, 'tenant'),
    priority: integer(row, 'priority'),
    fault: fault === undefined ? UNREADABLE : (fault as unknown as Fault | null),
    stalled: (jsonIfAny(row, 'stalled') ?? null) as unknown as Stalled | null,
    outcome: textOrNull(row, 'outcome') as FoundInstance['outcome'],
    parent:
      parent === null
        ? null
        : Object.freeze({ instance: parent, token: integer(row, 'parent_token_id') as TokenId }),
    createdAt: instant(row, 'created_at'),
    updatedAt: instant(row, 'updated_at'),
    endedAt: integerOrNull(row, 'ended_at') as FoundInstance['endedAt'],
    attributes,
  });
}

/** All but the statuses, the attributes and the limit, which each database takes in its own way. */
export function soughtHead(request: FindRequest): {
  readonly before: readonly Cell[];
  readonly after: readonly Cell[];
} {
  const { flow, version, key, tenant, parent, created, ended, fault } = request;
  return {
    before: [flow, version],
    after: [
      ...[key, tenant, parent, created.from, created.to, ended.from, ended.to],
      ...[fault?.code ?? null, fault?.prefix ?? null, fault?.text ?? null, fault?.node ?? null],
    ],
  };
}
