/**
 * A proto file and those it imports, as plain descriptions.
 *
 * An import names a file from wherever its author let it begin, and we know only where the first
 * file lies: it is looked for beside the file that wants it, then above that, step by step.
 * Google's own types are at hand. Annotations for gateways say nothing about messages and may be
 * missing.
 */
import { isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Endpoint } from '../arguments.ts';
import type { Calling, LoadedResource } from '../calling.ts';
import { notAskable } from '../http/failures.ts';
import type { ParsedProto, Protobuf } from './packages.ts';

/** Of one service, imports included. */
export const PROTO_FILES_MAX = 100;
/** How many directories upwards an import is looked for. */
const STEPS_UP_MAX = 4;
const OPTIONAL = /^(google\/api|protoc-gen-openapiv2|validate|buf\/validate)\//;

interface Import {
  readonly path: string;
  /** Where the file that wants it lies. */
  readonly from: string;
  readonly isOptional: boolean;
}

export async function loadProtoFiles(
  calling: Calling,
  protobuf: Protobuf,
  endpoint: Endpoint,
): Promise<readonly JsonObject[]> {
  const first = await calling.resources.text({ endpoint }, calling.signal);
  const files: JsonObject[] = [];
  const seen = new Set([first.url]);
  const wanted: Import[] = [];
  const take = ({ text, url }: LoadedResource): void => {
    const { root, imports = [], weakImports = [] } = parse(protobuf, text, url);
    files.push(plainOf(root.toJSON()));
    if (files.length > PROTO_FILES_MAX) {
      throw notAskable(`${first.url} imports more than ${PROTO_FILES_MAX - 1} files`);
    }
    const strong = imports.map((path) => ({ path, from: url, isOptional: OPTIONAL.test(path) }));
    const weak = weakImports.map((path) => ({ path, from: url, isOptional: true }));
    wanted.push(...strong, ...weak);
  };
  take(first);
  for (let one = wanted.shift(); one !== undefined; one = wanted.shift()) {
    const known = protobuf.common.get(one.path);
    if (known !== null) {
      if (!seen.has(one.path)) files.push(plainOf(known));
      seen.add(one.path);
      continue;
    }
    const found = await findImport(calling, endpoint, one);
    if (found === undefined || seen.has(found.url)) continue;
    seen.add(found.url);
    take(found);
  }
  return files;
}

async function findImport(
  calling: Calling,
  { authentication }: Endpoint,
  { path, from, isOptional }: Import,
): Promise<LoadedResource | undefined> {
  let failure: WorkflowError | undefined;
  for (const uri of candidates(path, from)) {
    // What opens the first file is told to nobody but whoever has that.
    const isSame = new URL(uri).origin === new URL(from).origin;
    const policy = authentication !== undefined && isSame ? { authentication } : {};
    try {
      return await calling.resources.text({ endpoint: { uri, ...policy } }, calling.signal);
    } catch (thrown) {
      if (!(thrown instanceof WorkflowError) || thrown.kind !== 'communication') throw thrown;
      failure ??= thrown;
    }
  }
  if (isOptional) return undefined;
  const why = failure?.detail ?? 'a file without a place has nothing beside it';
  throw notAskable(`"${path}", which ${from} imports, is neither beside it nor above: ${why}`);
}

function candidates(path: string, from: string): readonly string[] {
  const steps = Array.from({ length: STEPS_UP_MAX + 1 }, (_, up) => `${'../'.repeat(up)}${path}`);
  const urls = steps.flatMap((step) => (URL.canParse(step, from) ? new URL(step, from).href : []));
  return [...new Set(urls)];
}

function parse(protobuf: Protobuf, text: string, url: string): ParsedProto {
  try {
    return protobuf.parse(text, { keepCase: true });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw notAskable(`${url} cannot be read as a proto file: ${why}`);
  }
}

/** A copy that is nothing but data. */
function plainOf(description: object): JsonObject {
  const plain = parseJson(JSON.stringify(description));
  return isJsonObject(plain) ? plain : {};
}
