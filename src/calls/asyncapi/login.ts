/**
 * How a broker is told who comes. MQTT knows a name and a password: `basic` is those two, and the
 * token of `bearer` is a password. Other policies are of HTTP, or ask others for a token first.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { mapArgument, textArgument } from '../arguments.ts';
import type { Authorization } from '../calling.ts';
import { misconfigured } from './faults.ts';

export interface Login {
  readonly fields: { readonly username?: string; readonly password?: string };
  /** For `$authorization`. */
  readonly authorization?: Authorization;
}

/** MQTT 3.1.1 allows no password without a name; brokers that take tokens do not look at it. */
const TOKEN_NAME = 'bearer';

export function loginOf(policy: JsonObject | undefined): Login {
  if (policy === undefined) return { fields: {} };
  const { basic, bearer } = policy;
  if (isJsonObject(basic)) {
    const username = textArgument('authentication.basic.username', basic['username']);
    const password = textArgument('authentication.basic.password', basic['password']);
    const parameter = Buffer.from(`${username}:${password}`).toString('base64');
    return { fields: { username, password }, authorization: { scheme: 'Basic', parameter } };
  }
  if (bearer !== undefined) {
    const { token } = mapArgument('authentication.bearer', bearer);
    const password = textArgument('authentication.bearer.token', token);
    return {
      fields: { username: TOKEN_NAME, password },
      authorization: { scheme: 'Bearer', parameter: password },
    };
  }
  const given = Object.keys(policy).join(', ');
  throw misconfigured(`here "authentication" is "basic" or "bearer", and not "${given}"`);
}
