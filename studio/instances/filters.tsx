/** Everything that can be asked for, as fields; and what is asked for, as chips to take away. */
import { type ReactNode, useId } from 'react';
import type { Definition } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { Icon } from '../parts/icon.tsx';
import { Keep } from './keep.tsx';
import { EVERYTHING, type Sought, spanOf } from './sought.ts';
import { SpanField } from './span-field.tsx';
import { chipsOf } from './words.ts';

export interface SeekProps {
  readonly sought: Sought;
  readonly onSeek: (sought: Sought) => void;
}

export function Filters({ sought, onSeek }: SeekProps): ReactNode {
  const change = (patch: Partial<Sought>): void => onSeek({ ...sought, ...patch });
  const text = (name: 'key' | 'tenant' | 'error' | 'errorNode' | 'errorContains') => ({
    value: sought[name] ?? '',
    onKeep: (value: string) => change({ [name]: value === '' ? null : value }),
  });
  return (
    <div className="filters">
      <FlowFields sought={sought} onSeek={onSeek} />
      <Keep label="Business key" placeholder="order-42" {...text('key')} />
      <SpanField label="Started" value={sought.created} onKeep={(created) => change({ created })} />
      <SpanField label="Ended" value={sought.ended} onKeep={(ended) => change({ ended })} />
      <Keep label="Error code" placeholder="bank.*" {...text('error')} />
      <Keep label="Error at node" placeholder="charge" {...text('errorNode')} />
      <Keep label="Error says" placeholder="declined" {...text('errorContains')} />
      <Keep
        label="Attribute"
        placeholder="sku=A1"
        value={sought.attribute[0] ?? ''}
        check={(value) => (value.indexOf('=') > 0 ? null : 'An attribute is name=value.')}
        onKeep={(value) =>
          change({
            attribute: [...(value === '' ? [] : [value]), ...sought.attribute.slice(1)],
          })
        }
      />
      <Keep label="Tenant" placeholder="any" {...text('tenant')} />
      <label className="row filter-check">
        <input
          type="checkbox"
          checked={sought.stalled}
          onChange={(event) => change({ stalled: event.target.checked })}
        />
        Stalled only
      </label>
    </div>
  );
}

function FlowFields({ sought, onSeek }: SeekProps): ReactNode {
  const { value } = useAsked<{ definitions: readonly Definition[] }>('/api/definitions');
  const definitions = value?.definitions ?? [];
  const known = definitions.map(({ name }) => name);
  const names = [...new Set([...known, ...(sought.flow === null ? [] : [sought.flow])])];
  const versions = definitions.flatMap(({ name, version }) =>
    name === sought.flow ? [version] : [],
  );
  const shown = [...new Set([...versions, ...(sought.version === null ? [] : [sought.version])])];
  return (
    <>
      <Choice
        label="Flow"
        value={sought.flow ?? ''}
        choices={names.toSorted()}
        onChoose={(flow) => onSeek({ ...sought, flow: flow === '' ? null : flow, version: null })}
      />
      <Choice
        label="Version"
        value={sought.version === null ? '' : String(sought.version)}
        choices={shown.toSorted((a, b) => b - a).map(String)}
        onChoose={(version) =>
          onSeek({ ...sought, version: version === '' ? null : Number(version) })
        }
      />
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly onChoose: (choice: string) => void;
}

function Choice({ label, value, choices, onChoose }: ChoiceProps): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.target.value)}>
        <option value="">any</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Statuses have buttons of their own. */
export function Chips({ sought, onSeek }: SeekProps): ReactNode {
  const chips = chipsOf(sought).filter(({ label }) => label !== 'status');
  if (chips.length === 0) return null;
  return (
    <ul className="row chips" aria-label="What is looked for">
      {chips.map(({ label, text, without }) => (
        <li key={`${label} ${text}`} className={`chip${isOdd(label, text) ? ' chip-odd' : ''}`}>
          <span>
            {label.endsWith('=') ? label : `${label}: `}
            <b>{text}</b>
          </span>
          <button
            type="button"
            className="chip-drop"
            aria-label={`No longer look for ${label} ${text}`}
            onClick={() => onSeek(without)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="link" onClick={() => onSeek(EVERYTHING)}>
          Clear
        </button>
      </li>
    </ul>
  );
}

/** An address that somebody wrote may say a time that is none: it is crossed out, and not asked. */
function isOdd(label: string, text: string): boolean {
  return (label === 'created' || label === 'ended') && spanOf(text, 0) === null;
}
