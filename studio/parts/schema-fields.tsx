/** The plain fields of a form: texts, numbers, yes or no, and what is chosen. */
import { type ReactNode, use, useEffect, useState } from 'react';
import type { Json } from '../api/shapes.ts';
import { FieldFrame, FieldWordsBelow, spoken } from './field-frame.tsx';
import {
  type FieldProps,
  type FieldWords,
  HOUSE,
  SchemaPart,
  useOwnProblems,
  useWords,
} from './schema-house.tsx';
import {
  firstValue,
  formProblems,
  isNullable,
  isSame,
  listIn,
  type Option,
  type Schema,
  textIn,
} from './schema-rules.ts';

/** What was cleared is left out, unless null has to stand for it. */
function cleared({ schema, isRequired }: FieldProps): Json | undefined {
  return isRequired && isNullable(schema) ? null : undefined;
}

/** What is wrong shows once the field was left, so that nobody is told while typing. */
function useLeft(props: FieldProps): FieldWords & { readonly leave: () => void } {
  const words = useWords(props);
  const [isLeft, setIsLeft] = useState(false);
  const own = useOwnProblems(props);
  const problems = [...new Set([...(isLeft ? own : []), ...words.problems])];
  return { ...words, problems, leave: () => setIsLeft(true) };
}

/** A value as it stands in a field for one line, even if it is none that belongs there. */
function plainText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const MODES = { email: 'email', uri: 'url', phone: 'tel' } as const;

export function TextField(
  props: FieldProps & { readonly format: string; readonly isLong: boolean },
): ReactNode {
  const { value, onChange, format, isLong, isRequired, schema } = props;
  const { id, label, hint, problems, leave } = useLeft(props);
  const text = plainText(value);
  const example = listIn(schema, 'examples')[0];
  const set = (next: string): void => onChange(next === '' ? cleared(props) : next);
  const shared = {
    ...spoken(id, hint, problems, isRequired),
    ...(typeof example === 'string' ? { placeholder: example } : {}),
    onBlur: leave,
  };
  return (
    <FieldFrame {...{ id, label, hint, problems, isRequired }}>
      {isLong ? (
        <textarea {...shared} rows={4} value={text} onChange={({ target }) => set(target.value)} />
      ) : format === 'date-time' && (text === '' || !Number.isNaN(Date.parse(text))) ? (
        <input
          {...shared}
          type="datetime-local"
          step={1}
          value={localText(text)}
          onChange={({ target }) => set(momentOf(target.value))}
        />
      ) : (
        <input
          {...shared}
          type={format === 'date' && /^(\d{4}-\d\d-\d\d)?$/.test(text) ? 'date' : 'text'}
          inputMode={MODES[format as keyof typeof MODES] ?? 'text'}
          value={text}
          onChange={({ target }) => set(target.value)}
        />
      )}
    </FieldFrame>
  );
}

/** A moment by the clock of whoever looks, as the browser's field wants it. */
export function localText(text: string): string {
  if (text === '') return '';
  const at = new Date(text);
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}

export function momentOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

/** What is no number yet is kept as it was typed; the check says what is missing. */
function numberOf(text: string): Json {
  const isNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
}

export function NumberField(props: FieldProps): ReactNode {
  const { value, onChange, isRequired } = props;
  const { id, label, hint, problems, leave } = useLeft(props);
  const [text, setText] = useState(() => plainText(value));
  useEffect(() => {
    setText((old) => (isSame(numberOf(old.trim()), value ?? '') ? old : plainText(value)));
  }, [value]);
  return (
    <FieldFrame {...{ id, label, hint, problems, isRequired }}>
      <input
        {...spoken(id, hint, problems, isRequired)}
        type="text"
        inputMode="decimal"
        value={text}
        onBlur={leave}
        onChange={({ target }) => {
          const typed = target.value.trim();
          setText(target.value);
          onChange(typed === '' ? cleared(props) : numberOf(typed));
        }}
      />
    </FieldFrame>
  );
}

interface CheckProps {
  readonly field: FieldProps;
  readonly isChecked: boolean;
  readonly isFixed?: boolean;
  readonly onCheck: (isChecked: boolean) => void;
  /** Behind the name. */
  readonly children?: ReactNode;
}

