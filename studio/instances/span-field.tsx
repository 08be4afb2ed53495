/** When something was: the last hour, day or week, or from one day to another. */
import { type ReactNode, useId, useState } from 'react';
import { Keep } from './keep.tsx';

const PRESETS = [
  ['1h', 'last hour'],
  ['24h', 'last 24 hours'],
  ['7d', 'last 7 days'],
] as const;

interface SpanFieldProps {
  readonly label: string;
  readonly value: string | null;
  readonly onKeep: (value: string | null) => void;
}

export function SpanField({ label, value, onKeep }: SpanFieldProps): ReactNode {
  const id = useId();
  const isRange = value?.includes('..') ?? false;
  const [isAsked, setIsAsked] = useState(isRange);
  const isOther = value !== null && !isRange && PRESETS.every(([preset]) => preset !== value);
  const [from = '', to = ''] = isRange ? (value ?? '').split('..') : [];
  const choose = (choice: string): void => {
    setIsAsked(choice === 'range');
    if (choice !== 'range') onKeep(choice === '' ? null : choice);
  };
  const keep = (first: string, last: string): void => {
    onKeep(first === '' && last === '' ? null : `${first}..${last}`);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={isAsked || isRange ? 'range' : (value ?? '')}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">any time</option>
        {PRESETS.map(([preset, words]) => (
          <option key={preset} value={preset}>
            {words}
          </option>
        ))}
        {isOther ? <option value={value}>last {value}</option> : null}
        <option value="range">from – to</option>
      </select>
      {isAsked || isRange ? (
        <div className="span-days">
          <Keep
            label={`${label} from`}
            type="date"
            value={dayOf(from)}
            onKeep={(day) => keep(day, to)}
          />
          <Keep
            label={`${label} to`}
            type="date"
            value={dayOf(to)}
            onKeep={(day) => keep(from, day)}
          />
        </div>
      ) : null}
    </div>
  );
}

function dayOf(moment: string): string {
  return moment.slice(0, 'yyyy-mm-dd'.length);
}
