/**
 * Reading a body: the author's function is handed a builder on an empty region and returns it with
 * nodes added. It is a stranger's code, so whatever else it does becomes a diagnostic.
 */
import { complain, type Findings, findingsOf, isRecord, show } from './checks.ts';
import { collect, hiddenIn, merge, type Part, type Path, type Region } from './path.ts';

/** What reading a body takes of the builder, which imports this file. */
export interface Desk {
  /** A builder on a path. */
  open(path: Path): object;
  /** The path of a builder; undefined for anything else. */
  findPath(value: unknown): Path | undefined;
}

interface Read extends Part {
  readonly body: string;
  /** The node it ends with; absent if that is where the flow does. */
  readonly tail?: string;
}

/** The hidden scope of an arm or a branch. */
export function drawHiddenScope(desk: Desk, region: Region, id: string, body: unknown): Part {
  const found = findingsOf(id);
  const { body: start, ...inner } = readBody(desk, found, body);
  const node = hiddenIn(region, id, 'scope', { body: start, promote: true });
  return merge([{ nodes: [node], diagnostics: found.list }, inner]);
}

/** The nodes of a region, and the one it begins with. `owner` opens it. */
export function readBody(
  desk: Desk,
  found: Findings,
  body: unknown,
  owner: string = found.node,
): Read {
  const region: Region = { owner };
  const written = write(desk, found, region, body);
  if (written?.first !== undefined) {
    const { first, tail } = written;
    return { ...collect(written), body: first, ...(tail === undefined ? {} : { tail }) };
  }
  const start = `${owner}/:start`;
  return { nodes: [hiddenIn(region, start, 'pass', {})], body: start };
}

/** Lets the author's function write; whatever it does instead is said. */
function write(desk: Desk, found: Findings, region: Region, body: unknown): Path | undefined {
  const what = `the body of "${found.node}"`;
  if (typeof body !== 'function') {
    complain(found, 'body.not-a-function', `${what} is a function (b) => b…; came ${show(body)}`);
    return undefined;
  }
  let returned: unknown;
  try {
    returned = body(desk.open({ region }));
  } catch (thrown) {
    const why = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : show(thrown);
    complain(found, 'body.threw', `${what} threw ${why}`);
    return undefined;
  }
  const path = desk.findPath(returned);
  if (path?.region === region) return path;
  const came = path === undefined ? returnedBy(returned) : 'the builder of another place';
  complain(found, 'body.not-returned', `${what} returns the builder it was given; came ${came}`);
  return undefined;
}

function returnedBy(returned: unknown): string {
  const isFlow = isRecord(returned) && 'definition' in returned;
  return isFlow ? 'a finished flow; leave .end() to the top of the flow' : show(returned);
}
