/** Which two: any ids, with those of the same flow as suggestions. */
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { pathTo } from '../api/asking.ts';
import type { InstancePage, InstanceSummary } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { agoText, useNow } from '../parts/moment.tsx';

interface PickProps {
  readonly a: string;
  readonly b: string;
  readonly onPick: (picked: { readonly a: string; readonly b: string }) => void;
}

const SUGGESTED = 20;

export function ComparePick({ a, b, onPick }: PickProps): ReactNode {
  const [typed, setTyped] = useState({ a, b });
  const suggestions = useSuggestions(a === '' ? b : a);
  const list = useId();
  const now = useNow();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onPick({ a: typed.a.trim(), b: typed.b.trim() });
  };
  return (
    <form className="card padded compare-pick" onSubmit={submit}>
      {(['a', 'b'] as const).map((side) => (
        <label key={side} className="field">
          <span>Instance {side.toUpperCase()}</span>
          <input
            value={typed[side]}
            list={list}
            placeholder="its id"
            className="mono"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTyped({ ...typed, [side]: target.value })}
          />
        </label>
      ))}
      <button type="submit" className="button primary">
        Compare
      </button>
      <datalist id={list}>
        {suggestions.map((one) => (
          <option key={one.id} value={one.id}>
            {suggestionText(one, now)}
          </option>
        ))}
      </datalist>
    </form>
  );
}

/** The newest of the flow of the one that is known; of any flow, if none is. */
function useSuggestions(known: string): readonly InstanceSummary[] {
  const asked = known === '' ? null : pathTo('instances', known);
  const one = useAsked<{ readonly flow: string }>(asked);
  const isReady = known === '' || one.value !== undefined || one.problem !== null;
  const flow = one.value?.flow ?? null;
  const list = useAsked<InstancePage>(isReady ? pathTo('instances') : null, {
    ...{ flow, limit: SUGGESTED },
  });
  return (list.value?.instances ?? []).filter(({ id }) => id !== known);
}

function suggestionText({ key, flow, status, createdAt }: InstanceSummary, now: number): string {
  return [key ?? flow, status, agoText(createdAt, now)].join(' · ');
}
