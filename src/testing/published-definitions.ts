/**
 * What the Serverless Workflow project publishes: its schema, its examples and the definitions of
 * its conformance kit. They lie beside the checkout where somebody has put them, and belong to
 * others: they are read and never copied.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../shared/dsl');

export const arePublishedDefinitionsHere: boolean = existsSync(FOLDER);

export interface PublishedDefinition {
  readonly name: string;
  readonly text: string;
}

export function publishedSchema(): string {
  return readFileSync(join(FOLDER, 'schema/workflow.yaml'), 'utf8');
}

export function publishedExamples(): readonly PublishedDefinition[] {
  return filesIn('examples');
}

/** Those of the features of the kit, each named after its scenario. */
export function conformanceDefinitions(): readonly PublishedDefinition[] {
  const scenario =
    /Scenario: (.*)\n\s*Given a workflow with definition:\n\s*"""yaml\n([\s\S]*?)\n\s*"""/g;
  return filesIn('ctk').flatMap(({ text }) =>
    Array.from(text.matchAll(scenario), ([, name = '', definition = '']) => {
      return { name: name.trim(), text: definition };
    }),
  );
}

function filesIn(folder: string): readonly PublishedDefinition[] {
  if (!arePublishedDefinitionsHere) return [];
  return readdirSync(join(FOLDER, folder)).map((name) => {
    return { name, text: readFileSync(join(FOLDER, folder, name), 'utf8') };
  });
}
