import { expect, test } from 'vitest';
import { showMatches as show } from '../../../testing/jq-purse.ts';
import { JQ_BUDGET_DEFAULT, Meter } from '../budget.ts';
import { Raised } from '../faults.ts';
import {
  CACHED_REGEXES_MAX,
  matchAll,
  PATTERN_CHARS_MAX,
  RegexCache,
  type RegexMatch,
  testRegex,
} from './regex.ts';

type Row = readonly [text: string, pattern: string, flags: string | null, matches: string];

// What jq 1.8.2 answers.
const FIRST: readonly Row[] = [
  ['foobar', 'o+', null, '1+2'],
  ['foobar', 'x', null, ''],
  ['', 'a*', null, '0+0'],
  ['aab', 'a|ab|aab', null, '0+1'],
  ['aab', 'aab|a', null, '0+3'],
  ['abcd', '(a|ab)(c|bcd)', null, '0+4(0+1 1+3)'],
  ['aaa', 'a+?', null, '0+1'],
  ['aaa', 'a??', null, '0+0'],
  ['aaaa', 'a{2}', null, '0+2'],
  ['aaaa', 'a{2,}', null, '0+4'],
  ['aaaa', 'a{1,3}?', null, '0+1'],
  ['aaaa', 'a{0}', null, '0+0'],
  ['a{,2}', 'a{,2}', null, '0+5'],
  ['a{x}', 'a{x}', null, '0+4'],
  ['aaa', 'a**', null, '0+3'],
  ['aaaa', 'a{2}{2}', null, '0+4'],
  ['aaaaa', 'a{1,2}+a', null, '0+3'],
  ['aaa', 'a++a', null, ''],
  ['aaa', 'a?+a', null, '0+2'],
  ['aaa', 'a*+', null, '0+3'],
  ['aab', '(?>a|aa)b', null, '1+2'],
  ['aab', '(?>aa|a)b', null, '0+3'],
  ['abab', '(?>a(?:b|))b', null, ''],
  ['ab', '|a', null, '0+0'],
  ['b', 'a||b', null, '0+0'],
  ['ab', 'a\\Kb', null, '1+1'],
];

test.each(FIRST)(
  '%j is searched for %j (%j), the first way that fits counts',
  (text, pattern, flags, matches) => {
    expect(show(text, pattern, flags)).toBe(matches);
  },
);

// What jq 1.8.2 answers.
const GROUPS: readonly Row[] = [
  ['foo bar foo foo  foo', 'foo (?<bar123>bar)? foo', 'ig', '0+11(bar123:4+3) 12+8(bar123:-)'],
  ['abab', '(?:(a)|b)*', null, '0+4(2+1)'],
  ['abc', '(?:(a)|(b)|(c))*', null, '0+3(0+1 1+1 2+1)'],
  ['aba', '(?:a(b)?)*', null, '0+3(1+1)'],
  ['ab', '(|a)*', null, '0+0(0+0)'],
  ['ab', '(a|)*', null, '0+1(1+0)'],
  ['b', '(a|b*)*', null, '0+1(1+0)'],
  ['aab', '(a??)*b', null, '0+3(2+0)'],
  ['aab', '((a??)*?)*b', null, '0+3(2+0 1+1)'],
  ['aab', '((a*)*)*b', null, '0+3(2+0 2+0)'],
  ['aab', '(|a)*?b', null, '0+3(1+1)'],
  ['ab', '(a|){3}', null, '0+1(1+0)'],
  ['aab', '(\\b|a)*b', null, '0+3(1+1)'],
  ['aaa', '(a)*?a', null, '0+1(-)'],
  ['ab', '(|a)??', null, '0+0(-)'],
  ['foobar', '(o+)(?<n>b)', null, '1+3(1+2 n:3+1)'],
  ['foobar', '(?<n>o+)(?<n>b)', null, '1+3(n:1+2 n:3+1)'],
  ['éxaab', '()a()', null, '2+1(2+0 3+0)'],
  ['xyz', '(x)|(y)|(z)', 'g', '0+1(0+1 - -) 1+1(- 1+1 -) 2+1(- - 2+1)'],
];

test.each(GROUPS)(
  '%j is searched for %j (%j), groups keep what they matched last',
  (text, pattern, flags, matches) => {
    expect(show(text, pattern, flags)).toBe(matches);
  },
);

