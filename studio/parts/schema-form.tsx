/**
 * A form out of a JSON Schema: a field for everything that is understood, and JSON for the rest.
 *
 * What was typed is never lost: what is no number yet stays in its field as text, and what the
 * schema does not know of stays in the value. A part written as JSON that cannot be read makes the
 * `<form>` around it invalid, so that the browser itself keeps it from being sent.
 */
import { type ReactNode, use, useEffect, useMemo } from 'react';
import type { Json } from '../api/shapes.ts';
import {
  ChoiceField,
  ConstField,
  EnumField,
  NumberField,
  TextField,
  TruthField,
} from './schema-fields.tsx';
import { ListField, ObjectField } from './schema-groups.tsx';
import { type FieldProps, HOUSE, JsonPart } from './schema-house.tsx';
import {
  type FieldProblem,
  firstValue,
  placed,
  resolved,
  type Schema,
  shapeOf,
} from './schema-rules.ts';
import './schema-form.css';

export interface SchemaFormProps {
  readonly schema: Schema;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  /** What others found: of the server, or of `formProblems` once somebody tried to send it. */
  readonly problems?: readonly FieldProblem[];
  readonly idPrefix: string;
}

/** Schemas may refer to themselves; nobody fills in what lies deeper than this. */
const DEPTH_MAX = 8;

const NONE: readonly FieldProblem[] = [];

export function SchemaForm(props: SchemaFormProps): ReactNode {
  const { schema, value, onChange, problems = NONE, idPrefix } = props;
  const house = useMemo(
    () => ({ root: schema, idPrefix, problems: problems.map(placed), Part: SchemaField }),
    [schema, idPrefix, problems],
  );
  const isFresh = value === undefined;
  useEffect(() => {
    const first = isFresh ? firstValue(schema) : undefined;
    if (first !== undefined) onChange(first);
    // A form that was cleared by its user begins anew only with another schema.
  }, [schema]);
  return (
    <HOUSE value={house}>
      <div className="schema-form stack">
        <SchemaField
          {...{ schema, value, onChange, path: '', label: 'Value', depth: 0 }}
          isRequired={false}
        />
      </div>
    </HOUSE>
  );
}

/** One part of the schema, as the field that it is. */
function SchemaField(props: FieldProps): ReactNode {
  const { root } = use(HOUSE);
  const schema = resolved(props.schema, root);
  const shape = shapeOf(schema, root);
  const own = { ...props, schema };
  if (props.depth > DEPTH_MAX) return <JsonPart {...own} />;
  switch (shape.kind) {
    case 'text':
      return <TextField {...own} format={shape.format} isLong={shape.isLong} />;
    case 'number':
      return <NumberField {...own} />;
    case 'boolean':
      return <TruthField {...own} />;
    case 'enum':
      return <EnumField {...own} options={shape.options} />;
    case 'const':
      return <ConstField {...own} constant={shape.value} />;
    case 'list':
      return <ListField {...own} items={shape.items} />;
    case 'object':
      return <ObjectField {...own} fields={shape.fields} />;
    case 'choice':
      return <ChoiceField {...own} options={shape.options} />;
    case 'json':
      return <JsonPart {...own} />;
  }
}
