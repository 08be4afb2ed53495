/** An HTTP server on this machine that answers as a test says, and keeps what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenLocally } from './local-port.ts';

export interface LocalServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** Every request, in order, once it was there as a whole. */
  readonly requests: LocalRequest[];
  close(): Promise<void>;
}

export interface LocalRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly bytes: Buffer;
}

export interface LocalAnswer {
  readonly status?: number;
  /** The words beside the status; by default those that belong to it. */
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** What answers; a promise may take as long as the test needs. */
export type Answering = (
  request: LocalRequest,
  response: ServerResponse,
) => LocalAnswer | Promise<LocalAnswer>;

export async function startHttpServer(answering: Answering): Promise<LocalServer> {
  const requests: LocalRequest[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/' } = request;
    const headers = request.headers as LocalRequest['headers'];
    const bytes = await buffer(request);
    const asked = { method, path, headers, bytes, body: bytes.toString() };
    requests.push(asked);
    const { status = 200, reason, headers: sent = {}, body } = await answering(asked, response);
    if (reason === undefined) response.writeHead(status, sent);
    else response.writeHead(status, reason, sent);
    response.end(body);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((cause: unknown) => response.destroy(cause as Error));
  });
  const url = `http://127.0.0.1:${await listenLocally(server)}`;
  return {
    url,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
