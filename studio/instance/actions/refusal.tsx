/** Why an action was refused: in the words of the engine, with every reason that it gives. */
import { type ReactNode, useEffect, useRef } from 'react';
import type { Problem } from '../../api/asking.ts';
import { ProblemBox } from '../../parts/screen.tsx';

export function Refusal({ problem }: { readonly problem: Problem }): ReactNode {
  const reasons = reasonsIn(problem.details);
  const box = useRef<HTMLDivElement>(null);
  // Below many fields it would not be seen.
  useEffect(() => void box.current?.scrollIntoView({ block: 'nearest' }), [problem]);
  return (
    <div ref={box} className="stack">
      <ProblemBox problem={problem} />
      {reasons.length === 0 ? null : (
        <ul className="told">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Details are lists of texts or of things with a message; whatever else is there is left out. */
function reasonsIn(details: Readonly<Record<string, unknown>>): readonly string[] {
  const lists = Object.values(details).filter((value) => Array.isArray(value)) as unknown[][];
  return lists.flat().flatMap((one) => {
    if (typeof one === 'string') return [one];
    const { message, node } = Object(one) as Record<string, unknown>;
    if (typeof message !== 'string') return [];
    return [typeof node === 'string' ? `${node}: ${message}` : message];
  });
}
