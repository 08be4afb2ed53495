/** Names that stand for something in `use`. */
import { diagnosedCases } from '../../../testing/diagnosed.ts';

diagnosedCases('references', [
  {
    what: 'a timeout that is not there [DOC-16]',
    body: `
timeout: shrt
use: { timeouts: { short: { after: PT1S } } }
do:
  - a: { wait: PT1S, timeout: long }
`,
    errors: `
      6:10 (unknown-timeout) /timeout
        there is no timeout "shrt" in use.timeouts; did you mean "short"?
      9:31 (unknown-timeout) /do/0/a/timeout
        there is no timeout "long" in use.timeouts; there is only "short"
      `,
  },
  {
    what: 'a retry policy that is not there [DOC-16]',
    body: `
use: { retries: { often: { delay: PT1S, limit: { attempt: { count: 3 } } } } }
do:
  - a: { try: [b: { wait: PT1S }], catch: { retry: oftn } }
`,
    errors: `
      8:52 (unknown-retry) /do/0/a/catch/retry
        there is no retry policy "oftn" in use.retries; did you mean "often"?
      `,
  },
  {
    what: 'an error that is not there [DOC-16]',
    body: `
do:
  - a: { raise: { error: notFound } }
`,
    errors: `
      7:26 (unknown-error) /do/0/a/raise/error
        there is no error "notFound" in use.errors; there are none
      `,
  },
  {
    what: 'a function that is not there [DOC-16]',
    body: `
use: { functions: { greet: { wait: PT1S } } }
do:
  - a: { call: great }
  - b: { call: htpp, with: { method: get } }
  - c: { call: other }
  - d: { call: greet:1.0.0 }
`,
    errors: `
      8:16 (unknown-function) /do/0/a/call
        nothing is called "great"; did you mean "greet"?
      9:16 (unknown-function) /do/1/b/call
        nothing is called "htpp"; did you mean "http"?
      10:16 (unknown-function) /do/2/c/call
        nothing is called "other"; there are http, openapi, grpc, asyncapi, a2a, mcp, greet
      11:16 (unknown-function) /do/3/d/call
        nothing is called "greet:1.0.0"; a function of a catalog is "name:version@catalog"
      `,
  },
  {
    what: 'a catalog that is not there [DOC-16]',
    body: `
use: { catalogs: { ours: { endpoint: https://example.com } } }
do:
  - a: { call: log:1.0.0@our }
  - b: { call: log:1.0.0@default }
  - c: { call: https://example.com/function.yaml }
`,
    errors: `
      8:16 (unknown-catalog) /do/0/a/call
        there is no catalog "our" in use.catalogs; did you mean "ours"?
      `,
  },
  {
    what: 'a policy that is not there [DOC-16]',
    body: `
use:
  authentications: { petStore: { bearer: { token: a } } }
  catalogs:
    c: { endpoint: { uri: https://example.com, authentication: { use: no } } }
do:
  - a:
      call: openapi
      with:
        document: { endpoint: { uri: https://example.com, authentication: { use: petstore } } }
        operationId: b
        authentication: { use: petShop }
`,
    errors: `
      9:71 (unknown-authentication) /use/catalogs/c/endpoint/authentication/use
        there is no policy "no" in use.authentications; there is only "petStore"
      14:82 (unknown-authentication) /do/0/a/with/document/endpoint/authentication/use
        there is no policy "petstore" in use.authentications; did you mean "petStore"?
      16:32 (unknown-authentication) /do/0/a/with/authentication/use
        there is no policy "petShop" in use.authentications; there is only "petStore"
      `,
  },
  {
    what: 'a secret of a policy that is not there [DOC-17]',
    body: `
use:
  secrets: [mine]
  authentications: { a: { basic: { use: mane } } }
do:
  - a:
      call: http
      with:
        method: get
        endpoint: { uri: https://example.com, authentication: { bearer: { use: yours } } }
`,
    errors: `
      8:41 (unknown-secret) /use/authentications/a/basic/use
        there is no secret "mane" in use.secrets; did you mean "mine"?
      14:80 (unknown-secret) /do/0/a/with/endpoint/authentication/bearer/use
        there is no secret "yours" in use.secrets; there is only "mine"
      `,
  },
  {
    what: 'a secret of an expression that is not there [DOC-17]',
    body: `
use: { secrets: [mine] }
input: { from: '{ a: $secrets.mine, b: $secrets.yours }' }
do:
  - a:
      if: $secret["theirs"] != null
      call: http
      with: { method: get, endpoint: https://example.com, body: '\${ $secrets.min }' }
`,
    errors: `
      7:16 (unknown-secret) /input/from
        $secrets.yours is not in use.secrets; there is only "mine"
      10:11 (unknown-secret) /do/0/a/if
        $secret.theirs is not in use.secrets; there is only "mine"
      12:65 (unknown-secret) /do/0/a/with/body
        $secrets.min is not in use.secrets; did you mean "mine"?
      `,
  },
]);
