import { expect, test } from 'vitest';
import { showMatches as show } from '../../../testing/jq-purse.ts';
import { Raised } from '../faults.ts';

type Row = readonly [text: string, pattern: string, flags: string | null, matches: string];

// What jq 1.8.2 answers.
const CLASSES: readonly Row[] = [
  ['éa_9 ٣ß', '\\w+', null, '0+4'],
  ['٣3x', '\\d+', null, '0+2'],
  ['a\u00a0\u2003 \u000b\u0085b', '\\s+', null, '1+5'],
  ['éa٣ b', '[[:alpha:]]+', null, '0+2'],
  ['éa٣ b', '[[:^alpha:]]+', null, '2+2'],
  ['a5', '[^\\D]+', null, '1+1'],
  ['a²', 'a\\w', null, '0+2'],
  ['²', '[\\w]', null, ''],
  ['aé α', '\\p{Greek}', null, '3+1'],
  ['aé1', '\\p{L}+', null, '0+2'],
  ['aé1', '\\p{^Letter}', null, '2+1'],
  ['aé1', '\\P{uppercase-letter}+', null, '0+3'],
  ['hello', '[a-z&&[^aeiou]]+', null, ''],
  ['ab-]', '[a-z[-]]+', null, '2+2'],
  ['a-z5', '[a-c-z]+', null, '0+3'],
  ['aaa-', '[a-]+', null, '0+4'],
  ['z-a5', '[[:alpha:]-z]+', null, '0+3'],
  ['aaa]', '[]a]+', null, '0+4'],
  ['aaa]b', '[^]a]+', null, '4+1'],
  ['\b', '[\\b]', null, '0+1'],
  ['[:alph', '[:alpha:]+', null, '1+5'],
  ['[a', '[[a]+', null, '0+2'],
  ['a\nb', '[^a]', null, '1+1'],
  ['a😀b', 'a[^x]b', null, '0+3'],
  ['a😀b', 'a[😀]b', null, '0+3'],
  ['h', '\\h', null, '0+1'],
];

test.each(CLASSES)(
  '%j is searched for %j (%j), classes hold what they do in jq',
  (text, pattern, flags, matches) => {
    expect(show(text, pattern, flags)).toBe(matches);
  },
);

// What jq 1.8.2 answers.
const ESCAPES: readonly Row[] = [
  ['☺', '\\x{263a}', null, '0+1'],
  ['☺', '\\xe2\\x98\\xba', null, '0+1'],
  ['é', '\\303\\251', null, '0+1'],
  ['A', '\\101', null, '0+1'],
  ['A', '\\x41', null, '0+1'],
  ['x', '\\x', null, '0+1'],
  ['\u0000g', '\\xg', null, '0+2'],
  ['ab', '\\x{61 62}', null, '0+2'],
  ['u263a', '\\u263a', null, '0+5'],
  ['\u0001', '\\cA', null, '0+1'],
  ['\u001b', '\\e', null, '0+1'],
  ['tab\t', '\\t', null, '3+1'],
  ['v', '\\v', null, '0+1'],
  ['a.b', '\\Qa.b\\E', null, '0+3'],
  ['abbb', '\\Qab\\E+', null, '0+4'],
  ['ab+b', '\\Qab+', null, '0+3'],
  ['a\r\nb', '\\R', null, '1+2'],
  ['\r\n', '\\R\\n', null, ''],
  ['ab\nc', 'b\\N', null, ''],
  ['ab\nc', 'b\\O', null, '1+2'],
  ['a\n', '(a)\\12', null, '0+2(0+1)'],
  ['-', '\\-', null, '0+1'],
  ['é', '\\é', null, '0+1'],
  ['b', '[\\x61-\\x7a]', null, '0+1'],
  ['é', '[\\xc3\\xa9]', null, '0+1'],
];

test.each(ESCAPES)(
  '%j is searched for %j (%j), escapes stand for what they do in jq',
  (text, pattern, flags, matches) => {
    expect(show(text, pattern, flags)).toBe(matches);
  },
);

// What jq 1.8.2 answers.
const PLACES: readonly Row[] = [
  ['a\nb', '^b', null, ''],
  ['a\nb', 'a$', null, ''],
  ['a\nb\n', 'b$', null, '2+1'],
  ['a\n\n', 'a$', null, ''],
  ['a\nb\n', 'b\\Z', null, '2+1'],
  ['a\nb\n', 'b\\z', null, ''],
  ['a\nb', '(?m)^b', null, '2+1'],
  ['a\nb', '(?m)a$', null, '0+1'],
  ['a\nb', '(?m:a$)', null, '0+1'],
  ['a\nb', 'a.b', null, ''],
  ['a\nb', '(?s)a.b', null, '0+3'],
  ['a\nb', 'a(?m:.)b', null, ''],
  ['aé b', 'é\\b', null, '1+1'],
  ['a\u0304 two', '.+?\\b', null, '0+2'],
  ['ab', 'a\\B', null, '0+1'],
  ['ab', '\\Ab', null, ''],
  ['a\r\n', 'a$', null, ''],
];

