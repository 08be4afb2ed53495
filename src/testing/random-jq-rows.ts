/**
 * Which jq there is to write: one row for each way to get a value, builtins and operators alike.
 *
 * A row is `INPUT -> OUTPUT: TEMPLATE`. Input and output are letters of shapes (see `shapeOf`), `.`
 * for an input that is whatever is at hand, `r` for whatever is wanted, `=` for an output that is
 * like the input, and `*` before an output for any number of them. A template has holes:
 *
 *     <n>       a number;  <n*> any number of numbers
 *     <n:e>     a number, where `.` is an item of the input;  <n:s> where it is a string
 *     <n,7>     a number that holds together at least as tightly as level 7 of the grammar
 *     <R> <F>   a pattern and its flags;  <P> a path into the input;  <h> the array of such a path
 *     <K>       a key of the input;  <t> the text of a date format;  <W> any call at all
 *
 * A row whose template is an operator says its own level: `. -> n @7: <n,7> + <n,8>`.
 */
import { CORNERS } from './random-jq-corners.ts';

/** Functions whose last digits are not the same in every library. */
export const INEXACT_MATH: readonly string[] =
  `acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 j0 j1 lgamma
   log log10 log1p log2 sin sinh tan tanh tgamma y0 y1 pow atan2 hypot jn yn lgamma_r`.split(/\s+/);

const MATH_OF_ONE = `acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2
  expm1 fabs floor j0 j1 lgamma log log10 log1p log2 logb nearbyint rint round significand sin
  sinh sqrt tan tanh tgamma trunc y0 y1 abs`.split(/\s+/);
const MATH_OF_TWO =
  'atan2 copysign drem fdim fmax fmin fmod hypot nextafter nexttoward remainder pow';

const NUMBERS = `
  n -> an: frexp
  n -> an: modf
  n -> an: lgamma_r
  . -> n: ldexp(<n>; <i>)
  . -> n: scalb(<n>; <i>)
  . -> n: scalbln(<n>; <i>)
  . -> n: jn(<i>; <n>)
  . -> n: yn(<i>; <n>)
  . -> n: fma(<n>; <n>; <n>)
  . -> n: infinite
  . -> n: nan
  n -> *n: finites
  n -> *n: normals
  n -> b: isinfinite
  n -> b: isfinite
  n -> b: isnan
  n -> b: isnormal
  . -> n @7: <n,7> + <n,8>
  . -> n @7: <n,7> - <n,8>
  . -> n @8: <n,8> * <n,9>
  . -> n @8: <n,8> / <n,9>
  . -> n @8: <n,8> % <n,9>
  . -> n: -<n,9>
  . -> n @7: <n,7>+0
  N -> n: tonumber
  a -> i: length
  o -> i: length
  s -> i: length
  n -> n: length
  z -> n: length
  s -> n: utf8bytelength
  an -> n: add
  . -> n: add(<n*>)
  an -> n: bsearch(<n>)
  s -> n: index(<s>)
  s -> n: rindex(<s>)
  a -> n: index(<x>)
  a -> n: rindex(<x>)
  a -> an: indices(<x>)
  s -> an: indices(<s>)
  D -> T: fromdate
  D -> T: fromdateiso8601
  B -> T: mktime
  T -> B: gmtime
  T -> D: todate
  T -> D: todateiso8601
  B -> D: todate
  B -> s: strftime(<t>)
  T -> s: strftime(<t>)
  D -> B: strptime("%Y-%m-%dT%H:%M:%SZ")
  s -> B: strptime(<t>)
  D -> T: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime
`;

