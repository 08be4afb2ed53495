/**
 * One instance: where it is in its flow, how it came there, and what can be done about it. What is
 * looked at (a moment, a node, a scope, a tab) stands in the URL.
 */
import { type ReactNode, useCallback, useState } from 'react';
import { Graph } from '../graph/graph.tsx';
import { Icon } from '../parts/icon.tsx';
import { useNow } from '../parts/moment.tsx';
import { Empty, Loading, ProblemBox, ScreenHead } from '../parts/screen.tsx';
import { useCommand } from '../shell/commands.ts';
import { go, Link, usePath, useQuery } from '../shell/routing.tsx';
import { Banners, PastBanner } from './banners.tsx';
import { Below } from './below.tsx';
import { DetailsPanel } from './details-panel.tsx';
import './instance.css';
import { InstanceHead } from './instance-head.tsx';
import { Slider } from './slider.tsx';
import { isOver } from './use-instance.ts';
import { type Shown, useShown } from './use-shown.ts';
import { useWanting, type Wanting, WantingDialogs } from './wanting.tsx';

export function InstanceScreen(): ReactNode {
  const [, id = ''] = usePath();
  return <OneInstance key={id} id={id} />;
}

interface Place {
  readonly at: number | null;
  readonly node: string | null;
  readonly scope: number | null;
  readonly tab: string;
  readonly onAt: (n: number | null) => void;
  readonly onNode: (node: string | null) => void;
  readonly onScope: (scope: number | null) => void;
  readonly onTab: (tab: string) => void;
}

function wholeIn(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Where somebody looks. */
function usePlace(): Place {
  const [query, change] = useQuery();
  const onAt = useCallback(
    (n: number | null) => change({ at: n === null ? null : String(n) }),
    [change],
  );
  const onNode = useCallback((node: string | null) => change({ node }), [change]);
  const onScope = useCallback(
    (scope: number | null) => change({ scope: scope === null ? null : String(scope) }),
    [change],
  );
  const onTab = useCallback((tab: string) => change({ tab }), [change]);
  const tab = query.get('tab') ?? 'timeline';
  const node = query.get('node');
  const [at, scope] = [wholeIn(query.get('at')), wholeIn(query.get('scope'))];
  return { at, scope, node, tab, onAt, onNode, onScope, onTab };
}

function OneInstance({ id }: { readonly id: string }): ReactNode {
  const place = usePlace();
  const view = useShown(id, place.at, place.scope);
  const { instance, problem } = view;
  const wanting = useWanting(instance, place.at !== null);
  useCommand({
    ...{ label: 'Compare with another', group: 'Instance', keys: 'c' },
    run: () => go(`/compare?${new URLSearchParams({ a: id, b: '' })}`),
  });
  useCommand(
    place.at === null
      ? null
      : { label: 'Back to now', group: 'Time', keys: 'n', run: () => place.onAt(null) },
  );
  if (instance === undefined) {
    if (problem === null) return <Loading />;
    return problem.status === 404 ? <NotFound id={id} /> : <ProblemBox problem={problem} />;
  }
  return <Looked {...{ view, place, wanting }} />;
}

function NotFound({ id }: { readonly id: string }): ReactNode {
  return (
    <>
      <ScreenHead title="No such instance" />
      <Empty title={`There is no instance ${id}.`}>
        <p>It may have been pruned, or this store never had it.</p>
        <Link href="/instances">To the instances</Link>
      </Empty>
    </>
  );
}

interface LookedProps {
  readonly view: Shown;
  readonly place: Place;
  readonly wanting: Wanting;
}

function Looked({ view, place, wanting }: LookedProps): ReactNode {
  const now = useNow();
  const { instance, shown, plan, problem, history } = view;
  const { at, onAt } = place;
  if (instance === undefined) return null;
  const moment = history.commits.find(({ n }) => n === at)?.at ?? shown?.updatedAt ?? null;
  return (
    <div className="instance stack">
      <InstanceHead
        {...{ instance, now, isPast: at !== null, onMenu: wanting.menu }}
        onVerb={(verb) => wanting.act({ verb })}
      />
      {at === null ? (
        <Banners instance={instance} onAct={wanting.act} onNode={place.onNode} />
      ) : (
        <PastBanner
          {...{ at, moment, now, version: instance.version }}
          status={shown?.version === at ? shown.status : null}
          onNow={() => onAt(null)}
        />
      )}
      {problem === null ? null : <ProblemBox problem={problem} />}
      <Slider {...{ at, onAt, version: instance.version, commits: history.commits }} />
      {shown === undefined || plan === undefined ? (
        <Loading />
      ) : (
        <Stage {...{ view: { ...view, shown, plan }, place, wanting, now }} />
      )}
      {plan === undefined ? null : (
        <WantingDialogs {...{ wanting, instance, plan }} onDone={view.reload} />
      )}
    </div>
  );
}

interface StageProps extends LookedProps {
  readonly view: Shown & Required<Pick<Shown, 'shown' | 'plan'>>;
  readonly now: number;
}

function Stage({ view, place, wanting, now }: StageProps): ReactNode {
  const { shown, plan, tokens, tallies, edgesTaken } = view;
  const [isWide, setIsWide] = useState(false);
  if (shown === undefined || plan === undefined) return null;
  const isLive = place.at === null;
  return (
    <>
      <div className={isWide ? 'stage wide' : 'stage'}>
        <section className="card stage-graph" aria-label="Where it is in the flow">
          <Graph
            {...{ plan, tokens, tallies, edgesTaken, selected: place.node }}
            onSelect={place.onNode}
            label={`${shown.flow}, with its tokens`}
          />
          <button
            type="button"
            className="button small stage-fold"
            aria-pressed={isWide}
            onClick={() => setIsWide(!isWide)}
          >
            <Icon name={isWide ? 'left' : 'right'} /> Details
          </button>
        </section>
        {isWide ? null : (
          <DetailsPanel
            {...{ instance: shown, plan, tokens, visits: view.visits, now }}
            {...{ node: place.node, onNode: place.onNode, onAt: place.onAt }}
            onAct={isLive ? wanting.act : null}
          />
        )}
      </div>
      <Below
        {...{ instance: shown, plan, history: view.history, now, place }}
        onAct={isLive && !isOver(shown) ? wanting.act : null}
      />
    </>
  );
}
