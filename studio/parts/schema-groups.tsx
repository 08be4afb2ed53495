/** Fields that have fields: objects, and lists whose entries come, go and change places. */
import { type ReactNode, use, useId, useRef } from 'react';
import type { Json, JsonObject } from '../api/shapes.ts';
import { FieldWordsBelow, RequiredMark } from './field-frame.tsx';
import { Icon } from './icon.tsx';
import { JsonField } from './json-field.tsx';
import { type FieldProps, HOUSE, JsonPart, SchemaPart, useWords } from './schema-house.tsx';
import { type Field, firstValue, isObject, pointerTo, type Schema } from './schema-rules.ts';

export function ObjectField(props: FieldProps & { readonly fields: readonly Field[] }): ReactNode {
  const { value, onChange, schema, depth } = props;
  const { id, label, hint, problems } = useWords(props);
  const { root } = use(HOUSE);
  if (value !== undefined && !isObject(value)) return <JsonPart {...props} />;
  if (value === undefined && depth > 0) {
    return (
      <Absent {...props} label={label}>
        <button
          type="button"
          className="button small"
          onClick={() => onChange(firstValue(schema, root) ?? {})}
        >
          <Icon name="plus" /> Add {label}
        </button>
      </Absent>
    );
  }
  const inside = <Fields {...props} value={value ?? {}} />;
  if (depth === 0) {
    return (
      <>
        {inside}
        <FieldWordsBelow {...{ id, hint, problems }} />
      </>
    );
  }
  return (
    <fieldset className="schema-group">
      <legend className="row">
        <span>
          {label}
          {props.isRequired ? <RequiredMark /> : null}
        </span>
        {props.isRequired ? null : (
          <button type="button" className="link" onClick={() => onChange(undefined)}>
            Leave out {label}
          </button>
        )}
      </legend>
      {inside}
      <FieldWordsBelow {...{ id, hint, problems }} />
    </fieldset>
  );
}

function Absent({
  label,
  isRequired,
  children,
  ...props
}: FieldProps & {
  readonly children: ReactNode;
}): ReactNode {
  const { id, hint, problems } = useWords({ ...props, label, isRequired });
  return (
    <div className="field">
      <span className="field-name">
        {label}
        {isRequired ? <RequiredMark /> : null}
      </span>
      <div>{children}</div>
      <FieldWordsBelow {...{ id, hint, problems }} />
    </div>
  );
}

function Fields(
  props: FieldProps & { readonly fields: readonly Field[]; readonly value: JsonObject },
): ReactNode {
  const { fields, value, onChange, path, depth } = props;
  const own = useId();
  // Fields are changed one after another in one go, by effects of their own; each sees the last.
  const latest = useRef<JsonObject>(value);
  latest.current = value;
  const set = (name: string, next: Json | undefined): void => {
    const { [name]: _, ...others } = latest.current;
    latest.current = next === undefined ? others : { ...latest.current, [name]: next };
    onChange(latest.current);
  };
  const known = new Set(fields.map(({ name }) => name));
  const strangers = Object.entries(value).filter(([name]) => !known.has(name));
  return (
    <>
      {fields.map(({ name, schema, isRequired }) => (
        <SchemaPart
          key={name}
          {...{ schema, isRequired, label: name, value: value[name], depth: depth + 1 }}
          path={pointerTo(path, name)}
          onChange={(next) => set(name, next)}
        />
      ))}
      {strangers.length === 0 ? null : (
        <JsonField
          id={`${own}-more`}
          label="Other fields"
          value={Object.fromEntries(strangers)}
          onChange={(next) => {
            const kept = Object.entries(value).filter(([name]) => known.has(name));
            onChange({ ...(isObject(next) ? next : {}), ...Object.fromEntries(kept) });
          }}
        />
      )}
    </>
  );
}

export function ListField(props: FieldProps & { readonly items: Schema }): ReactNode {
  const { value, onChange, items, isRequired } = props;
  const { id, label, hint, problems } = useWords(props);
  const { root } = use(HOUSE);
  const add = useRef<HTMLButtonElement>(null);
  if (value !== undefined && !Array.isArray(value)) return <JsonPart {...props} />;
  const entries: readonly Json[] = value ?? [];
  const set = (next: readonly Json[]): void =>
    onChange(next.length === 0 && !isRequired ? undefined : next);
  return (
    <fieldset className="schema-group">
      <legend>
        {label}
        {isRequired ? <RequiredMark /> : null}
      </legend>
      {entries.length === 0 ? <p className="dim">Nothing in it yet.</p> : null}
      {entries.length === 0 ? null : (
        <ol className="schema-entries">
          {entries.map((entry, index) => (
            // An entry has no name of its own but its place.
            <Entry
              key={`${index} of ${entries.length}`}
              {...{ ...props, items, entries, entry, index, set }}
              onGone={() => add.current?.focus()}
            />
          ))}
        </ol>
      )}
      <div>
        <button
          ref={add}
          type="button"
          className="button small"
          onClick={() => set([...entries, firstValue(items, root) ?? emptyOf(items)])}
        >
          <Icon name="plus" /> Add to {label}
        </button>
      </div>
      <FieldWordsBelow {...{ id, hint, problems }} />
    </fieldset>
  );
}

/** A list has no holes: an entry that nothing was said of yet is the least of its kind. */
function emptyOf(items: Schema): Json {
  const { type } = items;
  if (type === 'string') return '';
  if (type === 'object') return {};
  return type === 'number' || type === 'integer' ? 0 : null;
}

interface EntryProps extends FieldProps {
  readonly items: Schema;
  readonly entries: readonly Json[];
  readonly entry: Json;
  readonly index: number;
  readonly set: (next: readonly Json[]) => void;
  readonly onGone: () => void;
}

function Entry(props: EntryProps): ReactNode {
  const { items, entries, entry, index, set, path, label, depth } = props;
  const name = `${label} ${index + 1}`;
  return (
    <li className="schema-entry">
      <div className="schema-entry-field">
        <SchemaPart
          {...{ schema: items, value: entry, label: name, depth: depth + 1 }}
          isRequired
          path={pointerTo(path, index)}
          onChange={(next) => set(entries.with(index, next ?? emptyOf(items)))}
        />
      </div>
      <div className="schema-entry-buttons">
        <EntryButton
          icon="up"
          label={`Move ${name} up`}
          isOff={index === 0}
          onPress={() => set(swapped(entries, index, index - 1))}
        />
        <EntryButton
          icon="down"
          label={`Move ${name} down`}
          isOff={index === entries.length - 1}
          onPress={() => set(swapped(entries, index, index + 1))}
        />
        <EntryButton
          icon="close"
          label={`Remove ${name}`}
          isOff={false}
          onPress={() => {
            set(entries.toSpliced(index, 1));
            props.onGone();
          }}
        />
      </div>
    </li>
  );
}

function swapped(entries: readonly Json[], one: number, other: number): readonly Json[] {
  const [first = null, second = null] = [entries[one], entries[other]];
  return entries.with(one, second).with(other, first);
}

function EntryButton(props: {
  readonly icon: 'up' | 'down' | 'close';
  readonly label: string;
  readonly isOff: boolean;
  readonly onPress: () => void;
}): ReactNode {
  return (
    <button
      type="button"
      className="button quiet small icon-only"
      aria-label={props.label}
      disabled={props.isOff}
      onClick={props.onPress}
    >
      <Icon name={props.icon} />
    </button>
  );
}
