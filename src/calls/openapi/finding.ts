/** Finding the operation of an id among the paths of a document. */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { follow, type Library, type Place } from './references.ts';

export interface Found {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly item: Place;
  readonly operation: JsonObject;
}

/** `query` and `additionalOperations` are of OpenAPI 3.2. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
/** Ids that an error names, where none is near enough to be meant. */
const IDS_SHOWN_MAX = 12;

/**
 * Paths that are in documents of their own are looked into last, and only until it is found: there
 * may be hundreds of them.
 */
export async function findOperation(library: Library, id: string): Promise<Found> {
  const { paths } = library.root.root;
  const items = Object.entries(isJsonObject(paths) ? paths : {}).flatMap(([path, item]) =>
    path.startsWith('/') && isJsonObject(item) ? [{ path, item }] : [],
  );
  const near = items.filter(({ item }) => !isElsewhere(item));
  const seen = (await Promise.all(near.map((one) => operationsOf(library, one)))).flat();
  for (const one of items.filter(({ item }) => isElsewhere(item))) {
    if (seen.some((found) => found.id === id)) break;
    seen.push(...(await operationsOf(library, one)));
  }
  const [first, second] = seen.filter((found) => found.id === id);
  if (first === undefined) throw unknown(library, id, seen);
  if (second === undefined) return first;
  const detail = `${library.name} has more than one operation "${id}": an id is there once`;
  throw new WorkflowError('configuration', { detail });
}

function isElsewhere({ $ref: reference }: JsonObject): boolean {
  return typeof reference === 'string' && !reference.startsWith('#');
}

async function operationsOf(
  library: Library,
  { path, item }: { readonly path: string; readonly item: JsonObject },
): Promise<Found[]> {
  const { value, document } = await follow(library, { value: item, document: library.root });
  // What stands beside a reference counts, too.
  const merged = value === item ? item : { ...value, ...item };
  const more = merged['additionalOperations'];
  const named = METHODS.map((method) => [method, merged[method]] as const);
  const others = Object.entries(isJsonObject(more) ? more : {});
  return [...named, ...others].flatMap(([method, operation]) => {
    const id = isJsonObject(operation) ? operation['operationId'] : undefined;
    if (!isJsonObject(operation) || typeof id !== 'string') return [];
    return { id, method: method.toUpperCase(), path, operation, item: { value: merged, document } };
  });
}

function unknown({ name }: Library, id: string, found: readonly Found[]): WorkflowError {
  const seen = found.map((one) => one.id);
  const meant = nearest(id, seen);
  const some = seen.slice(0, IDS_SHOWN_MAX).join(', ') + (seen.length > IDS_SHOWN_MAX ? ', …' : '');
  const known = seen.length === 0 ? 'none of its operations has an id' : `there are ${some}`;
  const hint = meant === undefined ? known : `did you mean "${meant}"?`;
  const detail = `${name} has no operation "${id}": ${hint}`;
  return new WorkflowError('configuration', { detail });
}
