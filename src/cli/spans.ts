/** Times as people read them. */
import { spanText } from '../base/span-text.ts';

export { spanText };

/** A moment, to the second. */
export function momentText(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The time of day of a moment, to the second. */
export function clockText(at: number): string {
  return momentText(at).slice(11);
}

/** The day of a moment. */
export function dayText(at: number): string {
  return momentText(at).slice(0, 10);
}

/** How long ago or until then. */
export function agoText(at: number, now: number): string {
  return at <= now ? `${spanText(now - at)} ago` : `in ${spanText(at - now)}`;
}