const STRINGS = String.raw`
  s -> s: ascii_downcase
  s -> s: ascii_upcase
  s -> s: ltrimstr(<s>)
  s -> s: rtrimstr(<s>)
  s -> s: trimstr(<s>)
  s -> s: trim
  s -> s: ltrim
  s -> s: rtrim
  as -> s: join(<s>)
  an -> s: join(<s>)
  x -> s: tostring
  x -> J: tojson
  x -> s: type
  x -> s: @text
  x -> s: @json
  s -> s: @html
  x -> s: @uri
  s -> s: @urid
  s -> s: @sh
  as -> s: @sh
  an -> s: @csv
  as -> s: @csv
  as -> s: @tsv
  x -> X: @base64
  X -> s: @base64d
  x -> s: format("text", "json")
  as -> s: format("csv", "tsv", "sh")
  s -> s: format("base64", "html", "uri")
  . -> s @7: <s,7> + <s,8>
  . -> s @8: <s,8> * <i,9>
  . -> s @8: <i,8> * <s,9>
  as -> s: add
  s -> s: .[<i>:<i>]
  s -> s: .[<i>:]
  s -> s: .[:-<i,9>]
  C -> s: implode
  s -> C: explode
  s -> s: sub(<R>; <s:o>)
  s -> s: sub(<R>; <s:o>; <F>)
  s -> s: gsub(<R>; <s:o>)
  s -> s: gsub(<R>; <s:o>; <F>)
  s -> s: gsub("(?<_c>[a-z])"; "<\(._c)>")
  s -> as: split(<s>)
  s -> as: split(<R>; <F>)
  s -> *s: splits(<R>)
  s -> *s: splits(<R>; <F>)
  s -> *x: scan(<R>)
  s -> *x: scan(<R>; <F>)
  s -> *o: match(<R>)
  s -> *o: match(<R>; <F>)
  s -> *o: match([<R>, <F>])
  s -> *o: capture(<R>)
  s -> *o: capture(<R>; <F>)
  s -> b: test(<R>)
  s -> b: test(<R>; <F>)
  s -> b: startswith(<s>)
  s -> b: endswith(<s>)
  s -> b: contains(<s>)
  s -> b: inside(<s>)
  . -> as @8: <s,8> / <s,9>
  J -> x: fromjson
  x -> =: tojson | fromjson
  b -> b: tostring | toboolean
  b -> b: toboolean
`;

const TRUTHS = `
  . -> b @5: <b,5> and <b,6>
  . -> b @4: <b,4> or <b,5>
  x -> b: not
  . -> b @6: <n,7> < <n,7>
  . -> b @6: <x,7> <= <x,7>
  . -> b @6: <x,7> > <x,7>
  . -> b @6: <s,7> >= <s,7>
  . -> b @6: <x,7> == <x,7>
  . -> b @6: <x,7> != <x,7>
  . -> b @6: type == "number"
  ab -> b: any
  ab -> b: all
  a -> b: any(<b:e>)
  a -> b: all(<b:e>)
  . -> b: any(<x*>; <b:x>)
  . -> b: all(<n*>; <b:n>)
  . -> b: isempty(<x*>)
  x -> b: IN(<x*>)
  . -> b: IN(<n*>; <n*>)
  o -> b: has(<K>)
  a -> b: has(<i>)
  s -> b: in(<o>)
  i -> b: in(<a>)
  a -> b: contains(<a>)
  o -> b: contains(<o>)
  o -> b: inside(<o>)
`;

