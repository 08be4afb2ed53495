/** What the nodes of a Serverless Workflow say of the tasks that they are of. */
import type { Json, JsonObject } from '../base/json.ts';
import type { Sketch, SketchNode } from './sketch.ts';

/** The node around everything, if it is a workflow. */
export function workflowIn({ nodes }: Sketch): SketchNode | undefined {
  return nodes.find(({ kind, parent }) => kind === 'sw-workflow' && parent === null);
}

export function documentTitle({ settings }: SketchNode): string {
  const document = objectIn(objectIn(settings, 'definition'), 'document');
  const [namespace = '', name = '', version = ''] = ['namespace', 'name', 'version'].map((part) =>
    textIn(document, part),
  );
  return `${namespace}.${name}@${version}`;
}

export function nameIn({ id, settings }: SketchNode): string {
  return textIn(objectIn(settings, 'task'), 'name') ?? id;
}

/** Where it stands in the definition: what is written once may be there several times. */
export function placeIn({ id, settings }: SketchNode): string {
  return textIn(objectIn(settings, 'task'), 'at') ?? id;
}

export function objectIn(value: Json | undefined, name: string): JsonObject {
  const found: unknown = Reflect.get(Object(value), name);
  return typeof found === 'object' && found !== null && !Array.isArray(found)
    ? (found as JsonObject)
    : {};
}

export function textIn(value: Json | undefined, name: string): string | undefined {
  const found: unknown = Reflect.get(Object(value), name);
  return typeof found === 'string' ? found : undefined;
}
