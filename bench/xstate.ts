/** xstate: a chain of states driven by events, its snapshot written out after every one of them. */
import { type Contender, runInTurn } from './measure.ts';
import { importPackage } from './packages.ts';

interface XState {
  readonly createMachine: (config: object) => object;
  readonly createActor: (machine: object) => Actor;
}

interface Actor {
  start(): void;
  send(event: { readonly type: string }): void;
  getPersistedSnapshot(): unknown;
  getSnapshot(): { readonly status: string };
}

export async function xstateContender(length: number): Promise<Contender> {
  const { createMachine, createActor } = await importPackage<XState>('xstate');
  const machine = createMachine({ id: 'chain', initial: 'state0', states: chainOf(length) });
  const one = (): void => {
    const actor = createActor(machine);
    actor.start();
    for (let sent = 0; sent < length; sent += 1) {
      actor.send({ type: 'go' });
      JSON.stringify(actor.getPersistedSnapshot());
    }
    const { status } = actor.getSnapshot();
    if (status !== 'done') throw new Error(`the chain of xstate ends done; it is ${status}`);
  };
  return {
    name: 'snapshot after every event',
    prepare: async () => ({ go: async (ms) => runInTurn(ms, one), close: async () => {} }),
  };
}

function chainOf(length: number): object {
  const states = Array.from({ length }, (_, index) => [
    `state${index}`,
    { on: { go: `state${index + 1}` } },
  ]);
  return Object.fromEntries([...states, [`state${length}`, { type: 'final' }]]);
}
