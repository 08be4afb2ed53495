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

export interface InstanceTools {
  readonly finding: FindTools;
  readonly pruning: PruneTools;
  readonly messages: PruneMessageTools;
}

export function instancesBy({ finding, pruning, messages }: InstanceTools): Instances {
  return {
    find: (request) => findBy(finding, request),
    prune: (request) => pruneBy(pruning, request),
    wasPruned: async (id) => chosenOf([id]).length > 0 && (await pruning.wasPruned(id)),
    pruneMessages: (request) => pruneMessagesBy(messages, request),
  };
}
