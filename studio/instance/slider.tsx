/**
 * The history as a line that one can go along: every commit is a place on it, and what people did
 * and what failed is marked. Its right end is now.
 */
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Commit } from '../api/shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { useCommand } from '../shell/commands.ts';

/** So long each commit is seen while it plays. */
const PLAY_MS = 700;
/** A long history is played in about so many steps. */
const PLAY_STEPS = 150;
const MARKS_MAX = 300;

export interface SliderProps {
  readonly version: number;
  readonly at: number | null;
  readonly commits: readonly Commit[];
  readonly onAt: (n: number | null) => void;
}

export function Slider({ version, at, commits, onAt }: SliderProps): ReactNode {
  const shown = Math.min(at ?? version, version);
  const [isPlaying, setIsPlaying] = usePlaying({ version, at, onAt });
  const step = (by: number): void => {
    setIsPlaying(false);
    const next = Math.min(Math.max(shown + by, 1), version);
    onAt(next === version ? null : next);
  };
  useCommand({ label: 'Commit before', group: 'Time', keys: '[', run: () => step(-1) });
  useCommand({ label: 'Commit after', group: 'Time', keys: ']', run: () => step(1) });
  const play = (): void => {
    if (!isPlaying && at === null) onAt(1);
    setIsPlaying(!isPlaying);
  };
  return (
    <div className="time card" role="group" aria-label="Time travel">
      <button type="button" className="button small icon-only" onClick={play}>
        <Icon name={isPlaying ? 'pause' : 'play'} />
        <span className="visually-hidden">{isPlaying ? 'Stop' : 'Play the history'}</span>
      </button>
      <StepButton label="Commit before" icon="left" isOff={shown <= 1} onClick={() => step(-1)} />
      <div className="time-line">
        <Marks commits={commits} version={version} />
        <input
          type="range"
          min={1}
          max={Math.max(version, 1)}
          value={shown}
          aria-label="Commit"
          aria-valuetext={at === null ? `now, commit ${version}` : `commit ${shown} of ${version}`}
          onChange={(event) => {
            setIsPlaying(false);
            const n = Number(event.target.value);
            onAt(n >= version ? null : n);
          }}
        />
      </div>
      <StepButton label="Commit after" icon="right" isOff={at === null} onClick={() => step(1)} />
      <span className="time-at">
        {shown} / {version}
      </span>
    </div>
  );
}

interface StepButtonProps {
  readonly label: string;
  readonly icon: 'left' | 'right';
  readonly isOff: boolean;
  readonly onClick: () => void;
}

function StepButton({ label, icon, isOff, onClick }: StepButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="button small icon-only"
      aria-label={label}
      disabled={isOff}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Goes on by itself until it is at the end, which is now. */
function usePlaying({
  version,
  at,
  onAt,
}: Omit<SliderProps, 'commits'>): readonly [boolean, (is: boolean) => void] {
  const [isPlaying, setIsPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying || at === null) return undefined;
    const next = at + Math.max(1, Math.ceil(version / PLAY_STEPS));
    const timer = setTimeout(() => {
      if (next >= version) setIsPlaying(false);
      onAt(next >= version ? null : next);
    }, PLAY_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, at, version, onAt]);
  return [isPlaying && at !== null, setIsPlaying];
}

function Marks(props: {
  readonly commits: readonly Commit[];
  readonly version: number;
}): ReactNode {
  const { commits, version } = props;
  const marks = useMemo(() => marksOf(commits).slice(-MARKS_MAX), [commits]);
  return (
    <div className="time-marks" aria-hidden="true">
      {marks.map(({ n, kind, title }) => (
        <span
          key={n}
          className={`time-mark time-${kind}`}
          title={title}
          style={{ left: `${version <= 1 ? 0 : ((n - 1) / (version - 1)) * 100}%` }}
        />
      ))}
    </div>
  );
}

export interface TimeMark {
  readonly n: number;
  readonly kind: 'act' | 'fail';
  readonly title: string;
}

/** What people did, and what failed. */
function marksOf(commits: readonly Commit[]): readonly TimeMark[] {
  const marks: TimeMark[] = [];
  for (const { n, changes } of commits) {
    const act = changes.find(({ did }) => did === 'act')?.['act'] as
      | { readonly verb: string; readonly by: string | null }
      | undefined;
    const failed = changes.some(
      ({ did, why, error, as }) =>
        (did === 'end-token' && why === 'failed') ||
        did === 'retry-token' ||
        (did === 'park-token' && error !== undefined) ||
        (did === 'finish' && as === 'failed'),
    );
    if (act !== undefined) {
      const who = act.by === null ? '' : ` by ${act.by}`;
      marks.push({ n, kind: 'act', title: `${n}: ${act.verb}${who}` });
    } else if (failed) marks.push({ n, kind: 'fail', title: `${n}: something failed` });
  }
  return marks;
}
