/** What a server has at hand, made once from its options and given to everything it does. */
import type { Engine, Logger } from '../index.ts';
import type { AccessOptions, Authentication } from './access/authentication.ts';
import type { Doorstep } from './access/doorstep.ts';
import type { Rates } from './access/rate.ts';
import type { ServerLimits } from './limits.ts';
import type { Metrics } from './metrics.ts';
import type { Streams } from './streams.ts';
import type { WebhookSource } from './webhooks.ts';

export interface ServerOptions {
  /** Who may come in. Without it only this machine may. */
  readonly access?: AccessOptions;
  /** The names by which it is reached, as `api.example.com`; this machine's if not said. */
  readonly hosts?: readonly string[];
  /** Pages of other origins that may ask, as `https://app.example.com`. None if not said. */
  readonly origins?: readonly string[];
  readonly rate?: { readonly perSecond: number; readonly burst: number } | false;
  /** By the last part of their path: `/hooks/{name}`. */
  readonly webhooks?: Readonly<Record<string, WebhookSource>>;
  readonly limits?: Partial<ServerLimits>;
  readonly logger?: Logger;
}

export interface Premises {
  readonly engine: Engine;
  readonly limits: ServerLimits;
  readonly logger: Logger;
  readonly authentication: Authentication;
  readonly doorstep: Doorstep;
  readonly rates: Rates;
  readonly streams: Streams;
  readonly metrics: Metrics;
  readonly webhooks: Readonly<Record<string, WebhookSource>>;
  readonly now: () => number;
}
