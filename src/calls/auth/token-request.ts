/**
 * What is asked of an authority: for a token, or what it knows of one.
 *
 * A client shows who it is in one of five ways. An authority that says no is an `authentication`
 * error; one that is not well (5xx, 429) a `communication` error, which may be over soon. Redirects
 * are not followed: secrets are for whom the policy names.
 */
import type { JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { HttpClient } from '../calling.ts';
import { placeOf } from '../http/failures.ts';
import { isJwt, signWithKey, signWithSecret } from './jwt.ts';
import type { Endpoints, OAuthClient, OAuthSettings, Parameters } from './oauth-settings.ts';
import { readObject } from './read-object.ts';

export interface Authority {
  readonly client: HttpClient;
  readonly now: () => number;
  readonly settings: OAuthSettings;
  readonly endpoints: Endpoints;
}

const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const EXCERPT_CHARS_MAX = 200;
/** Shorter words are not worth hiding, and would hide others. */
const HIDDEN_CHARS_MIN = 4;

/** Posts these parameters, and who asks, to an endpoint; the object it answers with. */
export async function askAuthority(
  { client, now, settings }: Authority,
  endpoint: string,
  parameters: Parameters,
  signal: AbortSignal,
): Promise<JsonObject> {
  const shown = showClient(settings.client, endpoint, now());
  const asked = [...parameters, ...shown.parameters];
  const answer = await client.send({
    method: 'POST',
    url: endpoint,
    headers: {
      accept: 'application/json',
      'content-type': settings.isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      ...shown.headers,
    },
    body: settings.isJson ? jsonOf(asked) : formOf(asked),
    signal,
  });
  const { status } = answer;
  const object = readObject(answer.body);
  if (status < 300 && object !== undefined && !('error' in object)) return object;
  const grant = parameters.find(([name]) => name === 'grant_type')?.[1];
  throw refusalOf({ status, endpoint, grant, object }, settings.secrets);
}

interface Shown {
  readonly parameters: Parameters;
  readonly headers: Readonly<Record<string, string>>;
}

function showClient(client: OAuthClient | undefined, audience: string, nowMs: number): Shown {
  if (client === undefined) return { parameters: [], headers: {} };
  const { id, secret = '', assertion: given, keyId, method } = client;
  const clientId = ['client_id', id] as const;
  switch (method) {
    case 'none':
      return { parameters: [clientId], headers: {} };
    case 'client_secret_post':
      return { parameters: [clientId, ['client_secret', secret]], headers: {} };
    case 'client_secret_basic': {
      // Both are encoded as in a form before they are joined (RFC 6749, 2.3.1).
      const login = `${formEncoded(id)}:${formEncoded(secret)}`;
      const authorization = `Basic ${Buffer.from(login).toString('base64')}`;
      return { parameters: [], headers: { authorization } };
    }
    case 'client_secret_jwt':
    case 'private_key_jwt': {
      const assertion = { clientId: id, audience, nowMs, keyId };
      const sign = method === 'client_secret_jwt' ? signWithSecret : signWithKey;
      const key = method === 'client_secret_jwt' ? secret : (given ?? secret);
      const jwt = given !== undefined && isJwt(given) ? given : sign(assertion, key);
      const proof = [
        ['client_assertion_type', JWT_BEARER],
        ['client_assertion', jwt],
      ] as const;
      return { parameters: [clientId, ...proof], headers: {} };
    }
    default:
      return method satisfies never;
  }
}

function formEncoded(text: string): string {
  return formOf([['', text]]).slice(1);
}

function formOf(parameters: Parameters): string {
  return new URLSearchParams(
    parameters.map(([name, value]): [string, string] => [name, value]),
  ).toString();
}

/** A name that comes more than once has a list of values. */
function jsonOf(parameters: Parameters): string {
  const names = [...new Set(parameters.map(([name]) => name))];
  const entries = names.map((name) => {
    const values = parameters.filter(([other]) => other === name).map(([, value]) => value);
    return [name, values.length === 1 ? values[0] : values] as const;
  });
  return JSON.stringify(Object.fromEntries(entries));
}

interface Refused {
  readonly status: number;
  readonly endpoint: string;
  readonly grant: string | undefined;
  readonly object: JsonObject | undefined;
}

function refusalOf(
  { status, endpoint, grant, object }: Refused,
  secrets: readonly string[],
): WorkflowError {
  const said = [object?.['error'], object?.['error_description']]
    .filter((text) => typeof text === 'string')
    .map((text) => hide(text, secrets));
  const about = grant === undefined ? '' : ` to the grant ${grant}`;
  const why = said.length === 0 ? '' : `: ${said.join(', ')}`;
  const detail = `${placeOf(new URL(endpoint))} answered ${status}${about}${why}`;
  const isUnwell = status >= 500 || status === 429 || status === 408;
  if (isUnwell) return new WorkflowError('communication', { status, detail });
  return new WorkflowError('authentication', { detail });
}

/** Some authorities repeat what they were told. */
function hide(text: string, secrets: readonly string[]): string {
  let shown = text;
  for (const secret of secrets) {
    if (secret.length >= HIDDEN_CHARS_MIN) shown = shown.replaceAll(secret, '***');
  }
  return shown.replaceAll(/\s+/g, ' ').trim().slice(0, EXCERPT_CHARS_MAX);
}
