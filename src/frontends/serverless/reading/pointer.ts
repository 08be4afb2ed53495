/** RFC 6901 pointers: how a place in a definition is named, in diagnostics, errors and history. */

/** The pointer of a part: that of the whole, and a key or a number for each step down. */
export function pointerTo(whole: string, ...steps: readonly (string | number)[]): string {
  return steps.reduce<string>((pointer, step) => `${pointer}/${escaped(String(step))}`, whole);
}

/** The keys and numbers a pointer is made of; none for the whole document. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What stands at the end of some steps; undefined if they lead nowhere. */
export function findPart(whole: unknown, ...steps: readonly (string | number)[]): unknown {
  let part = whole;
  for (const step of steps) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, step)) return undefined;
    part = Reflect.get(part, step);
  }
  return part;
}

/** The names of an object and what stands under each; none of what is no object. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.entries(value) : [];
}

export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}
