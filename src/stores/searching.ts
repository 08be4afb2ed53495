/** The verbs about instances, made of what a database can do: the same for every one of them. */
import { type FindTools, findBy } from './finding.ts';
import type { Instances } from './instances.ts';
import {
  chosenOf,
  pruneBy,
  pruneMessagesBy,
  type PruneMessageTools,
  type PruneTools,
} from './pruning.ts';
import { tallyBy, type TallyTools } from './tallying.ts';

export interface InstanceTools {
  readonly finding: FindTools;
  readonly tallying: TallyTools;
  readonly pruning: PruneTools;
  readonly messages: PruneMessageTools;
}

export function instancesBy(tools: InstanceTools): Instances {
  const { finding, tallying, pruning, messages } = tools;
  return {
    find: (request) => findBy(finding, request),
    tally: (request) => tallyBy(tallying, request),
    prune: (request) => pruneBy(pruning, request),
    wasPruned: async (id) => chosenOf([id]).length > 0 && (await pruning.wasPruned(id)),
    pruneMessages: (request) => pruneMessagesBy(messages, request),
  };
}
