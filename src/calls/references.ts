/** What references between documents of strangers have in common, in whichever language. */
import type { Json, JsonObject } from '../base/json.ts';
import { WorkflowError } from '../model/workflow-error.ts';

/** A JSON pointer (RFC 6901), as it stands in the fragment of a URI. */
export function pointed(root: Json, fragment: string): Json | undefined {
  if (fragment === '') return root;
  if (!fragment.startsWith('/')) return undefined;
  let value: Json | undefined = root;
  for (const part of fragment.slice(1).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return part;
  }
}

/** What comes from the web leads to the web: this machine's disk is not for its author to read. */
export function checkPiece(language: string, from: string, to: string): void {
  const { protocol } = new URL(to);
  if (/^https?:$/.test(protocol) || protocol === new URL(from).protocol) return;
  const detail = `an ${language} document from the web cannot refer to one from ${protocol}`;
  throw new WorkflowError('configuration', { detail });
}
