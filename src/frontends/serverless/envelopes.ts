/** What every task may have, as its node is told it. */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Mutable } from '../../base/mutable.ts';
import { schemaProblems, toldIn } from '../../expressions/schema/schema.ts';
import type { Envelope, Stage } from '../../model/serverless.ts';
import type { Drawing } from './drawing.ts';
import type { Entry, Region, Ways } from './lists.ts';
import { endpointOf, type Shelf } from './shelf.ts';
import { expressionOrValue, inside, programOf, type Spot } from './templates.ts';

export interface Desk {
  readonly drawing: Drawing;
  readonly shelf: Shelf;
}

/** The envelope of a task as it is written. */
export function envelopeOf(desk: Desk, entry: Entry, region: Region, ways: Ways): Envelope {
  const { task } = entry;
  const spot = spotOf(entry, region);
  const envelope: Mutable<Envelope> = { ...bareOf(entry, region), next: ways(thenOf(task)) };
  const skip = ways(undefined);
  if (skip !== envelope.next) envelope.skip = skip;
  const { if: condition } = task;
  if (typeof condition === 'string') {
    envelope.if = programOf(desk.drawing, condition, inside(spot, 'if'));
  }
  for (const stage of ['input', 'output', 'export'] as const) {
    const made = stageOf(desk, task[stage], inside(spot, stage));
    if (made !== undefined) envelope[stage] = made;
  }
  return envelope;
}

/** Only who it is: for what lies inside a node that has the rest. */
export function bareOf({ name, at, id }: Entry, { of }: Region): Omit<Envelope, 'next'> {
  return { name, ...(id === at ? {} : { at }), ...(of === undefined ? {} : { of }) };
}

function thenOf(task: JsonObject): string | undefined {
  const { then } = task;
  return typeof then === 'string' ? then : undefined;
}

export function spotOf({ at }: Entry, { vars }: Region): Spot {
  return { at, vars };
}

/** `input`, `output` or `export`: what is made of the data, and the schema it must fit. */
export function stageOf(
  { drawing, shelf }: Desk,
  value: Json | undefined,
  spot: Spot,
): Stage | undefined {
  if (!isJsonObject(value)) return undefined;
  const stage: Mutable<Stage> = {};
  const [name, shaped] =
    Object.entries(value).find(([key]) => key === 'from' || key === 'as') ?? [];
  if (name !== undefined && shaped !== undefined) {
    stage.as = expressionOrValue(drawing, shaped, inside(spot, name));
  }
  const schema = schemaOf({ drawing, shelf }, value['schema'], inside(spot, 'schema'));
  if (schema !== undefined) stage.schema = schema;
  return Object.keys(stage).length === 0 ? undefined : stage;
}

const FORMAT = /^json(:.+)?$/;

function schemaOf({ drawing, shelf }: Desk, value: Json | undefined, spot: Spot): Json | undefined {
  if (!isJsonObject(value)) return undefined;
  const { format = 'json', document, resource } = value;
  if (typeof format !== 'string' || !FORMAT.test(format)) {
    const message = `a schema is in the format "json"; came ${JSON.stringify(format)}`;
    drawing.complain('serverless.unknown-schema-format', message, `${spot.at}/format`);
    return undefined;
  }
  const endpoint = endpointOf(resource);
  const schema = endpoint === undefined ? document : shelf.schemas.get(endpoint);
  if (schema === undefined) return undefined;
  const problems = schemaProblems(schema);
  if (problems.length > 0) {
    const message = `this is no JSON Schema: ${problems.map(toldIn).join('; ')}`;
    drawing.complain('serverless.bad-schema', message, spot.at);
  }
  return schema;
}
