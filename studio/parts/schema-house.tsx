/** What all fields of a form share: its schema as a whole, and what is wrong where. */
import { type ComponentType, createContext, type ReactNode, use, useId } from 'react';
import type { Json } from '../api/shapes.ts';
import { JsonField } from './json-field.tsx';
import { type FieldProblem, formProblems, type Schema, textIn } from './schema-rules.ts';

export interface FieldProps {
  readonly schema: Schema;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  /** A JSON pointer to it. */
  readonly path: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly depth: number;
}

export interface SchemaHouse {
  readonly root: Schema;
  readonly idPrefix: string;
  readonly problems: readonly FieldProblem[];
  /** The field for a part, whatever it is: fields that have fields know it only from here. */
  readonly Part: ComponentType<FieldProps>;
}

export const HOUSE = createContext<SchemaHouse>({
  ...{ root: {}, idPrefix: '', problems: [], Part: JsonPart },
});

export function SchemaPart(props: FieldProps): ReactNode {
  const { Part } = use(HOUSE);
  return <Part {...props} />;
}

/** What every field has: how it is called, what it says of itself, and what is wrong with it. */
export interface FieldWords {
  readonly id: string;
  readonly label: string;
  readonly hint: string | null;
  readonly problems: readonly string[];
}

export function useWords({ schema, path, label }: FieldProps, isWhole = false): FieldWords {
  const { idPrefix, problems } = use(HOUSE);
  const own = useId();
  const mine = problems.filter(({ path: at }) =>
    isWhole ? at === path || at.startsWith(`${path}/`) : at === path,
  );
  return {
    id: `${idPrefix}${own}`,
    label: textIn(schema, 'title') ?? label,
    hint: textIn(schema, 'description'),
    problems: mine.map(({ path: at, message }) =>
      at === path ? message : `${at.slice(path.length + 1)}: ${message}`,
    ),
  };
}

/** Whatever is not understood: written as JSON, each problem inside it named by its place. */
export function JsonPart(props: FieldProps): ReactNode {
  return (
    <JsonField
      {...useWords(props, true)}
      value={props.value}
      onChange={props.onChange}
      isRequired={props.isRequired}
      rows={props.depth === 0 ? 8 : 3}
    />
  );
}

/** What is wrong with a value by itself, for whoever has left its field. */
export function useOwnProblems({ schema, value }: FieldProps): readonly string[] {
  const { root } = use(HOUSE);
  const isBlank = value === undefined || value === '';
  return isBlank ? [] : formProblems(schema, value, root).map(({ message }) => message);
}
