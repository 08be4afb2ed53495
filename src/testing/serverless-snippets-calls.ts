/** Well-formed definitions of every kind of call, and of every way to say who calls. */

export const CALL_SNIPPETS: Readonly<Record<string, string>> = {
  'an HTTP call with everything': `
do:
  - ask:
      call: http
      with:
        method: POST
        endpoint: { uri: 'https://example.com/pets/{id}', authentication: { bearer: { token: t } } }
        headers: { accept: application/json, n: 1 }
        query: { status: '\${ .status }', limit: 10, all: true }
        body: { name: '\${ .name }' }
        output: response
        redirect: true
`,
  'an HTTP call of expressions': `
do:
  - ask:
      call: http
      with:
        method: get
        endpoint: '\${ "https://example.com/\\(.id)" }'
        headers: '\${ .headers }'
        query: '\${ .query }'
        body: '\${ . }'
        output: raw
  - again: { call: http, with: { method: get, endpoint: { uri: '\${ .uri }' }, output: content } }
`,
  'a relative endpoint': `
do:
  - ask: { call: http, with: { method: get, endpoint: '/pets/{id}?x=1#top' } }
`,
  'an OpenAPI call': `
use: { authentications: { mine: { basic: { username: a, password: '\${ .p }' } } } }
do:
  - ask:
      call: openapi
      with:
        document: { name: pets, endpoint: https://example.com/openapi.json }
        operationId: getPet
        parameters: { petId: '\${ .id }', tags: [a, b] }
        authentication: { use: mine }
        output: raw
        redirect: false
`,
  'a gRPC call': `
do:
  - ask:
      call: grpc
      with:
        proto: { endpoint: file://greet.proto }
        service: { name: pkg.Greeter, host: a.example.com, port: 0, authentication: { use: g } }
        method: SayHello
        arguments: { name: '\${ .name }' }
use: { authentications: { g: { bearer: { token: t } } } }
`,
  'a gRPC call of a host that is found out': `
do:
  - ask:
      call: grpc
      with:
        proto: { endpoint: file://greet.proto }
        service: { name: Greeter, host: '\${ .host }', port: '\${ .port }' }
        method: SayHello
`,
  'a message that is published': `
do:
  - tell:
      call: asyncapi
      with:
        document: { endpoint: https://example.com/asyncapi.json }
        operation: tell
        server: { name: main, variables: { stage: test } }
        protocol: mqtt5
        message: { payload: { pet: '\${ .pet }' }, headers: { a: b } }
        authentication: { digest: { username: a, password: b } }
`,
  'a message that is an expression': `
do:
  - tell:
      call: asyncapi
      with:
        document: { endpoint: https://example.com/asyncapi.json }
        channel: /tell
        message: { payload: '\${ . }', headers: '\${ .headers }' }
`,
  'a subscription': `
do:
  - hear:
      call: asyncapi
      with:
        document: { endpoint: https://example.com/asyncapi.json }
        channel: /hear
        subscription:
          filter: '\${ .payload.id == $context.id }'
          consume: { amount: 3, for: PT1M }
          foreach:
            item: message
            at: n
            do:
              - keep: { set: { id: '\${ $message.payload.id }' } }
            output: { as: .id }
            export: { as: '$context + { n: $n }' }
`,
  'a subscription while something holds': `
do:
  - hear:
      call: asyncapi
      with:
        document: { endpoint: https://example.com/asyncapi.json }
        operation: hear
        subscription: { filter: .payload.a, consume: { while: '\${ .more }' } }
  - again:
      call: asyncapi
      with:
        document: { endpoint: https://example.com/asyncapi.json }
        operation: hear
        subscription: { consume: { until: length > 3, for: { seconds: 10 } } }
`,
  'an agent that is called': `
do:
  - ask:
      call: a2a
      with:
        method: message/send
        agentCard: { endpoint: https://example.com/.well-known/agent-card.json }
        parameters: { message: { parts: [{ kind: text, text: '\${ .question }' }] } }
  - look: { call: a2a, with: { method: tasks/get, server: https://example.com, parameters: .p } }
`,
  'MCP over HTTP': `
do:
  - tools:
      call: mcp
      with:
        protocolVersion: '2025-06-18'
        method: tools/call
        parameters: { name: add, arguments: { a: 1 } }
        timeout: { seconds: 10 }
        transport:
          http: { endpoint: https://example.com/mcp, headers: { x-key: '\${ .key }' } }
          options: { retries: '3' }
        client: { name: me, version: 1.0.0 }
`,
  'MCP over stdio': `
do:
  - tools:
      call: mcp
      with:
        method: resources/templates/list
        parameters: '\${ .parameters }'
        transport: { stdio: { command: node, arguments: [server.js], environment: { A: b } } }
`,
  'functions of every kind': `
use:
  catalogs:
    ours: { endpoint: { uri: https://example.com/catalog, authentication: { use: mine } } }
  authentications: { mine: { bearer: { token: t } } }
  functions:
    greet:
      input: { schema: { document: { type: object } } }
      call: http
      with: { method: get, endpoint: https://example.com }
    twice:
      do: [{ one: { call: greet, with: { a: 1 } } }, { two: { call: greet } }]
do:
  - a: { call: twice, with: { b: '\${ .b }' } }
  - c: { call: 'log:1.0.0@ours' }
  - d: { call: 'log:1.0.0@default', with: { message: hi } }
  - e: { call: https://example.com/functions/f/1.0.0/function.yaml }
  - f: { call: https://github.com/example/functions/f@v1 }
`,
  'authentication by secrets': `
use:
  secrets: [one, two]
  authentications:
    a: { basic: { use: one } }
    b: { bearer: { use: one } }
    c: { digest: { use: two } }
    d: { oauth2: { use: two } }
    e: { oidc: { use: two } }
do:
  - ask:
      call: http
      with:
        method: get
        endpoint: { uri: https://example.com, authentication: { use: d } }
        headers: { key: '\${ $secrets.one.key }', other: '\${ $secret["two"] }' }
`,
  'OAuth2 with everything': `
use:
  authentications:
    a:
      oauth2:
        authority: https://example.com/{tenant}
        endpoints: { token: /t, revocation: /r, introspection: /i }
        grant: urn:ietf:params:oauth:grant-type:token-exchange
        client: { id: a, secret: b, assertion: c, authentication: private_key_jwt }
        request: { encoding: application/json }
        issuers: [https://example.com]
        scopes: [read, write]
        audiences: [pets]
        username: d
        password: e
        subject: { token: f, type: g }
        actor: { token: h, type: i }
    j:
      oidc:
        authority: '\${ .authority }'
        grant: refresh_token
        client: { id: k }
do:
  - rest: { wait: PT1S }
`,
  'OAuth2 as it was allowed before': `
use: { authentications: { a: { oauth2: { client: { id: b, secret: c } } } } }
do:
  - rest: { wait: PT1S }
`,
};
