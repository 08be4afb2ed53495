/** What a call is given by a test: all is allowed, nothing guarded, resources fetched plainly. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Calling, LoadedResource, Resource, Resources } from '../calls/calling.ts';
import { WorkflowError } from '../model/workflow-error.ts';
import { plainHttp } from './plain-http.ts';

export function plainCalling(parts: Partial<Calling> = {}): Calling {
  return {
    http: plainHttp,
    resources: plainResources,
    signal: new AbortController().signal,
    idempotencyKey: 'visit-1',
    input: {},
    hide: (text) => text,
    reach: (host) => Promise.resolve({ address: host === 'localhost' ? '127.0.0.1' : host }),
    permits: () => {},
    ...parts,
  };
}

const plainResources: Resources = {
  text: async ({ endpoint }: Resource, signal: AbortSignal): Promise<LoadedResource> => {
    const { uri, authentication } =
      typeof endpoint === 'string' ? { uri: endpoint, authentication: undefined } : endpoint;
    if (uri.startsWith('file:')) return readLocally(uri);
    const request = { method: 'GET', url: uri, redirect: true, signal };
    const { status, headers, body } = await plainHttp.send({
      ...request,
      ...(authentication === undefined ? {} : { authentication }),
    });
    const text = Buffer.from(body).toString('utf8');
    if (status !== 200) {
      throw new WorkflowError('communication', { status, detail: `${uri} answered ${status}` });
    }
    return { text, url: uri, mediaType: headers['content-type'] ?? null };
  },
};

async function readLocally(url: string): Promise<LoadedResource> {
  try {
    return { text: await readFile(fileURLToPath(url), 'utf8'), url, mediaType: null };
  } catch (cause) {
    throw new WorkflowError('communication', { detail: `${url} cannot be read`, cause });
  }
}
