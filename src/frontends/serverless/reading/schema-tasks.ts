/** The twelve kinds of task, each chosen by the word that makes it. */
import { CALLS } from './schema-calls.ts';
import {
  expression,
  firstOf,
  flag,
  given,
  list,
  map,
  oneWord,
  OPEN,
  type Properties,
  ref,
  type Schema,
  shape,
  text,
} from './schema-parts.ts';

/** `do` is the last: beside `for` it is what is done each time, and makes no task of its own. */
export const TASK_WORDS = [
  'call',
  'emit',
  'for',
  'fork',
  'listen',
  'raise',
  'run',
  'set',
  'switch',
  'try',
  'wait',
  'do',
] as const;

const directive = text('continue, exit, end, or the name of a task in the same list');
// oxlint-disable-next-line unicorn/no-thenable -- A word of the language; nobody awaits it.
const goingOn: Properties = { then: directive };
const variable = text('the name of a variable');

/** What every task may have. */
const everyTask: Properties = {
  if: expression,
  input: ref('input'),
  output: ref('output'),
  export: ref('export'),
  timeout: ref('timeoutOrName'),
  ...goingOn,
  metadata: ref('metadata'),
};

const known: Properties = Object.fromEntries(Object.keys(everyTask).map((key) => [key, {}]));

/** What every task may have is looked at once, for all of them. */
function task(title: string, own: Properties, required: readonly string[]): Schema {
  return shape(title, { ...own, ...known }, required, { 'x-choice': TASK_WORDS });
}

const call: Schema = firstOf(
  CALLS.map((kind) => [
    { properties: { call: { const: kind } } },
    task(`a call of ${kind}`, { call: text(), with: ref(`${kind}Call`) }, ['call', 'with']),
  ]),
  task('a call of a function', { call: text('the name of a function'), with: map('an object') }, [
    'call',
  ]),
);

const loop = shape(
  '"for"',
  {
    each: variable,
    at: variable,
    in: {
      type: ['string', 'array'],
      description: 'an expression, or a list of objects',
      ...given({ type: 'array' }, { items: { type: 'object', description: 'an object' } }),
    },
  },
  ['in'],
);

const emit = shape(
  '"emit"',
  { event: shape('an event', { with: ref('emittedEvent') }, ['with'], OPEN) },
  ['event'],
);

const listen = shape(
  '"listen"',
  {
    to: ref('events'),
    read: oneWord(['data', 'envelope', 'raw']),
  },
  ['to'],
);

const switchCase = shape('a case of a switch', { when: expression, ...goingOn }, ['then']);

const caught = shape('"catch"', {
  errors: shape('the "errors" of a catch', { with: ref('errorFilter') }, [], OPEN),
  as: variable,
  when: expression,
  exceptWhen: expression,
  retry: ref('retryOrName'),
  do: ref('tasks'),
  ...goingOn,
});

const values: Schema = {
  type: ['object', 'string'],
  description: 'an object with at least one property, or an expression',
  minProperties: 1,
};

const cases = list(
  'a list of cases, each "- name: { when: …, then: … }"',
  {
    ...map('a case', switchCase),
    title: 'an item of a switch',
    minProperties: 1,
    maxProperties: 1,
  },
  { minItems: 1 },
);

const shapes: Readonly<Record<(typeof TASK_WORDS)[number], Schema>> = {
  call,
  emit: task('an emit task', { emit }, ['emit']),
  for: task('a for task', { for: loop, while: expression, do: ref('tasks') }, ['for', 'do']),
  fork: task(
    'a fork task',
    { fork: shape('"fork"', { branches: ref('tasks'), compete: flag }, ['branches']) },
    ['fork'],
  ),
  listen: task('a listen task', { listen, foreach: ref('foreach') }, ['listen']),
  raise: task(
    'a raise task',
    { raise: shape('"raise"', { error: ref('errorOrName') }, ['error']) },
    ['raise'],
  ),
  run: task('a run task', { run: ref('run') }, ['run']),
  set: task('a set task', { set: values }, ['set']),
  switch: task('a switch task', { switch: cases }, ['switch']),
  try: task('a try task', { try: ref('tasks'), catch: caught }, ['try', 'catch']),
  wait: task('a wait task', { wait: ref('duration') }, ['wait']),
  do: task('a do task', { do: ref('tasks') }, ['do']),
};

const TASK = 'a task: an object with one of call, do, emit, for, fork, listen and the like';

export const taskShapes: Properties = {
  task: {
    type: 'object',
    description: TASK,
    properties: everyTask,
    ...firstOf(
      TASK_WORDS.map((word) => [{ required: [word] }, ref(`${word}Task`)]),
      { title: 'a task', not: {}, 'x-choice': TASK_WORDS },
    ),
  },
  ...Object.fromEntries(TASK_WORDS.map((word) => [`${word}Task`, shapes[word]])),
  tasks: list('a list of tasks, each "- name: …"', {
    ...map('a task, written "name: …"', ref('task')),
    title: 'an item of a list of tasks',
    minProperties: 1,
    maxProperties: 1,
  }),
};
