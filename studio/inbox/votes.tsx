/** Who has a say in an approval, what they said, and who is still to speak. */
import type { ReactNode } from 'react';
import type { Task } from '../api/shapes.ts';
import { Ago } from '../parts/moment.tsx';
import { ruleText, type SeatState, seatStates } from './standing.ts';

const SAID = { approve: 'approves', reject: 'rejects' } as const;

export function Votes({ task }: { readonly task: Task }): ReactNode {
  const states = seatStates(task);
  const groups = Map.groupBy(states, ({ seat }) => seat.group ?? '');
  const { rule, seats = [], round = 1, submitter = null, returned = false } = task;
  return (
    <section className="stack inbox-part" aria-label="Who has a say">
      <h3>Who has a say</h3>
      <p>
        {rule === undefined ? '' : ruleText(rule, seats)}
        {round > 1 ? ` This is round ${round}.` : ''}
        {submitter === null ? '' : ` Asked for by ${submitter}.`}
        {returned ? ' It was sent back: what was said counts no more.' : ''}
      </p>
      {states.length === 0 ? (
        <p className="inbox-note tone-warn">Nobody has a say yet: reassign it to somebody.</p>
      ) : (
        [...groups].map(([group, list]) => (
          <div key={group}>
            {group === '' ? null : <p className="inbox-group">{group}</p>}
            <ul className="inbox-seats">
              {list.map((state) => (
                <SeatRow key={state.seat.name} state={state} />
              ))}
            </ul>
          </div>
        ))
      )}
    </section>
  );
}

function SeatRow({ state: { seat, vote } }: { readonly state: SeatState }): ReactNode {
  return (
    <li className="inbox-seat">
      <span className="inbox-seat-name">
        {seat.name}
        {seat.for === undefined ? null : <span className="dim"> for {seat.for}</span>}
      </span>
      {vote === null ? (
        <span className="badge tone-queue">still to speak</span>
      ) : (
        <>
          <span className={`badge tone-${vote.decision === 'approve' ? 'ok' : 'bad'}`}>
            {SAID[vote.decision]}
          </span>
          <span className="dim">
            {vote.actor === seat.name ? '' : `${vote.actor}, `}
            <Ago at={vote.at} />
          </span>
          {vote.comment === undefined ? null : <q className="inbox-quote">{vote.comment}</q>}
        </>
      )}
    </li>
  );
}
