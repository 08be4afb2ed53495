/**
 * Following `$ref`: within a document, and into others that lie beside it.
 *
 * Nothing is unfolded ahead. A reference is followed where what it stands for is needed, so a
 * schema that refers to itself is no trouble; only a reference that leads to itself is, and a chain
 * of them has an end. Pieces of a document are fetched with its credentials only where they come
 * from the same origin, and never from this machine's disk if the document did not.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Endpoint } from '../arguments.ts';
import type { Calling, Resource } from '../calling.ts';
import { checkPiece, pointed } from '../references.ts';
import { type ApiDocument, loadDocument, nameOf } from './documents.ts';

/** References that lead to references, one after the other. */
export const REFERENCES_MAX = 32;
/** Documents that one call may read, the first among them. */
export const LIBRARY_DOCUMENTS_MAX = 128;

/** A part of a document, and which document it is a part of: references start from there. */
export interface Place {
  readonly value: JsonObject;
  readonly document: ApiDocument;
}

/** The documents of one call. */
export interface Library {
  readonly root: ApiDocument;
  /** What the root is called in errors. */
  readonly name: string;
  /** The document at this address. */
  open(url: string): Promise<ApiDocument>;
}

export async function openLibrary(calling: Calling, endpoint: Endpoint): Promise<Library> {
  const fetched = await loadDocument(calling, { endpoint });
  const root = rebased(fetched);
  const known = new Map([[root.url, Promise.resolve(root)]]);
  return {
    root,
    name: nameOf(calling, root.url),
    open: (url) => {
      const found = known.get(url);
      if (found !== undefined) return found;
      if (known.size >= LIBRARY_DOCUMENTS_MAX) {
        throw wrong(`${nameOf(calling, root.url)} is in more than ${LIBRARY_DOCUMENTS_MAX} pieces`);
      }
      const opened = loadDocument(calling, pieceOf(fetched, endpoint, url));
      known.set(url, opened);
      return opened;
    },
  };
}

/** What a value stands for: itself, or what its `$ref` leads to in the end. */
export async function follow(library: Library, from: Place): Promise<Place> {
  let place = from;
  for (let hops = 0; hops <= REFERENCES_MAX; hops += 1) {
    const reference = place.value['$ref'];
    if (typeof reference !== 'string') return place;
    place = await step(library, place.document, reference);
  }
  throw wrong(`"$ref": ${JSON.stringify(from.value['$ref'])} leads round in a circle`);
}

/** Where a reference within a document leads; undefined if it leads elsewhere or nowhere. */
export function findWithin(document: ApiDocument, reference: string): Place | undefined {
  const value = reference.startsWith('#') ? pointed(document.root, reference.slice(1)) : undefined;
  return isJsonObject(value) ? { value, document } : undefined;
}

async function step(library: Library, from: ApiDocument, reference: string): Promise<Place> {
  const [file = '', fragment = ''] = reference.split('#', 2);
  if (file !== '' && !URL.canParse(file, from.url)) throw nowhere(reference);
  const document = file === '' ? from : await library.open(new URL(file, from.url).href);
  const value = pointed(document.root, fragment);
  if (!isJsonObject(value)) throw nowhere(reference);
  return { value, document };
}

/** OpenAPI 3.2 lets a document say where it is from. */
function rebased({ url, root }: ApiDocument): ApiDocument {
  const { $self: self } = root;
  if (typeof self !== 'string' || !URL.canParse(self, url)) return { url, root };
  return { url: new URL(self, url).href, root };
}

/** Whether a piece may be had, and with what, is not for the document to say. */
function pieceOf(fetched: ApiDocument, endpoint: Endpoint, uri: string): Resource {
  checkPiece('OpenAPI', fetched.url, uri);
  const { origin } = new URL(uri);
  const isOurs = URL.canParse(endpoint.uri) && new URL(endpoint.uri).origin === origin;
  return { endpoint: isOurs ? { ...endpoint, uri } : uri };
}

function nowhere(reference: string): WorkflowError {
  return wrong(`"$ref": ${JSON.stringify(reference)} leads to nothing in the OpenAPI document`);
}

function wrong(detail: string): WorkflowError {
  return new WorkflowError('configuration', { detail });
}
