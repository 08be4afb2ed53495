/**
 * The schema of the language: Serverless Workflow 1.0.0 to 1.0.3, and the newest text of it.
 *
 * Where the versions differ it takes both shapes, and what has to hold for one version alone is
 * looked at by the checks. `validate.gen.ts` is made from this by `scripts/serverless-schema.ts`.
 */
import { authenticationShapes } from './schema-auth.ts';
import { callShapes } from './schema-calls.ts';
import { dataShapes } from './schema-data.ts';
import { errorShapes } from './schema-errors.ts';
import { eventShapes } from './schema-events.ts';
import {
  label,
  list,
  map,
  OPEN,
  oneWord,
  only,
  type Properties,
  ref,
  type Schema,
  shape,
  text,
  version,
} from './schema-parts.ts';
import { runShapes } from './schema-run.ts';
import { taskShapes } from './schema-tasks.ts';

/** The last is of 1.0.3 and before, where it meant nothing. */
const EXTENDED = [
  ...['call', 'composite', 'emit', 'for', 'listen', 'raise', 'run', 'set', 'switch', 'try'],
  ...['wait', 'all', 'extension'],
];

const extension = shape(
  'an extension',
  {
    extend: oneWord(EXTENDED),
    when: text('an expression'),
    before: ref('tasks'),
    after: ref('tasks'),
  },
  ['extend'],
);

const use = shape('"use"', {
  authentications: map('an object of authentication policies by name', ref('authentication')),
  catalogs: map('an object of catalogs by name', ref('catalog')),
  errors: map('an object of errors by name', ref('error')),
  extensions: list('a list of extensions, each "- name: …"', {
    ...map('an extension, written "name: …"', extension),
    title: 'an item of a list of extensions',
    minProperties: 1,
    maxProperties: 1,
  }),
  functions: map('an object of tasks by name', ref('task')),
  retries: map('an object of retry policies by name', ref('retry')),
  secrets: list('a list of names', text('a name')),
  timeouts: map('an object of timeouts by name', ref('timeout')),
});

const document = shape(
  '"document"',
  {
    dsl: version,
    namespace: label,
    name: label,
    version,
    title: text(),
    summary: text(),
    tags: map('an object'),
    metadata: map('an object'),
  },
  ['dsl', 'namespace', 'name', 'version'],
);

const schedule = shape(
  '"schedule"',
  {
    every: ref('duration'),
    cron: text('a cron expression such as "0 0 * * *"'),
    after: ref('duration'),
    on: ref('events'),
    read: oneWord(['data', 'envelope', 'raw']),
  },
  [],
  only('"schedule" with "read"', 'read', 'on'),
);

const whole: Properties = {
  document,
  input: ref('input'),
  use,
  do: ref('tasks'),
  timeout: ref('timeoutOrName'),
  output: ref('output'),
  schedule,
  evaluate: shape('"evaluate"', { language: text(), mode: oneWord(['strict', 'loose']) }),
};

export const WORKFLOW_SCHEMA: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...shape('a workflow', whole, ['document', 'do'], OPEN),
  description: 'an object with "document" and "do"',
  $defs: {
    ...dataShapes,
    ...authenticationShapes,
    ...eventShapes,
    ...errorShapes,
    ...callShapes,
    ...runShapes,
    ...taskShapes,
  },
};
