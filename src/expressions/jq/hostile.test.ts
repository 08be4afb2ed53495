/**
 * Programs that would run for ever, or take all memory there is, end as errors in time. Time is
 * that of the processor, since the machine may be busy with something else.
 */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { compileJq, type JqError } from './jq.ts';

const CPU_MS_MAX = 100;
const GROWTH_BYTES_MAX = 100_000_000;
/** What a collection of garbage or a compiler in the background takes may fall into one of them. */
const TRIES = 4;

function nested(depth: number, around: (value: Json) => Json): Json {
  let value: Json = null;
  for (let at = 0; at < depth; at += 1) value = around(value);
  return value;
}

const LISTS = nested(100_000, (value) => [value]);
const OBJECTS = nested(100_000, (value) => ({ a: value }));

/** Listing its keys takes long, and nobody can list the first ones alone. */
const WIDE: Json = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at]));
const LONG: Json = 'a'.repeat(100_000);

type Row = readonly [program: string, ends: string, input?: Json];

const HOSTILE: Readonly<Record<string, readonly Row[]>> = {
  'deep recursion': [
    ['def f: f; f', 'steps'],
    ['def f: . + 1 | f; 0 | f', 'steps'],
    ['def f($x): f($x + 1); f(0)', 'steps'],
    ['def f(g): f(g | g); f(.)', 'steps'],
    ['def f: 1 + f; f', 'depth'],
    ['def f: [f]; f', 'depth'],
    ['def f: {a: f}; f', 'depth'],
    ['def f: "\\(f)"; f', 'depth'],
    ['def f: f, f; f', 'depth'],
    ['def f: try f catch f; f', 'depth'],
    ['def f: if f then 1 else 2 end; f', 'depth'],
    ['def f: reduce f as $x (0; 1); f', 'depth'],
    ['def f: label $out | f | break $out; f', 'depth'],
    ['def f: . as [$a] ?// $a | f; f', 'depth'],
    ['def f: def g: f; g | 1; f', 'depth'],
    ['path(def f: .a | f; f)', 'depth'],
    ['def f: f |= 1; f', 'depth'],
    ['def f(g): f(f(g)); f(.)', 'steps'],
  ],
  'infinite generators': [
    ['range(infinite)', 'outputs'],
    ['[range(infinite)]', 'elements'],
    ['repeat(1)', 'outputs'],
    ['[repeat({})]', 'elements'],
    ['last(repeat(1))', 'steps'],
    ['first(repeat(empty))', 'steps'],
    ['until(false; . )', 'steps'],
    ['[while(true; 1)]', 'steps'],
    ['recurse([., .]) | length', 'elements'],
    ['reduce repeat(1) as $x (0; . + $x)', 'steps'],
    ['[foreach repeat(1) as $x (0; . + 1)]', 'steps'],
    ['isempty(repeat(empty))', 'steps'],
    ['any(repeat(false); .)', 'steps'],
    ['def f: ., f; f', 'outputs'],
    ['[range(1000000) | range(1000000)] | length', 'elements'],
    ['[range(100) | [range(100)]] | [combinations] | length', 'elements'],
    ['0 | strftime("%A" * 300000)', 'steps'],
    ['[range(100000) | todate | fromdate] | length', 'steps'],
    ['[range(100000) | try error catch .] | length', 'steps'],
  ],
  'strings that grow': [
    ['reduce range(100) as $i ("a"; . + .)', 'stringBytes'],
    ['"a" * 1000000000', 'stringBytes'],
    ['reduce range(100) as $i ("\\""; tojson)', 'stringBytes'],
    ['reduce range(100) as $i ("ab"; . as $s | gsub(""; $s))', 'stringBytes'],
    ['[range(20000) | "a" * 1000] | add | length', 'stringBytes'],
    ['[range(100000) | "x" * 1000 | ascii_upcase] | length', 'stringBytes'],
    ['"a" * 300000 | indices("a" * 150000) | length', 'steps'],
  ],
  'large things, again and again': [
    ['. as $o | [range(100000) | $o | length] | length', 'steps', WIDE],
    ['. as $o | [range(100000) | $o | first(path(.[]))] | length', 'steps', WIDE],
    ['. as $o | [range(100000) | $o == {}] | length', 'steps', WIDE],
    ['. as $o | [range(100000) | try ($o | -.) catch 1] | length', 'steps', WIDE],
    ['. as $s | [range(20000) | $s + "x" | ltrimstr("b")] | length', 'steps', LONG],
    ['. as $s | [range(20000) | $s + "x" | rtrimstr("b")] | length', 'steps', LONG],
    ['. as $s | [range(20000) | {($s + tostring): 1}] | length', 'steps', LONG],
    ['. as $s | [range(20000) | ($s + "x") == ($s + "y")] | length', 'steps', LONG],
    ['. as $s | reduce range(20000) as $i ({}; .[$s + "\\($i)"] = 1) | length', 'steps', LONG],
    ['. as $s | [range(20000) | $s | explode | implode] | length', 'elements', LONG],
  ],
  'patterns that look for long': [
    ['("a" * 50000 + "b") | test("(a|aa)+$")', 'steps'],
    ['("a" * 50000 + "b") | test("(.*a){20}$")', 'steps'],
    ['("a" * 50000) | test("(a+)\\\\1+b")', 'steps'],
    ['("a" * 50000) | test("(?=(a+)+b)a")', 'steps'],
    ['"" | test("((a{1000}){1000}){1000}")', 'Regex failure'],
    ['"" | test("a" * 1000000)', 'Regex failure'],
    ['"" | test("(" * 5000)', 'Regex failure'],
    ['[range(100000) | tostring | test("^(a+)+$\\(.)")] | length', 'steps'],
  ],
  'deep and shared values': [
    ['.', 'valueDepth', LISTS],
    ['.', 'valueDepth', OBJECTS],
    ['.. | numbers, arrays', 'valueDepth', LISTS],
    ['walk(.)', 'depth', LISTS],
    ['[paths] | length', 'elements', LISTS],
    ['tojson | fromjson', 'depth limit for parsing', LISTS],
    ['(.. | select(. == null)) |= 1', 'Path too deep', LISTS],
    ['[., .] | unique', 'Comparison too deep', OBJECTS],
    ['[range(100000) | 0] as $p | setpath($p; 1)', 'Path too deep'],
    ['reduce range(50000) as $i (null; [.])', 'valueDepth'],
    ['reduce range(100) as $i ([]; [., .])', 'steps'],
    ['reduce range(100) as $i ([]; [., .]) | tojson', 'steps'],
    ['reduce range(100) as $i (0; [., .]) | flatten | length', 'steps'],
    ['reduce range(100) as $i ({}; {a: ., b: .}) | . * .', 'elements'],
    ['[limit(2; repeat(reduce range(100) as $i (0; [., .])))] | .[0] == .[1]', 'steps'],
    ['null | .[400000000] = 1', 'elements'],
    ['[range(300000)] | sort_by(-.) | group_by(. % 7) | length', 'elements'],
    ['reduce range(300000) as $i ([]; [$i] + .) | length', 'elements'],
  ],
};

