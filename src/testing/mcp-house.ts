/** The office behind streamable HTTP, and every request that came in. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { assert } from '../base/assert.ts';
import { listenLocally } from './local-port.ts';
import { makeOffice } from './mcp-office.ts';

export interface McpHouse {
  readonly url: string;
  readonly requests: readonly McpRequest[];
  /** Resolves with the first request that fits, also if it has come already. */
  seen(fits: (request: McpRequest) => boolean): Promise<McpRequest>;
  close(): Promise<void>;
}

export interface McpRequest {
  readonly verb: string;
  /** What was called; undefined for answers of the client's and for the end of a session. */
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** With sessions, answers are streams; without, they are one message each. */
export async function openHouse({ isPlain = false, make = makeOffice } = {}): Promise<McpHouse> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const requests: McpRequest[] = [];
  const looking = new Set<() => void>();
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString('utf8');
      const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
      const method = typeof body['method'] === 'string' ? body['method'] : undefined;
      requests.push({ verb: request.method ?? '', method, headers: request.headers, body });
      for (const look of looking) look();
      const session = String(request.headers['mcp-session-id']);
      const transport = sessions.get(session) ?? (await open(sessions, isPlain, make));
      await transport.handleRequest(request, response, text === '' ? undefined : body);
    })();
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    seen: (fits) => seen(requests, looking, fits),
    close: () => shut(server),
  };
}

async function open(
  sessions: Map<string, StreamableHTTPServerTransport>,
  isPlain: boolean,
  make: typeof makeOffice,
): Promise<StreamableHTTPServerTransport> {
  const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport(
    isPlain
      ? { enableJsonResponse: true }
      : {
          sessionIdGenerator: randomUUID,
          onsessioninitialized: (id) => void sessions.set(id, transport),
        },
  );
  await make().connect(transport);
  return transport;
}

function seen(
  requests: readonly McpRequest[],
  looking: Set<() => void>,
  fits: (request: McpRequest) => boolean,
): Promise<McpRequest> {
  return new Promise((resolve) => {
    const look = (): void => {
      const found = requests.find((request) => fits(request));
      if (found === undefined) return;
      looking.delete(look);
      resolve(found);
    };
    looking.add(look);
    look();
  });
}

async function shut(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  if (server.listening) await once(server, 'close');
  assert(!server.listening, 'a server that is closed does not listen');
}
