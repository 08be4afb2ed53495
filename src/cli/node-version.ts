/** Which Node this runs on. Imports nothing: it is read by those that are too old, as well. */

/** What package.json asks for. */
const NODE_MIN = [22, 18] as const;

/** What to do about a Node that is too old; undefined if it is not. */
export function tooOld(version: string): string | undefined {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const isOld = major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1]);
  return isOld ? `this is Node ${version}: run it on ${NODE_MIN.join('.')} or later` : undefined;
}
