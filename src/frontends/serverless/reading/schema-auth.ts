/** How a call says who it is: the five schemes, each with its values or with a secret of them. */
import {
  exactlyOne,
  given,
  list,
  oneWord,
  OPEN,
  type Properties,
  ref,
  type Schema,
  shape,
  text,
  uriOrExpression,
} from './schema-parts.ts';

const name: Schema = { type: 'string', description: 'a name', pattern: String.raw`[\s\S]` };

/** The values themselves, or the name of a secret that has them. */
function scheme(title: string, inline: Schema): Schema {
  return {
    type: 'object',
    description: `an object: ${title}, or { use: … } with the name of a secret`,
    ...given({ required: ['use'] }, shape(`${title} by a secret`, { use: name }, ['use']), {
      ...inline,
      title,
    }),
  };
}

const userAndPassword = shape('', { username: text(), password: text() }, ['username', 'password']);
const words = list('a list of texts', text());

const GRANTS = [
  'authorization_code',
  'client_credentials',
  'password',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:token-exchange',
];
const CLIENT_AUTHENTICATIONS = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
];
const ENCODINGS = ['application/x-www-form-urlencoded', 'application/json'];

/** Authority and grant have to be there since the newest text only, so that is looked at later. */
const tokens: Properties = {
  authority: uriOrExpression,
  grant: oneWord(GRANTS),
  client: shape('a client', {
    id: text(),
    secret: text(),
    assertion: text(),
    authentication: oneWord(CLIENT_AUTHENTICATIONS),
  }),
  request: shape('a request for a token', { encoding: oneWord(ENCODINGS) }, [], OPEN),
  issuers: words,
  scopes: words,
  audiences: words,
  username: text(),
  password: text(),
  subject: ref('token'),
  actor: ref('token'),
};

const path = text('a path such as /oauth2/token');
const endpoints = shape(
  'the "endpoints" of an authority',
  { token: path, revocation: path, introspection: path },
  [],
  OPEN,
);

const schemes = {
  basic: scheme('basic authentication', userAndPassword),
  bearer: scheme('bearer authentication', shape('', { token: text() }, ['token'])),
  digest: scheme('digest authentication', userAndPassword),
  oauth2: scheme('OAuth2 authentication', shape('', { ...tokens, endpoints })),
  oidc: scheme('OpenID Connect authentication', shape('', tokens)),
};

export const SCHEMES: readonly string[] = Object.keys(schemes);

const TITLE = 'an authentication policy';
const known: Properties = Object.fromEntries(SCHEMES.map((one) => [one, ref(one)]));

export const authenticationShapes: Properties = {
  ...schemes,
  token: shape('a token', { token: text(), type: text() }, ['token', 'type']),
  /** One that is named in `use`; a name of a name there is none. */
  authentication: shape(TITLE, known, [], { ...exactlyOne(SCHEMES), ...OPEN }),
  authenticationOrUse: shape(TITLE, { ...known, use: name }, [], exactlyOne(['use', ...SCHEMES])),
};