const LISTS = `
  . -> ar: [<r*>]
  . -> ar: [<r>]
  ar -> r: .[<i>]
  ar -> r: .[-1]
  ar -> r: first
  ar -> r: last
  ar -> r: nth(<i>)
  . -> r: <ar,9>[<i>]
  . -> r: <ar,9>[-<i,9>]?
  . -> ar: <ar,9>[<i>:<i>]
  . -> ar: <ar,9>[:<i>]
  . -> ar @7: <ar,7> + <ar,8>
  . -> ar @7: <ar,7> - <ar,8>
  a -> ar: map(<r:e>)
  a -> =: map(select(<b:e>))
  a -> =: map_values(<x:e>)
  a -> =: reverse
  s -> s: reverse
  a -> =: sort
  a -> =: sort_by(<x:e>)
  a -> =: sort_by(<x:e>, <n:e>)
  a -> aa: group_by(<x:e>)
  a -> =: unique
  a -> =: unique_by(<x:e>)
  ar -> r: min
  ar -> r: max
  ar -> r: min_by(<x:e>)
  ar -> r: max_by(<x:e>)
  aa -> a: flatten
  aa -> a: flatten(<i>)
  aa -> a: add
  aa -> aa: transpose
  aa -> *a: limit(9; combinations)
  a -> *a: limit(9; combinations(2))
  o -> as: keys
  o -> as: keys_unsorted
  a -> an: keys
  o -> E: to_entries
  x -> *H: paths
  x -> *H: paths(<b:x>)
  x -> ax: [tostream]
  x -> *x: tostream
  . -> x: fromstream(<U,9>[])
  x -> =: fromstream(tostream)
  U -> *x: 1 | truncate_stream([[0],1],[[1,0],2],[[1,0]],[[1]])
  U -> *x: fromstream(1 | truncate_stream(<U,9>[]))
  . -> a @7: [<x*>] - [<x*>]
  . -> n: [<n*>] | length
  ao -> o: INDEX(.a)
  . -> o: INDEX(<o*>; .a, .b)
  ao -> a: JOIN(<o>; .a | tostring)
  . -> *a: JOIN(<o>; <o*>; .a | tostring)
  . -> *x: JOIN(<o>; <o*>; .a | tostring; <x:a>)
  x -> ax: [getpath(paths)]
  x -> ax: [.[]?]
  a -> ax: [.[] | numbers, strings]
`;

const OBJECTS = `
  E -> o: from_entries
  o -> o: with_entries(.value |= <x:x>)
  o -> o: with_entries(.key |= ascii_upcase)
  o -> o: with_entries(select(<b:o>))
  o -> =: map_values(<x:e>)
  o -> =: map_values(empty)
  o -> o: to_entries | from_entries
  o -> x: add
  o -> ax: map(<x:e>)
  . -> o @7: <o,7> + <o,8>
  . -> o @8: <o,8> * <o,9>
  x -> x: getpath(<h>)
  x -> x: getpath(<H>)
  x -> =: setpath(<h>; <x>)
  x -> =: delpaths([<h>, <h>])
  x -> =: del(<P>)
  x -> =: del(<P>, <P>)
  x -> x: pick(<P>)
  x -> *H: path(<P>)
  x -> =: walk(<x:x>)
  x -> x: walk(if type == "number" then <n:n> else . end)
  x -> =: walk(if type == "object" then del(.a) else . end)
  o -> *s: keys[]
  . -> r: {a: <r>} | .a
  . -> r: {a: <r>}.a
`;

