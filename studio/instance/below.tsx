/** Below the graph: the same instance along time, by visits, by variables, by commits, by logs. */
import type { ReactNode } from 'react';
import type { Instance, Plan } from '../api/shapes.ts';
import { type Tab, Tabs } from '../parts/tabs.tsx';
import type { Wanted } from './actions/action.ts';
import { HistoryPanel } from './history-panel.tsx';
import { LogsPanel } from './logs-panel.tsx';
import type { PanelProps } from './panel-props.ts';
import { ScopesPanel } from './scopes-panel.tsx';
import { Timeline } from './timeline.tsx';
import type { Commits } from './use-commits.ts';
import { VisitsPanel } from './visits-panel.tsx';

const TABS: readonly Tab[] = [
  { id: 'timeline', label: 'Timeline' },
  { id: 'visits', label: 'Visits' },
  { id: 'variables', label: 'Variables' },
  { id: 'history', label: 'History' },
  { id: 'logs', label: 'Logs' },
];

export interface BelowProps {
  readonly instance: Instance;
  readonly plan: Plan;
  readonly history: Commits;
  readonly now: number;
  readonly place: Pick<PanelProps, 'at' | 'onAt' | 'node' | 'onNode'> & {
    readonly scope: number | null;
    readonly onScope: (scope: number | null) => void;
    readonly tab: string;
    readonly onTab: (tab: string) => void;
  };
  readonly onAct: ((wanted: Wanted) => void) | null;
}

export function Below(props: BelowProps): ReactNode {
  const { instance, history, place } = props;
  const chosen = TABS.some(({ id }) => id === place.tab) ? place.tab : 'timeline';
  const tabs = TABS.map((tab) =>
    tab.id === 'history' ? { ...tab, count: instance.version.toLocaleString() } : tab,
  );
  return (
    <section className="card padded below" aria-label="In detail">
      {place.scope === null ? null : (
        <p className="row below-scope">
          <span className="chip">only scope {place.scope}</span>
          <button type="button" className="link" onClick={() => place.onScope(null)}>
            Show all
          </button>
        </p>
      )}
      <Tabs tabs={tabs} chosen={chosen} onChoose={place.onTab} label="In detail">
        {history.isComplete || chosen === 'variables' || chosen === 'logs' ? null : (
          <LoadAll history={history} version={instance.version} />
        )}
        <Panel {...props} chosen={chosen} />
      </Tabs>
    </section>
  );
}

/** Panels offer the next page; this is for whoever wants the whole of it. */
function LoadAll({
  history,
  version,
}: {
  readonly history: Commits;
  readonly version: number;
}): ReactNode {
  return (
    <p className="older">
      <button type="button" className="link" disabled={history.isLoading} onClick={history.loadAll}>
        {history.isLoading ? 'Loading…' : `Load all ${version.toLocaleString()} commits`}
      </button>
    </p>
  );
}

function Panel(props: BelowProps & { readonly chosen: string }): ReactNode {
  const { chosen, instance, plan, history, place, now, onAct } = props;
  const panel: PanelProps = {
    ...{ instance, plan, now, commits: history.commits, isComplete: history.isComplete },
    ...{ onOlder: history.loadOlder, at: place.at, onAt: place.onAt },
    ...{ node: place.node, onNode: place.onNode, scope: place.scope },
  };
  switch (chosen) {
    case 'visits':
      return <VisitsPanel {...panel} />;
    case 'variables':
      return (
        <ScopesPanel {...{ instance, now, onAct }} scope={place.scope} onScope={place.onScope} />
      );
    case 'history':
      return <HistoryPanel {...panel} />;
    case 'logs':
      return <LogsPanel id={instance.id} node={place.node} again={instance.version} />;
    default:
      return <Timeline {...panel} />;
  }
}
