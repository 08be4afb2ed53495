/** A node of a kind that the application brought, as a piece of the draft. */
import { admitJson } from '../../base/json.ts';
import { type CustomKind, isCustom, kindProblem } from '../../model/custom-kind.ts';
import { type Desk, drawHiddenScope } from './bodies.ts';
import { begin, checkName, complain, type Findings, isRecord, show } from './checks.ts';
import { edge, edgeId, hiddenIn, merge, nodeIn, type Piece, type Region } from './path.ts';

export function drawNode(
  desk: Desk,
  region: Region,
  [name, kind, config, ways]: readonly [
    name: unknown,
    kind: unknown,
    config: unknown,
    ways: unknown,
  ],
): Piece {
  const found = begin(name);
  const id = found.node;
  const own = readKind(found, kind);
  const admitted = admitJson(config);
  if (!admitted.ok) {
    complain(found, 'kind.bad-config', `the config of "${id}" is JSON: ${admitted.problem}`);
  }
  const given = config === undefined || !admitted.ok ? {} : { config: admitted.value };
  const bodies = readWays(found, own, ways);
  const kinds = typeof own === 'string' ? [] : [own];
  const called = typeof own === 'string' ? own : own.kind;
  if (bodies.length === 0) {
    const nodes = [nodeIn(region, id, called, given)];
    return { nodes, kinds, diagnostics: found.list, entry: id, exit: id };
  }
  const meeting = hiddenIn(region, `${id}/:end`, 'pass', {});
  const edges = bodies.map(([way]) => [way, edgeId(id, `${id}/${way}`)]);
  const settings = { ...given, ways: Object.fromEntries(edges) as Record<string, string> };
  const scopes = bodies.map(([way, body]) => drawHiddenScope(desk, region, `${id}/${way}`, body));
  return {
    ...merge([
      { nodes: [nodeIn(region, id, called, settings)], kinds, diagnostics: found.list },
      ...scopes,
      {
        nodes: [meeting],
        edges: bodies.flatMap(([way]) => [
          edge(id, `${id}/${way}`),
          edge(`${id}/${way}`, meeting.id),
        ]),
      },
    ]),
    entry: id,
    exit: meeting.id,
  };
}

/** The kind itself, or the name of one that the engine has. */
function readKind(found: Findings, kind: unknown): CustomKind | string {
  if (typeof kind === 'string' && isCustom(kind)) return kind;
  const problem = kindProblem(kind);
  if (problem === undefined) return kind as CustomKind;
  const rule = `"${found.node}" is of a kind that defineKind(…) gave, or of the name of one`;
  const came = isRecord(kind) ? `this one ${problem}` : `came ${show(kind)}`;
  complain(found, 'kind.unknown', `${rule}; ${came}`);
  return '';
}

type Bodies = readonly (readonly [string, unknown])[];

/** What is done on each way; on one that is not written, nothing. */
function readWays(found: Findings, own: CustomKind | string, ways: unknown): Bodies {
  if (ways !== undefined && !isRecord(ways)) {
    const rule = `the ways of "${found.node}" are { name: (b) => b… }`;
    complain(found, 'kind.bad-ways', `${rule}; came ${show(ways)}`);
    return [];
  }
  const written = Object.entries(ways ?? {});
  for (const [way] of written) checkName(found, way);
  const known = typeof own === 'string' ? [] : (own.ways ?? []);
  const others = known.filter((way) => !written.some(([one]) => one === way));
  return [...written, ...others.map((way) => [way, (b: unknown) => b] as const)];
}
