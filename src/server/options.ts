/** What a server is made of, checked first: a misspelt option must not leave a door open. */
import { SERVER_LIMITS } from './limits.ts';
import type { ServerOptions } from './premises.ts';
import { wrong } from './wrong.ts';
import { checkWebhook } from './webhooks.ts';

const FIELDS: readonly (keyof ServerOptions)[] = [
  ...(['access', 'hosts', 'origins', 'rate', 'webhooks', 'limits', 'logger'] as const),
];

export function checkOptions(options: ServerOptions): void {
  known('the server', options, FIELDS);
  const { limits = {}, webhooks = {} } = options;
  for (const [name, source] of Object.entries(webhooks)) checkWebhook(name, source);
  known('limits', limits, Object.keys(SERVER_LIMITS));
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw wrong(`limits.${name} is a whole number, 1 or more; came ${String(value)}`);
  }
}

function known(what: string, given: object, fields: readonly string[]): void {
  const odd = Object.keys(given).find((name) => !fields.includes(name));
  if (odd === undefined) return;
  throw wrong(`${what} has no option "${odd}"; there are ${fields.join(', ')}`);
}
