/**
 * The nodes that open regions: each method of the builder as a piece of the draft.
 *
 * Arms and branches get a hidden scope of their own and meet again in a hidden node; a repeat or a
 * scope opens its region itself.
 */
import type { NodeCode } from '../../model/definition.ts';
import type { DraftNode, SagaReach } from '../../model/draft.ts';
import { type Desk, drawHiddenScope, readBody } from './bodies.ts';
import {
  begin,
  checkArmName,
  checkName,
  complain,
  type Findings,
  isRecord,
  readClosure,
  readOptions,
  show,
} from './checks.ts';
import {
  edge,
  edgeId,
  hiddenIn,
  merge,
  nodeIn,
  type Part,
  type Piece,
  type Region,
} from './path.ts';
import { readSaga } from './readers.ts';

export function drawChoose(
  desk: Desk,
  region: Region,
  [name, arms, options]: readonly [name: unknown, arms: unknown, options: unknown],
): Piece {
  const found = begin(name);
  const id = found.node;
  const other = `${id}/:otherwise`;
  const entries = readArms(found, arms);
  const known = ['otherwise', 'many'];
  const { otherwise, many = false } = readOptions(found, `choose "${id}"`, known, options);
  const meeting =
    many === true
      ? hiddenIn(region, `${id}/:join`, 'inclusive', {})
      : hiddenIn(region, `${id}/:end`, 'pass', {});
  if (typeof many !== 'boolean') {
    complain(found, 'choose.bad-many', `many of "${id}" is true or false; came ${show(many)}`);
  }
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
    ...(many === true && { many }),
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
      {
        nodes: [meeting],
        edges: ways.flatMap(([scope]) => [edge(id, scope), edge(scope, meeting.id)]),
      },
    ]),
    entry: id,
    exit: meeting.id,
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
    checkArmName(found, 'choose', arm);
    const what = `arm "${arm}" of "${found.node}"`;
    const { when, do: body } = readOptions(found, what, ['when', 'do'], value ?? null);
    // A missing arm is said once, not again for each of its halves.
    return [arm, isRecord(value) ? { when, do: body } : { when: identity, do: identity }];
  });
}

export function drawParallel(desk: Desk, region: Region, name: unknown, branches: unknown): Piece {
  const found = begin(name);
  const id = found.node;
  const join = hiddenIn(region, `${id}/:join`, 'join', {});
  const entries = readBranches(found, 'parallel', branches);
  return {
    ...merge([
      { nodes: [nodeIn(region, id, 'fork', {})], diagnostics: found.list },
      ...drawBranches(desk, region, { id, entries, from: id, to: join }),
    ]),
    entry: id,
    exit: join.id,
  };
}

/** The branches lie in a scope, which is over as soon as one of them is. */
export function drawRace(desk: Desk, region: Region, name: unknown, branches: unknown): Piece {
  const found = begin(name);
  const id = found.node;
  const inside: Region = { owner: id };
  const fork = hiddenIn(inside, `${id}/:fork`, 'fork', {});
  const win = hiddenIn(inside, `${id}/:win`, 'win', {});
  const entries = readBranches(found, 'race', branches);
  const settings = { body: fork.id, promote: true };
  return {
    ...merge([
      { nodes: [nodeIn(region, id, 'scope', settings)], diagnostics: found.list },
      { nodes: [fork] },
      ...drawBranches(desk, inside, { id, entries, from: fork.id, to: win }),
    ]),
    entry: id,
    exit: id,
  };
}

type Branches = readonly (readonly [string, unknown])[];

function readBranches(found: Findings, kind: string, branches: unknown): Branches {
  const entries = isRecord(branches) ? Object.entries(branches) : [];
  if (entries.length < 2) {
    const came = isRecord(branches) ? `${entries.length} of them` : show(branches);
    const rule = 'takes branches as { name: (b) => b… }, two or more';
    complain(found, `${kind}.too-few-branches`, `"${found.node}" ${rule}; came ${came}`);
  }
  for (const [branch] of entries) checkName(found, branch);
  return entries;
}

interface Fan {
  readonly id: string;
  readonly entries: Branches;
  readonly from: string;
  readonly to: DraftNode;
}

/** Each branch as a scope between two nodes, and the one where they meet. */
function drawBranches(desk: Desk, region: Region, { id, entries, from, to }: Fan): Part[] {
  const scopes = entries.map(([branch, body]) => [`${id}/${branch}`, body] as const);
  return [
    ...scopes.map(([scope, body]) => drawHiddenScope(desk, region, scope, body)),
    { nodes: [to], edges: scopes.flatMap(([scope]) => [edge(from, scope), edge(scope, to.id)]) },
  ];
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

/** `reach` is what the flow says of its sagas. */
export function drawScope(
  desk: Desk,
  region: Region,
  [name, body, options]: readonly [name: unknown, body: unknown, options: unknown],
  reach: SagaReach | undefined,
): Piece {
  const found = begin(name);
  const id = found.node;
  const { saga } = readOptions(found, `scope "${id}"`, ['saga'], options);
  const rule = { code: 'scope.bad-saga', what: `the saga of "${id}"` };
  const own = readSaga(found, rule, saga) ?? (reach === 'scope' ? reach : undefined);
  const { body: start, ...inner } = readBody(desk, found, body);
  const settings = { body: start, promote: true, ...(own && { saga: own }) };
  const node = nodeIn(region, id, 'scope', settings);
  return { ...merge([{ nodes: [node], diagnostics: found.list }, inner]), entry: id, exit: id };
}

function identity(b: unknown): unknown {
  return b;
}
