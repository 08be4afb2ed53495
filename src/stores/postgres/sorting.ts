/** What the database answers, in the order in which the port promises it. */
import type { Row } from '../rows.ts';

/** The order of claims; an update answers in whatever order it comes by. */
export function byUrgency(a: Row, b: Row): number {
  const urgency = Number(b.priority) - Number(a.priority);
  if (urgency !== 0) return urgency;
  const time = Number(a.available_at) - Number(b.available_at);
  if (time !== 0) return time;
  if (a.instance_id !== b.instance_id)
    return String(a.instance_id) < String(b.instance_id) ? -1 : 1;
  return Number(a.id) - Number(b.id);
}
