/** Policies by name are there, secrets are declared, and tokens are asked for somewhere. */
import { type Check, type Checked, type Finding, wrong } from './finding.ts';
import { isAfterNewest } from './check-head.ts';
import { namesIn } from './check-references.ts';
import { entriesOf, findPart, itemsOf, pointerTo } from './pointer.ts';
import { policiesOf, type WalkedPolicy } from './policies.ts';
import { SCHEMES } from './schema-auth.ts';
import { known } from './words.ts';

export const checkAuthentication: Check = function* (checked) {
  const names = namesIn(checked, 'authentications');
  for (const walked of policiesOf(checked)) {
    const { pointer, policy } = walked;
    const use = findPart(policy, 'use');
    const isNamed = pointer.startsWith('/use/authentications/');
    if (typeof use === 'string' && !isNamed && !names.includes(use)) {
      const advice = known(use, names);
      const message = `there is no policy "${use}" in use.authentications; ${advice}`;
      yield wrong('serverless.unknown-authentication', pointerTo(pointer, 'use'), message);
    }
    for (const [scheme, values] of entriesOf(policy)) {
      if (SCHEMES.includes(scheme)) yield* checkScheme(checked, walked, scheme, values);
    }
  }
};

function* checkScheme(
  checked: Checked,
  { pointer }: WalkedPolicy,
  scheme: string,
  values: unknown,
): Generator<Finding> {
  const at = pointerTo(pointer, scheme);
  const secret = findPart(values, 'use');
  if (typeof secret === 'string') {
    const secrets = secretsIn(checked);
    if (secrets.includes(secret)) return;
    const message = `there is no secret "${secret}" in use.secrets`;
    const advice = known(secret, secrets);
    yield wrong('serverless.unknown-secret', pointerTo(at, 'use'), `${message}; ${advice}`);
    return;
  }
  const asksForTokens = scheme === 'oauth2' || scheme === 'oidc';
  if (!asksForTokens || !isAfterNewest(findPart(checked.document, 'document', 'dsl'))) return;
  if (findPart(values, 'authority') === undefined) {
    const message = `${scheme} needs "authority", where tokens are asked for`;
    yield wrong('serverless.no-authority', at, message);
  }
  if (findPart(values, 'grant') === undefined) {
    yield wrong('serverless.no-grant', at, `${scheme} needs "grant", how a token is asked for`);
  }
}

export function secretsIn({ document }: Checked): readonly string[] {
  return itemsOf(findPart(document, 'use', 'secrets')).filter((one) => typeof one === 'string');
}
