/** bpmn-engine in memory: no durability at all, shown for what moving tokens costs elsewhere. */
import { bpmnRunner, sequenceSource } from '../../bpmn.ts';
import type { Contender, FlowName } from '../contender.ts';

const LENGTHS: Partial<Record<FlowName, number>> = { steps1: 1, steps5: 5, steps10: 10 };

export async function openBpmn(): Promise<Contender> {
  const runners = new Map<string, () => Promise<void>>();
  for (const [name, length] of Object.entries(LENGTHS)) {
    runners.set(name, await bpmnRunner({ name, source: sequenceSource(length) }));
  }
  return { run: async (flow) => runners.get(flow)?.(), close: async () => {} };
}
