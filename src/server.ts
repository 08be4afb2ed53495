/** `perdure/server`: the HTTP API over an engine, alone or as part of another application. */
export {
  type ApiKey,
  type ApiKeyLookup,
  type ApiKeyOptions,
  createApiKey,
} from './server/access/api-keys.ts';
export type { AccessOptions } from './server/access/authentication.ts';
export type { JwtOptions } from './server/access/jwt-options.ts';
export { type Principal, type Role, ROLES, type Scope } from './server/access/principal.ts';
export type { RateOptions } from './server/access/rate.ts';
export { type Api, api, type Listening, type ListenOptions } from './server/api.ts';
export type { ServerLimits } from './server/limits.ts';
export type { ServerOptions } from './server/premises.ts';
export type { Problem, ProblemCode, RequestCode } from './server/problem.ts';
export type { WebhookMessage, WebhookScheme, WebhookSource } from './server/webhooks.ts';
