/**
 * Which texts of a definition are expressions.
 *
 * Where a value is expected, a text is one if all of it is `${ … }`; any other is just text. The
 * brace at the end has to be the one that closes the first: `${ .a } and ${ .b }` begins and ends
 * like an expression and is none. So jq's own braces, strings and comments are stepped over; of
 * what never closes, whoever compiles it has more to say.
 */

const OPENING = '${';

/** The jq inside of `${ … }`, if that is all there is to the text. */
export function expressionIn(text: string): string | undefined {
  const whole = text.trim();
  if (!whole.startsWith(OPENING) || !whole.endsWith('}')) return undefined;
  if (whole.length <= OPENING.length + 1) return undefined;
  const end = closingBrace(whole, OPENING.length) ?? whole.length - 1;
  return end === whole.length - 1 ? whole.slice(OPENING.length, -1) : undefined;
}

/** Whether there is an expression in the text with something else around it. */
export function hasExpressionWithin(text: string): boolean {
  return /\$\{[^]*\}/.test(text) && expressionIn(text) === undefined;
}

/** Where what was opened before `from` is closed; undefined if it never is. */
function closingBrace(text: string, from: number): number | undefined {
  // What is open, innermost last: braces and parentheses of jq, and strings of it.
  const open = ['{'];
  for (let at = from; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (open.at(-1) === '"') {
      if (letter === '"') open.pop();
      if (letter !== '\\') continue;
      at += 1;
      if (text.charAt(at) === '(') open.push('(');
    } else if (letter === '#') {
      const line = text.indexOf('\n', at);
      if (line < 0) return undefined;
      at = line;
    } else if (letter === '"' || letter === '{' || letter === '(') {
      open.push(letter);
    } else if (letter === '}' || letter === ')') {
      open.pop();
      if (open.length === 0) return at;
    }
  }
  return undefined;
}