function CheckField({ field, isChecked, isFixed, onCheck, children }: CheckProps): ReactNode {
  const { id, label, hint, problems } = useWords(field);
  return (
    <div className="field">
      <label className="row field-truth">
        <input
          {...spoken(id, hint, problems)}
          type="checkbox"
          checked={isChecked}
          disabled={isFixed}
          onChange={({ target }) => onCheck(target.checked)}
        />
        {label}
        {children}
      </label>
      <FieldWordsBelow {...{ id, hint, problems }} />
    </div>
  );
}

export function TruthField(props: FieldProps): ReactNode {
  return <CheckField field={props} isChecked={props.value === true} onCheck={props.onChange} />;
}

export function EnumField(props: FieldProps & { readonly options: readonly Option[] }): ReactNode {
  const { value, onChange, options, isRequired } = props;
  const { id, label, hint, problems } = useWords(props);
  const at = options.findIndex((option) => isSame(option.value, value));
  const isStranger = at < 0 && value !== undefined;
  return (
    <FieldFrame {...{ id, label, hint, problems, isRequired }}>
      <select
        {...spoken(id, hint, problems, isRequired)}
        value={isStranger ? 'other' : at < 0 ? '' : String(at)}
        onChange={({ target }) => onChange(options[Number(target.value || 'x')]?.value)}
      >
        <option value="">{isRequired ? 'Choose one' : 'None'}</option>
        {isStranger ? <option value="other">{JSON.stringify(value)}</option> : null}
        {options.map((option, index) => (
          <option key={option.label} value={index}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

/** There is nothing to choose; where it need not be said, it is said or not. */
export function ConstField(props: FieldProps & { readonly constant: Json }): ReactNode {
  const { constant, onChange, value, isRequired } = props;
  useEffect(() => {
    if (isRequired && value === undefined) onChange(constant);
  }, [isRequired, value]);
  const isChecked = isSame(value, constant);
  return (
    <CheckField
      field={props}
      isChecked={isChecked}
      isFixed={isRequired && isChecked}
      onCheck={(isSaid) => onChange(isSaid ? constant : undefined)}
    >
      : <code>{JSON.stringify(constant)}</code>
    </CheckField>
  );
}

/** One of several ways to say it: the one that what is there fits, or the one that was chosen. */
export function ChoiceField(
  props: FieldProps & { readonly options: readonly Schema[] },
): ReactNode {
  const { value, onChange, options, isRequired } = props;
  const { id, label, hint, problems } = useWords(props);
  const { root } = use(HOUSE);
  const [chosen, setChosen] = useState(() => {
    const fitting = options.findIndex((each) => formProblems(each, value, root).length === 0);
    return value === undefined || fitting < 0 ? 0 : fitting;
  });
  const schema = options[chosen] ?? {};
  return (
    <fieldset className="schema-group">
      <legend className="visually-hidden">{label}</legend>
      <FieldFrame {...{ id, label, hint, problems, isRequired }}>
        <select
          {...spoken(id, hint, problems, isRequired)}
          value={chosen}
          onChange={({ target }) => {
            const next = Number(target.value);
            setChosen(next);
            onChange(nullOr(options[next] ?? {}, root));
          }}
        >
          {options.map((option, index) => (
            <option key={nameOf(option, index)} value={index}>
              {nameOf(option, index)}
            </option>
          ))}
        </select>
      </FieldFrame>
      {schema['type'] === 'null' ? null : (
        <SchemaPart
          key={chosen}
          {...{ ...props, schema, depth: props.depth + 1 }}
          label={`${label}: ${nameOf(schema, chosen)}`}
        />
      )}
    </fieldset>
  );
}

function nullOr(schema: Schema, root: Schema): Json | undefined {
  return schema['type'] === 'null' ? null : firstValue(schema, root);
}

function nameOf(schema: Schema, index: number): string {
  const type = textIn(schema, 'type');
  return textIn(schema, 'title') ?? (type === null ? `way ${index + 1}` : `${type} ${index + 1}`);
}
