/** Calls of AsyncAPI as a test makes them: documents by value, rounds until one is done. */
import type { Json, JsonObject } from '../base/json.ts';
import type { Alarm } from '../calls/asyncapi/alarm.ts';
import type { Consume } from '../calls/asyncapi/gathering.ts';
import { type Consumed, subscribeAsyncApi } from '../calls/asyncapi/subscribe.ts';
import type { Calling } from '../calls/calling.ts';
import { WorkflowError } from '../model/workflow-error.ts';
import { plainCalling } from './plain-calling.ts';

/** Where the document of a test lies, unless it says otherwise. */
export const DOCUMENT_URL = 'https://docs.example/asyncapi.yaml';

/** Files by their address; a text is served as it is, and anything else as JSON. */
export function callingWith(
  files: Json | Readonly<Record<string, Json>>,
  parts: Partial<Calling> = {},
): Calling & { readonly asked: readonly string[] } {
  const byUrl = new Map(
    isFiles(files) ? Object.entries(files) : [[DOCUMENT_URL, files] as [string, Json]],
  );
  const asked: string[] = [];
  const calling = plainCalling({
    resources: {
      text: async ({ endpoint }) => {
        const url = typeof endpoint === 'string' ? endpoint : endpoint.uri;
        asked.push(JSON.stringify(endpoint));
        const file = byUrl.get(url);
        if (file === undefined) throw new WorkflowError('communication', { detail: `no ${url}` });
        const text = typeof file === 'string' ? file : JSON.stringify(file);
        return { text, url, mediaType: null };
      },
    },
    ...parts,
  });
  return { ...calling, asked };
}

function isFiles(files: Json | Readonly<Record<string, Json>>): files is Record<string, Json> {
  return typeof files === 'object' && files !== null && DOCUMENT_URL in files;
}

/** A document of version 3 with one operation, `talk`, on the channel of that address. */
export function documentOf(server: JsonObject, address: string, more: JsonObject = {}): JsonObject {
  return {
    asyncapi: '3.0.0',
    info: { title: 'A test', version: '1' },
    servers: { main: server },
    channels: { talk: { address } },
    operations: { talk: { action: 'send', channel: { $ref: '#/channels/talk' } } },
    ...more,
  };
}

export const SUBSCRIPTION: JsonObject = {
  document: { endpoint: DOCUMENT_URL },
  operation: 'talk',
  subscription: { consume: { amount: 1 } },
};

export function publicationOf(payload: Json, headers?: JsonObject): JsonObject {
  return {
    document: { endpoint: DOCUMENT_URL },
    operation: 'talk',
    message: headers === undefined ? { payload } : { payload, headers },
  };
}

export function consumeOf(parts: Partial<Consume> = {}): Consume {
  return { session: 'instance-1/task-1', accept: () => true, known: 0, state: null, ...parts };
}

export interface Rounds {
  readonly payloads: readonly Json[];
  readonly rounds: number;
}

/** As an engine does it: each round is given what the one before has left. */
export async function consumeAll(
  calling: Calling,
  args: JsonObject,
  parts: Partial<Consume>,
  alarm?: Alarm,
): Promise<Rounds> {
  let state: Json = null;
  const payloads: Json[] = [];
  for (let rounds = 1; ; rounds += 1) {
    const consume = consumeOf({ ...parts, known: payloads.length, state });
    const consumed = await subscribeAsyncApi(calling, args, consume, alarm);
    payloads.push(...consumed.messages.map((message) => message['payload'] ?? null));
    // What is stored is text: whatever does not survive that must not be needed.
    state = JSON.parse(JSON.stringify(consumed.state)) as Json;
    if (consumed.done) return { payloads, rounds };
  }
}

/** One round of a subscription to the channel of a document. */
export function roundOf(
  document: JsonObject,
  parts: Partial<Consume>,
  { alarm, ...calling }: Partial<Calling> & { alarm?: Alarm } = {},
): Promise<Consumed> {
  return subscribeAsyncApi(callingWith(document, calling), SUBSCRIPTION, consumeOf(parts), alarm);
}

export function payloadsOf({ messages }: Pick<Consumed, 'messages'>): readonly Json[] {
  return messages.map((message) => message['payload'] ?? null);
}
