/** What nothing will move by itself: flows that are suspended, and work that nobody can take. */
import type { ReactNode } from 'react';
import type { InstancePage } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { Icon } from '../parts/icon.tsx';
import { Ago } from '../parts/moment.tsx';
import { Link, to } from '../shell/routing.tsx';
import { missingIn } from './missing.ts';

const LOOKED_AT = 200;
const NAMED_MAX = 5;

export function Unserved({ beat }: { readonly beat: number }): ReactNode {
  const query = { status: ['running', 'compensating'], limit: LOOKED_AT };
  const { value } = useAsked<InstancePage>('/api/instances', query, beat);
  const missing = missingIn(value?.instances ?? []);
  if (missing.length === 0) return null;
  return (
    <section className="health-alert tone-bad" aria-labelledby="health-unserved">
      <Icon name="warn" />
      <div>
        <h2 id="health-unserved">Work that nobody can take</h2>
        <p>No worker that is there has these handlers. Start a program that has them.</p>
        <ul>
          {missing.map(({ handler, instances }) => (
            <li key={handler}>
              <code>{handler}</code>: <Ids ids={instances} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Ids({ ids }: { readonly ids: readonly string[] }): ReactNode {
  return (
    <>
      {ids.slice(0, NAMED_MAX).map((id, index) => (
        <span key={id}>
          {index === 0 ? '' : ', '}
          <Link href={to('instances', id)}>{id}</Link>
        </span>
      ))}
      {ids.length > NAMED_MAX ? ` and ${ids.length - NAMED_MAX} more` : ''}
    </>
  );
}

interface Halt {
  readonly flow: string;
  readonly version: number;
  readonly suspended: boolean;
  readonly at: number;
  readonly by: string | null;
  readonly why: string | null;
}

export function Halts({ beat }: { readonly beat: number }): ReactNode {
  const { value } = useAsked<{ readonly halts: readonly Halt[] }>('/api/halts', {}, beat);
  const halts = value?.halts ?? [];
  if (halts.length === 0) return null;
  return (
    <section className="health-alert tone-queue" aria-labelledby="health-halts">
      <Icon name="pause" />
      <div>
        <h2 id="health-halts">Said of whole flows</h2>
        <ul>
          {halts.map((halt) => (
            <li key={`${halt.flow} ${halt.version}`}>
              {haltText(halt)} <Ago at={halt.at} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function haltText({ flow, version, suspended, by, why }: Halt): string {
  const which = flow === '*' ? 'Every flow' : version === 0 ? flow : `${flow} version ${version}`;
  const what = suspended ? 'is suspended' : 'goes on';
  return `${which} ${what}${by === null ? '' : `, says ${by}`}${why === null ? '' : ` (${why})`},`;
}
