/**
 * Which server an operation is called at: the first that the operation names, or its path, or the
 * document, with the defaults of its variables. An address that is not whole starts from that of
 * the document; without any, it is where the document comes from.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Found } from './finding.ts';
import type { Library } from './references.ts';

/** OpenAPI 3: never ends with a slash. */
export function serverOf(library: Library, { operation, item }: Found): string {
  const places = [
    { list: operation['servers'], base: item.document.url },
    { list: item.value['servers'], base: item.document.url },
    { list: library.root.root['servers'], base: library.root.url },
  ];
  for (const { list, base } of places) {
    const [first] = Array.isArray(list) ? (list as readonly Json[]) : [];
    if (isJsonObject(first)) return absolute(library, addressOf(library, first), base);
  }
  return absolute(library, '/', library.root.url);
}

/** Swagger 2.0: scheme, host and base path, https if there is a choice. */
export function swaggerServerOf(library: Library, { operation }: Found): string {
  const { url, root } = library.root;
  const base = new URL(url);
  const own = base.protocol.slice(0, -1);
  const named = listed(operation['schemes']) ?? listed(root['schemes']);
  const schemes = named ?? [/^https?$/.test(own) ? own : 'https'];
  const scheme = ['https', 'http'].find((one) => schemes.includes(one));
  if (scheme === undefined) {
    throw wrong(library, `is called by ${schemes.join(' or ')}, and only http and https are known`);
  }
  const host = typeof root['host'] === 'string' ? root['host'] : base.host;
  if (host === '') throw wrong(library, 'names no host, and does not come from one');
  const path = typeof root['basePath'] === 'string' ? root['basePath'] : '';
  return absolute(library, `${scheme}://${host}${path.replace(/^(?!\/)/, '/')}`, url);
}

function addressOf(library: Library, server: JsonObject): string {
  const { url, variables } = server;
  if (typeof url !== 'string') throw wrong(library, 'has a server without a url');
  return url.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = isJsonObject(variables) ? variables[name] : undefined;
    const value = isJsonObject(variable) ? variable['default'] : undefined;
    if (value === undefined || value === null || typeof value === 'object') {
      throw wrong(library, `has a server variable "${name}" without a default`);
    }
    return String(value);
  });
}

function absolute(library: Library, address: string, base: string): string {
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) {
    return `${url.origin}${withoutSlash(url.pathname)}`;
  }
  throw wrong(library, `has no server that begins with https:// or http://`);
}

/** No pattern: one that looks for slashes at the end takes its time with those that are not. */
function withoutSlash(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

function listed(value: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return (value as readonly Json[]).map(String);
}

function wrong({ name }: Library, what: string): WorkflowError {
  return new WorkflowError('configuration', { detail: `${name} ${what}` });
}
