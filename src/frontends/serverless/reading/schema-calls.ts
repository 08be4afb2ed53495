/** What a call is given, for each kind of call. */
import {
  exactlyOne,
  expression,
  expressionMark,
  flag,
  hostOrExpression,
  list,
  map,
  objectOr,
  oneWord,
  OPEN,
  type Properties,
  ref,
  type Schema,
  shape,
  text,
  wholeNumber,
} from './schema-parts.ts';

export const CALLS = ['http', 'openapi', 'grpc', 'asyncapi', 'a2a', 'mcp'] as const;

/** In the first version of the language any value; text in the newest. */
const scalar: Schema = {
  type: ['string', 'number', 'boolean'],
  description: 'text, a number, or true or false',
};
const scalars: Schema = objectOr('an object of texts, or an expression "${ … }"', {
  object: map('an object', scalar),
  other: expressionMark,
});

const texts = map('an object of texts', text());
const method = text('a method such as GET');
const answer = oneWord(['raw', 'content', 'response']);
const parameters = (more: Schema = {}): Schema =>
  objectOr('an object, or an expression', { object: map('an object', {}, more), other: text() });

const PROTOCOLS = [
  ...['amqp', 'amqp1', 'anypointmq', 'googlepubsub', 'http', 'ibmmq', 'jms', 'kafka', 'mercure'],
  ...['mqtt', 'mqtt5', 'nats', 'pulsar', 'redis', 'sns', 'solace', 'sqs', 'stomp', 'ws'],
];
const AGENT_METHODS = [
  ...['message/send', 'message/stream'],
  ...['tasks/get', 'tasks/list', 'tasks/cancel', 'tasks/resubscribe'],
  ...['set', 'get', 'list', 'delete'].map((verb) => `tasks/pushNotificationConfig/${verb}`),
  'agent/getAuthenticatedExtendedCard',
];
const MCP_METHODS = [
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get'],
  ...['resources/list', 'resources/read', 'resources/templates/list'],
];

/** An object, or an expression that gives one. */
const data = objectOr('an object, or an expression "${ … }"', {
  object: map('an object'),
  other: expressionMark,
});

const port: Schema = {
  type: ['integer', 'string'],
  description: 'a port, 0 to 65535',
  minimum: 0,
  maximum: 65_535,
  pattern: expressionMark.pattern ?? '',
};

const subscription = shape(
  'a subscription',
  {
    filter: expression,
    consume: shape(
      '"consume"',
      { amount: wholeNumber(0), while: expression, until: expression, for: ref('duration') },
      [],
      exactlyOne(['amount', 'while', 'until']),
    ),
    foreach: ref('foreach'),
  },
  ['consume'],
);

const transport = shape(
  'a transport',
  {
    http: shape(
      'the HTTP transport',
      { endpoint: ref('endpoint'), headers: texts },
      ['endpoint'],
      OPEN,
    ),
    stdio: shape(
      'the stdio transport',
      { command: text(), arguments: list('a list of texts', text()), environment: texts },
      ['command'],
      OPEN,
    ),
    options: texts,
  },
  [],
  { ...exactlyOne(['http', 'stdio']), ...OPEN },
);

const callArguments: Readonly<Record<(typeof CALLS)[number], Schema>> = {
  http: shape(
    'the "with" of an HTTP call',
    {
      method,
      endpoint: ref('endpoint'),
      headers: scalars,
      query: scalars,
      body: {},
      output: answer,
      redirect: flag,
    },
    ['method', 'endpoint'],
  ),
  openapi: shape(
    'the "with" of an OpenAPI call',
    {
      document: ref('resource'),
      operationId: text(),
      parameters: map('an object'),
      authentication: ref('authenticationOrUse'),
      output: answer,
      redirect: flag,
    },
    ['document', 'operationId'],
  ),
  grpc: shape(
    'the "with" of a gRPC call',
    {
      proto: ref('resource'),
      service: shape(
        'a gRPC service',
        {
          name: text(),
          host: hostOrExpression,
          port,
          authentication: ref('authenticationOrUse'),
        },
        ['name', 'host'],
      ),
      method: text(),
      arguments: map('an object'),
    },
    ['proto', 'service', 'method'],
  ),
  asyncapi: shape(
    'the "with" of an AsyncAPI call',
    {
      document: ref('resource'),
      channel: text(),
      operation: text(),
      server: shape('a server', { name: text(), variables: map('an object') }, ['name']),
      protocol: oneWord(PROTOCOLS),
      message: shape('a message', { payload: data, headers: data }),
      subscription,
      authentication: ref('authenticationOrUse'),
    },
    ['document'],
    { allOf: [exactlyOne(['channel', 'operation']), exactlyOne(['message', 'subscription'])] },
  ),
  a2a: shape(
    'the "with" of an A2A call',
    {
      method: oneWord(AGENT_METHODS),
      agentCard: ref('resource'),
      server: ref('endpoint'),
      parameters: parameters({ minProperties: 1, description: 'an object that is not empty' }),
    },
    ['method'],
  ),
  mcp: shape(
    'the "with" of an MCP call',
    {
      protocolVersion: text('a version such as 2025-06-18'),
      method: oneWord(MCP_METHODS),
      parameters: parameters(),
      timeout: ref('duration'),
      transport,
      client: shape('an MCP client', { name: text(), version: text() }, ['name', 'version'], OPEN),
    },
    ['method', 'transport'],
    OPEN,
  ),
};

export const callShapes: Properties = Object.fromEntries(
  CALLS.map((call) => [`${call}Call`, callArguments[call]]),
);
