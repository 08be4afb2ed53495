import { expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { readOAuth } from './oauth-settings.ts';

const endpointsOf = (values: JsonObject) =>
  readOAuth({ path: 'oauth2', values: { grant: 'client_credentials', ...values } }).endpoints;

test('endpoints have their defaults, below the authority [AU-11]', () => {
  expect(endpointsOf({ authority: 'https://auth.example/realms/a/' })).toEqual({
    token: 'https://auth.example/realms/a/oauth2/token',
    revocation: 'https://auth.example/realms/a/oauth2/revoke',
    introspection: 'https://auth.example/realms/a/oauth2/introspect',
  });
});

test('each endpoint may be another, below the authority or elsewhere [AU-11]', () => {
  const endpoints = {
    token: '/auth/token',
    revocation: 'revoke',
    introspection: 'https://other.example/introspect',
  };
  expect(endpointsOf({ authority: 'http://auth.example:8080/realms/a', endpoints })).toEqual({
    token: 'http://auth.example:8080/realms/a/auth/token',
    revocation: 'http://auth.example:8080/realms/a/revoke',
    introspection: 'https://other.example/introspect',
  });
});

test('a provider of OpenID is asked for its endpoints', () => {
  const values = { grant: 'client_credentials', authority: 'https://auth.example' };
  expect(readOAuth({ path: 'oidc', values }).endpoints).toBeUndefined();
});
