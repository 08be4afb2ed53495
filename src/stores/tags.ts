/** What instances are found by, as rows and back; the same for every database. */
import type { Attribute } from '../model/attribute.ts';
import type { Touched } from '../model/commit.ts';
import { text } from './cells.ts';
import type { Attributes, Sought } from './instances.ts';
import type { Row } from './rows.ts';
import type { Cell, Write } from './writes.ts';

export function tagWrites({ head, tags }: Touched): readonly Write[] {
  return tags.map(({ name, value }) =>
    value === null ? ['dropTag', head.id, name] : ['putTag', head.id, name, ...tagCells(value)],
  );
}

/** Type, text, and the number if it is one. */
export function tagCells(value: Attribute): readonly [string, string, number | null] {
  if (typeof value === 'string') return ['text', value, null];
  return typeof value === 'number' ? ['number', `${value}`, value] : ['boolean', `${value}`, null];
}

/** Name, type and text, and the least and the greatest number: what is not asked for is null. */
export function soughtCells(sought: Sought): readonly Cell[] {
  if (!('is' in sought)) return [sought.name, null, null, sought.low, sought.high];
  const [type, value] = tagCells(sought.is);
  return [sought.name, type, value, null, null];
}

/** Of each instance, by name. */
export function readTags(rows: readonly Row[]): ReadonlyMap<unknown, Attributes> {
  const lists = new Map<unknown, [string, Attribute][]>();
  for (const row of rows) {
    const own = lists.get(row.instance_id) ?? [];
    lists.set(row.instance_id, own);
    own.push([text(row, 'name'), readValue(text(row, 'type'), text(row, 'value'))]);
  }
  return new Map(Array.from(lists, ([id, own]) => [id, Object.freeze(Object.fromEntries(own))]));
}

function readValue(type: string, value: string): Attribute {
  if (type === 'text') return value;
  return type === 'number' ? Number(value) : value === 'true';
}
