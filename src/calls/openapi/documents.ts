/**
 * OpenAPI documents and the pieces they are cut into, read from JSON or YAML.
 *
 * A text is parsed once, however many calls need it: what was made of the last ones is kept by
 * their addresses, and good as long as the text is the same. How long a text itself is good for,
 * whoever fetches it decides.
 */
import { parse } from 'yaml';
import { admitJson, isJsonObject, type JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Calling, Resource } from '../calling.ts';
import { createShelf } from '../http/shelf.ts';

export interface ApiDocument {
  /** What relative addresses in it start from. */
  readonly url: string;
  readonly root: JsonObject;
}

/** So many are kept, of so many characters of text; what was not needed for longest goes first. */
export const DOCUMENTS_MAX = 256;
export const DOCUMENTS_CHARS_MAX = 33_554_432;
const NAME_CHARS_MAX = 200;
/** Aliases of YAML unfold, a few lines to more than memory holds. */
const ALIASES_MAX = 1_000;

const parsed = createShelf<{ readonly text: string; readonly document: ApiDocument }>({
  entriesMax: DOCUMENTS_MAX,
  weightMax: DOCUMENTS_CHARS_MAX,
});

export async function loadDocument(calling: Calling, resource: Resource): Promise<ApiDocument> {
  const { text, url } = await calling.resources.text(resource, calling.signal);
  const known = parsed.find(url);
  if (known?.text === text) return known.document;
  const document = readDocument(calling, text, url);
  parsed.put(url, { text, document }, text.length);
  return document;
}

/** An address to be read by people: what lies behind the question mark may be a token. */
export function nameOf({ hide }: Calling, url: string): string {
  return hide(url.replace(/[?#].*$/s, '')).slice(0, NAME_CHARS_MAX);
}

function readDocument(calling: Calling, text: string, url: string): ApiDocument {
  const admitted = admitJson(parseText(calling, text, url));
  if (admitted.ok && isJsonObject(admitted.value)) return { url, root: admitted.value };
  const found = admitted.ok ? 'is no object' : `cannot be kept: ${admitted.problem}`;
  throw new WorkflowError('configuration', {
    detail: `${nameOf(calling, url)} is no OpenAPI document: what it holds ${found}`,
  });
}

/** JSON is YAML, too, but read by its own parser it takes a fraction of the time. */
function parseText(calling: Calling, text: string, url: string): unknown {
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // A brace may begin YAML just as well, and that parser says where it is wrong.
    }
  }
  try {
    return parse(text, { maxAliasCount: ALIASES_MAX, logLevel: 'error' });
  } catch (thrown) {
    const [said = ''] = thrown instanceof Error ? thrown.message.split('\n') : [];
    const detail = `${nameOf(calling, url)} is neither JSON nor YAML: ${said}`;
    throw new WorkflowError('configuration', { detail });
  }
}
