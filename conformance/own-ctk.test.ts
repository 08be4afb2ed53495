/** Scenarios of our own, about what the official ones leave out, and the runner itself. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { memory } from '../src/stores/memory/memory.ts';
import { readFeature, readFeatures } from './ctk-features.ts';
import { runScenario } from './ctk-scenario.ts';
import { openShelves } from './ctk-stores.ts';
import { runCtkSuite } from './ctk-suite.ts';

const folder = join(import.meta.dirname, 'ctk');
const made = mkdtempSync(join(tmpdir(), 'perdure-features-'));
const shelves = await openShelves(inject('postgres'));
afterAll(async () => {
  await shelves.close();
  rmSync(made, { recursive: true });
});

const nobody: typeof fetch = async () => {
  throw new TypeError('nobody is asked in these scenarios');
};

/** Fewer would not cover what the official ones leave out. */
const SCENARIOS_MIN = 15;

const found = readFeatures(folder);
const scenarios = found.ok ? found.value : [];

describe.each(shelves.all)('on $name', (shelf) => {
  test.each(scenarios)('$file: $name', async (scenario) => {
    expect(await runScenario({ store: shelf.fresh(), fetch: nobody }, scenario)).toEqual([]);
  });
});

test('there are enough scenarios', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(SCENARIOS_MIN);
});

const DEFINITION = `    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: two, version: '1.0.0' }
      do:
        - one: { set: { n: 1 } }
        - two: { set: { n: 2, list: [a, b] } }
      """
    When the workflow is executed`;

/** Why the steps below a workflow of two tasks do not hold, by the line of each. */
async function missesOf(steps: string, definition = DEFINITION): Promise<readonly string[]> {
  const text = `Feature: f\n  Scenario: s\n${definition}\n${steps}`;
  const read = readFeature('f.feature', text);
  const [scenario] = read.ok ? read.value : [];
  if (scenario === undefined) throw new Error(`one scenario: ${text}`);
  const misses = await runScenario({ store: memory(), fetch: nobody }, scenario);
  return misses.map(({ step, why }) => `${step.line}: ${why}`);
}

describe('a scenario', () => {
  test('that holds has nothing to be told', async () => {
    const steps = `    Then the workflow should complete
    And the workflow output should have properties 'n', 'list.1'
    And the workflow output should have a 'list' property containing 2 items
    And one should run before two
    And one should complete with output:
      """yaml
      n: 1
      """`;
    expect(await missesOf(steps)).toEqual([]);
  });

  test.each([
    ['the workflow should fault', 'the workflow completed'],
    ['the workflow should cancel', 'the workflow completed'],
    ["the workflow output should have properties 'n', 'm.x'", 'there is no m.x: the output is '],
    ["the workflow output should have a 'list' property containing 3 items", 'the output is '],
    ["the workflow output should have a 'n' property containing 1 items", 'the output is '],
    ['two should run first', 'the order was one, two'],
    ['one should run last', 'the order was one, two'],
    ['one should run after two', 'the order was one, two'],
    ['two should run before one', 'the order was one, two'],
    ['three should run after two', 'three did not run: the order was one, two'],
    ['two should run after three', 'three did not run: the order was one, two'],
    ['one should fault', 'one completed'],
    ['three should complete', 'three did not end'],
    ['one should complete with output:\n      """\n      n: 2\n      """', 'the output of one is '],
    ['something else happens', 'there is no such step'],
    ['the workflow should complete with output:', 'the text below it is missing'],
    ['the event is published:\n      """\n      [1]\n      """', 'an object is expected below it'],
    ['the workflow is cancelled', 'the workflow did not wait'],
  ])('in which "%s" is not so says why', async (step, why) => {
    const [miss, ...more] = await missesOf(`    Then ${step}`);
    expect(miss).toMatch(/^11: /);
    expect(miss).toContain(why);
    expect(more).toEqual([]);
  });

  test('tells everything that is not so, and nothing after what could not be done', async () => {
    const steps = `    Then one should run last
    And two should run first
    And nobody knows this
    And two should run first`;
    expect(await missesOf(steps)).toEqual([
      '11: the order was one, two',
      '12: the order was one, two',
      '13: there is no such step',
    ]);
  });

  test('whose definition is wrong says what is wrong with it', async () => {
    const bad = DEFINITION.replace('set: { n: 1 }', 'set: { n: 1 }, then: away');
    const [miss, ...more] = await missesOf('    Then the workflow should complete', bad);
    expect(miss).toMatch(/^3: .*away.*\(serverless\./);
    expect(more).toEqual([]);
  });

  test('faults by an error that has these members, a standard type by any name', async () => {
    const raises = DEFINITION.replace('set: { n: 1 }', "set: { n: '${ error }' }");
    const fault = (type: string): string => `    Then the workflow should fault with error:
      """yaml
      type: ${type}
      status: 400
      """`;
    const family = 'https://open-workflow-specification.org/dsl/errors/types';
    expect(await missesOf(fault(`${family}/expression`), raises)).toEqual([]);
    expect(await missesOf(fault(`${family}/validation`), raises)).toEqual([
      expect.stringContaining('the error of the workflow is {'),
    ]);
  });
});

describe('the suite', () => {
  const quiet = { progress: () => {}, result: () => {} };

  test('tells where a scenario failed, and how many passed on each store', async () => {
    const text = `Feature: f\n  Scenario: wrong\n${DEFINITION}\n    Then one should run last\n`;
    writeFileSync(join(made, 'one.feature'), text);
    const told: string[] = [];
    const say = { progress: () => {}, result: (lines: string) => told.push(lines) };
    expect(await runCtkSuite(made, say, inject('postgres'))).toEqual({
      ok: true,
      value: { passed: 0, failed: 1, skipped: 0, total: 1 },
    });
    expect(told.slice(0, 2)).toEqual([
      `FAILED one.feature:2 on memory
  scenario  wrong
  line 11  one should run last
    the order was one, two`,
      'memory: 0 of 1 scenarios passed',
    ]);
  });

  test('says in a sentence that there is nothing to run', async () => {
    const away = join(made, 'away');
    const empty = join(made, 'empty');
    mkdirSync(empty);
    expect(await runCtkSuite(away, quiet)).toMatchObject({
      problem: `${away} is not a folder that can be read`,
    });
    expect(await runCtkSuite(empty, quiet)).toMatchObject({
      problem: `there is no *.feature file in ${empty}`,
    });
    writeFileSync(join(empty, 'bare.feature'), 'Feature: bare\n');
    expect(await runCtkSuite(empty, quiet)).toMatchObject({
      problem: `there is no scenario in the *.feature files of ${empty}`,
    });
    writeFileSync(join(empty, 'bare.feature'), 'Scenario without a feature\n');
    expect(await runCtkSuite(empty, quiet)).toMatchObject({
      problem: expect.stringMatching(/^bare\.feature is no feature: /),
    });
  });
});
