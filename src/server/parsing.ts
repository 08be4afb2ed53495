/** What a request says, as its route has it; all that is wrong with it at once. */
import type { z } from 'zod';
import { RequestError } from './problem.ts';
import type { Route } from './route.ts';

const PROBLEMS_MAX = 50;

export function parseParams(route: Route, given: Record<string, string>): unknown {
  return route.params === undefined ? {} : checked('path', route.params, given);
}

/** A name that comes several times is a list. One that nobody knows is refused. */
export function parseQuery(route: Route, url: string): unknown {
  const at = url.indexOf('?');
  if (at === -1 || at === url.length - 1) {
    return route.query === undefined ? {} : checked('query', route.query, {});
  }
  const given: Record<string, string | string[]> = {};
  const params = new URLSearchParams(url.slice(at + 1));
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    Object.defineProperty(given, name, {
      value: values.length === 1 ? values[0] : values,
      enumerable: true,
    });
  }
  if (route.query !== undefined) return checked('query', route.query, given);
  const message = `${route.method.toUpperCase()} ${route.path} takes nothing in its query`;
  throw new RequestError('request.invalid', message);
}

const JSON_TYPE = /^application\/([\w.-]+\+)?json(\s*;\s*charset=("?)utf-8\3)?\s*$/i;

export function checkType(type: string | undefined): void {
  if (type !== undefined && JSON_TYPE.test(type)) return;
  const came = type === undefined ? 'none' : `"${type.slice(0, 100)}"`;
  const message = `a body is JSON and says so (content-type: application/json); came ${came}`;
  throw new RequestError('request.type', message);
}

const TEXT = new TextDecoder('utf-8', { fatal: true });

export function parseJson(bytes: Uint8Array): { readonly text: string; readonly value: unknown } {
  try {
    const text = TEXT.decode(bytes);
    return { text, value: JSON.parse(text) as unknown };
  } catch (thrown) {
    const why = thrown instanceof SyntaxError ? thrown.message : 'it is no UTF-8';
    const message = `the body is no JSON: ${why.slice(0, 200)}`;
    throw new RequestError('request.invalid', message, { cause: thrown });
  }
}

export function parseBody(route: Route, value: unknown): unknown {
  return route.body === undefined ? undefined : checked('body', route.body, value);
}

function checked(where: string, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const found = parsed.error.issues.slice(0, PROBLEMS_MAX);
  const problems = found.map(({ path, message }) => ({
    in: where,
    path: path.map(String).join('.'),
    message,
  }));
  const [first] = problems;
  const place = first?.path === '' ? `the ${where}` : `"${first?.path}" of the ${where}`;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  throw new RequestError('request.invalid', `${place}: ${first?.message}${more}`, {
    details: { problems },
  });
}
