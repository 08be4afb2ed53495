/** What is the same in every version: which parameters an operation has, and what it answers. */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { isJsonType, readMediaType } from '../media-type.ts';
import type { Found } from './finding.ts';
import { follow, type Library, type Place } from './references.ts';

/** Those of the operation and those of its path that it does not have itself. */
export async function parametersOf(library: Library, found: Found): Promise<readonly Place[]> {
  const { item, operation } = found;
  const all = new Map<string, Place>();
  for (const list of [item.value['parameters'], operation['parameters']]) {
    for (const value of listOf(list)) {
      if (!isJsonObject(value)) continue;
      const place = await follow(library, { value, document: item.document });
      const { in: where = null, name = null } = place.value;
      all.set(JSON.stringify([where, name]), place);
    }
  }
  return [...all.values()];
}

/** Names in braces that no parameter is declared for are parameters all the same. */
export function undeclaredIn(path: string, declared: readonly string[]): readonly string[] {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => !declared.includes(name));
}

/** JSON, if it is among what an operation answers with, since we read that best. */
export function acceptOf(types: readonly string[]): string | undefined {
  const json = types.find((type) => isJsonType(readMediaType(type).type));
  if (json !== undefined || types.length === 0) return json;
  return [...new Set(types)].join(', ');
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function mapOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
