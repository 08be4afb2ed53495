/** A server of MCP, made with the protocol's own library: some tools, a prompt and memos. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  EmptyResultSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListRootsResultSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const OFFICE = { name: 'office', version: '1.2.3' };
const CAN_DO = { tools: {}, prompts: {}, resources: {} };

type Texts = Readonly<Record<string, string>>;
type Extra = Parameters<Parameters<Server['setRequestHandler']>[1]>[1];
type Tool = (server: Server, given: Texts, extra: Extra) => unknown;

const TOOLS: Readonly<Record<string, Tool>> = {
  add: (_, { a, b }) => Number(a) + Number(b),
  client: (server) => server.getClientVersion(),
  environment: (_, { name = '' }) => process.env[name] ?? null,
  process: () => process.pid,
  fail: () => Promise.reject(new Error('the tool is broken')),
  // Asks back before it answers.
  ask: async (_, __, { sendRequest }) => {
    await sendRequest({ method: 'ping' }, EmptyResultSchema);
    return sendRequest({ method: 'roots/list' }, ListRootsResultSchema).then(
      () => 'the client has roots',
      (thrown: unknown) => String(thrown),
    );
  },
  hang: () => new Promise(() => {}),
};

export function makeOffice(): Server {
  const server = new Server(OFFICE, { capabilities: CAN_DO, enforceStrictCapabilities: false });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(TOOLS).map((name) => ({ name, inputSchema: { type: 'object' } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = TOOLS[params.name];
    if (tool === undefined) throw new Error(`there is no tool ${params.name}`);
    const said = await tool(server, (params.arguments ?? {}) as Texts, extra);
    return { content: [{ type: 'text', text: JSON.stringify(said ?? null) }] };
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [{ name: 'greet' }] }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const text = `Greet ${params.arguments?.['whom'] ?? 'everybody'}.`;
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [{ uri: 'memo://1', name: 'memo 1' }],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: `this is ${uri}` }],
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: 'memo://{number}', name: 'memos' }],
  }));
  return server;
}