const CONTROL = String.raw`
  . -> r: if <b> then <r> else <r> end
  . -> r: if <x> then <r> elif <b> then <r> else <r> end
  . -> r: if <b> then <r> end
  . -> r @2: <r,3> // <r,2>
  . -> r @2: <r*,3> // <r,2>
  . -> r @2: (null, false, <r*,2>) // <r,2>
  . -> r: try <r,9> catch <r:s,9>
  . -> r: try error(<x>) catch <r:x,9>
  . -> r: try error catch <r:x,9>
  . -> x: try error(<x>) catch .
  . -> r: (<r>)?
  . -> r: <r,9>?
  . -> r: first(<r*>)
  . -> r: last(<r*>)
  . -> r: nth(<i>; <r*>)
  . -> *r: limit(<i>; <r*>)
  . -> *r: skip(<i>; <r*>)
  . -> *r @1: <r,1>, <r,2>
  . -> *r @1: <r*,1>, <r,2>
  . -> *r: <r*> | select(<b:r>)
  . -> *r: <ar,9>[]
  . -> *r: <ar,9>[]?
  . -> *r: empty
  ar -> *r: .[]
  . -> *i: range(<i>)
  . -> *n: range(<i>; 4)
  . -> *n: range(<i>; 9; 2)
  . -> *n: range(<i>; -2; -1)
  . -> *n: range(0; 1; 0.25)
  n -> *n: limit(4; repeat(. * 2))
  i -> *n: [.,1] | until(.[0] < 1; [.[0] - 1, .[1] * .[0]]) | .[1]
  n -> *n: limit(6; while(. < 100; . + 7))
  s -> *s: [limit(5; while(length > 0; .[1:]))] | .[]
  i -> *n: recurse(if . < 3 then . + 1 else empty end)
  i -> *n: recurse(. + 1; . < 4)
  x -> *x: recurse
  x -> *x: recurse(.[]?)
  x -> *x: recurse(.[]?; <b:x>)
  x -> *x: ..
  x -> *x: .. | scalars
  x -> *n: .. | numbers
  x -> *s: .. | strings
  x -> *b: .. | booleans
  x -> *z: .. | nulls
  x -> *a: .. | arrays
  x -> *o: .. | objects
  x -> *x: .. | iterables
  x -> *x: .[]? | values
  . -> x: $__loc__
  . -> n: $__loc__.line
  . -> *n: def f: if . > 3 then . else ., (. + 1 | f) end; <i,9> | f
  . -> n: def fac: if . < 2 then 1 else . * (. - 1 | fac) end; <i,9> | fac
  . -> r: def f($n): if $n < 1 then . else (<r:r>) | f($n - 1) end; <r,9> | f(<i:r>)
  . -> r: def f(g): reduce range(<i>) as $i (.; g); <r,9> | f(<r:r>)
  . -> ar: def f(g; $a): [g, $a]; f(<r>; <r*>)
  . -> r: def f(g): def h(k): k | g; h(<r>); f(.)
  . -> *r: def f(g): def f: g; f, f; f(<r*>)
  . -> r: def f: def g: <r>; g; f
  . -> r: def f(f): f; f(f(<r>))
  . -> *n: def f(g): if . > 2 then . else (. + 1 | f(g | . + 1)), g end; <i,9> | f(.)
  . -> *r: def f($a; $b): $a, $b; f(<r>; <r*>)
  . -> *r: def f($a; b): b | ., $a; f(<r*>; <r>)
  . -> r: def f($x): $x as $y | def g: $y; g; f(<r>)
  . -> *r: def e(f): if . == [] then empty else (.[0] | f), (.[1:] | e(f)) end; <ar,9> | e(.)
  . -> r: (<r> # a comment with ( and "⏎)
  . -> r: <r> | .
  . -> r: [<r*>, <r>] | first
  . -> x: [<x*>] | length as $n | $n
`;

const MATH = [
  ...MATH_OF_ONE.map((name) => `n -> n: ${name}`),
  ...MATH_OF_TWO.split(' ').map((name) => `. -> n: ${name}(<n>; <n>)`),
].join('\n');

export const ROWS: readonly string[] = [
  NUMBERS,
  STRINGS,
  TRUTHS,
  LISTS,
  OBJECTS,
  CONTROL,
  CORNERS,
  MATH,
]
  .flatMap((table) => table.split('\n'))
  .map((row) => row.trim())
  .filter((row) => row !== '');

/** Patterns that every engine reads alike; two spaces between them. */
export const PATTERNS: readonly string[] = String.raw`
a  b  [a-z]+  (?<word>[a-z]+)  (?<l>[a-z])(?<d>[0-9])?  (a)|(b)  .  ^  $  \s*  \d+  [^,]+  , *  x*
(?i)foo  \bb  o{2}  é|日  [[:alpha:]]+  a.b  (?<first>\w+) (?<rest>.*)  ( )*  B  \.  (?:ab)+c  [A-Z]
l+?  (a*)(b*)  \W  (?<x>a)?(?<x>b)?  [^a]  a|ab  (a|ab)(c|bcd)?  \Aa  c\z  (?<e>)  []a]  \S+  .*?b
`.split(/ {2}|\n/);

export const FLAGS: readonly string[] =
  '"g" "g" null "" "i" "gi" "x" "n" "gn" "s" "l" "gx" "ig" "q" "p" "gp"'.split(' ');

export const DATE_FORMATS: readonly string[] =
  `%Y-%m-%dT%H:%M:%SZ;%Y-%m-%d;%H:%M:%S;%A, %B %d, %Y;%a %b %e %j;%s;100%%;%D %T;%y %I %p;%G-W%V-%u;
%U %w;%d/%m/%Y;%F %R;%C;;plain é`.split(/;\n?/);
