/**
 * Makes the validator of Serverless Workflow definitions from the schema, by ajv, once and here:
 * nothing is compiled while a program runs, and no program needs ajv.
 *
 *     node scripts/serverless-schema.ts
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv, type AnySchema } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { WORKFLOW_SCHEMA } from '../src/frontends/serverless/reading/schema.ts';

const FILE = join(import.meta.dirname, '../src/frontends/serverless/reading/validate.gen.ts');

const HEAD = `// @ts-nocheck
/**
 * Whether a value has the shape of a Serverless Workflow definition. Made from schema.ts by
 * \`node scripts/serverless-schema.ts\`. Not to be edited.
 */
import type { Validate } from './violation.ts';

function add(found, one) {
if(found === null){
return [one];
}
found.push(one);
return found;
}
`;

/** A function that ajv has made: the schema it is for, its text, and the functions it calls. */
interface Made {
  readonly schema: AnySchema;
  readonly source?: {
    validateCode: string;
    readonly scopeValues: Readonly<Record<string, Iterable<{ value?: { ref: unknown } }>>>;
  };
}

/** What `validate.gen.ts` must hold. */
export function validatorText(): string {
  const ajv = new Ajv({
    allErrors: true,
    strictTypes: false,
    strictRequired: false,
    inlineRefs: false,
    messages: false,
    // It says 2020-12, of which it uses what earlier drafts have, too.
    validateSchema: false,
    code: { source: true, esm: true, lines: true, optimize: 2 },
  });
  ajv.addVocabulary(['x-choice', 'x-open']);
  const { $schema: _draft, ...schema } = WORKFLOW_SCHEMA;
  const validate = ajv.compile(schema) as unknown as Made;
  for (const made of everythingIn(validate)) sayWhole(made);
  const code = standalone.default(ajv, validate as never);
  return `${HEAD}${withoutUnused(shortened(code))}`;
}

/** The function, those it calls, those they call, and so on. */
function everythingIn(first: Made): ReadonlySet<Made> {
  const found = new Set<Made>([first]);
  for (const { source } of found) {
    for (const { value } of Object.values(source?.scopeValues ?? {}).flatMap((all) => [...all])) {
      const { validate = value?.ref } = Object(value?.ref) as { validate?: unknown };
      if (typeof validate === 'function') found.add(validate as unknown as Made);
    }
  }
  return found;
}

/** Ajv names a keyword from the definition it is in; we want to find it in the whole schema. */
function sayWhole({ schema, source }: Made): void {
  const found = Object.entries(WORKFLOW_SCHEMA.$defs ?? {}).find(([, one]) => one === schema);
  if (found === undefined || source === undefined) return;
  const whole = `schemaPath:"#/$defs/${found[0]}/`;
  source.validateCode = source.validateCode.replaceAll('schemaPath:"#/', whole);
}

const PUSH = new RegExp(
  String.raw`const (err\d+) = (\{.*\});\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}` +
    String.raw`\nelse \{\nvErrors\.push\(\1\);\n\}`,
  'g',
);

/** Six lines for each thing that may be wrong are one; what the schema says is read off that. */
function shortened(code: string): string {
  return code
    .replaceAll(PUSH, 'vErrors = add(vErrors, $2);')
    .replaceAll(/params:\{(allowedValues|type): schema[^}]*\}/g, 'params:{}')
    .replace(/^"use strict";\n/, '')
    .replace(/export const validate = (\w+);/, 'export const validateWorkflow: Validate = $1;')
    .replace(/export default \w+;\n/, '');
}

function withoutUnused(code: string): string {
  return code.replaceAll(/^const (schema\d+) = .*\n/gm, (line, name: string) =>
    code.split(new RegExp(`\\b${name}\\b`)).length === 2 ? '' : line,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(FILE, validatorText());
}
