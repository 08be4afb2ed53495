/** One visit in full, by itself: below the timeline, and below its row among the visits. */
import { type ReactNode, useId } from 'react';
import { Icon } from '../parts/icon.tsx';
import { StatusBadge } from '../parts/status.tsx';
import type { PanelProps } from './panel-props.ts';
import { visitName } from './timeline-words.ts';
import { statusOf, type Visit } from './visit.ts';
import { VisitDetail } from './visit-detail.tsx';

interface CardProps extends PanelProps {
  readonly visit: Visit;
  readonly onClose: () => void;
}

export function VisitCard(props: CardProps): ReactNode {
  const { visit, onClose } = props;
  const heading = useId();
  return (
    <section className="card padded stack" aria-labelledby={heading}>
      <div className="row between">
        <div className="row">
          <h2 id={heading}>{visitName(visit)}</h2>
          <StatusBadge status={statusOf(visit)} />
        </div>
        <button
          type="button"
          className="button quiet icon-only"
          aria-label="Close the visit"
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      <VisitDetail {...props} />
    </section>
  );
}
