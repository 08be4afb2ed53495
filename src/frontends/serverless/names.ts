/** What a workflow is called in the engine. */

/** Neither part has a dot in it, so nothing else can be called the same. */
export function flowNameOf(namespace: string, name: string): string {
  return `${namespace}.${name}`;
}

/**
 * The number by which the engine knows a version: 1.2.3 is 1,002,003. What is before a release, and
 * what is built of it, is of the same number.
 */
export function versionNumber(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split(/[-+]/)[0]?.split('.').map(Number) ?? [];
  return Math.max((major * 1_000 + minor) * 1_000 + patch, 1);
}
