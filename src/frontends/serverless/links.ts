/**
 * What a definition is made of that stands elsewhere: functions of catalogs and of URLs, and
 * schemas. All of it is fetched when the definition is deployed and becomes part of its plan, so
 * that an instance goes on by what it began with, whatever becomes of the place it came from.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Wanted } from '../../model/definition.ts';
import { CALL_KINDS } from '../../model/serverless.ts';
import { endpointOf, objectIn, reused, type Shelf, textIn } from './shelf.ts';
import { type TemplateDesk, templateOf } from './templates.ts';

/** Everything that is not there yet. */
export function wantsOf(shelf: Shelf): readonly Wanted[] {
  const wants = new Map<string, Wanted>();
  const sources = [shelf.definition, ...shelf.functions.values()];
  for (const source of sources) {
    for (const part of objectsIn(source)) {
      const want = functionWanted(shelf, part) ?? schemaWanted(shelf, part);
      if (want !== undefined) wants.set(want.name, want);
    }
  }
  return [...wants.values()];
}

function* objectsIn(value: Json): Generator<JsonObject> {
  if (typeof value !== 'object' || value === null) return;
  if (isJsonObject(value)) yield value;
  for (const part of Object.values(value as JsonObject)) yield* objectsIn(part);
}

/** A task that calls what is neither built in, nor defined here, nor fetched. */
function functionWanted(shelf: Shelf, { call }: JsonObject): Wanted | undefined {
  if (typeof call !== 'string' || (CALL_KINDS as readonly string[]).includes(call))
    return undefined;
  if (reused(shelf, 'functions', call) !== undefined || shelf.functions.has(call)) return undefined;
  const kind = 'function' as const;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(call)) return { kind, name: call, url: functionUrl(call) };
  const cataloged = /^([^:@]+):([^@]+)@(.+)$/.exec(call);
  if (cataloged === null) return undefined;
  const [, name = '', version = '', catalog = ''] = cataloged;
  const path = `functions/${name}/${version}/function.yaml`;
  const known = reused(shelf, 'catalogs', catalog);
  if (known === undefined) return { kind, name: call, url: null, path };
  const endpoint = endpointOf(known) ?? '';
  const url = `${rawUrl(endpoint).replace(/\/+$/, '')}/${path}`;
  return { kind, name: call, url, ...authenticationOf(shelf, known) };
}

/** `https://github.com/o/r/f@v1`: at that reference, in a file of the usual name. */
function functionUrl(url: string): string {
  const at = /^(https?:\/\/(?:www\.)?(?:github|gitlab)\.com\/[^/]+\/[^/]+)\/(.+)@([^/@]+)$/i.exec(
    url,
  );
  const [, repository = '', path = '', reference = ''] = at ?? [];
  const whole = at === null ? url : `${repository}/tree/${reference}/${path}`;
  const raw = rawUrl(whole);
  return /\.(ya?ml|json)([?#].*)?$/i.test(raw) ? raw : `${raw.replace(/\/+$/, '')}/function.yaml`;
}

const GITHUB =
  /^https?:\/\/(?:www\.)?github\.com\/([^/]+)\/([^/]+)(?:\/(?:tree|blob)\/([^/]+)(\/.*)?)?\/?$/i;
const GITLAB = /^(https?:\/\/gitlab\.com\/.+?)\/(?:-\/)?(?:tree|blob)\/(.+)$/i;

/** Pages for people stand for the files they show. */
function rawUrl(url: string): string {
  const hub = GITHUB.exec(url);
  if (hub !== null) {
    const [, owner = '', repository = '', reference = 'HEAD', path = ''] = hub;
    return `https://raw.githubusercontent.com/${owner}/${repository}/${reference}${path}`;
  }
  const lab = GITLAB.exec(url);
  return lab === null ? url : `${lab[1] ?? ''}/-/raw/${lab[2] ?? ''}`;
}

/** A schema that is a resource. */
function schemaWanted(shelf: Shelf, { schema }: JsonObject): Wanted | undefined {
  const { resource } = isJsonObject(schema) ? schema : {};
  const endpoint = endpointOf(resource);
  if (endpoint === undefined || shelf.schemas.has(endpoint)) return undefined;
  const policy = authenticationOf(shelf, resource);
  return { kind: 'schema', name: endpoint, url: endpoint, ...policy };
}

/** What is wrong with its expressions was said where it is used, or is said when it is fetched. */
const SILENT: TemplateDesk = { mode: 'strict', complain: () => {} };

function authenticationOf(
  shelf: Shelf,
  resource: Json | undefined,
): Pick<Wanted, 'authentication'> {
  const { authentication } = objectIn(resource, 'endpoint');
  const use = textIn(authentication, 'use');
  const policy = use === undefined ? authentication : reused(shelf, 'authentications', use);
  if (!isJsonObject(policy)) return {};
  return { authentication: templateOf(SILENT, policy, { at: '', vars: [] }) };
}
