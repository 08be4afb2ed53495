/** When a schedule fires, in the words in which it was said. */
import type { JsonObject } from '../api/shapes.ts';
import { spanText } from '../parts/moment.tsx';

export function whenText(spec: JsonObject | null): string {
  const { cron, timezone, every } = spec ?? {};
  if (typeof cron === 'string') {
    return typeof timezone === 'string' ? `${cron} (${timezone})` : cron;
  }
  if (typeof every === 'number') return `every ${spanText(every)}`;
  return 'said in a way that this version cannot read';
}
