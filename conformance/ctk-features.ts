/**
 * Scenarios of Gherkin features: what is given, done and expected, step by step, each with its
 * line. Backgrounds and outlines are resolved by then.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin';
import type { GherkinDocument } from '@cucumber/messages';
import { no, ok, type Result } from '../src/base/result.ts';

export interface Scenario {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly steps: readonly ScenarioStep[];
}

export interface ScenarioStep {
  readonly line: number;
  /** Without its keyword. */
  readonly text: string;
  /** The text below it. */
  readonly document?: string;
}

/** All of a folder, in the order of its files. The problem is a sentence. */
export function readFeatures(folder: string): Result<readonly Scenario[], string> {
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.feature'));
  } catch {
    return no(`${folder} is not a folder that can be read`);
  }
  if (names.length === 0) return no(`there is no *.feature file in ${folder}`);
  const scenarios: Scenario[] = [];
  for (const name of names.toSorted()) {
    const read = readFeature(name, readFileSync(join(folder, name), 'utf8'));
    if (!read.ok) return read;
    scenarios.push(...read.value);
  }
  if (scenarios.length === 0) return no(`there is no scenario in the *.feature files of ${folder}`);
  return ok(scenarios);
}

export function readFeature(file: string, text: string): Result<readonly Scenario[], string> {
  let count = 0;
  const newId = (): string => `${(count += 1)}`;
  let document: GherkinDocument;
  try {
    const parser = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher());
    document = parser.parse(text);
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return no(`${basename(file)} is no feature: ${thrown.message}`);
  }
  const lines = linesIn(document);
  const lineOf = (ids: readonly string[]): number => lines.get(ids[0] ?? '') ?? 0;
  const scenarios = compile(document, file, newId).map(({ name, steps, astNodeIds }) => ({
    ...{ file, name, line: lineOf(astNodeIds) },
    steps: steps.map(({ text: said, argument, astNodeIds: ids }) => {
      const below = argument?.docString?.content;
      const step = { line: lineOf(ids), text: said };
      return below === undefined ? step : { ...step, document: below };
    }),
  }));
  return ok(scenarios);
}

/** By the ids that the parser gave: where each scenario and each step stands. */
function linesIn(document: GherkinDocument): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const note = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const { id, location } = part as { id?: unknown; location?: { line?: unknown } };
    if (typeof id === 'string' && typeof location?.line === 'number') lines.set(id, location.line);
    for (const inner of Object.values(part)) note(inner);
  };
  note(document);
  return lines;
}
