/** Tasks in another shape than the language has. */
import { diagnosedCases } from '../../../testing/diagnosed.ts';

diagnosedCases('events and errors', [
  {
    what: 'emit without an event',
    body: `
do:
  - a: { emit: { evnt: { with: { type: b } } } }
`,
    errors: `
      7:18 (unknown-property) /do/0/a/emit/evnt
        "emit" has no property "evnt"; did you mean "event"?
      `,
  },
  {
    what: 'an event without a type',
    body: `
do:
  - a: { emit: { event: { with: { source: https://example.com, time: noon } } } }
`,
    errors: `
      7:27 (missing-property) /do/0/a/emit/event/with
        an event that is emitted needs "type"
      7:70 (bad-value) /do/0/a/emit/event/with/time
        "time" is a moment such as 2026-01-31T12:00:00Z, or an expression "\${ … }"; came "noon"
      `,
  },
  {
    what: 'an event without attributes',
    body: `
do:
  - a: { emit: { event: {} } }
`,
    errors: `
      7:18 (missing-property) /do/0/a/emit/event
        an event needs "with"
      `,
  },
  {
    what: 'a listening to nothing',
    body: `
do:
  - a: { listen: { to: {} } }
`,
    errors: `
      7:20 (no-choice) /do/0/a/listen/to
        what is listened to needs one of all, any, one
      `,
  },
  {
    what: 'a listening to one and to all',
    body: `
do:
  - a: { listen: { to: { one: { with: { type: b } }, all: [] }, read: body } }
`,
    errors: `
      7:20 (two-choices) /do/0/a/listen/to
        what is listened to has one of all, any, one, and here are "all" and "one"; remove all
          but one
      7:71 (bad-value) /do/0/a/listen/read
        "read" is one of data, envelope, raw; came "body"
      `,
  },
  {
    what: 'an event filter without attributes [LI-13]',
    body: `
do:
  - a: { listen: { to: { one: { with: {} } } } }
`,
    errors: `
      7:33 (bad-value) /do/0/a/listen/to/one/with
        "with" is an object with at least one attribute of an event; came an empty object
      `,
  },
  {
    what: 'an event filter of nothing',
    body: `
do:
  - a: { listen: { to: { any: [{}] } } }
`,
    errors: `
      7:32 (missing-property) /do/0/a/listen/to/any/0
        an event filter needs "with"
      `,
  },
  {
    what: 'an end of a listening that has an end [DOC-10]',
    body: `
do:
  - a: { listen: { to: { any: [], until: { any: [], until: { any: [] } } } } }
`,
    errors: `
      7:53 (unknown-property) /do/0/a/listen/to/until/until
        what is listened to has no property "until"; there are all, any, one
      `,
  },
  {
    what: 'an end of a listening to one',
    body: `
do:
  - a: { listen: { to: { one: { with: { type: b } }, until: .c } } }
`,
    errors: `
      7:20 (missing-property) /do/0/a/listen/to
        what is listened to with "until" needs "any"
      `,
  },
  {
    what: 'a correlation without a key',
    body: `
do:
  - a: { listen: { to: { one: { with: { type: b }, correlate: { c: { expect: d } } } } } }
`,
    errors: `
      7:65 (missing-property) /do/0/a/listen/to/one/correlate/c
        a correlation needs "from"
      `,
  },
  {
    what: 'an error without a type',
    body: `
do:
  - a: { raise: { error: { status: '500', instance: do/0 } } }
`,
    errors: `
      7:19 (missing-property) /do/0/a/raise/error
        an error needs "type"
      7:36 (bad-value) /do/0/a/raise/error/status
        "status" is a whole number; came "500"
      7:53 (bad-value) /do/0/a/raise/error/instance
        "instance" is a JSON pointer such as /do/0/getPet, or an expression "\${ … }"; came
          "do/0"
      `,
  },
  {
    what: 'nothing to raise',
    body: `
do:
  - a: { raise: {} }
`,
    errors: `
      7:10 (missing-property) /do/0/a/raise
        "raise" needs "error"
      `,
  },
]);

