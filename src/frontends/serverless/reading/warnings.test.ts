/** What is worth a word, and stops nobody. */
import { diagnosedCases } from '../../../testing/diagnosed.ts';

diagnosedCases('warnings', [
  {
    what: 'a property of the workflow that is not known [DOC-25]',
    body: `
outputs: { as: .a }
do:
  - a: { wait: PT1S }
`,
    warnings: `
      6:1 (unknown-property) /outputs
        a workflow has no property "outputs"; did you mean "output"?
      `,
  },
  {
    what: 'properties where the language leaves objects open',
    body: `
use:
  authentications: { a: { basic: { username: b, password: c }, realm: d } }
do:
  - a: { emit: { event: { with: { type: b }, data: c } } }
  - b:
      try: [c: { wait: PT1S }]
      catch: { errors: { with: { typ: d, status: 404 }, when: .e } }
  - f:
      call: mcp
      with:
        method: tools/list
        retries: 3
        transport: { stdio: { command: g, cwd: h } }
        client: { name: i, version: '1', description: j }
`,
    warnings: `
      7:64 (unknown-property) /use/authentications/a/realm
        an authentication policy has no property "realm"; there are basic, bearer, digest,
          oauth2, oidc
      9:46 (unknown-property) /do/0/a/emit/event/data
        an event has no property "data"; it belongs into "with"
      12:34 (unknown-property) /do/1/b/catch/errors/with/typ
        the "with" of caught errors has no property "typ"; did you mean "type"?
      12:57 (unknown-property) /do/1/b/catch/errors/when
        the "errors" of a catch has no property "when"; there is only "with"
      17:9 (unknown-property) /do/2/f/with/retries
        the "with" of an MCP call has no property "retries"; there are protocolVersion, method,
          parameters, timeout, transport, client
      18:43 (unknown-property) /do/2/f/with/transport/stdio/cwd
        the stdio transport has no property "cwd"; there are command, arguments, environment
      19:42 (unknown-property) /do/2/f/with/client/description
        an MCP client has no property "description"; there are name, version
      `,
  },
  {
    what: 'a language that came later [DOC-07]',
    text: `
document: { dsl: 1.0.4, namespace: a, name: b, version: 1.0.0 }
do:
  - a: { wait: PT1S }
`,
    warnings: `
      1:18 (newer-dsl) /document/dsl
        1.0.4 came after 1.0.3, the newest known here; what it adds is not known
      `,
  },
  {
    what: 'text around expressions [EX-05]',
    body: `
do:
  - a: { set: { b: 'Hello \${ .c }', d: '\${ .e } and \${ .f }', g: '\${ {a: "}"} }' } }
  - h: { call: http, with: { method: get, endpoint: 'https://example.com/\${.id}' } }
  - i: { run: { shell: { command: 'echo \${ .j } \${HOME}' } } }
  - k: { run: { shell: { command: 'echo \${HOME} $1' } } }
  - l: { run: { script: { language: js, code: 'return \`\${a} \${b}\`' } } }
`,
    warnings: `
      7:20 (text-around-expression) /do/0/a/set/b
        an expression with text around it is just text, and stays as it is; make it one
          expression, such as \${ "Hello \\(.name)" }
      7:40 (text-around-expression) /do/0/a/set/d
        an expression with text around it is just text, and stays as it is; make it one
          expression, such as \${ "Hello \\(.name)" }
      8:53 (text-around-expression) /do/1/h/with/endpoint
        an expression with text around it is just text, and stays as it is; make it one
          expression, such as \${ "Hello \\(.name)" }
      9:35 (text-around-expression) /do/2/i/run/shell/command
        an expression with text around it is just text, and stays as it is; make it one
          expression, such as \${ "Hello \\(.name)" }
      `,
  },
  {
    what: 'retry policies without a limit or a delay',
    body: `
use: { retries: { a: {}, b: { delay: PT1S, limit: { duration: PT1M } } } }
do:
  - c: { try: [d: { wait: PT1S }], catch: { retry: { limit: { attempt: { count: 3 } } } } }
  - e:
      try: [d: { wait: PT1S }]
      catch: { retry: { delay: PT1S, limit: { attempt: { duration: PT1S } } } }
`,
    warnings: `
      6:19 (retry-without-limit) /use/retries/a
        this retry policy has no limit, and tries again for as long as it fails; say
          limit.attempt.count or limit.duration
      6:19 (retry-without-delay) /use/retries/a
        this retry policy has no delay, and tries again at once; say delay, such as { seconds: 1
          }
      8:45 (retry-without-delay) /do/0/c/catch/retry
        this retry policy has no delay, and tries again at once; say delay, such as { seconds: 1
          }
      11:16 (retry-without-limit) /do/1/e/catch/retry
        this retry policy has no limit, and tries again for as long as it fails; say
          limit.attempt.count or limit.duration
      `,
  },
  {
    what: 'secrets that become data',
    body: `
use: { secrets: [s] }
output: { as: '{ a: $secrets.s }' }
do:
  - a: { set: { b: '\${ $secrets.s.key }', c: text }, export: { as: { d: '\${ $secret.s }' } } }
  - e: { call: http, with: { method: get, endpoint: a:b, body: '\${ $secrets.s }' } }
`,
    warnings: `
      7:15 (secret-in-data) /output/as
        a secret read here is stored with the data of the instance; use it where it is needed
      9:20 (secret-in-data) /do/0/a/set/b
        a secret read here is stored with the data of the instance; use it where it is needed
      9:73 (secret-in-data) /do/0/a/export/as/d
        a secret read here is stored with the data of the instance; use it where it is needed
      `,
  },
  {
    what: 'lists without tasks',
    body: `
use: { extensions: [x: { extend: all, before: [] }] }
do:
  - a: { do: [] }
  - b: { fork: { branches: [] } }
`,
    warnings: `
      6:39 (empty-list) /use/extensions/0/x/before
        this list has no tasks, so it does nothing
      8:10 (empty-list) /do/0/a/do
        this list has no tasks, so it does nothing
      9:18 (empty-list) /do/1/b/fork/branches
        this list has no tasks, so it does nothing
      `,
  },
  {
    what: 'a workflow that does nothing',
    body: `
do: []
`,
    warnings: `
      6:1 (empty-list) /do
        this list has no tasks, so it does nothing
      `,
  },
  {
    what: 'an extension of extensions',
    body: `
use: { extensions: [x: { extend: extension }] }
do:
  - a: { wait: PT1S }
`,
    warnings: `
      6:34 (extends-nothing) /use/extensions/0/x/extend
        "extension" meant nothing up to 1.0.3, and is gone since; it extends nothing
      `,
  },
]);
