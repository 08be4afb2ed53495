/**
 * A JSON value to read: folded where it is large, and copied by a button. Everything in it is text,
 * whatever it looks like.
 */
import { type ReactNode, useState } from 'react';
import type { Json, JsonObject } from '../api/shapes.ts';
import { say } from '../shell/toasts.tsx';
import { Icon } from './icon.tsx';

/** Deeper levels are folded at first, and longer lists shown in part. */
const OPEN_LEVELS = 2;
const SHOWN_MAX = 100;
const TEXT_MAX = 2_000;

export function JsonView({
  value,
  label,
}: {
  readonly value: Json;
  readonly label: string;
}): ReactNode {
  const copy = (): void => {
    void navigator.clipboard.writeText(JSON.stringify(value, null, 2)).then(
      () => say('Copied'),
      () => say('The browser does not allow copying here', 'problem'),
    );
  };
  return (
    <div className="json" role="group" aria-label={label}>
      <button type="button" className="json-copy" aria-label={`Copy ${label}`} onClick={copy}>
        <Icon name="copy" />
      </button>
      <Value value={value} level={0} />
    </div>
  );
}

interface ValueProps {
  readonly value: Json;
  readonly level: number;
  readonly name?: string;
}

function Value({ value, level, name }: ValueProps): ReactNode {
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="json-line">
        {name === undefined ? null : <Name name={name} />}
        <Plain value={value} />
      </div>
    );
  }
  return <Branch value={value} level={level} {...(name === undefined ? {} : { name })} />;
}

function Name({ name }: { readonly name: string }): ReactNode {
  return <span className="json-name">{name}: </span>;
}

function Plain({ value }: { readonly value: string | number | boolean | null }): ReactNode {
  const text = typeof value === 'string' ? value : String(value);
  const kind = value === null ? 'null' : typeof value;
  const shown = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
  return <span className={`json-${kind}`}>{kind === 'string' ? `“${shown}”` : shown}</span>;
}

function Branch(props: ValueProps & { readonly value: readonly Json[] | JsonObject }): ReactNode {
  const { value, level, name } = props;
  const [isOpen, setIsOpen] = useState(level < OPEN_LEVELS);
  const [most, setMost] = useState(SHOWN_MAX);
  const isList = Array.isArray(value);
  const entries = Object.entries(value) as [string, Json][];
  const word = isList ? 'item' : 'field';
  const size = `${entries.length} ${word}${entries.length === 1 ? '' : 's'}`;
  if (entries.length === 0) {
    return (
      <div className="json-line">
        {name === undefined ? null : <Name name={name} />}
        <span className="json-null">{isList ? '[ ]' : '{ }'}</span>
      </div>
    );
  }
  return (
    <div className="json-branch">
      <button
        type="button"
        className="json-fold"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'down' : 'right'} />
        {name === undefined ? null : <Name name={name} />}
        <span className="dim">{isList ? `[ ${size} ]` : `{ ${size} }`}</span>
      </button>
      {isOpen ? (
        <div className="json-inside">
          {entries.slice(0, most).map(([key, inside]) => (
            <Value key={key} name={key} value={inside} level={level + 1} />
          ))}
          {entries.length > most ? (
            <button type="button" className="link" onClick={() => setMost(most + SHOWN_MAX)}>
              {entries.length - most} more
            </button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