diagnosedCases('loops, branches and choices', [
  {
    what: 'a loop over nothing',
    body: `
do:
  - a: { for: { each: b }, do: [] }
`,
    errors: `
      7:10 (missing-property) /do/0/a/for
        "for" needs "in"
      `,
    warnings: `
      7:28 (empty-list) /do/0/a/do
        this list has no tasks, so it does nothing
      `,
  },
  {
    what: 'a loop over numbers',
    body: `
do:
  - a: { for: { in: [1, { b: 2 }] }, do: [] }
`,
    errors: `
      7:22 (bad-value) /do/0/a/for/in/0
        item 1 of "in" is an object; came 1
      `,
    warnings: `
      7:38 (empty-list) /do/0/a/do
        this list has no tasks, so it does nothing
      `,
  },
  {
    what: 'a loop that does nothing',
    body: `
do:
  - a: { for: { in: .b, while: .c } }
`,
    errors: `
      7:5 (missing-property) /do/0/a
        a for task needs "do"
      7:25 (unknown-property) /do/0/a/for/while
        "for" has no property "while"; it belongs to the task itself, further out
      `,
  },
  {
    what: 'a fork without branches',
    body: `
do:
  - a: { fork: { branch: [], compete: 1 } }
`,
    errors: `
      7:18 (unknown-property) /do/0/a/fork/branch
        "fork" has no property "branch"; did you mean "branches"?
      7:39 (bad-value) /do/0/a/fork/compete
        "compete" is true or false; came 1
      `,
  },
  {
    what: 'nothing to set [SE-03]',
    body: `
do:
  - a: { set: {} }
  - b: { set: }
`,
    errors: `
      7:10 (bad-value) /do/0/a/set
        "set" is an object with at least one property, or an expression; came an empty object
      8:10 (bad-value) /do/1/b/set
        "set" is an object with at least one property, or an expression; came nothing
      `,
  },
  {
    what: 'a switch without cases',
    body: `
do:
  - a: { switch: [] }
`,
    errors: `
      7:10 (bad-value) /do/0/a/switch
        "switch" is a list of cases, each "- name: { when: …, then: … }"; came an empty list
      `,
  },
  {
    what: 'a case that leads nowhere',
    body: `
do:
  - a: { switch: [b: { when: .c }] }
`,
    errors: `
      7:19 (missing-property) /do/0/a/switch/0/b
        a case of a switch needs "then"
      `,
  },
  {
    what: 'two cases in one item',
    body: `
do:
  - a:
      switch:
        - b: { when: .c, then: end }
          d: { then: end }
`,
    errors: `
      9:11 (two-choices) /do/0/a/switch/0
        an item of a switch has one name, and this has "b" and "d"; begin each with a dash of its
          own
      `,
  },
  {
    what: 'a try without a catch',
    body: `
do:
  - a: { try: [] }
`,
    errors: `
      7:5 (missing-property) /do/0/a
        a try task needs "catch"
      `,
    warnings: `
      7:10 (empty-list) /do/0/a/try
        this list has no tasks, so it does nothing
      `,
  },
  {
    what: 'a catch of other shapes',
    body: `
do:
  - a:
      try: []
      catch: { errors: { with: {} }, as: 5, retry: 3, wen: .b }
`,
    errors: `
      9:26 (bad-value) /do/0/a/catch/errors/with
        "with" is an object with at least one member of an error; came an empty object
      9:42 (bad-value) /do/0/a/catch/as
        "as" is the name of a variable; came 5; put it in quotes
      9:52 (bad-value) /do/0/a/catch/retry
        "retry" is the name of a retry policy, or a policy; came 3
      9:55 (unknown-property) /do/0/a/catch/wen
        "catch" has no property "wen"; did you mean "when"?
      `,
    warnings: `
      8:7 (empty-list) /do/0/a/try
        this list has no tasks, so it does nothing
      `,
  },
]);
