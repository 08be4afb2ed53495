/**
 * MCP by streamable HTTP: every message is a POST, answered by one message or a stream of events,
 * on which the server may ask things itself before it answers. A session the server has opened is
 * named in every further request, and ended with the call.
 *
 * A stream that breaks off is not taken up again: the call fails, and the workflow's own policy
 * says whether it is made anew.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { endpointArgument, mapArgument } from '../arguments.ts';
import type { Authorization, Calling, HttpStream } from '../calling.ts';
import { brokenAs, placeOf } from '../http/failures.ts';
import { readHeaders } from '../http/headers.ts';
import { httpUrl } from '../http-url.ts';
import { answers, RPC_TYPES, rpcMessages, rpcResult } from '../json-rpc.ts';
import { textsOf } from '../name-values.ts';
import { expandTemplate } from '../uri-template.ts';
import { replyTo, type Transport } from './transport.ts';

/** How long the end of a session may keep a call that has its answer. */
const CLOSE_MS_MAX = 2_000;

export class HttpTransport implements Transport {
  readonly #calling: Calling;
  readonly #url: URL;
  readonly #place: string;
  readonly #policy: JsonObject | undefined;
  readonly #given: Readonly<Record<string, string>>;
  /** Headers that came out of the conversation: its session and its revision. */
  readonly #spoken: Record<string, string> = {};
  #authorization: Authorization | undefined;
  /** What has not been answered yet. */
  #asked: JsonObject | undefined;

  constructor(calling: Calling, settings: JsonObject) {
    const endpoint = endpointArgument('transport.http.endpoint', settings['endpoint']);
    this.#calling = calling;
    this.#url = httpUrl(calling, expandTemplate(endpoint.uri, calling.input));
    this.#place = placeOf(this.#url);
    this.#policy = endpoint.authentication;
    this.#given = headersOf(settings['headers']);
  }

  async request(message: JsonObject): Promise<JsonObject> {
    this.#asked = message;
    const answer = await this.#open('POST', this.#calling.signal, message);
    this.#authorization = answer.authorization;
    const session = answer.headers['mcp-session-id'];
    if (session !== undefined) this.#spoken['mcp-session-id'] = session;
    try {
      const said = await this.#listen(answer, message['id'] as number);
      if (said === undefined) throw brokenAs(`${this.#place} ended without an answer`);
      this.#asked = undefined;
      return said;
    } finally {
      answer.close();
    }
  }

  notify(message: JsonObject): Promise<void> {
    return this.#tell(message, this.#calling.signal);
  }

  speak(version: string): void {
    this.#spoken['mcp-protocol-version'] = version;
  }

  authorization(): Authorization | undefined {
    return this.#authorization;
  }

  async close(): Promise<void> {
    // Whatever is missed here, the server notices by itself, later.
    await this.#leave(AbortSignal.timeout(CLOSE_MS_MAX)).catch(() => {});
  }

  #open(method: string, signal: AbortSignal, message?: JsonObject): Promise<HttpStream> {
    const headers = { ...this.#given, ...headersFor(message), ...this.#spoken };
    return this.#calling.http.open({
      ...{ method, url: this.#url, signal, headers },
      ...(message === undefined ? {} : { body: JSON.stringify(message) }),
      ...(this.#policy === undefined ? {} : { authentication: this.#policy }),
    });
  }

  /** What has no answer is taken by a status of 2xx, whatever else comes with it. */
  async #tell(message: JsonObject, signal: AbortSignal): Promise<void> {
    const { method = 'an answer' } = message;
    const answer = await this.#open('POST', signal, message);
    if (answer.status < 200 || answer.status > 299) {
      for await (const said of rpcMessages(this.#calling, answer, this.#place)) {
        rpcResult(this.#calling, method as string, said);
      }
    }
    answer.close();
  }

  /** Answers what the server asks on the way; undefined if it ended without an answer for us. */
  async #listen(answer: HttpStream, id: number): Promise<JsonObject | undefined> {
    for await (const incoming of rpcMessages(this.#calling, answer, this.#place)) {
      if (answers(incoming, id)) return incoming;
      const reply = replyTo(incoming);
      // Whether the server has it shows in what it does: it answers us, or it does not.
      if (reply !== undefined) await this.notify(reply).catch(() => {});
    }
    return undefined;
  }

  /** A server that somebody has given up on is told so. */
  async #leave(limit: AbortSignal): Promise<void> {
    const asked = this.#calling.signal.aborted ? this.#asked : undefined;
    if (asked !== undefined && asked['method'] !== 'initialize') {
      await this.#tell(cancelled(asked), limit).catch(() => {});
    }
    if (this.#spoken['mcp-session-id'] === undefined) return;
    const answer = await this.#open('DELETE', limit);
    answer.close();
  }
}

function headersOf(given: Json | undefined): Record<string, string> {
  const map = mapArgument('transport.http.headers', given);
  const texts = Object.entries(map).flatMap(([name, value]) => {
    const values = textsOf(`the header "${name}"`, value);
    return values.length === 0 ? [] : [[name, values.join(', ')] as const];
  });
  return readHeaders(Object.fromEntries(texts));
}

function headersFor(message: JsonObject | undefined): Record<string, string> {
  return message === undefined ? {} : { accept: RPC_TYPES, 'content-type': 'application/json' };
}

function cancelled({ id }: JsonObject): JsonObject {
  const params = { requestId: id ?? null, reason: 'the workflow does not wait any longer' };
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params };
}
