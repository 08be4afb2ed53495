/** Lists of tasks, and what every task may have, in another shape. */
import { diagnosedCases } from '../../../testing/diagnosed.ts';

diagnosedCases('lists of tasks', [
  {
    what: 'an object instead of a list [DOC-08]',
    body: `
do:
  a: { wait: PT1S }
`,
    errors: `
      6:1 (bad-value) /do
        "do" is a list of tasks, each "- name: …"; came an object
      `,
  },
  {
    what: 'two tasks in one item [DOC-08]',
    body: `
do:
  - a: { wait: PT1S }
    b: { wait: PT1S }
`,
    errors: `
      7:5 (two-tasks) /do/0
        an item of a list of tasks has one name, and this has "a" and "b"; begin each with a dash
          of its own
      `,
  },
  {
    what: 'an empty item [DOC-08]',
    body: `
do:
  - {}
`,
    errors: `
      7:5 (bad-value) /do/0
        item 1 of "do" is a task, written "name: …"; came an empty object
      `,
  },
  {
    what: 'a task that is text',
    body: `
do:
  - a: wait
`,
    errors: `
      7:8 (bad-value) /do/0/a
        "a" is a task: an object with one of call, do, emit, for, fork, listen and the like; came
          "wait"
      `,
  },
  {
    what: 'an item that is text',
    body: `
do:
  - wait
`,
    errors: `
      7:5 (bad-value) /do/0
        item 1 of "do" is a task, written "name: …"; came "wait"
      `,
  },
  {
    what: 'a task with nothing in it',
    body: `
do:
  - a:
`,
    errors: `
      7:5 (bad-value) /do/0/a
        "a" is a task: an object with one of call, do, emit, for, fork, listen and the like; came
          nothing
      `,
  },
  {
    what: 'a task without a word that makes one [DOC-11]',
    body: `
do:
  - a: { with: {}, if: .b }
`,
    errors: `
      7:5 (no-task) /do/0/a
        a task has one of call, do, emit, for, fork, listen, raise, run, set, switch, try, wait;
          this one has "with" and "if"
      `,
  },
  {
    what: 'a task of an empty object [DOC-11]',
    body: `
do:
  - a: {}
`,
    errors: `
      7:5 (no-task) /do/0/a
        a task has one of call, do, emit, for, fork, listen, raise, run, set, switch, try, wait;
          this one has nothing
      `,
  },
  {
    what: 'a misspelt word of a task [DOC-11]',
    body: `
do:
  - a:
      cal: http
      with: { method: get, endpoint: https://example.com }
`,
    errors: `
      8:7 (no-task) /do/0/a/cal
        "cal" makes no task; did you mean "call"?
      `,
  },
  {
    what: 'two words of tasks in one [DOC-11]',
    body: `
do:
  - a:
      call: http
      with: { method: get, endpoint: https://example.com }
      set: { b: 1 }
`,
    errors: `
      7:5 (two-tasks) /do/0/a
        a task does one thing, and this one has "call" and "set"; make a task of each
      `,
  },
  {
    what: 'three words of tasks in one [DOC-11]',
    body: `
do:
  - a:
      for: { in: .b }
      do: []
      wait: PT1S
      raise: { error: c }
`,
    errors: `
      7:5 (two-tasks) /do/0/a
        a task does one thing, and this one has "for", "raise" and "wait"; make a task of each
      11:23 (unknown-error) /do/0/a/raise/error
        there is no error "c" in use.errors; there are none
      `,
    warnings: `
      9:7 (empty-list) /do/0/a/do
        this list has no tasks, so it does nothing
      `,
  },
  {
    what: 'properties of every task that have another shape',
    body: `
do:
  - a:
      set: { b: 1 }
      if: true
      then: 5
      input: .c
      output: { is: .d }
      export: { as: 5 }
      timeout: 5
      metadata: text
`,
    errors: `
      9:11 (bad-value) /do/0/a/if
        "if" is an expression; came true; put it in quotes
      10:13 (bad-value) /do/0/a/then
        "then" is continue, exit, end, or the name of a task in the same list; came 5; put it in
          quotes
      11:14 (bad-value) /do/0/a/input
        "input" is an object with schema, from; came ".c"
      12:17 (unknown-property) /do/0/a/output/is
        "output" has no property "is"; did you mean "as"?
      13:21 (bad-value) /do/0/a/export/as
        "as" is an expression, or an object with expressions in it; came 5
      14:16 (bad-value) /do/0/a/timeout
        "timeout" is the name of a timeout, or an object with "after"; came 5
      15:17 (bad-value) /do/0/a/metadata
        "metadata" is an object; came "text"
      `,
  },
  {
    what: 'a property one level too far out [DOC-09]',
    body: `
do:
  - a:
      call: http
      method: get
      with: { method: get, endpoint: https://example.com }
`,
    errors: `
      9:7 (unknown-property) /do/0/a/method
        a call of http has no property "method"; it belongs into "with"
      `,
  },
  {
    what: 'a property one level too far in [DOC-09]',
    body: `
do:
  - a:
      call: http
      with: { method: get, endpoint: https://example.com, then: end }
`,
    errors: `
      9:59 (unknown-property) /do/0/a/with/then
        the "with" of an HTTP call has no property "then"; it belongs to the task itself, further
          out
      `,
  },
]);
