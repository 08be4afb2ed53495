/**
 * All instances: found by what stands in the address, looked at while they change, and acted on,
 * one or many at a time.
 */
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { usePulse } from '../api/live.ts';
import type { Tally } from '../api/shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { ScreenHead } from '../parts/screen.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useCommand } from '../shell/commands.ts';
import { useQuery } from '../shell/routing.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import type { Deed, Target } from './bulk.ts';
import { ChosenBar } from './chosen-bar.tsx';
import { Failures } from './failures.tsx';
import { Chips, Filters } from './filters.tsx';
import { List } from './list.tsx';
import { SearchBox } from './search-box.tsx';
import { filterOf, keyOf, patchOf, type Sought, soughtIn } from './sought.ts';
import { StartButton } from './start-button.tsx';
import { StatusToggles } from './status-toggles.tsx';
import { type Chosen, useChosen } from './use-chosen.ts';
import { useIncidents } from './use-incidents.ts';
import { type Rows, useRows } from './use-rows.ts';
import { useTally } from './use-tally.ts';
import { ViewsBar } from './views-bar.tsx';
import { writeWords } from './words.ts';
import './instances.css';

interface Plan {
  readonly target: Target;
  readonly deed: Deed;
}

export function InstancesScreen(): ReactNode {
  const [query, change] = useQuery();
  const sought = useMemo(() => soughtIn(query), [query]);
  // Rows come first: following what happens, and counting, are more work for the server.
  const [isReady, setIsReady] = useState(false);
  const pulse = usePulse(isReady ? '/api/events' : null);
  const found = useRows(sought, pulse);
  const isAnswered = found.rows !== undefined || found.problem !== null;
  useEffect(() => setIsReady((old) => old || isAnswered), [isAnswered]);
  const tally = useTally(sought.flow, pulse, isReady);
  const chosen = useChosen();
  const [plan, setPlan] = useState<Plan | null>(null);
  const seek = useCallback(
    (next: Sought) => change({ ...patchOf(next), tab: null }, { replace: false }),
    [change],
  );
  const act = (target: Target, deed: Deed): void => setPlan({ target, deed });
  return (
    <div className="instances">
      <ScreenHead title="Instances">
        <StartButton flow={sought.flow} />
      </ScreenHead>
      <ViewsBar query={keyOf(sought)} />
      <Seeking {...{ sought, tally }} onSeek={seek} />
      <Panels {...{ sought, found, tally, chosen, act }} onSeek={seek} />
      <ChosenBar chosen={chosen} onAct={act} />
      {plan === null ? null : <BulkDialog {...plan} onClose={() => setPlan(null)} />}
    </div>
  );
}

interface SeekingProps {
  readonly sought: Sought;
  readonly tally: Tally | undefined;
  readonly onSeek: (sought: Sought) => void;
}

function Seeking({ sought, tally, onSeek }: SeekingProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  useCommand({
    ...{ label: 'Show the filters', group: 'Instances', keys: 'f' },
    run: () => setIsOpen(!isOpen),
  });
  return (
    <section className="stack seeking" aria-label="What is looked for">
      <SearchBox sought={sought} onSeek={onSeek} />
      <div className="row">
        <StatusToggles sought={sought} tally={tally} onSeek={onSeek} />
        <button
          type="button"
          className="button small"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} /> Filters
        </button>
      </div>
      {isOpen ? <Filters sought={sought} onSeek={onSeek} /> : null}
      <Chips sought={sought} onSeek={onSeek} />
    </section>
  );
}

interface PanelsProps extends SeekingProps {
  readonly found: Rows;
  readonly chosen: Chosen;
  readonly act: (target: Target, deed: Deed) => void;
}

function Panels({ sought, found, tally, chosen, act, onSeek }: PanelsProps): ReactNode {
  const [query, change] = useQuery();
  const shown = query.get('tab') === 'failures' ? 'failures' : 'list';
  const failures = tally?.causes.length;
  const incidents = useIncidents(tally, sought.flow);
  const tabs = [
    { id: 'list', label: 'Instances' },
    {
      ...{ id: 'failures', label: 'Failures by cause' },
      ...(failures === undefined || failures === 0 ? {} : { count: failures }),
    },
  ];
  const choose = (id: string): void => change({ tab: id === 'list' ? null : id });
  const toFailures = (): void => choose('failures');
  useCommand({ label: 'Failures by cause', group: 'Instances', keys: 'c', run: toFailures });
  const actOnAll = (): void => {
    // Times are moments from here on: what is tried out and what is done are for the same ones.
    const filter = filterOf(sought, Date.now());
    act({ is: 'filter', filter, words: writeWords(sought) }, deedFor(sought));
  };
  return (
    <Tabs tabs={tabs} chosen={shown} onChoose={choose} label="Instances or failures">
      {shown === 'list' ? (
        <List {...{ sought, found, incidents, chosen }} onActOnAll={actOnAll} />
      ) : (
        <Failures tally={tally} onShow={onSeek} onAct={act} />
      )}
    </Tabs>
  );
}

/** What one most likely wants to do to them. */
function deedFor({ status, error }: Sought): Deed {
  const [only] = status.length === 1 ? status : [];
  if (only === 'failed') return 'revive';
  if (only === 'suspended') return 'resume';
  return error === null ? 'cancel' : 'retry';
}
