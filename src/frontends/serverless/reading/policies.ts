/** Every authentication policy of a definition: named ones, and those where they are used. */
import type { Checked } from './finding.ts';
import { entriesOf, findPart, pointerTo } from './pointer.ts';
import type { WalkedTask } from './walk.ts';

export interface WalkedPolicy {
  readonly pointer: string;
  readonly policy: unknown;
}

type Steps = readonly string[];

const RESOURCE: Steps = ['schema', 'resource', 'endpoint'];
const EVERYWHERE: readonly Steps[] = [
  ['input', ...RESOURCE],
  ['output', ...RESOURCE],
  ['export', ...RESOURCE],
];
const FOREACH: readonly Steps[] = [
  ['output', ...RESOURCE],
  ['export', ...RESOURCE],
];

/** Where a call of a kind has endpoints. */
const ENDPOINTS: ReadonlyMap<string, readonly Steps[]> = new Map(
  Object.entries({
    http: [['with', 'endpoint']],
    openapi: [['with', 'document', 'endpoint']],
    grpc: [['with', 'proto', 'endpoint']],
    asyncapi: [
      ['with', 'document', 'endpoint'],
      ...FOREACH.map((steps) => ['with', 'subscription', 'foreach', ...steps]),
    ],
    a2a: [
      ['with', 'agentCard', 'endpoint'],
      ['with', 'server'],
    ],
    mcp: [['with', 'transport', 'http', 'endpoint']],
  }),
);

/** Where a call of a kind has a policy that is not an endpoint's. */
const OWN: ReadonlyMap<string, Steps> = new Map(
  Object.entries({
    openapi: ['with', 'authentication'],
    grpc: ['with', 'service', 'authentication'],
    asyncapi: ['with', 'authentication'],
  }),
);

const OTHERS: readonly Steps[] = [
  ['run', 'script', 'source', 'endpoint'],
  ...FOREACH.map((steps) => ['foreach', ...steps]),
];

export function* policiesOf({ document, tasks }: Checked): Generator<WalkedPolicy> {
  for (const name of ['authentications', 'catalogs']) {
    for (const [one, value] of entriesOf(findPart(document, 'use', name))) {
      const pointer = pointerTo('/use', name, one);
      if (name === 'authentications') yield { pointer, policy: value };
      else yield* policiesAt(value, pointer, [['endpoint']]);
    }
  }
  yield* policiesAt(document, '', EVERYWHERE);
  for (const task of tasks) yield* policiesOfTask(task);
}

function* policiesOfTask({ pointer, task, kind }: WalkedTask): Generator<WalkedPolicy> {
  yield* policiesAt(task, pointer, EVERYWHERE);
  const call = kind === 'call' ? findPart(task, 'call') : undefined;
  if (typeof call !== 'string') {
    yield* policiesAt(task, pointer, OTHERS);
    return;
  }
  yield* policiesAt(task, pointer, ENDPOINTS.get(call) ?? []);
  const steps = OWN.get(call);
  const policy = steps && findPart(task, ...steps);
  if (steps && policy !== undefined) yield { pointer: pointerTo(pointer, ...steps), policy };
}

function* policiesAt(
  whole: unknown,
  at: string,
  endpoints: readonly Steps[],
): Generator<WalkedPolicy> {
  for (const steps of endpoints) {
    const policy = findPart(whole, ...steps, 'authentication');
    if (policy !== undefined) yield { pointer: pointerTo(at, ...steps, 'authentication'), policy };
  }
}
