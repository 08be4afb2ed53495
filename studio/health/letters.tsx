/** Events for the world outside that no target would take, and how to have them sent once more. */
import { type ReactNode, useState } from 'react';
import { post } from '../api/asking.ts';
import { useAsked } from '../api/use-asked.ts';
import { Ago } from '../parts/moment.tsx';
import { Link, to } from '../shell/routing.tsx';
import { say, sayProblem } from '../shell/toasts.tsx';
import { Panel } from './panel.tsx';

interface Letter {
  readonly id: string;
  readonly type: string;
  readonly key: string | null;
  readonly instance: string;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly updatedAt: number;
}

interface LetterPage {
  readonly letters: readonly Letter[];
  readonly cursor: string | null;
}

const SHOWN_MAX = 100;

export function Letters({ beat }: { readonly beat: number }): ReactNode {
  const asked = useAsked<LetterPage>('/api/outbox', { status: 'dead', limit: SHOWN_MAX }, beat);
  const [isBusy, setIsBusy] = useState(false);
  const requeue = async (ids: readonly string[]): Promise<void> => {
    setIsBusy(true);
    try {
      const { requeued } = await post<{ requeued: number }>('/api/outbox/requeue', { ids });
      say(requeued === 1 ? 'It is sent once more' : `${requeued} letters are sent once more`);
    } catch (thrown) {
      sayProblem(thrown);
    } finally {
      setIsBusy(false);
      asked.reload();
    }
  };
  const letters = asked.value?.letters ?? [];
  const all = (
    <button
      type="button"
      className="button small"
      disabled={isBusy}
      onClick={() => void requeue(letters.map(({ id }) => id))}
    >
      Requeue {asked.value?.cursor === null ? 'all' : 'these'} {letters.length}
    </button>
  );
  return (
    <Panel
      title="Dead letters"
      asked={asked}
      isEmpty={(page) => page.letters.length === 0}
      empty="No letter was given up: every event for the world outside was sent, or is on its way."
      aside={letters.length > 1 ? all : null}
    >
      {(page) => (
        <LetterTable
          letters={page.letters}
          isBusy={isBusy}
          onRequeue={(id) => void requeue([id])}
        />
      )}
    </Panel>
  );
}

interface LetterTableProps {
  readonly letters: readonly Letter[];
  readonly isBusy: boolean;
  readonly onRequeue: (id: string) => void;
}

function LetterTable({ letters, isBusy, onRequeue }: LetterTableProps): ReactNode {
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">Type</th>
          <th scope="col">From</th>
          <th scope="col">What went wrong</th>
          <th scope="col">Given up</th>
          <th scope="col">
            <span className="visually-hidden">What to do</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {letters.map(({ id, type, key, instance, attempts, lastError, updatedAt }) => (
          <tr key={id}>
            <td>{type}</td>
            <td>
              <Link href={to('instances', instance)}>{key ?? instance}</Link>
            </td>
            <td>
              {lastError ?? 'nobody said'}
              <span className="dim"> · {attempts} attempts</span>
            </td>
            <td>
              <Ago at={updatedAt} />
            </td>
            <td>
              <button
                type="button"
                className="button small"
                disabled={isBusy}
                aria-label={`Requeue ${type} of ${key ?? instance}`}
                onClick={() => onRequeue(id)}
              >
                Requeue
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
