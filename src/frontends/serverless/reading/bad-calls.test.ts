/** Calls in another shape than the language has. */
import { diagnosedCases } from '../../../testing/diagnosed.ts';

diagnosedCases('calls', [
  {
    what: 'no arguments',
    body: `
do:
  - a:
      call: http
`,
    errors: `
      7:5 (missing-property) /do/0/a
        a call of http needs "with"
      `,
  },
  {
    what: 'no method and no endpoint [HT-01]',
    body: `
do:
  - a:
      call: http
      with: {}
`,
    errors: `
      9:7 (missing-property) /do/0/a/with
        the "with" of an HTTP call needs "method"
      9:7 (missing-property) /do/0/a/with
        the "with" of an HTTP call needs "endpoint"
      `,
  },
  {
    what: 'a misspelt method',
    body: `
do:
  - a:
      call: http
      with: { metod: get, endpoint: https://example.com }
`,
    errors: `
      9:15 (unknown-property) /do/0/a/with/metod
        the "with" of an HTTP call has no property "metod"; did you mean "method"?
      `,
  },
  {
    what: 'a call of a number',
    body: `
do:
  - a:
      call: 5
`,
    errors: `
      8:13 (bad-value) /do/0/a/call
        "call" is the name of a function; came 5; put it in quotes
      `,
  },
  {
    what: 'an endpoint with a space in it',
    body: `
do:
  - a:
      call: http
      with: { method: get, endpoint: https://example.com/a b }
`,
    errors: `
      9:38 (bad-value) /do/0/a/with/endpoint
        "endpoint" is a URI, an expression "\${ … }", or an object with "uri"; came
          "https://example.com/a b"
      `,
  },
  {
    what: 'an endpoint without its URI',
    body: `
do:
  - a:
      call: http
      with: { method: get, endpoint: { url: https://example.com } }
`,
    errors: `
      9:40 (unknown-property) /do/0/a/with/endpoint/url
        an endpoint has no property "url"; did you mean "uri"?
      `,
  },
  {
    what: 'an endpoint of a number',
    body: `
do:
  - a:
      call: http
      with: { method: get, endpoint: 5 }
`,
    errors: `
      9:38 (bad-value) /do/0/a/with/endpoint
        "endpoint" is a URI, an expression "\${ … }", or an object with "uri"; came 5
      `,
  },
  {
    what: 'headers and query of other shapes',
    body: `
do:
  - a:
      call: http
      with:
        method: get
        endpoint: https://example.com
        headers: text
        query: { a: [1] }
        output: contents
        redirect: yes
`,
    errors: `
      12:18 (bad-value) /do/0/a/with/headers
        "headers" is an object of texts, or an expression "\${ … }"; came "text"
      13:18 (bad-value) /do/0/a/with/query/a
        "a" is text, a number, or true or false; came a list
      14:17 (bad-value) /do/0/a/with/output
        "output" is one of raw, content, response; came "contents"; did you mean "content"?
      15:19 (bad-value) /do/0/a/with/redirect
        "redirect" is true or false; came "yes"
      `,
  },
  {
    what: 'OpenAPI without its operation',
    body: `
do:
  - a:
      call: openapi
      with: { document: https://example.com, operation: b }
`,
    errors: `
      9:25 (bad-value) /do/0/a/with/document
        "document" is an object with name, endpoint; came "https://example.com"
      9:46 (unknown-property) /do/0/a/with/operation
        the "with" of an OpenAPI call has no property "operation"; did you mean "operationId"?
      `,
  },
  {
    what: 'gRPC with a port and a host that cannot be [GR-07]',
    body: `
do:
  - a:
      call: grpc
      with:
        proto: { endpoint: file://a.proto }
        service: { name: B, host: http://b, port: 65536 }
        method: C
`,
    errors: `
      11:35 (bad-value) /do/0/a/with/service/host
        "host" is the name or address of a host, without a scheme or a port; came "http://b"
      11:51 (bad-value) /do/0/a/with/service/port
        "port" is a port, 0 to 65535; came 65536
      `,
  },
  {
    what: 'AsyncAPI with two places and no message [AS-01] [AS-02] [AS-14]',
    body: `
do:
  - a:
      call: asyncapi
      with:
        document: { endpoint: https://example.com }
        channel: b
        operation: c
        protocol: mqt
`,
    errors: `
      9:7 (two-choices) /do/0/a/with
        "with" has one of channel, operation, and here are "channel" and "operation"; remove all
          but one
      9:7 (no-choice) /do/0/a/with
        "with" needs one of message, subscription
      13:19 (bad-value) /do/0/a/with/protocol
        "protocol" is one of amqp, amqp1, anypointmq, googlepubsub, http, ibmmq, jms, kafka,
          mercure, mqtt, mqtt5, nats, pulsar, redis, sns, solace, sqs, stomp, ws; came "mqt"; did
          you mean "mqtt"?
      `,
  },
  {
    what: 'a subscription that never ends',
    body: `
do:
  - a:
      call: asyncapi
      with:
        document: { endpoint: https://example.com }
        channel: b
        subscription: { consume: { for: PT1M } }
`,
    errors: `
      12:25 (no-choice) /do/0/a/with/subscription/consume
        "consume" needs one of amount, while, until
      `,
  },
  {
    what: 'a method that no agent has [A2-01]',
    body: `
do:
  - a:
      call: a2a
      with: { method: message/sent, server: https://example.com, parameters: {} }
`,
    errors: `
      9:23 (bad-value) /do/0/a/with/method
        "method" is one of message/send, message/stream, tasks/get, tasks/list, tasks/cancel,
          tasks/resubscribe, tasks/pushNotificationConfig/set, tasks/pushNotificationConfig/get,
          tasks/pushNotificationConfig/list, tasks/pushNotificationConfig/delete,
          agent/getAuthenticatedExtendedCard; came "message/sent"; did you mean "message/send"?
      9:66 (bad-value) /do/0/a/with/parameters
        "parameters" is an object that is not empty; came an empty object
      `,
  },
  {
    what: 'MCP with two transports [MC-01] [MC-02] [MC-09]',
    body: `
do:
  - a:
      call: mcp
      with:
        method: tools/cal
        transport: { http: { endpoint: https://example.com }, stdio: { command: b } }
        client: { name: c }
`,
    errors: `
      10:17 (bad-value) /do/0/a/with/method
        "method" is one of tools/list, tools/call, prompts/list, prompts/get, resources/list,
          resources/read, resources/templates/list; came "tools/cal"; did you mean "tools/call"?
      11:9 (two-choices) /do/0/a/with/transport
        a transport has one of http, stdio, and here are "http" and "stdio"; remove all but one
      12:9 (missing-property) /do/0/a/with/client
        an MCP client needs "version"
      `,
  },
  {
    what: 'MCP without a transport [MC-02]',
    body: `
do:
  - a:
      call: mcp
      with: { method: tools/list, transport: {} }
`,
    errors: `
      9:35 (no-choice) /do/0/a/with/transport
        a transport needs one of http, stdio
      `,
  },
  {
    what: 'a function with arguments in a list',
    body: `
use:
  functions:
    b: { wait: PT1S }
do:
  - a: { call: b, with: [1] }
`,
    errors: `
      10:19 (bad-value) /do/0/a/with
        "with" is an object; came a list
      `,
  },
]);
