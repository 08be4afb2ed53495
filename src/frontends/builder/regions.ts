/**
 * The nodes that open regions: each method of the builder as a piece of the draft.
 *
 * Arms and branches get a hidden scope of their own and meet again in a hidden node; a repeat or a
 * scope opens its region itself.
 */
import type { NodeCode } from '../../model/definition.ts';
import { type Desk, drawHiddenScope, readBody } from './bodies.ts';
import {
  begin,
  checkName,
  complain,
  type Findings,
  isRecord,
  readClosure,
  readOptions,
  show,
} from './checks.ts';
import { edge, edgeId, hiddenIn, merge, nodeIn, type Piece, type Region } from './path.ts';

export function drawChoose(
  desk: Desk,
  region: Region,
  [name, arms, options]: readonly [name: unknown, arms: unknown, options: unknown],
): Piece {
  const found = begin(name);
  const id = found.node;
  const end = `${id}/:end`;
  const other = `${id}/:otherwise`;
  const entries = readArms(found, arms);
  const { otherwise } = readOptions(found, `choose "${id}"`, ['otherwise'], options);
  if (otherwise === undefined) {
    const message = `"${id}" needs { otherwise: (b) => b }: what to do when no arm holds`;
    complain(found, 'choose.no-otherwise', message);
  }
  const code: Record<string, NodeCode[string]> = {};
  for (const [arm, { when }] of entries)
    Object.assign(code, readClosure(found, `when.${arm}`, when));
  const settings = {
    arms: entries.map(([arm]) => ({ edge: edgeId(id, `${id}/${arm}`), slot: `when.${arm}` })),
    otherwise: edgeId(id, other),
  };
  const ways: (readonly [string, unknown])[] = entries.map(([arm, to]) => [`${id}/${arm}`, to.do]);
  ways.push([other, otherwise ?? identity]);
  const scopes = ways.map(([scope, body]) => drawHiddenScope(desk, region, scope, body));
  return {
    ...merge([
      {
        nodes: [nodeIn(region, id, 'choose', settings)],
        code: [[id, code]],
        diagnostics: found.list,
      },
      ...scopes,
      { nodes: [hiddenIn(region, end, 'pass', {})] },
      { nodes: [], edges: ways.flatMap(([scope]) => [edge(id, scope), edge(scope, end)]) },
    ]),
    entry: id,
    exit: end,
  };
}

interface ReadArm {
  readonly when: unknown;
  readonly do: unknown;
}

function readArms(found: Findings, arms: unknown): readonly (readonly [string, ReadArm])[] {
  const entries = isRecord(arms) ? Object.entries(arms) : [];
  if (entries.length === 0) {
    const rule = 'takes arms as { name: { when, do } }, one or more';
    complain(found, 'choose.bad-arms', `"${found.node}" ${rule}; came ${show(arms)}`);
  }
  return entries.map(([arm, value]) => {
    checkName(found, arm);
    if (/^\d+$/.test(arm)) {
      const message =
        `JavaScript moves the key "${arm}" of "${found.node}" to the front, and arms are tried ` +
        `in order; call it "n${arm}"`;
      complain(found, 'choose.arm-is-a-number', message);
    }
    const what = `arm "${arm}" of "${found.node}"`;
    const { when, do: body } = readOptions(found, what, ['when', 'do'], value ?? null);
    // A missing arm is said once, not again for each of its halves.
    return [arm, isRecord(value) ? { when, do: body } : { when: identity, do: identity }];
  });
}

export function drawParallel(desk: Desk, region: Region, name: unknown, branches: unknown): Piece {
  const found = begin(name);
  const id = found.node;
  const join = `${id}/:join`;
  const entries = isRecord(branches) ? Object.entries(branches) : [];
  if (entries.length < 2) {
    const came = isRecord(branches) ? `${entries.length} of them` : show(branches);
    const message = `"${id}" takes branches as { name: (b) => b… }, two or more; came ${came}`;
    complain(found, 'parallel.too-few-branches', message);
  }
  for (const [branch] of entries) checkName(found, branch);
  const scopes = entries.map(([branch, body]) => [`${id}/${branch}`, body] as const);
  return {
    ...merge([
      { nodes: [nodeIn(region, id, 'fork', {})], diagnostics: found.list },
      ...scopes.map(([scope, body]) => drawHiddenScope(desk, region, scope, body)),
      { nodes: [hiddenIn(region, join, 'join', {})] },
      { nodes: [], edges: scopes.flatMap(([scope]) => [edge(id, scope), edge(scope, join)]) },
    ]),
    entry: id,
    exit: join,
  };
}

export function drawRepeat(
  desk: Desk,
  region: Region,
  [name, check, body]: readonly [name: unknown, check: unknown, body: unknown],
): Piece {
  const found = begin(name);
  const id = found.node;
  const { settings, code } = readCheck(found, check);
  const { body: start, ...inner } = readBody(desk, found, body);
  const node = nodeIn(region, id, 'repeat', { body: start, ...settings });
  return {
    ...merge([{ nodes: [node], code: [[id, code]], diagnostics: found.list }, inner]),
    entry: id,
    exit: id,
  };
}

const CHECKS = ['while', 'until', 'times'] as const;

function readCheck(
  found: Findings,
  check: unknown,
): { settings: { check: string; times?: number }; code: NodeCode } {
  const options = isRecord(check) ? check : {};
  readOptions(found, `repeat "${found.node}"`, CHECKS, options);
  const given = CHECKS.filter((kind) => options[kind] !== undefined);
  const [kind = 'times'] = given;
  if (given.length !== 1) {
    const came = given.length === 0 ? show(check) : given.join(' and ');
    const rule = `repeats by one of ${CHECKS.join(', ')}`;
    complain(found, 'repeat.bad-check', `"${found.node}" ${rule}; came ${came}`);
    return { settings: { check: kind }, code: {} };
  }
  const value = options[kind];
  if (kind !== 'times' || typeof value === 'function') {
    return { settings: { check: kind }, code: readClosure(found, kind, value) };
  }
  if (!Number.isSafeInteger(value) || (value as number) < 1) {
    const rule = 'repeats a whole number of times, 1 or more, or as a closure says';
    complain(found, 'repeat.bad-times', `"${found.node}" ${rule}; came ${show(value)}`);
    return { settings: { check: kind }, code: {} };
  }
  return { settings: { check: kind, times: value as number }, code: {} };
}

export function drawScope(desk: Desk, region: Region, name: unknown, body: unknown): Piece {
  const found = begin(name);
  const id = found.node;
  const { body: start, ...inner } = readBody(desk, found, body);
  const node = nodeIn(region, id, 'scope', { body: start, promote: true });
  return { ...merge([{ nodes: [node], diagnostics: found.list }, inner]), entry: id, exit: id };
}

function identity(b: unknown): unknown {
  return b;
}
