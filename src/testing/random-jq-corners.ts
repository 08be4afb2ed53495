/**
 * Rows (see `random-jq-rows.ts`) about what goes wrong: most of them catch an error, so that its
 * message is compared.
 */

/** Corners: values of the wrong kind, paths that are none, numbers that are none. */
export const CORNERS: string = String.raw`
  . -> x: try (<W>) catch .
  . -> x: try (<W>) catch .
  . -> x: [<W>]
  x -> x: try path(<x>) catch .
  x -> x: try (<x,4> |= <x>) catch .
  x -> x: try (<x,4> = <x,4>) catch .
  x -> x: try del(<x>) catch .
  x -> x: try setpath(<a>; <x>) catch .
  x -> x: try getpath(<a>) catch .
  x -> x: try delpaths(<aa>) catch .
  x -> x: try [paths(<x:x>)] catch .
  x -> x: try pick(<x>) catch .
  x -> x: try .[<x>] catch .
  x -> x: try .[<x>:<x>] catch .
  x -> x: try (.[<x>] = 1) catch .
  x -> x: try has(<x>) catch .
  . -> x: try <x,9>[] catch .
  . -> x: try (<x,7> + <x,8>) catch .
  . -> x: try (<x,7> - <x,8>) catch .
  . -> x: try (<x,8> * <b,9>) catch .
  . -> x: try (<x,8> / <x,9>) catch .
  . -> x: try (<x,8> % <x,9>) catch .
  . -> x: try -<x,9> catch .
  . -> x: try error(<x>) catch .
  . -> x: try error(null) catch .
  . -> *x: limit(0; <x*>)
  . -> *x: limit(-1; <x*>)
  . -> *x: first(empty)
  . -> x: try nth(-1; <x*>) catch .
  . -> x: try skip(-1; <x*>) catch .
  a -> x: .[<n>]
  a -> x: .[nan]
  a -> a: .[<a>]
  a -> a: .[1.2:3.5]
  a -> a: .[{"start":1,"end":null}]
  o -> *x: .["a", "b"]
  a -> *x: .[0, -1]
  a -> =: .[0, 2] |= .
  o -> =: .["a", "b"] = 1
  a -> =: .[:2] |= reverse
  a -> =: .[1:][0] = 7
  a -> =: .[2:1] = ["x"]
  x -> =: .. |= .
  x -> x: .. |= (numbers |= . + 1)
  x -> *x: .a?.b?[0]?
  x -> *x: ."a"?."b"?
  o -> *x: .a["b"]?, .a."b"?
  x -> *x: ..[0]?
  x -> *x: .[]?[]?
  x -> a: [..] | sort
  x -> a: [..] | unique
  x -> a: [..] | group_by(type)
  x -> a: [.., nan, infinite, -infinite, -0, {}, []] | sort
  x -> x: [..] | min, max
  x -> b: [..] | any(. == <x:x>)
  . -> b @6: nan < nan
  . -> b @6: [nan] == [nan]
  . -> n @8: <n,8> % -3
  . -> n @8: infinite % <n,9>
  . -> n @8: <n,8> % infinite
  . -> n @8: <n,8> * 1e300
  n -> s: . / 3 | tostring
  n -> s: . * 1e15 | tojson
  n -> s: . / 1e9 | @text
  n -> s: [. / 7e5] | tojson
  n -> s: "\(. * 123456.789)"
  . -> s @8: <s,8> * 0
  . -> s @8: <s,8> * 0.5
  . -> s @8: <s,8> * -1
  s -> *s: sub(<R>; "x", "y")
  s -> *s: gsub(<R>; "1", "2")
  s -> *n: match(<R>; "g").offset
  s -> x: [match(<R>; "g") | .captures | map(.name, .string)]
  s -> s: gsub("\\s"; "")
  s -> s: gsub("^"; ">")
  s -> s: gsub("$"; "<")
  s -> s: gsub(""; "-")
  s -> s: [.[range(length):]] | join("|")
  s -> s: explode | reverse | implode
  C -> s: try implode catch .
  . -> r: (<r> # a comment that goes on \⏎until here ) "⏎)
  . -> r: try (try error(<x>) catch error) catch <r:x,9>
  . -> x: try (label $out | error(<x>) | break $out) catch .
  . -> x: .a as $x | .a.b as $y | [$x, $y]
  . -> x: [.[]?] | [.[:2], .[2:]]
  . -> *r: (<r>, <r>) as $x | (<r>, $x)
  . -> ax: [(1, 2) + (10, 20)]
  . -> ax: [(1, 2) as $a | (3, 4) as $b | [$a, $b]]
  . -> ax: [{a: (1, 2), b: (3, 4)}]
  . -> ax: ["\(1, 2) \(3, 4)"]
  . -> ax: [[1, 2][0, 1] = (3, 4)?]
  . -> ax: [range(0, 1; 3, 4)]
  . -> ax: [range(0, 1; 3; 1, 2)]
  . -> ax: [.[(0, 1)]?]
  . -> ax: [limit(1, 2; <x*>)]
  . -> ax: [if (true, false) then <x> else <x> end]
  . -> ax: [(true, false) and (true, false)]
  . -> ax: [(true, false) or (false, true)]
  . -> ax: [(null, 1, false) // (2, 3)]
  . -> ax: [first(range(5) | select(. > 1)), isempty(error)]
  . -> ax: [splits("a", "b")?]
  . -> ax: [foreach (1, 2, 3) as $x (0, 10; . + $x; ., -.)]
  . -> ax: [reduce (1, 2) as $x (0, 1; ., . + $x)]
  . -> ax: [reduce empty as $x (3; 4)]
  . -> x: reduce (1, 2) as $x (0; empty)
  . -> ax: [label $a | label $b | 1, break $a, 2]
  . -> ax: [.[]? as [$x] ?// $x | $x]
  . -> ax: [[[1]][] as [$x] ?// $x | if ($x | type) == "number" then error("x") else $x end]
`;

