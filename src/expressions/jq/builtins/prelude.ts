/**
 * Builtins in jq itself: those that are nothing but a short form of something, and, of those that
 * have code of their own, what they mean where paths are asked for.
 */
const TYPES: Readonly<Record<string, string>> = {
  arrays: 'type == "array"',
  objects: 'type == "object"',
  iterables: 'type | . == "array" or . == "object"',
  scalars: 'type | . != "array" and . != "object"',
  booleans: 'type == "boolean"',
  numbers: 'type == "number"',
  strings: 'type == "string"',
  nulls: '. == null',
  values: '. != null',
  normals: 'isnormal',
  finites: 'isfinite',
};

/** Those that pass on what is of their type. */
const SELECTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TYPES).map(([name, is]) => [`${name}/0`, `def ${name}: select(${is});`]),
);

/** A definition for each name and number of arguments. */
export const PRELUDE: Readonly<Record<string, string>> = {
  ...SELECTIONS,
  'nth/2': `
  def nth($n; f):
    if $n < 0 then error("nth doesn't support negative indices") else first(skip($n; f)) end;`,
  'range/3': `
  def range($from; $to; $by):
    if $by > 0 then $from | while(. < $to; . + $by)
    elif $by < 0 then $from | while(. > $to; . + $by)
    else empty end;`,
  'limit/2': `
  def limit($n; f):
    if $n > 0 then
      label $done | foreach f as $x ($n; . - 1; $x, if . <= 0 then break $done else empty end)
    elif $n == 0 then empty
    else error("limit doesn't support negative count") end;`,
  'skip/2': `
  def skip($n; f):
    if $n > 0 then foreach f as $x ($n; . - 1; if . < 0 then $x else empty end)
    elif $n == 0 then f
    else error("skip doesn't support negative count") end;`,
  'until/2': `
  def until(done; next):
    def go: if done then . else next | go end;
    go;`,
  'while/2': `
  def while(going; next):
    def go: if going then ., (next | go) else empty end;
    go;`,
  'repeat/1': 'def repeat(f): def go: f, go; go;',
  'recurse/1': 'def recurse(f): def go: ., (f | go); go;',
  'walk/1': `
  def walk(f):
    def go:
      if type == "object" then map_values(go) elif type == "array" then map(go) else . end | f;
    go;`,
  // The names are jq's: they show in messages.
  'fromstream/1': `
  def fromstream(f):
    {x: null, e: false} as $none
    | foreach f as $event ($none;
        if .e then $none else . end
        | if $event | length == 2
          then setpath(["e"]; $event[0] | length == 0) | setpath(["x"] + $event[0]; $event[1])
          else setpath(["e"]; $event[0] | length == 1) end;
        if .e then .x else empty end);`,
  'truncate_stream/1': `
  def truncate_stream(f):
    . as $depth | null | f | . as $event
    | if (.[0] | length) > $depth then setpath([0]; $event[0][$depth:]) else empty end;`,
  'transpose/0': 'def transpose: [range(0; map(length) | max // 0) as $at | [.[][$at]]];',
  'combinations/0': `
  def combinations:
    if length == 0 then [] else
      .[0][] as $first | (.[1:] | combinations) as $others | [$first] + $others
    end;`,
  'combinations/1': 'def combinations(n): . as $list | [range(n) | $list] | combinations;',
  'any/0': 'def any: any(.[]; .);',
  'any/1': 'def any(f): any(.[]; f);',
  'all/0': 'def all: all(.[]; .);',
  'all/1': 'def all(f): all(.[]; f);',
  'debug/1': 'def debug(message): (message | empty), .;',
  'paths/0': 'def paths: path(recurse) | select(length > 0);',
  'paths/1': 'def paths(f): path(recurse | select(f)) | select(length > 0);',
  'recurse/2': 'def recurse(f; going): def go: ., (f | select(going) | go); go;',
  'first/0': 'def first: .[0];',
  'last/0': 'def last: .[-1];',
  'nth/1': 'def nth($n): .[$n];',
  'in/1': 'def in(f): . as $key | f | has($key);',
  'inside/1': 'def inside(f): . as $part | f | contains($part);',
  'with_entries/1': 'def with_entries(f): to_entries | map(f) | from_entries;',
  'INDEX/1': 'def INDEX(f): INDEX(.[]; f);',
  'JOIN/2': 'def JOIN($index; f): [.[] | [., $index[f]]];',
  'JOIN/3': 'def JOIN($index; rows; f): rows | [., $index[f]];',
  'JOIN/4': 'def JOIN($index; rows; f; g): rows | [., $index[f]] | g;',
  'IN/1': 'def IN(f): any(f == .; .);',
  'IN/2': 'def IN(f; g): any(f == g; .);',
  'todateiso8601/0': 'def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");',
  'fromdateiso8601/0': 'def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;',
  'todate/0': 'def todate: todateiso8601;',
  'fromdate/0': 'def fromdate: fromdateiso8601;',
  'date/0': 'def date: todate;',
  'dateadd/2': 'def dateadd(unit; n): . + n;',
  'datesub/2': 'def datesub(unit; n): . - n;',
  'scan/1': 'def scan($re): scan($re; null);',
  'splits/1': 'def splits($re): splits($re; null);',
  'split/2': 'def split($re; $flags): [splits($re; $flags)];',
  'sub/2': 'def sub($re; f): sub($re; f; "");',
  'gsub/2': 'def gsub($re; f): sub($re; f; "g");',
  'gsub/3': 'def gsub($re; f; $flags): sub($re; f; $flags + "g");',
};
