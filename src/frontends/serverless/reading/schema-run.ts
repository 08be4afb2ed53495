/** What a run task runs: a container, a script, a command of the shell, or another workflow. */
import {
  exactlyOne,
  flag,
  given,
  list,
  map,
  oneWord,
  type Properties,
  ref,
  type Schema,
  shape,
  text,
} from './schema-parts.ts';

const listOfArguments = list('a list of texts', text());

/** A list in 1.0.3, an object before and after. */
const anyArguments: Schema = {
  type: ['array', 'object'],
  description: 'a list of texts, or an object of named arguments',
  ...given({ type: 'array' }, listOfArguments),
};

const lifetime: Schema = {
  ...shape(
    'the lifetime of a container',
    { cleanup: oneWord(['always', 'never', 'eventually']), after: ref('duration') },
    ['cleanup'],
  ),
  ...given(
    { properties: { cleanup: { const: 'eventually' } } },
    { required: ['after'], title: 'a lifetime whose "cleanup" is "eventually"' },
    {
      properties: {
        after: { not: {}, description: 'only there when "cleanup" is "eventually"; remove it' },
      },
    },
  ),
};

export const runShapes: Properties = {
  container: shape(
    'a container',
    {
      image: text(),
      name: text(),
      command: text(),
      ports: map('an object'),
      volumes: map('an object'),
      environment: map('an object'),
      stdin: text(),
      arguments: listOfArguments,
      lifetime,
      pullPolicy: oneWord(['ifNotPresent', 'always', 'never']),
    },
    ['image'],
  ),
  script: shape(
    'a script',
    {
      language: text('a language such as js or python'),
      code: text(),
      source: ref('resource'),
      stdin: text(),
      arguments: anyArguments,
      environment: map('an object'),
    },
    ['language'],
    exactlyOne(['code', 'source']),
  ),
  shell: shape(
    'a shell command',
    { command: text(), stdin: text(), arguments: anyArguments, environment: map('an object') },
    ['command'],
  ),
  workflow: shape(
    'a workflow that is run',
    {
      namespace: text(),
      name: text(),
      version: text('a version in quotes, or latest'),
      input: map('an object'),
    },
    ['namespace', 'name', 'version'],
  ),
  run: shape(
    '"run"',
    {
      container: ref('container'),
      script: ref('script'),
      shell: ref('shell'),
      workflow: ref('workflow'),
      await: flag,
      return: oneWord(['stdout', 'stderr', 'code', 'all', 'none']),
    },
    [],
    exactlyOne(['container', 'script', 'shell', 'workflow']),
  ),
};