/** Builtins by arity for calls with whatever comes to hand, but for those that might not end. */
export const CALLED_AT_RANDOM: readonly string[] = `
  abs add all any arrays ascii_downcase ascii_upcase booleans ceil explode finites first flatten
  floor from_entries fromdate fromjson gmtime implode isempty(_) isinfinite isnan isnormal iterables
  keys keys_unsorted last length ltrim max min mktime normals not nulls numbers objects
  paths recurse reverse rtrim scalars sort split(_) sqrt strings to_entries toboolean todate tojson
  tonumber tostream tostring transpose trim trunc type unique utf8bytelength values
  IN(_) INDEX(_) add(_) any(_) all(_) bsearch(_) capture(_) contains(_) del(_) delpaths(_)
  endswith(_) error(_) flatten(_) format(_) getpath(_) group_by(_) has(_) in(_) index(_) indices(_)
  inside(_) join(_) ltrimstr(_) map(_) map_values(_) match(_) max_by(_) min_by(_) nth(_) path(_)
  paths(_) pick(_) rindex(_) rtrimstr(_) scan(_) select(_) sort_by(_) splits(_) startswith(_)
  strftime(_) strptime(_) test(_) trimstr(_) unique_by(_) walk(_) with_entries(_)
  JOIN(_;_) INDEX(_;_) atan2(_;_) ldexp(_;_) limit(_;_) nth(_;_) pow(_;_) setpath(_;_) skip(_;_)
  split(_;_) sub(_;_) gsub(_;_) test(_;_) fma(_;_;_) sub(_;_;_) frexp modf significand logb
  @text @json @html @uri @urid @csv @tsv @sh @base64 @base64d fromstream(_) truncate_stream(_)
  
`
  .trim()
  .split(/\s+/);
