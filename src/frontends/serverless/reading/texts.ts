/**
 * Every text of a definition that could be or hold an expression, and what it is there.
 *
 * Left out is what is about the definition and not part of a run: `document`, metadata, schemas.
 */
import type { Checked } from './finding.ts';
import { pointerTo } from './pointer.ts';
import { listsWithin, type WalkedTask } from './walk.ts';

/**
 * - `expression`: it is one, with or without `${ }` around it;
 * - `value`: it is one if all of it is `${ … }`;
 * - `command`: the same, but the shell has a use for `${ }` of its own;
 * - `code`: the same, and what braces mean in it another language says.
 */
export type TextRole = 'expression' | 'value' | 'command' | 'code';

export interface WrittenText {
  readonly pointer: string;
  readonly text: string;
  readonly role: TextRole;
  /** What it yields is kept with the data of the instance. */
  readonly isKept: boolean;
}

/** Pointers below a task; those of a call below `with` are an AsyncAPI call's. */
const EXPRESSION_OF_TASK = new RegExp(
  [
    '/(if|while|input/from|output/as|export/as|for/in)',
    '/catch/(retry/)?(when|exceptWhen)',
    '/switch/[0-9]+/[^/]*/when',
    '/listen/to/until',
    '/listen/to/.*/correlate/[^/]*/from',
    '/foreach/(output|export)/as',
    '/with/subscription/(filter|consume/(while|until)|foreach/(output|export)/as)',
  ]
    .map((path) => `^${path}$`)
    .join('|'),
);
const EXPRESSION_OF_WORKFLOW = new RegExp(
  [
    '/(input/from|output/as)',
    '/use/retries/[^/]*/(when|exceptWhen)',
    '/use/extensions/[0-9]+/[^/]*/when',
    '/schedule/on/until',
    '/schedule/on/.*/correlate/[^/]*/from',
  ]
    .map((path) => `^${path}$`)
    .join('|'),
);
const CODE = /^\/run\/script\/code$/;
const COMMAND = /^\/run\/(shell|container)\/command$/;
const KEPT = /^\/set(\/|$)|^(\/with\/subscription)?(\/foreach)?\/(output|export)\/as(\/|$)/;

const ABOUT_TASK = /^\/metadata$|(^|\/foreach)\/(input|output|export)\/schema$/;
const ABOUT_WORKFLOW =
  /^\/(document|do)$|^\/(input|output)\/schema$|^\/use\/(functions|secrets)$|\/(before|after)$/;

export function* textsOf({ document, tasks }: Checked): Generator<WrittenText> {
  yield* textsIn(document, '', (path) =>
    ABOUT_WORKFLOW.test(path)
      ? undefined
      : { role: EXPRESSION_OF_WORKFLOW.test(path) ? 'expression' : 'value' },
  );
  for (const task of tasks) yield* textsOfTask(task);
}

function* textsOfTask(walked: WalkedTask): Generator<WrittenText> {
  const { pointer, task } = walked;
  const inner = new Set(listsWithin(walked).map((list) => list.pointer.slice(pointer.length)));
  for (const one of textsIn(task, '', (path) =>
    inner.has(path) || ABOUT_TASK.test(path) ? undefined : { role: roleOf(path) },
  )) {
    yield { ...one, pointer: `${pointer}${one.pointer}` };
  }
}

function roleOf(path: string): TextRole {
  if (EXPRESSION_OF_TASK.test(path)) return 'expression';
  if (CODE.test(path)) return 'code';
  return COMMAND.test(path) ? 'command' : 'value';
}

/** Texts below a value; where nothing is asked for, nothing below is looked at. */
function* textsIn(
  value: unknown,
  path: string,
  look: (path: string) => { readonly role: TextRole } | undefined,
): Generator<WrittenText> {
  const found = look(path);
  if (found === undefined) return;
  if (typeof value === 'string') {
    yield { pointer: path, text: value, role: found.role, isKept: KEPT.test(path) };
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      yield* textsIn(part, pointerTo(path, key), look);
    }
  }
}
