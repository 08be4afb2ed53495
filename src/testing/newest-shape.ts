/**
 * Where our schema takes more than that of the newest text, on purpose, and where it takes less.
 *
 * What it takes more is written as a change: a definition with these changes is one that the other
 * schema has to judge as ours judges it without them.
 */
import { isJsonObject, type Json } from '../base/json.ts';

/** A value, the keys that lead to it from a task or from a part of `use`, and what it becomes. */
type Change = (value: Json, path: string) => Json;

const EXPRESSION = /^\s*\$\{[\s\S]+\}\s*$/;
const isExpression = (value: Json): value is string =>
  typeof value === 'string' && EXPRESSION.test(value);
const isScalar = (value: Json): boolean => typeof value === 'number' || typeof value === 'boolean';

/** By what the difference is; the path says where it applies. */
const MORE: Readonly<Record<string, Change>> = {
  'an expression may have several lines': (value) =>
    isExpression(value) ? value.replaceAll(/\s+/g, ' ') : value,

  'arguments of scripts and commands were an object up to 1.0.2': (value, path) =>
    /\/run\/(script|shell)\/arguments$/.test(path) && isJsonObject(value) ? [] : value,

  'headers and queries were anything in 1.0.0, and are text, numbers and flags here': (
    value,
    path,
  ) => (/\/with\/(headers|query)\/[^/]*$/.test(path) && isScalar(value) ? 'text' : value),

  'what is an expression by definition may be written without braces (A-02)': (value, path) =>
    /\/subscription\/(filter|consume\/(while|until))$/.test(path) && typeof value === 'string'
      ? '${ .a }'
      : value,

  'host and port of a gRPC service may be expressions (CA-02)': (value, path) => {
    if (!isExpression(value)) return value;
    if (path.endsWith('/service/host')) return 'a';
    return path.endsWith('/service/port') ? 1 : value;
  },

  'a message may be an expression (CA-02)': (value, path) =>
    /\/message\/(payload|headers)$/.test(path) && isExpression(value) ? {} : value,

  'an authority may be an expression (CA-02)': (value, path) =>
    /\/(oauth2|oidc)\/authority$/.test(path) && isExpression(value) ? 'a' : value,

  'authority and grant have to be there only after 1.0.3 (DOC-28)': (value, path) =>
    /\/(oauth2|oidc)$/.test(path) && isJsonObject(value) && !('use' in value)
      ? { authority: 'a', grant: 'password', ...value }
      : value,

  '"extension" could be extended up to 1.0.3': (value, path) =>
    path.endsWith('/extend') && value === 'extension' ? 'all' : value,
};

export function asInTheNewestText(value: Json, path = ''): Json {
  const changed = Object.values(MORE).reduce((one, change) => change(one, path), value);
  if (Array.isArray(changed)) {
    return (changed as readonly Json[]).map((item) => asInTheNewestText(item, path));
  }
  if (!isJsonObject(changed)) return changed;
  return Object.fromEntries(
    Object.entries(changed).map(([key, part]) => [key, asInTheNewestText(part, `${path}/${key}`)]),
  );
}

/** What ours does not take although the other does, by the sentence that says so. */
export const LESS: Readonly<Record<string, RegExp>> = {
  'an event that is emitted has attributes': /^an event needs "with"/,
  'nothing takes less time than none, or happens less often than never': /, 0 or more; came -\d/,
  'a URI has no spaces': /came "a b:c"$/,
  'the old name of the detail of an error is text, as the new one is': /^"details" is text/,
};
