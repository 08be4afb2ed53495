/** Which words of a line of a definition are what: enough to read it well, and no parser. */
export type WordKind = 'plain' | 'text' | 'number' | 'name' | 'keyword' | 'comment';

export interface Word {
  readonly kind: WordKind;
  readonly text: string;
}

export type CodeLanguage = 'typescript' | 'javascript' | 'serverless' | 'flowchart' | 'json';

const KEYWORDS =
  'import|from|export|const|let|return|if|else|async|await|new|function|type|interface|throw|for|' +
  'of|in|true|false|null|undefined|as|readonly|class|extends|try|catch';

const CODE = new RegExp(
  [
    '(?<comment>//.*|/\\*.*?(?:\\*/|$)|^\\s*\\*.*)',
    '(?<text>\'(?:[^\'\\\\]|\\\\.)*\'?|"(?:[^"\\\\]|\\\\.)*"?|`(?:[^`\\\\]|\\\\.)*`?)',
    `(?<keyword>\\b(?:${KEYWORDS})\\b)`,
    '(?<name>(?<=\\.)[a-zA-Z]\\w*(?=\\())',
    '(?<number>\\b\\d[\\d_.]*\\b)',
  ].join('|'),
  'g',
);

const DATA = new RegExp(
  [
    '(?<comment>(?:^|(?<=\\s))#.*)',
    '(?<name>"(?:[^"\\\\]|\\\\.)*"(?=\\s*:)|[\\w$.-]+(?=:(?:\\s|$)))',
    '(?<text>\'[^\']*\'?|"(?:[^"\\\\]|\\\\.)*"?|\\$\\{.*?\\})',
    '(?<keyword>\\b(?:true|false|null)\\b)',
    '(?<number>(?<![\\w.])-?\\d+(?:\\.\\d+)*\\b)',
  ].join('|'),
  'g',
);

/** Longer lines are not written by people. */
const LINE_MAX = 2_000;

export function wordsOf(line: string, language: CodeLanguage): readonly Word[] {
  if (line.length > LINE_MAX) return [{ kind: 'plain', text: line }];
  const isCode = language === 'typescript' || language === 'javascript';
  const words: Word[] = [];
  let at = 0;
  for (const found of line.matchAll(isCode ? CODE : DATA)) {
    if (found.index > at) words.push({ kind: 'plain', text: line.slice(at, found.index) });
    const [kind] = Object.entries(found.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    words.push({ kind: (kind ?? 'plain') as WordKind, text: found[0] });
    at = found.index + found[0].length;
  }
  if (at < line.length) words.push({ kind: 'plain', text: line.slice(at) });
  return words;
}
