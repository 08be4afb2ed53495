/** The business key of a start: what the instance is known by outside, and what if one has it. */
import { type ReactNode, useId } from 'react';
import { FieldFrame, spoken } from '../parts/field-frame.tsx';

export interface Keyed {
  readonly key: string;
  readonly onConflict: 'fail' | 'existing';
}

export function StartKey(props: {
  readonly keyed: Keyed;
  readonly onChange: (keyed: Keyed) => void;
  readonly problem: string | null;
}): ReactNode {
  const { keyed, onChange, problem } = props;
  const id = useId();
  const problems = problem === null ? [] : [problem];
  const hint = 'Optional. At most one open instance of this flow has it.';
  return (
    <div className="start-key">
      <FieldFrame id={id} label="Business key" hint={hint} problems={problems}>
        <input
          {...spoken(id, hint, problems)}
          type="text"
          autoComplete="off"
          placeholder="order-42"
          value={keyed.key}
          onChange={({ target }) => onChange({ ...keyed, key: target.value })}
        />
      </FieldFrame>
      {keyed.key.trim() === '' ? null : (
        <FieldFrame id={`${id}-else`} label="If one has it already" hint={null} problems={[]}>
          <select
            id={`${id}-else`}
            value={keyed.onConflict}
            onChange={({ target }) =>
              onChange({ ...keyed, onConflict: target.value as Keyed['onConflict'] })
            }
          >
            <option value="fail">Refuse to start</option>
            <option value="existing">Go to that one</option>
          </select>
        </FieldFrame>
      )}
    </div>
  );
}