// What jq 1.8.2 answers.
const AROUND: readonly Row[] = [
  ['aab', 'a+(?=b)', null, '0+2'],
  ['aab', 'a(?!a)', null, '1+1'],
  ['aab', '(?<=a)b', null, '2+1'],
  ['aab', '(?<!a)b', null, ''],
  ['aab', '(?<=a+)b', null, '2+1'],
  ['abac', '(?<=ab|ba)c', null, '3+1'],
  ['abc', '(?<=(?<x>a)b)c', null, '2+1(x:0+1)'],
  ['aab', '(?!(a)b)a', null, '0+1(-)'],
  ['aab', '(?=(a+))a', null, '0+1(0+2)'],
  ['Passw0rd', '^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d).{8,}$', null, '0+8'],
  ['ac', '(?<=^a)c', null, '1+1'],
  ['ac', '(?<=.*)c', null, '1+1'],
  ['😀😀', '(?<=😀)😀', null, '1+1'],
];

test.each(AROUND)(
  '%j is searched for %j (%j), looking around takes nothing',
  (text, pattern, flags, matches) => {
    expect(show(text, pattern, flags)).toBe(matches);
  },
);

// What jq 1.8.2 answers.
const BACK: readonly Row[] = [
  ['abcabc', '(abc)\\1', null, '0+6(0+3)'],
  ['abcABC', '(abc)\\1', 'i', '0+6(0+3)'],
  ['ba', '(?:(a)|b)\\1', null, ''],
  ['aba', '(?<x>a)(?<x>b)\\k<x>', null, '0+3(x:0+1 x:1+1)'],
  ['abba', '(?<x>a)(?<x>b)\\k<x>', null, '0+3(x:0+1 x:1+1)'],
  ['aba', '(a)(b)\\k<-2>', null, '0+3(0+1 1+1)'],
  ['aa', "(?<n>a)\\k'n'", null, '0+2(n:0+1)'],
  ['aa', '(a\\1?)+', null, '0+2(1+1)'],
  ['aab', '\\1(a)', null, ''],
];

test.each(BACK)(
  '%j is searched for %j (%j), a reference is to what a group matched',
  (text, pattern, flags, matches) => {
    expect(show(text, pattern, flags)).toBe(matches);
  },
);

// What jq 1.8.2 answers.
const FLAGS: readonly Row[] = [
  ['aBc', 'B', 'i', '1+1'],
  ['éÉ', 'É+', 'i', '0+2'],
  ['ſK', '[a-z]+', 'i', '0+2'],
  ['K', 'k', 'i', '0+1'],
  ['Σσς', 'σ+', 'i', '0+3'],
  ['ẞ', 'ß', 'i', '0+1'],
  ['a', '[^A]', 'i', ''],
  ['é', '\\p{Lu}', 'i', ''],
  ['é', '[[:upper:]]', 'i', '0+1'],
  ['ab', 'a b # c\n', 'x', '0+2'],
  ['a b', 'a\\ b', 'x', '0+3'],
  ['a b', 'a[ ]b', 'x', '0+3'],
  ['aa', 'a +', 'x', '0+2'],
  ['a\nb', 'a.b', 'p', '0+3'],
  ['a\nb', 'a.b', 's', ''],
  ['a\nb', '^b', 's', ''],
  ['abc', '', 'n', ''],
  ['axxb', 'x*', 'gn', '1+2'],
  ['ab', 'a|ab', 'l', '0+2'],
  ['abaa', 'a+', 'l', '2+2'],
  ['11b', 'b?', 'gl', '2+1 3+0'],
  ['fOO', 'f(?i)oo', null, '0+3'],
  ['abC', '(a(?i)B)c', null, ''],
  ['B', 'a(?i)x|b', null, '0+1'],
  ['aBC', '(?i)b(?-i)c', null, ''],
  ['ab c', '(?x: a b ) c', null, '0+4'],
  ['foo', 'f(?#comment)oo', null, '0+3'],
  ['aaa', 'a', 'gg', '0+1 1+1 2+1'],
  ['ab', '(?im-s:A)', null, '0+1'],
];

test.each(FLAGS)(
  '%j is searched for %j (%j), flags and switches count',
  (text, pattern, flags, matches) => {
    expect(show(text, pattern, flags)).toBe(matches);
  },
);

