/** What a definition has for reuse, looked up by name: `use`, and what was fetched for it. */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

export interface Shelf {
  readonly definition: JsonObject;
  /** Functions that stand elsewhere, by how they are called: `log:1.0.0@shared`, or a URL. */
  readonly functions: ReadonlyMap<string, JsonObject>;
  /** Schemas that stand elsewhere, by their endpoint. */
  readonly schemas: ReadonlyMap<string, Json>;
}

type Section = 'authentications' | 'errors' | 'functions' | 'retries' | 'timeouts' | 'catalogs';

export function reused({ definition }: Shelf, section: Section, name: string): Json | undefined {
  const part = objectIn(objectIn(definition, 'use'), section);
  return Object.hasOwn(part, name) ? part[name] : undefined;
}

/** A member that is an object; an empty one if it is not there. */
export function objectIn(value: Json | undefined, name: string): JsonObject {
  const found = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return isJsonObject(found) ? found : NONE;
}

const NONE: JsonObject = Object.freeze({});

/** A member that is a list; an empty one if it is not there. */
export function listIn(value: Json | undefined, name: string): readonly Json[] {
  const found = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

export function textIn(value: Json | undefined, name: string): string | undefined {
  const found = isJsonObject(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** What names a resource: its endpoint, whichever way that is written. */
export function endpointOf(resource: Json | undefined): string | undefined {
  const { endpoint } = isJsonObject(resource) ? resource : {};
  return typeof endpoint === 'string' ? endpoint : textIn(endpoint, 'uri');
}