test.each(PLACES)(
  '%j is searched for %j (%j), places are where they are in jq',
  (text, pattern, flags, matches) => {
    expect(show(text, pattern, flags)).toBe(matches);
  },
);

const WRONG: readonly (readonly [pattern: string, reason: string])[] = [
  ['*a', 'target of repeat operator is not specified'],
  ['a|*', 'target of repeat operator is not specified'],
  ['(|*)', 'target of repeat operator is not specified'],
  ['{2}a', 'target of repeat operator is not specified'],
  ['(?i)*', 'target of repeat operator is not specified'],
  ['^*', 'target of repeat operator is invalid'],
  ['(?=a)*', 'target of repeat operator is invalid'],
  ['(?:^|b)+', 'target of repeat operator is invalid'],
  ['\\b?', 'target of repeat operator is invalid'],
  ['a{2,1}', 'upper is smaller than lower in repeat range'],
  ['a{100001}', 'too big number for repeat range'],
  ['(', 'end pattern with unmatched parenthesis'],
  ['(a', 'end pattern with unmatched parenthesis'],
  [')', 'unmatched close parenthesis'],
  ['a)', 'unmatched close parenthesis'],
  ['(?', 'end pattern in group'],
  ['(?i', 'end pattern in group'],
  ['(?#a', 'end pattern in group'],
  ['(?<', 'end pattern with unmatched parenthesis'],
  ['(?<>a)', 'group name is empty'],
  ['(?<1>a)', 'invalid group name <1>'],
  ['(?<a', 'invalid group name <a>'],
  ['(?<.b>a)', 'invalid char in group name <.b>'],
  ['(?P<n>a)', 'undefined group option'],
  ['(?z)', 'undefined group option'],
  ['[', 'premature end of char-class'],
  ['[a', 'premature end of char-class'],
  ['[]', 'empty char-class'],
  ['[^]', 'empty char-class'],
  ['[z-a]', 'empty range in char class'],
  ['[a-\\d]', 'char-class value at end of range'],
  ['[[:foo:]]', 'invalid POSIX bracket type'],
  ['\\', 'end pattern at escape'],
  ['[\\', 'end pattern at escape'],
  ['\\c', 'end pattern at control'],
  ['\\x{61', 'invalid code point value'],
  ['\\x{fffffffff}', 'too long wide-char value'],
  ['\\xe9', 'too short multibyte code string'],
  ['\\p{foo}', 'invalid character property name {foo}'],
  ['\\p{', 'end pattern with unmatched parenthesis'],
  ['\\1', 'invalid backref number/name'],
  ['(a)\\2', 'invalid backref number/name'],
  ['\\k<n>', 'undefined name <n> reference'],
  ['\\k<>', 'group name is empty'],
  ['\\k<a', 'invalid group name <a>'],
  ['(?<!', 'end pattern with unmatched parenthesis'],
];

test.each(WRONG)('the pattern %j is wrong: %s', (pattern, reason) => {
  expect(reasonOf(pattern)).toBe(`Regex failure: ${reason}`);
});

const REFUSED: readonly (readonly [pattern: string, reason: string])[] = [
  ['\\X', '\\X is not supported'],
  ['\\y', '\\y is not supported'],
  ['(?<n>a)\\g<n>', 'calls of groups are not supported'],
  ['(a)(?1)', 'calls of groups are not supported'],
  ['(a)(?(1)b|c)', 'conditions are not supported'],
  ['(?~a)', 'absent expressions are not supported'],
  ['(*FAIL)', 'callouts are not supported'],
  ['('.repeat(300) + ')'.repeat(300), 'parse depth limit over'],
  [`a${'*'.repeat(300)}`, 'parse depth limit over'],
  ['((a{1000}){1000}){1000}', 'too big: more than 5000 instructions'],
  ['(?:a?){5000}', 'too big: more than 5000 instructions'],
  ['(?:(?:(?:){1000}){1000}){1000}', 'too big: more than 5000 instructions'],
  [`${'(?<n>a)'.repeat(40)}\\k<n>`, 'too big: more than 32 groups of one name'],
];

test.each(REFUSED)('the pattern %s is refused, though jq has it: %s', (pattern, reason) => {
  expect(reasonOf(pattern)).toBe(`Regex failure: ${reason}`);
});

function reasonOf(pattern: string): unknown {
  try {
    return show('aaa', pattern, null);
  } catch (thrown) {
    return thrown instanceof Raised ? thrown.value : thrown;
  }
}

test('a letter is the same in any case, also where there are three', () => {
  for (const orbit of [
    'kK\u212a',
    'sS\u017f',
    'σςΣ',
    'åÅ\u212b',
    'ǆǅǄ',
    'éÉ',
    'яЯ',
    '\u{10400}\u{10428}',
  ]) {
    for (const one of orbit) {
      for (const other of orbit) expect(show(other, one, 'i')).toBe('0+1');
    }
  }
  for (const [one, other] of ['iı', 'Iİ', 'eé', 'ßs'].map((pair) => Array.from(pair))) {
    expect(show(other ?? '', one ?? '', 'i')).toBe('');
  }
});
