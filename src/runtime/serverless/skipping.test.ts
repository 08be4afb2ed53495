/** Tasks that people have go on as if they had been done. */
import { expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { createTestEngine } from '../../testing/test-engine.ts';
import { endOf, workflow } from '../../testing/workflows.ts';

/** What a workflow ends with whose node was skipped while its first task waits. */
async function skipped(task: string, node: string, more = ''): Promise<Json> {
  const after = `{ after: { set: { got: '\${ . }', kept: '\${ $context.kept }' } } }`;
  const flow = workflow(
    `do: [{ t: ${task} }, { other: { set: { lost: true } } }, ${after}]\n${more}`,
  );
  const kit = createTestEngine({ flows: [flow] });
  try {
    const run = await kit.start(flow, { a: 1 });
    await kit.runUntilIdle();
    const token = (await run.tokens()).find((each) => each.node === node);
    if (token === undefined) throw new Error(`no token is at ${node}`);
    await run.skip(token.id, { given: 1 });
    await kit.runUntilIdle();
    const ended = await endOf(run);
    return ended.status === 'completed' ? ended.output : ended.error;
  } finally {
    await kit.close();
  }
}

const SLOW = '[{ w: { wait: PT1H } }]';
const ENVELOPE = "output: { as: .given }, export: { as: '{ kept: $output }' }, then: after";

test.each([
  ['do', `do: ${SLOW}`],
  ['for', `for: { in: '[1, 2]' }, do: ${SLOW}`],
  ['fork', `fork: { branches: ${SLOW} }`],
  ['fork that competes', `fork: { compete: true, branches: ${SLOW} }`],
  ['try', `try: ${SLOW}, catch: {}`],
  ['wait', 'wait: PT1H'],
  ['wait with a timeout', 'wait: PT1H, timeout: { after: PT2H }'],
  ['wait whose input is made anew', "wait: PT1H, input: { from: '{ b: .a }' }"],
  ['listen', 'listen: { to: { any: [] } }'],
])('a task has what it is skipped with as its raw output: %s', async (_, task) => {
  expect(await skipped(`{ ${task}, ${ENVELOPE} }`, '/do/0/t')).toEqual({ got: 1, kept: 1 });
});

test('a whole workflow ends with it, and makes its output of it', async () => {
  const more = "output: { as: '{ whole: .given }' }";
  expect(await skipped('{ wait: PT1H }', '/', more)).toEqual({ whole: 1 });
});
