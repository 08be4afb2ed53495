/** Authentication in another shape than the language has. */
import { diagnosedCases } from '../../../testing/diagnosed.ts';

diagnosedCases('authentication', [
  {
    what: 'no scheme',
    body: `
do:
  - a:
      call: http
      with: { method: get, endpoint: { uri: https://example.com, authentication: {} } }
`,
    errors: `
      9:66 (no-choice) /do/0/a/with/endpoint/authentication
        an authentication policy needs one of use, basic, bearer, digest, oauth2, oidc
      `,
  },
  {
    what: 'a misspelt scheme',
    body: `
do:
  - a:
      call: http
      with:
        method: get
        endpoint: { uri: https://example.com, authentication: { baerer: { token: a } } }
`,
    errors: `
      11:65 (unknown-property) /do/0/a/with/endpoint/authentication/baerer
        an authentication policy has no property "baerer"; did you mean "bearer"?
      `,
  },
  {
    what: 'two schemes',
    body: `
do:
  - a:
      call: http
      with:
        method: get
        endpoint:
          uri: https://example.com
          authentication: { bearer: { token: a }, basic: { username: b, password: c } }
`,
    errors: `
      13:11 (two-choices) /do/0/a/with/endpoint/authentication
        an authentication policy has one of use, basic, bearer, digest, oauth2, oidc, and here
          are "basic" and "bearer"; remove all but one
      `,
  },
  {
    what: 'a certificate [AU-20]',
    body: `
do:
  - a:
      call: http
      with:
        method: get
        endpoint: { uri: https://example.com, authentication: { certificate: { file: a } } }
`,
    errors: `
      11:65 (unknown-property) /do/0/a/with/endpoint/authentication/certificate
        an authentication policy has no property "certificate"; authentication by certificate was
          announced and never became part of the language; there are basic, bearer, digest,
          oauth2, oidc, use
      `,
  },
  {
    what: "a named policy that is another's name [AU-18]",
    body: `
use:
  authentications:
    a: { use: b }
    b: { bearer: { token: c } }
do:
  - a: { wait: PT1S }
`,
    errors: `
      8:5 (no-choice) /use/authentications/a
        an authentication policy needs one of basic, bearer, digest, oauth2, oidc, and cannot
          itself "use" another
      `,
  },
  {
    what: 'basic without a password',
    body: `
use:
  authentications:
    a: { basic: { username: b } }
do:
  - a: { wait: PT1S }
`,
    errors: `
      8:10 (missing-property) /use/authentications/a/basic
        basic authentication needs "password"
      `,
  },
  {
    what: 'a secret and values',
    body: `
use:
  secrets: [b]
  authentications:
    a: { basic: { use: b, username: c } }
do:
  - a: { wait: PT1S }
`,
    errors: `
      9:27 (unknown-property) /use/authentications/a/basic/username
        basic authentication by a secret has no property "username"; there is only "use"
      `,
  },
  {
    what: 'OAuth2 with a grant and a client that cannot be',
    body: `
use:
  authentications:
    a:
      oauth2:
        authority: https://example.com
        grant: client_credential
        client: { authentication: client_secret_past, name: b }
        scopes: openid
do:
  - a: { wait: PT1S }
`,
    errors: `
      11:16 (bad-value) /use/authentications/a/oauth2/grant
        "grant" is one of authorization_code, client_credentials, password, refresh_token,
          urn:ietf:params:oauth:grant-type:token-exchange; came "client_credential"; did you mean
          "client_credentials"?
      12:35 (bad-value) /use/authentications/a/oauth2/client/authentication
        "authentication" is one of client_secret_basic, client_secret_post, client_secret_jwt,
          private_key_jwt, none; came "client_secret_past"; did you mean "client_secret_post"?
      12:55 (unknown-property) /use/authentications/a/oauth2/client/name
        a client has no property "name"; there are id, secret, assertion, authentication
      13:17 (bad-value) /use/authentications/a/oauth2/scopes
        "scopes" is a list of texts; came "openid"
      `,
  },
]);
