/** What a visit was given: its item, what woke it, and on demand every value it could read. */
import { type ReactNode, useState } from 'react';
import { pathTo } from '../api/asking.ts';
import type { Instance, Json } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { JsonView } from '../parts/json-view.tsx';
import { Loading, ProblemBox } from '../parts/screen.tsx';
import { seenBy } from './seen.ts';
import type { VisitProps } from './visit-detail.tsx';

export function VisitInput({ visit, instance }: VisitProps): ReactNode {
  const [isAsked, setIsAsked] = useState(false);
  const { index, item, wake } = visit;
  const given: Record<string, Json> = { input: instance.input };
  if (index !== null) Object.assign(given, { index, item });
  if (wake !== null) given['woken by'] = { reason: wake.reason, payload: wake.payload };
  return (
    <div className="visit-part">
      <h3>Input</h3>
      <JsonView value={given} label="input" />
      {isAsked ? (
        <Variables visit={visit} instance={instance} />
      ) : (
        <div>
          <button type="button" className="button small" onClick={() => setIsAsked(true)}>
            Variables it saw
          </button>
        </div>
      )}
    </div>
  );
}

function Variables({ visit, instance }: Pick<VisitProps, 'visit' | 'instance'>): ReactNode {
  const path = pathTo('instances', instance.id, 'at', visit.bornN);
  const { value, problem } = useAsked<Instance>(path);
  if (problem !== null) return <ProblemBox problem={problem} />;
  if (value === undefined) return <Loading />;
  const { results, vars } = seenBy(visit, value);
  return (
    <>
      <h3>Variables it saw</h3>
      <JsonView value={vars} label="variables" />
      <h3>Results it saw</h3>
      <JsonView value={results} label="results" />
    </>
  );
}
