/** What is shown of an instance: of which moment, of which scope, and what follows from that. */
import { useMemo } from 'react';
import { pathTo as apiPath } from '../api/asking.ts';
import type { Commit, Instance, Plan, Token } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import type { NodeTally } from '../graph/graph.tsx';
import { scopesWithin, scopeTree } from './scope-tree.ts';
import { edgesTakenBy, talliesOf } from './tallies.ts';
import { useHeld } from './use-held.ts';
import { type LiveInstance, useInstance } from './use-instance.ts';
import { type Past, usePast } from './use-past.ts';
import { useVisits } from './use-visits.ts';
import type { Visit } from './visit.ts';

export interface Shown extends LiveInstance, Past {
  /** Of the moment that is looked at. */
  readonly shown: Instance | undefined;
  readonly plan: Plan | undefined;
  readonly tokens: readonly Token[];
  readonly visits: readonly Visit[];
  readonly tallies: ReadonlyMap<string, NodeTally>;
  readonly edgesTaken: ReadonlySet<string>;
}

const NO_TOKENS: readonly Token[] = [];

export function useShown(id: string, at: number | null, scope: number | null): Shown {
  const live = useInstance(id);
  const { past, problem: pastProblem } = usePast(id, at);
  const shown = at === null ? live.instance : past;
  const planPath =
    shown === undefined ? null : apiPath('definitions', shown.flow, shown.flowVersion);
  const plan = useAsked<Plan>(planPath);
  const within = useMemo(
    () => (shown === undefined ? null : scopesWithin(scopeTree(shown), scope)),
    [shown, scope],
  );
  const all = useHeld(id, shown?.tokens ?? NO_TOKENS, at === null);
  const tokens = useMemo(() => {
    return within === null ? all : all.filter((token) => within.has(token.scope));
  }, [all, within]);
  const { commits } = live.history;
  const until = useMemo(() => commitsUntil(commits, at), [commits, at]);
  const { visits } = useVisits(until);
  const meant = useMemo(
    () => (scope === null || within === null ? visits : visits.filter(inScope(scope))),
    [visits, scope, within],
  );
  const tallies = useMemo(() => talliesOf(meant), [meant]);
  const edgesTaken = useMemo(() => edgesTakenBy(meant), [meant]);
  return {
    ...{ ...live, past, shown, tokens, visits: meant, tallies, edgesTaken },
    plan: plan.value,
    problem: live.problem ?? pastProblem ?? plan.problem,
  };
}

function inScope(scope: number): (visit: Visit) => boolean {
  return ({ scopes }) => scopes.includes(scope);
}

function commitsUntil(commits: readonly Commit[], at: number | null): readonly Commit[] {
  return at === null ? commits : commits.filter(({ n }) => n <= at);
}
