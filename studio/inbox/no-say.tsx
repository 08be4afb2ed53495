/** Why whoever one is cannot do it, who can, and how to be them. */
import type { ReactNode } from 'react';
import type { Task } from '../api/shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { setMe } from '../shell/me.ts';
import { usePerson } from './person.ts';
import { type Person, type Standing, stands } from './standing.ts';

const SHOWN_MAX = 8;

export interface NoSayProps {
  readonly task: Task;
  readonly standing: Standing;
}

export function NoSay({ task, standing }: NoSayProps): ReactNode {
  const person = usePerson();
  if (task.suspended) {
    return (
      <p className="inbox-note tone-queue">
        Its instance is suspended: nothing can be done with it until that goes on.
      </p>
    );
  }
  if (standing.why === null) return null;
  return (
    <div className="inbox-note tone-warn">
      <Icon name="info" />
      <div className="stack">
        <p>{standing.why}</p>
        <div className="row">
          {stands(task, person)
            .slice(0, SHOWN_MAX)
            .map((who) => (
              <button
                key={nameOf(who)}
                type="button"
                className="button small"
                onClick={() => setMe({ actor: who.actor, groups: who.groups })}
              >
                Act as {nameOf(who)}
              </button>
            ))}
        </div>
      </div>
    </div>
  );
}

function nameOf({ actor, groups }: Person): string {
  return groups.length === 0 ? actor : `${actor} of ${groups.join(', ')}`;
}
