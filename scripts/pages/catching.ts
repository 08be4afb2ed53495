/** What a page says of catching a fault, and of finding the instances that have it. */
import { ERROR_STATUS } from '../../src/model/workflow-error.ts';
import type { Code } from './codes.ts';
import { fence, section } from './parts.ts';

const GIVEN = `<!-- given
import { flow } from 'perdure';
declare const engine: import('perdure').Engine;
declare const work: () => string;
declare const mend: (why: string) => string;
-->`;

/** A chain and a flowchart catch nothing; whoever calls them can. */
const CALLED = /^(chain|activity)\.|^handler\.context-/;

export function catching({ code, roles, flags }: Code): readonly string[] {
  if (!roles.some(({ family }) => family === 'fault')) return [];
  return section('How to catch it, and find it', [
    ...(flags.has('guard') ? [GUARD] : caughtBy(code)),
    'Find the instances that have failed with it, or wait with it as an incident:',
    fence('sh', `perdure ls --error ${code}`),
  ]);
}

const GUARD = 'No `.try` catches it: the definition is wrong, and not what it was given.';

function caughtBy(code: string): readonly string[] {
  const [, kind] = /^workflow\.(\w+)$/.exec(code) ?? [];
  if (kind !== undefined) return caughtInWorkflow(kind);
  const isCalled = CALLED.test(code);
  const body = isCalled ? "b.call('work', 'parcel')" : "b.step('work', work)";
  const program = `const order = flow('order')
  .try('attempt', (b) => ${body}, {
    catch: { errors: ['${code}'] },
    do: (b) => b.step('instead', ({ results }) => mend(results.attempt.message)),
  })
  .end();

const { instances } = await engine.list({ error: '${code}' });`;
  const whose = isCalled
    ? 'A chain or a flowchart catches nothing itself. A flow that calls it can:'
    : 'Put the node that may fail into the body of a [try](../nodes/try.md):';
  return [whose, GIVEN + '\n' + fence('ts', program)];
}

const ERRORS = 'https://serverlessworkflow.io/spec/1.0.0/errors';

function caughtInWorkflow(kind: string): readonly string[] {
  const type = kind in ERROR_STATUS ? `${ERRORS}/${kind}` : 'https://shop.example/errors/sold-out';
  const program = `- attempt:
    try:
      - work: { call: http, with: { method: get, endpoint: 'https://api.example/work' } }
    catch:
      errors: { with: { type: '${type}' } }
      do:
        - instead: { set: { why: '\${ $error.detail }' } }`;
  const whose =
    kind in ERROR_STATUS ? 'by the type of the error' : 'by the type it was raised with';
  return [`A workflow catches it ${whose}:`, fence('yaml', program)];
}
