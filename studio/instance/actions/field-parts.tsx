/** What the fields of actions are made of. */
import { type ReactNode, useId } from 'react';
import type { Instance, Plan } from '../../api/shapes.ts';
import type { BadField, Values, Verb } from './action.ts';
import type { Choice } from './choices.ts';
import { JsonField } from './json-field.tsx';

export interface FieldsProps {
  readonly verb: Verb;
  readonly instance: Instance;
  readonly plan: Plan;
  readonly values: Values;
  readonly bad: BadField | null;
  readonly now: number;
  readonly onChange: (patch: Values) => void;
}

export interface FieldProps extends FieldsProps {
  readonly name: string;
  readonly label: string;
}

function problemOf({ bad, name }: Pick<FieldProps, 'bad' | 'name'>): string | null {
  return bad?.field === name ? bad.message : null;
}

interface SelectProps extends FieldProps {
  readonly list: readonly Choice[];
  /** What it means if none is chosen; if not said, one has to be. */
  readonly none?: string;
}

export function Select(props: SelectProps): ReactNode {
  const { name, label, list, values, none = 'Choose…', onChange } = props;
  const problem = problemOf(props);
  return (
    <label className="field">
      <span>{label}</span>
      <select value={values[name] ?? ''} onChange={(e) => onChange({ [name]: e.target.value })}>
        <option value="">{none}</option>
        {list.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      {problem === null ? null : <span className="field-problem">{problem}</span>}
    </label>
  );
}

export function Text(props: FieldProps & { readonly known?: readonly string[] }): ReactNode {
  const { name, label, values, known = [], onChange } = props;
  const list = useId();
  const problem = problemOf(props);
  return (
    <label className="field">
      <span>{label}</span>
      <input
        value={values[name] ?? ''}
        list={known.length === 0 ? undefined : list}
        autoComplete="off"
        onChange={(event) => onChange({ [name]: event.target.value })}
      />
      {known.length === 0 ? null : (
        <datalist id={list}>
          {known.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {problem === null ? null : <span className="field-problem">{problem}</span>}
    </label>
  );
}

export function Value(props: FieldProps & { readonly hint: string }): ReactNode {
  const { name, label, hint, values, onChange } = props;
  return (
    <JsonField
      label={label}
      hint={hint}
      value={values[name] ?? ''}
      problem={problemOf(props)}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
}

export function Check({ name, label, values, onChange }: FieldProps): ReactNode {
  return (
    <label className="row">
      <input
        type="checkbox"
        checked={values[name] === 'yes'}
        onChange={(event) => onChange({ [name]: event.target.checked ? 'yes' : '' })}
      />
      <span>{label}</span>
    </label>
  );
}
