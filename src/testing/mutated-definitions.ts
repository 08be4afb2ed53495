/** Definitions with a mistake or two, made by chance from sound ones: one for each seed. */
import type { Json, JsonObject } from '../base/json.ts';
import { Dice } from './dice.ts';

/** A place in a value: what it lies in, and under which key. */
interface Slot {
  readonly holder: Record<string, Json> | Json[];
  readonly key: string;
}

const VALUES: readonly Json[] = [
  ...[null, true, false, 0, -1, 1.5, 99_999, '', ' ', 'text', 'a b:c', '${ .a }', '.a', 'PT1S'],
  ...['${\n.a\n}', 'https://example.com', 'end', '1.0.0', [], {}, [1], { a: 1 }, [{ a: 'b' }]],
];

/** What sound definitions have under each key. */
export type Vocabulary = ReadonlyMap<string, readonly Json[]>;

export function vocabularyOf(definitions: readonly Json[]): Vocabulary {
  const words = new Map<string, Json[]>();
  for (const definition of definitions) {
    for (const { holder, key } of slotsOf(definition)) {
      if (Array.isArray(holder)) continue;
      const found = words.get(key) ?? [];
      words.set(key, [...found, holder[key] ?? null]);
    }
  }
  return words;
}

/** The definition with one to three changes. */
export function mutated(definition: Json, seed: number, words: Vocabulary): Json {
  const dice = new Dice(seed);
  const copy = structuredClone(definition);
  for (let left = 1 + dice.roll(3); left > 0; left -= 1) mutate(dice, copy, words);
  return copy;
}

function mutate(dice: Dice, whole: Json, words: Vocabulary): void {
  const slots = slotsOf(whole);
  if (slots.length === 0) return;
  const { holder, key } = dice.pick(slots);
  const value = Reflect.get(holder, key) as Json;
  const put = (one: Json): void => void Reflect.set(holder, key, structuredClone(one));
  switch (dice.roll(9)) {
    case 0:
      remove({ holder, key });
      return;
    case 1:
      if (Array.isArray(holder)) return;
      remove({ holder, key });
      holder[misspelt(dice, key)] = value;
      return;
    case 2:
      put(dice.pick(VALUES));
      return;
    case 3:
      put(dice.pick(words.get(key) ?? VALUES));
      return;
    case 4:
      put([value]);
      return;
    case 5:
      put({ [dice.pick([...words.keys()])]: value });
      return;
    default:
      addTo(dice, value, words);
  }
}

/** One more property, mostly one that the language has somewhere. */
function addTo(dice: Dice, value: Json, words: Vocabulary): void {
  if (Array.isArray(value)) {
    (value as Json[]).push(structuredClone(dice.pick(VALUES)));
  } else if (typeof value === 'object' && value !== null) {
    const key = dice.pick([...words.keys(), 'unknown']);
    const known = words.get(key) ?? VALUES;
    (value as Record<string, Json>)[key] = structuredClone(dice.pick(known));
  }
}

function remove({ holder, key }: Slot): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function misspelt(dice: Dice, key: string): string {
  const at = dice.roll(key.length + 1);
  return dice.roll(2) === 0 ? `${key.slice(0, at)}${key.slice(at + 1)}` : `${key}${key.at(-1)}`;
}

function slotsOf(whole: Json): readonly Slot[] {
  const slots: Slot[] = [];
  const open: Json[] = [whole];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    for (const [key, part] of Object.entries(one as JsonObject)) {
      slots.push({ holder: one as Record<string, Json>, key });
      open.push(part);
    }
  }
  return slots;
}
