/** Our side: the shapes as flows, and the two ways they are run, by an engine and by the kernel. */
import { createEngine, type Flow, flow, memory } from '../src/index.ts';
import { advance } from '../src/kernel/advance.ts';
import { emptyInstance } from '../src/kernel/instance.ts';
import type { Machine } from '../src/kernel/machine.ts';
import type { JsonObject } from '../src/base/json.ts';
import type { Change } from '../src/model/change.ts';
import type { CodeView } from '../src/model/definition.ts';
import type { DraftEdge, DraftNode } from '../src/model/draft.ts';
import type { InstanceId, Instant, TokenId } from '../src/model/ids.ts';
import type { Input } from '../src/model/input.ts';
import { machineOf } from '../src/testing/story.ts';
import { type Contender, runInLanes, runInTurn } from './measure.ts';

/** As the services of the peer: they do nothing, and say so at once. */
const noop = (): null => null;

export const sequence = flow<null>('sequence')
  .step('step1', noop)
  .step('step2', noop)
  .step('step3', noop)
  .step('step4', noop)
  .step('step5', noop)
  .step('step6', noop)
  .step('step7', noop)
  .step('step8', noop)
  .step('step9', noop)
  .step('step10', noop)
  .end();

export const forkjoin = flow<null>('forkjoin')
  .parallel('fork', {
    way1: (b) => b.step('step1', noop),
    way2: (b) => b.step('step2', noop),
    way3: (b) => b.step('step3', noop),
    way4: (b) => b.step('step4', noop),
    way5: (b) => b.step('step5', noop),
    way6: (b) => b.step('step6', noop),
    way7: (b) => b.step('step7', noop),
    way8: (b) => b.step('step8', noop),
    way9: (b) => b.step('step9', noop),
    way10: (b) => b.step('step10', noop),
  })
  .end();

/**
 * A step and a choice that leads back to it: the graph that BPMN draws for a loop. The builder has
 * `.repeat` for this, so the draft is written by hand, as a reader of BPMN would write it.
 */
export function backEdge(passes: number): Flow<null> {
  const node = (id: string, kind: string, settings: JsonObject = {}): DraftNode => {
    return { id, kind, settings };
  };
  const edge = (from: string, to: string): DraftEdge => ({ id: `${from}-${to}`, from, to });
  const arms = [{ edge: 'gateway-task', slot: 'more' }];
  const draft = {
    name: 'back-edge',
    version: 1,
    start: 'start',
    nodes: [
      node('start', 'start'),
      node('task', 'step'),
      node('gateway', 'choose', { arms, otherwise: 'gateway-end' }),
      node('end', 'end'),
    ],
    edges: [
      edge('start', 'task'),
      edge('task', 'gateway'),
      edge('gateway', 'task'),
      edge('gateway', 'end'),
    ],
  };
  const passOf = ({ results }: { readonly results: JsonObject }): number =>
    Number(results['task'] ?? 0);
  const more = (view: CodeView): boolean => passOf(view) < passes;
  const definition = {
    draft,
    code: new Map([['gateway', { more }]]),
    handlers: new Map([['task', (context: CodeView): number => passOf(context) + 1]]),
    serves: [],
    diagnostics: [],
  };
  return { name: draft.name, version: draft.version, definition };
}

/** So many passes of one step, which calls back as often as it runs. */
export function loopOf(passes: number, onPass: () => void = () => {}): Flow<null> {
  const handler = (): null => {
    onPass();
    return null;
  };
  return flow<null>('loop')
    .repeat('again', { times: passes }, (b) => b.step('step', handler))
    .end();
}

/** Every lap has an engine of its own: what the last one kept in memory is not its burden. */
export function engineContender(of: Flow<null>, lanes: number): Contender {
  return {
    name: `${lanes} at a time`,
    prepare: async () => {
      const engine = await createEngine({ store: memory(), flows: [of] });
      const one = async (): Promise<unknown> => (await engine.start(of, null)).result();
      return { go: (ms) => runInLanes(lanes, ms, one), close: () => engine.close() };
    },
  };
}

const EVENT = { event: 'go', key: 'bench' } as const;

const waits = flow<null>('waits')
  .waitFor('wait1', EVENT)
  .waitFor('wait2', EVENT)
  .waitFor('wait3', EVENT)
  .waitFor('wait4', EVENT)
  .waitFor('wait5', EVENT)
  .waitFor('wait6', EVENT)
  .waitFor('wait7', EVENT)
  .waitFor('wait8', EVENT)
  .waitFor('wait9', EVENT)
  .waitFor('wait10', EVENT)
  .end();

/** The kernel alone on ten waits, what it changed written out after the start and every message. */
export function kernelContender(): Contender {
  const { draft, code } = waits.definition;
  const machine = machineOf({ draft, code: Object.fromEntries(code) });
  const inputs = inputsOf(machine);
  const one = (): void => {
    const status = drive(machine, inputs, (changes) => JSON.stringify(changes));
    if (status !== 'completed') throw new Error(`ten waits end completed; they are ${status}`);
  };
  return {
    name: 'changes after every event',
    prepare: async () => ({ go: async (ms) => runInTurn(ms, one), close: async () => {} }),
  };
}

function drive(
  machine: Machine,
  inputs: Iterable<Input>,
  onChanges: (changes: readonly Change[]) => void,
): string {
  let instance = emptyInstance(ID);
  for (const input of inputs) {
    const { after, changes } = advance(machine, instance, input);
    onChanges(changes);
    instance = after;
  }
  return instance.head.status;
}

const ID = 'bench' as InstanceId;
const AT = 0 as Instant;

/** The same inputs give the same tokens, so one run tells which token each message is for. */
function inputsOf(machine: Machine): readonly Input[] {
  const { name, version } = machine.plan;
  const birth = { id: ID, flow: name, flowVersion: version, input: null };
  const inputs: Input[] = [{ type: 'start', at: AT, birth }];
  const onChanges = (changes: readonly Change[]): void => {
    const token = parkedBy(changes);
    const message = { id: 'message', type: EVENT.event, key: EVENT.key, data: null };
    if (token !== undefined) inputs.push({ type: 'message', at: AT, token, message });
  };
  // The list grows while it is driven: each stride says which token the next message is for.
  drive(machine, inputs, onChanges);
  return inputs;
}

function parkedBy(changes: readonly Change[]): TokenId | undefined {
  const parked = changes.findLast((change) => change.did === 'park-token');
  return parked?.did === 'park-token' ? parked.token : undefined;
}
