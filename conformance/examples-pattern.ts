/** What is expected of a value that is not known to the letter, as ids and times are not. */
import { isJsonObject, type Json } from '../src/base/json.ts';

/** JSON in which a regular expression stands for a text that fits it. */
export type Pattern =
  | string
  | number
  | boolean
  | null
  | RegExp
  | readonly Pattern[]
  | { readonly [name: string]: Pattern };

/** Everything in a value that is not as expected, each with its place. */
export function differences(expected: Pattern, came: Json | undefined, at = ''): readonly string[] {
  if (expected instanceof RegExp) {
    return typeof came === 'string' && expected.test(came) ? [] : [wrong(at, `${expected}`, came)];
  }
  if (Array.isArray(expected)) {
    const [wanted, list] = [expected as readonly Pattern[], Array.isArray(came) ? came : null];
    if (list?.length !== wanted.length) return [wrong(at, shown(expected), came)];
    return wanted.flatMap((one, n) => differences(one, list[n] as Json, `${at}/${n}`));
  }
  if (typeof expected === 'object' && expected !== null) {
    if (!isJsonObject(came ?? null)) return [wrong(at, shown(expected), came)];
    const members = came as { readonly [name: string]: Json };
    const names = new Set([...Object.keys(expected), ...Object.keys(members)]);
    return [...names].flatMap((name) => {
      const wanted = (expected as { readonly [name: string]: Pattern })[name];
      if (wanted !== undefined) return differences(wanted, members[name], `${at}/${name}`);
      return [wrong(`${at}/${name}`, 'nothing', members[name])];
    });
  }
  return expected === came ? [] : [wrong(at, shown(expected), came)];
}

function wrong(at: string, expected: string, came: Json | undefined): string {
  const place = at === '' ? '' : `${at}: `;
  return `${place}expected ${expected}, came ${came === undefined ? 'nothing' : shown(came)}`;
}

function shown(value: Pattern): string {
  return JSON.stringify(value, (_, part: unknown) => (part instanceof RegExp ? `${part}` : part));
}