// What jq 1.8.2 answers.
const ALL: readonly Row[] = [
  ['abc', '', 'g', '0+0 1+0 2+0 3+0'],
  ['', '', 'g', '0+0'],
  ['axxb', 'x*', 'g', '0+0 1+2 3+0 4+0'],
  ['aab', 'a|', 'g', '0+1 1+1 2+0 3+0'],
  ['aab', '|a', 'g', '0+0 1+0 2+0 3+0'],
  ['aab', '(?=a)', 'g', '0+0 1+0'],
  ['aab\n', '$', 'g', '3+0 4+0'],
  ['aab', '^a', 'g', '0+1'],
  ['aaab', '\\Ga', 'g', '0+1 1+1 2+1'],
  ['ab', '\\A|\\z', 'g', '0+0 2+0'],
  ['aé a', 'a', 'g', '0+1 3+1'],
  ['👨a👨b', '.', 'g', '0+1 1+1 2+1 3+1'],
  ['aa', 'a\\K', 'g', '1+0'],
  ['aa\naa\n', '(?m)^', 'g', '0+0 3+0'],
  ['aa\naa\n', '(?m)$', 'g', '2+0 5+0 6+0'],
  ['ab, cd,ef', '[a-z]+', 'g', '0+2 4+2 7+2'],
  ['xaab', '(?=(a+)(b)?(c)?)', 'g', '1+0(1+0 1+0 -) 2+0(2+0 2+0 -)'],
  ['éxaab', '(?<=(é)x)', null, '2+0(2+0)'],
  ['ā bar with', 'bar', null, '2+3'],
  ['ssß', 's', 'g', '0+1 1+1'],
];

test.each(ALL)(
  '%j is searched for %j (%j), and then from where the match ended',
  (text, pattern, flags, matches) => {
    expect(show(text, pattern, flags)).toBe(matches);
  },
);

/** What is raised. */
function reasonOf(what: () => unknown): unknown {
  try {
    return what();
  } catch (thrown) {
    return thrown instanceof Raised ? thrown.value : thrown;
  }
}

function run<T>(what: (cache: RegexCache, meter: Meter) => T): T {
  const meter = new Meter();
  meter.begin(JQ_BUDGET_DEFAULT);
  return what(new RegexCache(), meter);
}

test('a match has its place, its text and its groups', () => {
  const [match] = run((cache, meter) =>
    matchAll('👨xyz-14', '(?<a>[a-z]+)-(?<n>\\d)?(x)?', null, cache, meter),
  );
  expect(match).toEqual({
    offset: 1,
    length: 5,
    string: 'xyz-1',
    captures: [
      { offset: 1, length: 3, string: 'xyz', name: 'a' },
      { offset: 5, length: 1, string: '1', name: 'n' },
      { offset: -1, length: 0, string: null, name: null },
    ],
  } satisfies RegexMatch);
});

test('places and lengths count characters, however long these are in memory', () => {
  expect(show('😀a😀😀b', '(a)(😀+)(?=(b))|(?<=(😀))b', 'g')).toBe(
    '1+3(1+1 2+2 4+1 -) 4+1(- - - 3+1)',
  );
});

test('an empty match steps over a whole character', () => {
  // jq 1.8.2 itself steps over bytes and finds the empty match once for each.
  expect(show('é😀', '', 'g')).toBe('0+0 1+0 2+0');
});

test('whether there is a match can be asked without making it', () => {
  run((cache, meter) => {
    expect(testRegex('abc', 'B', 'i', cache, meter)).toBe(true);
    expect(testRegex('abc', 'B', null, cache, meter)).toBe(false);
    expect(testRegex('abc', '( )*', 'gn', cache, meter)).toBe(false);
  });
});

test.each(['q', 'gq', 'G', 'é'])('%s is not a flag', (flags) => {
  run((cache, meter) => {
    expect(reasonOf(() => testRegex('a', 'a', flags, cache, meter))).toBe(
      `${flags} is not a valid modifier string`,
    );
  });
});

test('a pattern is kept, with its flags, and costs little the next time', () => {
  run((cache, meter) => {
    const cost = (pattern: string, flags: string | null): number => {
      const before = meter.steps;
      testRegex('abc', pattern, flags, cache, meter);
      return before - meter.steps;
    };
    const first = cost('a(b|c)+', null);
    cost('a(b|c)+', 'i');
    expect(cost('a(b|c)+', null)).toBeLessThan(first / 5);
    expect(cost('a(b|c)+', 'i')).toBeLessThan(first / 5);
    for (let made = 0; made < CACHED_REGEXES_MAX; made += 1) cost(`x${made}`, null);
    expect(cost('a(b|c)+', null)).toBe(first);
  });
});

test('a longer pattern than that is refused', () => {
  expect(reasonOf(() => show('', 'a'.repeat(PATTERN_CHARS_MAX + 1), null))).toBe(
    'Regex failure: too big: more than 10000 characters',
  );
});
