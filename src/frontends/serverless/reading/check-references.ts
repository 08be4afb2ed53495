/** Names that stand for something in `use`: it has to be there. */
import { CALLS } from './schema-calls.ts';
import type { ServerlessCode } from './codes.ts';
import { type Check, type Checked, type Finding, wrong } from './finding.ts';
import { entriesOf, findPart, pointerTo } from './pointer.ts';
import { known } from './words.ts';

/** The catalog of the runtime, which need not be declared. */
const DEFAULT_CATALOG = 'default';
const CATALOGED = /^([^:@]+):([^:@]+)@([^@]+)$/;
const URL_LIKE = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

export const checkReferences: Check = function* (checked) {
  const { document, tasks } = checked;
  yield* refer(checked, TIMEOUT, '/timeout', document['timeout']);
  for (const { pointer, task } of tasks) {
    yield* refer(checked, TIMEOUT, pointerTo(pointer, 'timeout'), findPart(task, 'timeout'));
    const retry = findPart(task, 'catch', 'retry');
    yield* refer(checked, RETRY, pointerTo(pointer, 'catch', 'retry'), retry);
    const error = findPart(task, 'raise', 'error');
    yield* refer(checked, ERROR, pointerTo(pointer, 'raise', 'error'), error);
    yield* checkFunction(checked, pointerTo(pointer, 'call'), findPart(task, 'call'));
  }
};

interface Subject {
  readonly code: ServerlessCode;
  readonly what: string;
  /** Where they are declared. */
  readonly under: string;
}

const TIMEOUT: Subject = {
  code: 'serverless.unknown-timeout',
  what: 'timeout',
  under: 'timeouts',
};
const RETRY: Subject = {
  code: 'serverless.unknown-retry',
  what: 'retry policy',
  under: 'retries',
};
const ERROR: Subject = { code: 'serverless.unknown-error', what: 'error', under: 'errors' };
const CATALOG: Subject = {
  code: 'serverless.unknown-catalog',
  what: 'catalog',
  under: 'catalogs',
};

/** Anything but text is no name, and was looked at by the schema. */
function* refer(
  checked: Checked,
  { code, what, under }: Subject,
  pointer: string,
  name: unknown,
): Generator<Finding> {
  const names = namesIn(checked, under);
  if (typeof name !== 'string' || names.includes(name)) return;
  const advice = known(name, names);
  yield wrong(code, pointer, `there is no ${what} "${name}" in use.${under}; ${advice}`);
}

/** What is declared under a part of `use`. */
export function namesIn({ document }: Checked, part: string): readonly string[] {
  return entriesOf(findPart(document, 'use', part)).map(([name]) => name);
}

/** One of ours, one of `use.functions`, one of a catalog, or a URL. */
function* checkFunction(checked: Checked, pointer: string, name: unknown): Generator<Finding> {
  if (typeof name !== 'string' || URL_LIKE.test(name)) return;
  const functions = namesIn(checked, 'functions');
  if (functions.includes(name) || (CALLS as readonly string[]).includes(name)) return;
  const catalog = CATALOGED.exec(name)?.[3];
  if (catalog === DEFAULT_CATALOG) return;
  if (catalog !== undefined) {
    yield* refer(checked, CATALOG, pointer, catalog);
    return;
  }
  const advice = /[:@]/.test(name)
    ? 'a function of a catalog is "name:version@catalog"'
    : known(name, [...CALLS, ...functions]);
  yield wrong('serverless.unknown-function', pointer, `nothing is called "${name}"; ${advice}`);
}
