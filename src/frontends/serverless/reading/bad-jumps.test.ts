/** Names of tasks and jumps to them. */
import { diagnosedCases } from '../../../testing/diagnosed.ts';

diagnosedCases('names and jumps', [
  {
    what: 'a task without a name',
    body: `
do:
  - '': { wait: PT1S }
`,
    errors: `
      7:5 (bad-name) /do/0/
        a task has a name; give it one
      `,
  },
  {
    what: 'two tasks of one name [DOC-12]',
    body: `
do:
  - a: { wait: PT1S }
  - b:
      do:
        - a: { wait: PT1S }
        - c: { wait: PT1S }
        - c: { wait: PT1S }
  - a: { wait: PT1S }
`,
    errors: `
      12:11 (duplicate-name) /do/1/b/do/2/c
        two tasks of one list are called "c"; the first is /do/1/b/do/1/c; rename one of them
      13:5 (duplicate-name) /do/2/a
        two tasks of one list are called "a"; the first is /do/0/a; rename one of them
      `,
  },
  {
    what: 'a jump to nowhere [DOC-13]',
    body: `
do:
  - first: { wait: PT1S, then: secnd }
  - second: { wait: PT1S, then: elsewhere }
`,
    errors: `
      7:32 (unknown-jump) /do/0/first/then
        there is no task "secnd" to go on with; did you mean "second"?
      8:33 (unknown-jump) /do/1/second/then
        there is no task "elsewhere" to go on with; there are first, second, continue, exit, end
      `,
  },
  {
    what: 'jumps of a case and of a catch to nowhere [DOC-13]',
    body: `
do:
  - a: { switch: [one: { when: .b, then: ende }, other: { then: c }] }
  - d: { try: [], catch: { then: e } }
`,
    errors: `
      7:42 (unknown-jump) /do/0/a/switch/0/one/then
        there is no task "ende" to go on with; did you mean "end"?
      7:65 (unknown-jump) /do/0/a/switch/1/other/then
        there is no task "c" to go on with; there are a, d, continue, exit, end
      8:34 (unknown-jump) /do/1/d/catch/then
        there is no task "e" to go on with; there are a, d, continue, exit, end
      `,
    warnings: `
      8:10 (empty-list) /do/1/d/try
        this list has no tasks, so it does nothing
      `,
  },
  {
    what: "a jump out, a jump in, and a jump to a neighbour's child [DOC-14]",
    body: `
do:
  - outer:
      do:
        - inner: { wait: PT1S, then: last }
  - last: { wait: PT1S, then: inner }
`,
    errors: `
      9:38 (jump-out-of-scope) /do/0/outer/do/0/inner/then
        "last" lies in /do, and a jump stays in its own list; within reach are inner, continue,
          exit, end
      10:31 (jump-out-of-scope) /do/1/last/then
        "inner" lies in /do/0/outer/do, and a jump stays in its own list; within reach are outer,
          last, continue, exit, end
      `,
  },
  {
    what: 'a jump from one branch to another [DOC-14]',
    body: `
do:
  - a:
      fork:
        branches:
          - b: { wait: PT1S, then: c }
          - c: { wait: PT1S, then: exit }
`,
    errors: `
      10:36 (jump-out-of-scope) /do/0/a/fork/branches/0/b/then
        "c" is another branch of the same fork, and branches run side by side; a branch goes on
          with continue, exit or end
      `,
  },
  {
    what: 'a jump out of a catch, and one from the tried to the handler [DOC-14]',
    body: `
do:
  - a:
      try:
        - b: { wait: PT1S, then: c }
      catch:
        do:
          - c: { wait: PT1S, then: b }
`,
    errors: `
      9:34 (jump-out-of-scope) /do/0/a/try/0/b/then
        "c" lies in /do/0/a/catch/do, and a jump stays in its own list; within reach are b,
          continue, exit, end
      12:36 (jump-out-of-scope) /do/0/a/catch/do/0/c/then
        "b" lies in /do/0/a/try, and a jump stays in its own list; within reach are c, continue,
          exit, end
      `,
  },
  {
    what: 'a jump out of a function and of an extension [DOC-14]',
    body: `
use:
  functions:
    f: { wait: PT1S, then: a }
  extensions:
    - x: { extend: all, before: [y: { wait: PT1S, then: a }] }
do:
  - a: { call: f }
`,
    errors: `
      8:28 (jump-out-of-scope) /use/functions/f/then
        "a" lies in /do, and a jump stays in its own list; within reach are continue, exit, end
      10:57 (jump-out-of-scope) /use/extensions/0/x/before/0/y/then
        "a" lies in /do, and a jump stays in its own list; within reach are y, continue, exit,
          end
      `,
  },
  {
    what: 'two cases without a condition [DOC-15]',
    body: `
do:
  - a: { switch: [b: { then: end }, c: { when: .d, then: end }, e: { then: exit }] }
`,
    errors: `
      7:65 (two-defaults) /do/0/a/switch/2/e
        "e" has no "when", and neither has "b"; one case at most is the default
      `,
  },
]);
