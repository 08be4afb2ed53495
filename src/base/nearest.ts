/** "Did you mean": which of the known words was meant by one that is misspelt, if that shows. */

/** A word of which more than a third is wrong is another word. */
const WRONG_PART_MAX = 1 / 3;

export function nearest(word: string, known: readonly string[]): string | undefined {
  const said = word.toLowerCase();
  const most = Math.max(1, Math.floor(word.length * WRONG_PART_MAX));
  let best: { readonly one: string; readonly wrong: number } | undefined;
  for (const one of known) {
    // So many letters are missing or too many, whatever the others are.
    if (Math.abs(one.length - word.length) > most) continue;
    const wrong = edits(said, one.toLowerCase());
    if (wrong <= most && wrong < (best?.wrong ?? Infinity)) best = { one, wrong };
  }
  return best?.one;
}

/** More words than this are of no help in a sentence. */
const SHOWN_MAX = 12;

/** As the end of a sentence: the word that was meant, or some of those there are. */
export function meant(word: string, known: readonly string[]): string {
  const one = nearest(word, known);
  if (one !== undefined) return `did you mean "${one}"?`;
  return `there ${known.length === 1 ? 'is' : 'are'} ${shown(known)}`;
}

function shown(words: readonly string[]): string {
  const more = words.length - SHOWN_MAX;
  const some = words.slice(0, SHOWN_MAX).join(', ') || 'none';
  return more > 0 ? `${some}, and ${more} more` : some;
}

/** Letters to be added, left out or replaced, and neighbours that have changed places. */
function edits(from: string, to: string): number {
  const a = Array.from(from);
  const b = Array.from(to);
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (const [row, letter] of a.entries()) {
    const line = [row + 1];
    rows.push(line);
    for (const [column, other] of b.entries()) {
      const kept = at(row, column) + Number(letter !== other);
      const swapped = letter === b[column - 1] && a[row - 1] === other;
      const turned = swapped ? at(row - 1, column - 1) + 1 : kept;
      line.push(Math.min(kept, turned, at(row, column + 1) + 1, at(row + 1, column) + 1));
    }
  }
  return at(a.length, b.length);
}
