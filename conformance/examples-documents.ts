/** Documents that examples refer to and that are not among them: as they would have to be. */
import type { JsonObject } from '../src/base/json.ts';
import { BY_STATUS } from '../src/testing/pet-store.ts';
import type { Places } from './examples-places.ts';

/** Of the pet store, in the words of Swagger 2.0. */
export const PET_STORE: JsonObject = {
  swagger: '2.0',
  info: { title: 'A pet store', version: '1.0.0' },
  host: 'petstore.swagger.io',
  basePath: '/v2',
  schemes: ['https', 'http'],
  paths: {
    '/pet/findByStatus': {
      get: {
        operationId: 'findPetsByStatus',
        ...BY_STATUS,
      },
    },
  },
};

export const ORDERS_DOCUMENT: JsonObject = {
  openapi: '3.0.3',
  info: { title: 'Readings of rooms', version: '1.0.0' },
  servers: [{ url: 'http://myorg.io' }],
  paths: {
    '/readings': {
      post: { operationId: 'logreading', responses: { 201: { description: 'it is logged' } } },
    },
    '/report': {
      post: { operationId: 'produceReport', responses: { 200: { description: 'a report' } } },
    },
  },
};

/** In the place of the catalog's own, which is in Python: it says what it is told to. */
export const LOG_FUNCTION = `
input:
  schema:
    document:
      type: object
      required: [message]
run:
  script:
    language: javascript
    arguments:
      message: \${ .message }
      level: \${ .level }
    code: |
      console.log('[' + level.toUpperCase() + ']: ' + message)
`;

/** Who the notifications of the examples are for, and from whom they are wanted. */
export const CONTACT: JsonObject = { firstName: 'Ada', lastName: 'Lovelace' };
export const USER = 'user-7';

export interface Notification extends JsonObject {
  readonly to: string;
  readonly from: JsonObject;
  readonly text: string;
}

export function notification(text: string, from: JsonObject = CONTACT): Notification {
  return { to: USER, from, text };
}

/** As a workflow sees one. */
export function seen(payload: Notification): JsonObject {
  return { payload, headers: {}, correlationId: payload.to };
}

/** Where in a message its correlation id is. */
const MESSAGE: JsonObject = {
  contentType: 'application/json',
  correlationId: { location: '$message.payload#/to' },
};

/** Version 3 has operations, version 2 has channels. */
export async function asyncApiDocument(places: Places, version: 2 | 3): Promise<JsonObject> {
  const broker = `localhost:${(await places.broker()).port}`;
  const info = { title: 'Notifications', version: '1.0.0' };
  if (version === 2) {
    return {
      ...{ asyncapi: '2.6.0', info },
      servers: { production: { url: `mqtt://${broker}`, protocol: 'mqtt' } },
      channels: { '/notifications': { subscribe: { message: MESSAGE } } },
    };
  }
  return {
    ...{ asyncapi: '3.0.0', info },
    servers: {
      production: { host: broker, protocol: 'mqtt' },
      live: { host: `localhost:${(await places.socket()).port}`, protocol: 'ws' },
      staging: { host: 'staging.fake.com', protocol: 'https' },
    },
    channels: {
      notifications: { address: 'notifications', messages: { notification: MESSAGE } },
      pets: { address: '/pets/find' },
    },
    operations: {
      getNotifications: { action: 'receive', channel: { $ref: '#/channels/notifications' } },
      findPetsByStatus: { action: 'send', channel: { $ref: '#/channels/pets' } },
    },
  };
}
