/**
 * External resources: texts that a definition names by where they lie.
 *
 * Over http and https they come by the guarded client, with their authentication, and are kept for
 * a while: a definition that runs often does not ask for its documents every time. `data:` URIs
 * hold them themselves. Files are read only below the directories that the host program names,
 * whatever links lead there; without any, none.
 */
import { createHash } from 'node:crypto';
import { EngineError } from '../../base/engine-error.ts';
import { canonicalJson } from '../../base/json.ts';
import type { HttpClient, LoadedResource, Resource, Resources } from '../calling.ts';
import { brokenAs, notAskable, placeOf } from './failures.ts';
import { createFileReader, type FileReader } from './files.ts';
import { readLimit } from './limits.ts';
import { createSharing } from './sharing.ts';
import { createShelf } from './shelf.ts';
import { readDataUri, textOf, tooLong } from './texts.ts';

export interface ResourceOptions {
  /** Directories below which `file:` URIs may be read; by default there are none. */
  readonly files?: readonly string[] | undefined;
  /** What relative references are relative to: the place of the definition, or of its host. */
  readonly base?: URL | string | undefined;
  /** Of one resource. What comes over http is also under `http.maxResponseBytes`. */
  readonly maxBytes?: number | undefined;
  /** How long what came over http is kept. */
  readonly keepMs?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

export const RESOURCE_BYTES_MAX_DEFAULT: number = 10 * 1_048_576;
export const RESOURCE_KEEP_MS_DEFAULT = 300_000;
/** Resources that are kept, and the characters of all of them. */
export const RESOURCES_MAX = 256;
export const RESOURCES_CHARS_MAX = 33_554_432;

interface House {
  readonly client: HttpClient;
  readonly files: FileReader;
  readonly base: string | undefined;
  readonly maxBytes: number;
}

export function createResources(client: HttpClient, options: ResourceOptions = {}): Resources {
  const { files = [], now = Date.now } = options;
  const maxBytes = readLimit('resources.maxBytes', options.maxBytes, RESOURCE_BYTES_MAX_DEFAULT);
  const keepMs = readLimit('resources.keepMs', options.keepMs, RESOURCE_KEEP_MS_DEFAULT);
  const reader = createFileReader(files, maxBytes);
  const house = { client, files: reader, base: readBase(options.base), maxBytes };
  const kept = createShelf<{ readonly loaded: LoadedResource; readonly until: number }>({
    entriesMax: RESOURCES_MAX,
    weightMax: RESOURCES_CHARS_MAX,
  });
  const share = createSharing<LoadedResource>();
  return {
    text: async (resource, signal) => {
      const url = urlOf(house, resource);
      if (!/^https?:$/.test(url.protocol)) return loadLocally(house, url, signal);
      const key = keyOf(url, resource);
      const found = kept.find(key);
      if (found !== undefined && now() < found.until) return found.loaded;
      return share(key, signal, async (shared) => {
        const loaded = await loadByHttp(house, url, resource, shared);
        kept.put(key, { loaded, until: now() + keepMs }, loaded.text.length);
        return loaded;
      });
    },
  };
}

function urlOf({ base }: House, { endpoint }: Resource): URL {
  const uri = typeof endpoint === 'string' ? endpoint : endpoint.uri;
  if (URL.canParse(uri)) return new URL(uri);
  if (base !== undefined && URL.canParse(uri, base)) return new URL(uri, base);
  const help = base === undefined ? ', or a base for relative references (resources.base)' : '';
  throw notAskable(`an external resource needs a URI${help}; came "${uri.slice(0, 100)}"`);
}

async function loadLocally(house: House, url: URL, signal: AbortSignal): Promise<LoadedResource> {
  signal.throwIfAborted();
  switch (url.protocol) {
    case 'file:':
      return house.files(url, signal);
    case 'data:':
      return readDataUri(url, house.maxBytes);
    default:
      throw notAskable(
        `an external resource is read by http, https, file or data; came "${url.protocol}"`,
      );
  }
}

async function loadByHttp(
  { client, maxBytes }: House,
  url: URL,
  { endpoint }: Resource,
  signal: AbortSignal,
): Promise<LoadedResource> {
  const policy = typeof endpoint === 'string' ? undefined : endpoint.authentication;
  const answer = await client.send({
    ...{ method: 'GET', url, redirect: true, signal },
    ...(policy === undefined ? {} : { authentication: policy }),
  });
  const { status, statusText, body, headers, request } = answer;
  const place = placeOf(url);
  if (status < 200 || status > 299) {
    throw brokenAs(`the resource ${place} could not be had: ${status} ${statusText}`, status);
  }
  if (body.length > maxBytes) throw tooLong(place, maxBytes);
  const type = headers['content-type'];
  return { ...textOf(body, type, place), url: request.uri };
}

/** Says nothing of the credentials in it. */
function keyOf({ href }: URL, { endpoint }: Resource): string {
  const policy = (typeof endpoint === 'string' ? undefined : endpoint.authentication) ?? null;
  return createHash('sha256')
    .update(canonicalJson([href, policy]))
    .digest('base64url');
}

function readBase(base: URL | string | undefined): string | undefined {
  if (base === undefined) return undefined;
  const text = String(base);
  if (URL.canParse(text)) return text;
  const message = `resources.base is a URL; came ${JSON.stringify(text.slice(0, 100))}`;
  throw new EngineError('engine.option-invalid', message);
}
