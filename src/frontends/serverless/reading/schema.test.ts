/** The schema is one, and the validator that is checked in is the one it makes. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { validatorText } from '../../../../scripts/serverless-schema.ts';
import { SNIPPETS } from '../../../testing/serverless-snippets.ts';
import { readWorkflow } from './reading.ts';
import { WORKFLOW_SCHEMA } from './schema.ts';

test('the validator is made from the schema as it is', async () => {
  await expect(validatorText()).toMatchFileSnapshot('./validate.gen.ts');
});

test('the validator needs nothing but itself', () => {
  expect(validatorText()).not.toMatch(/require\(|import\(|new Function|\beval\b/);
  expect(validatorText().match(/^import .*$/gm)).toEqual([
    `import type { Validate } from './violation.ts';`,
  ]);
});

describe('the schema itself', () => {
  const ajv = new Ajv2020({ strictTypes: false, strictRequired: false });
  ajv.addVocabulary(['x-choice', 'x-open']);

  test('is JSON Schema 2020-12', () => {
    expect(ajv.validateSchema(WORKFLOW_SCHEMA)).toBe(true);
  });

  test('takes every construct by itself, without what we make of it', () => {
    const validate = ajv.compile(WORKFLOW_SCHEMA);
    for (const [name, text] of Object.entries(SNIPPETS)) {
      expect(validate(readWorkflow(text).document), name).toBe(true);
    }
  });
});
