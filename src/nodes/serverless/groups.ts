/**
 * Events that belong together by their correlation keys, for a schedule that is for all of several:
 * each set of keys gathers by itself, and one that has an event of every filter is whole.
 */
import { EMPTY, type Json, type JsonObject, sameJson } from '../../base/json.ts';

/** Sets of keys that some events are missing of; of more than these the oldest is let go. */
export const GROUPS_MAX = 1_000;

/** Events of one set of keys, by the number of the filter each is for. */
interface Group {
  readonly keys: JsonObject;
  readonly events: Readonly<Record<string, Json>>;
}

export function groupsIn(stored: Json): readonly Group[] {
  return (stored ?? []) as unknown as readonly Group[];
}

/** What an event is to each filter: the keys that it has there, or null if it does not fit. */
export type Fits = readonly (JsonObject | null)[];

/**
 * What is left to be gathered with this event, of so many characters at most, and the events of its
 * group if that is whole.
 */
export function gathered(
  groups: readonly Group[],
  fits: Fits,
  value: Json,
  charsMax: number,
): { readonly left: Json; readonly whole: readonly Json[] | null } | null {
  for (const group of [...groups, { keys: EMPTY, events: {} }]) {
    const filter = fits.findIndex((keys, n) => {
      return keys !== null && !Object.hasOwn(group.events, n) && agree(keys, group.keys);
    });
    const keys = fits[filter] ?? null;
    if (keys === null) continue;
    const events: Group['events'] = { ...group.events, [filter]: value };
    const others = groups.filter((other) => other !== group);
    const isWhole = Object.keys(events).length >= fits.length;
    const more = isWhole ? [] : [{ keys: { ...group.keys, ...keys }, events }];
    const left = newest([...others, ...more], charsMax) as unknown as Json;
    // Numbers are in order in every object.
    return { left, whole: isWhole ? Object.values(events) : null };
  }
  return null;
}

function agree(keys: JsonObject, known: JsonObject): boolean {
  return Object.entries(keys).every(([name, value]) => {
    return !Object.hasOwn(known, name) || sameJson(value, known[name] as Json);
  });
}

/** As many as can be kept, from the last one back. */
function newest(groups: readonly Group[], charsMax: number): readonly Group[] {
  let chars = 2;
  const recent = groups.slice(-GROUPS_MAX);
  const tooOld = recent.findLastIndex((group) => {
    chars += JSON.stringify(group).length + 1;
    return chars > charsMax;
  });
  return recent.slice(tooOld + 1);
}
