/** What carries the messages between a call of MCP and its server. */
import type { JsonObject } from '../../base/json.ts';
import type { Authorization } from '../calling.ts';

export interface Transport {
  /** The answer to a request, be it a result or an error. Rejects if there will be none. */
  request(message: JsonObject): Promise<JsonObject>;
  notify(message: JsonObject): Promise<void>;
  /** From here on both sides speak this revision. */
  speak(version: string): void;
  /** Ends what was opened; never rejects, and takes no longer than its limit says. */
  close(): Promise<void>;
  authorization(): Authorization | undefined;
}

/** JSON-RPC's own number for a method that is not there. */
const METHOD_NOT_FOUND = -32_601;

/**
 * What a server is told that asks something itself: it may see whether we are there. We have said
 * that we can do nothing else for it (no sampling, no roots, no questions to people).
 */
export function replyTo({ id, method }: JsonObject): JsonObject | undefined {
  if (id === undefined || typeof method !== 'string') return undefined;
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
  const message = `a workflow does not answer ${method}`;
  return { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message } };
}
