/** A server of MCP that takes messages for channels, made with the protocol's own library. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** What the server says of a message that it has taken. */
export interface Posted {
  readonly channel: unknown;
  readonly text: unknown;
  /** The token that it was started with; null if it has none. */
  readonly token: string | null;
}

export function makeSlack(): Server {
  const server = new Server(
    { name: 'channels', version: '1.0.0' },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const { name, arguments: given = {} } = params;
    if (name !== 'conversations_add_message') throw new Error(`there is no tool ${name}`);
    const token = process.env['SLACK_MCP_XOXP_TOKEN'] ?? null;
    const posted: Posted = { channel: given['channel_id'], text: given['payload'], token };
    return { content: [{ type: 'text', text: JSON.stringify(posted) }] };
  });
  return server;
}
