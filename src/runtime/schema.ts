/** Inputs checked by the author's own schema: anything that speaks Standard Schema. */
import { EngineError } from '../base/engine-error.ts';
import type { StandardSchemaV1 } from '@standard-schema/spec';

export async function validateInput(schema: unknown, input: unknown): Promise<unknown> {
  const result = await (schema as StandardSchemaV1)['~standard'].validate(input);
  if (result.issues === undefined) return result.value;
  const issues = result.issues.map(({ message, path = [] }) => {
    const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
    return { message, path: keys.join('.') };
  });
  const lines = issues.map(({ message, path }) => `  ${path === '' ? 'input' : path}: ${message}`);
  throw new EngineError(
    'input.invalid',
    `the input does not fit its schema:\n${lines.join('\n')}`,
    {
      details: { issues },
    },
  );
}
