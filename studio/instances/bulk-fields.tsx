/** What is to be done: the action, what it takes, and why. */
import { type ReactNode, useId } from 'react';
import { DEEDS, type Deed, type Draft } from './bulk.ts';

export interface BulkFieldsProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly wrong: { readonly field: keyof Draft; readonly problem: string } | null;
  readonly isLocked: boolean;
}

export function BulkFields({ draft, onChange, wrong, isLocked }: BulkFieldsProps): ReactNode {
  const text = (field: 'version' | 'type' | 'data' | 'name' | 'value') => ({
    ...{ value: draft[field], problem: wrong?.field === field ? wrong.problem : null },
    onChange: (value: string) => onChange({ ...draft, [field]: value }),
  });
  return (
    <fieldset className="bulk-fields" disabled={isLocked}>
      <legend className="visually-hidden">What is to be done</legend>
      <Deeds deed={draft.deed} onChange={(deed) => onChange({ ...draft, deed })} />
      {draft.deed === 'cancel' ? (
        <label className="row">
          <input
            type="checkbox"
            checked={draft.saga}
            onChange={(event) => onChange({ ...draft, saga: event.target.checked })}
          />
          Undo first what they have done
        </label>
      ) : null}
      {draft.deed === 'migrate' ? (
        <Line label="To version" inputMode="numeric" {...text('version')} />
      ) : null}
      {draft.deed === 'send' ? (
        <>
          <Line label="Type of the message" {...text('type')} />
          <Line label="Data, as JSON (may be left out)" {...text('data')} />
        </>
      ) : null}
      {draft.deed === 'set' ? (
        <>
          <Line label="Name of the variable" {...text('name')} />
          <Line label="Value, as JSON" {...text('value')} />
        </>
      ) : null}
    </fieldset>
  );
}

interface DeedsProps {
  readonly deed: Deed;
  readonly onChange: (deed: Deed) => void;
}

function Deeds({ deed, onChange }: DeedsProps): ReactNode {
  const id = useId();
  const chosen = DEEDS.find((one) => one.deed === deed);
  return (
    <div className="field">
      <label htmlFor={id}>Action</label>
      <select
        id={id}
        value={deed}
        aria-describedby={`${id}-means`}
        onChange={(event) => onChange(event.target.value as Deed)}
      >
        {DEEDS.map((one) => (
          <option key={one.deed} value={one.deed}>
            {one.label}
          </option>
        ))}
      </select>
      <span id={`${id}-means`} className="field-hint">
        {chosen?.means}
      </span>
    </div>
  );
}

interface LineProps {
  readonly label: string;
  readonly value: string;
  readonly problem?: string | null;
  readonly inputMode?: 'numeric';
  readonly onChange: (value: string) => void;
}

export function Line({ label, value, problem = null, inputMode, onChange }: LineProps): ReactNode {
  const id = useId();
  // Nothing is wrong yet with what nobody has begun to write.
  const shown = value === '' ? null : problem;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={value}
        inputMode={inputMode}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={shown !== null}
        aria-describedby={shown === null ? undefined : `${id}-problem`}
        onChange={(event) => onChange(event.target.value)}
      />
      {shown === null ? null : (
        <span id={`${id}-problem`} className="field-problem">
          {shown}
        </span>
      )}
    </div>
  );
}