interface Ended {
  readonly problem: JqError | undefined;
  readonly cpuMs: number;
}

function runOnce(text: string, input: Json = null): Ended {
  const before = process.cpuUsage();
  const compiled = compileJq(text);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problem));
  const result = compiled.value.run(input);
  const { user, system } = process.cpuUsage(before);
  return { problem: result.ok ? undefined : result.problem, cpuMs: (user + system) / 1_000 };
}

describe.each(Object.entries(HOSTILE))('%s', (_, rows) => {
  for (const [text, ends, input] of rows) {
    test(`${text} ends as an error in time`, () => {
      let fastestMs = Infinity;
      for (let tries = 0; tries < TRIES && fastestMs > CPU_MS_MAX; tries += 1) {
        const { problem, cpuMs } = runOnce(text, input);
        const isLimit = problem?.code === 'jq.limit';
        expect(isLimit ? problem.limit : problem?.message).toContain(ends);
        fastestMs = Math.min(fastestMs, cpuMs);
      }
      expect(fastestMs).toBeLessThan(CPU_MS_MAX);
    });
  }
});

test('there are more than forty of them', () => {
  expect(Object.values(HOSTILE).flat().length).toBeGreaterThan(40);
});

test('none of them takes much memory', () => {
  const inUse = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  for (const [text, , input] of Object.values(HOSTILE).flat()) {
    const before = inUse();
    runOnce(text, input);
    expect(inUse() - before, text).toBeLessThan(GROWTH_BYTES_MAX);
  }
});
