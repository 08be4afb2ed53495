/** What several routes read off a request in the same way. */
import { EngineError, parseDuration } from '../index.ts';
import { RequestError } from './problem.ts';
import type { Asked } from './route.ts';
import type { ServerLimits } from './limits.ts';

interface Said {
  readonly actor?: string | undefined;
  readonly reason?: string | undefined;
}

/** Who does it: whoever asks, unless they may speak for others and do. */
export function actorOf(
  { principal }: Pick<Asked, 'principal'>,
  actor: string | undefined,
): string {
  if (actor === undefined || actor === principal.id) return principal.id;
  if (principal.scopes.has('act-as')) return actor;
  throw new RequestError('access.forbidden', 'to name another actor takes the scope act-as');
}

export function actingOf(asked: Asked<unknown, unknown, Said>): {
  readonly actor: string;
  readonly reason?: string;
} {
  const { actor, reason } = asked.body;
  return { actor: actorOf(asked, actor), ...(reason === undefined ? {} : { reason }) };
}

/** In a query everything is text, milliseconds too. */
const MILLISECONDS = /^\d{1,9}$/;

/** How long a request waits for something; not at all if it does not say. */
export function waitMs(text: string | undefined, { WAIT_MS_MAX }: ServerLimits): number {
  if (text === undefined) return 0;
  const read = parseDuration(MILLISECONDS.test(text) ? Number(text) : text);
  if (read.ok && read.value <= WAIT_MS_MAX) return read.value;
  const rule = `wait is a duration such as 30s, at most WAIT_MS_MAX ${WAIT_MS_MAX} ms`;
  throw new EngineError('duration.invalid', `${rule}; came "${text.slice(0, 60)}"`);
}

/**
 * What was parsed has only what was said, and nothing that is undefined: TypeScript cannot know it.
 */
export function said<Given extends object>(
  given: Given,
): { [Key in keyof Given]: Exclude<Given[Key], undefined> } {
  return given as { [Key in keyof Given]: Exclude<Given[Key], undefined> };
}
