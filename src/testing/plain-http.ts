/** The simplest client a call can have: it guards nothing, and reaches servers of tests. */
import type { HttpAnswer, HttpClient, HttpRequest, HttpStream } from '../calls/calling.ts';
import { WorkflowError } from '../model/workflow-error.ts';

export const plainHttp: HttpClient = {
  send: async (request) => {
    const answer = await ask(request);
    const body = new Uint8Array(await answer.arrayBuffer());
    return { ...headOf(request, answer), body };
  },
  open: async (request): Promise<HttpStream> => {
    const left = new AbortController();
    const signal = AbortSignal.any([request.signal, left.signal]);
    const answer = await ask({ ...request, signal });
    const body = answer.body ?? new Blob([]).stream();
    return { ...headOf(request, answer), body, close: () => left.abort() };
  },
};

async function ask(request: HttpRequest): Promise<Response> {
  const { method, url, body, signal, redirect = false } = request;
  try {
    return await fetch(url, {
      ...{ method, signal, headers: headersOf(request) },
      redirect: redirect ? 'follow' : 'manual',
      ...(body === undefined ? {} : { body }),
    });
  } catch (cause) {
    throw new WorkflowError('communication', { detail: 'no answer', cause });
  }
}

interface Policy {
  readonly basic?: { readonly username: string; readonly password: string };
  readonly bearer?: { readonly token: string };
}

function headersOf({ headers, authentication }: HttpRequest): Record<string, string> {
  const { basic, bearer } = (authentication ?? {}) as Policy;
  if (bearer !== undefined) return { ...headers, authorization: `Bearer ${bearer.token}` };
  if (basic === undefined) return { ...headers };
  const parameter = Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
  return { ...headers, authorization: `Basic ${parameter}` };
}

function headOf(request: HttpRequest, answer: Response): Omit<HttpAnswer, 'body'> {
  const { authorization, ...headers } = headersOf(request);
  const [scheme, parameter] = authorization?.split(' ') ?? [];
  return {
    status: answer.status,
    statusText: answer.statusText,
    headers: Object.fromEntries(answer.headers),
    request: { method: request.method, uri: answer.url, headers },
    ...(scheme === undefined || parameter === undefined
      ? {}
      : { authorization: { scheme, parameter } }),
  };
}
