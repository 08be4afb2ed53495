/**
 * Whom an A2A call is for: the agent that a card describes, or a server the author names himself.
 *
 * A card is read as revision 0.3 of the protocol has it: an agent may be reached in several ways,
 * of which we know JSON-RPC. What a card says of its own place is checked like any other address
 * once it is asked.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../base/json.ts';
import { endpointArgument, mapArgument } from '../arguments.ts';
import type { Calling } from '../calling.ts';
import { notAskable } from '../http/failures.ts';
import { httpUrl } from '../http-url.ts';
import { expandTemplate } from '../uri-template.ts';

export interface Agent {
  readonly url: URL;
  /** Undefined if the agent is known by its place alone. */
  readonly card: JsonObject | undefined;
  /** By which the task says who it is. */
  readonly policy: JsonObject | undefined;
}

const TRANSPORT = 'JSONRPC';

export async function findAgent(calling: Calling, args: JsonObject): Promise<Agent> {
  const { agentCard = null, server = null, authentication = null } = args;
  const own = authentication === null ? undefined : mapArgument('authentication', authentication);
  const named = server === null ? undefined : endpointArgument('server', server);
  const policy = named?.authentication ?? own;
  if (agentCard !== null) return readAgent(calling, mapArgument('agentCard', agentCard), policy);
  if (named === undefined) {
    throw notAskable('an A2A call needs an "agentCard" or a "server": neither is given');
  }
  const url = httpUrl(calling, expandTemplate(named.uri, calling.input));
  return { url, card: undefined, policy };
}

async function readAgent(
  calling: Calling,
  resource: JsonObject,
  policy: JsonObject | undefined,
): Promise<Agent> {
  const given = endpointArgument('agentCard.endpoint', resource['endpoint']);
  const endpoint = { ...given, uri: expandTemplate(given.uri, calling.input) };
  const { text, url: place } = await calling.resources.text({ endpoint }, calling.signal);
  const card = parse(text);
  if (!isJsonObject(card)) throw notAskable(`the agent card ${place} is no JSON object`);
  const url = httpUrl(calling, resolve(interfaceOf(card, place), place));
  // What opens the door to a card is told to nobody else.
  const isSame = URL.canParse(place) && new URL(place).origin === url.origin;
  return { url, card, policy: policy ?? (isSame ? given.authentication : undefined) };
}

/** The place of the first interface we can speak to; the card's own comes before all others. */
function interfaceOf(card: JsonObject, place: string): string {
  const { url = null, preferredTransport = TRANSPORT, additionalInterfaces } = card;
  const others = Array.isArray(additionalInterfaces) ? (additionalInterfaces as Json[]) : [];
  const all = [{ url, transport: preferredTransport }, ...others.filter(isJsonObject)];
  const found = all.find((one) => one['transport'] === TRANSPORT && typeof one['url'] === 'string');
  if (typeof found?.['url'] === 'string') return found['url'];
  const offered = all.flatMap(({ transport }) => (typeof transport === 'string' ? transport : []));
  throw notAskable(
    `the agent card ${place} has no url for ${TRANSPORT}, and this engine speaks nothing else; ` +
      `it offers ${[...new Set(offered)].join(', ')}`,
  );
}

function resolve(url: string, place: string): string {
  return URL.canParse(url, place) ? new URL(url, place).href : url;
}

function parse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
