/** What a workflow says of itself, in another shape than the language has. */
import { diagnosedCases } from '../../../testing/diagnosed.ts';

diagnosedCases('the head', [
  {
    what: 'no head [DOC-02]',
    text: `
do: []
`,
    errors: `
      1:1 (missing-property)
        a workflow needs "document"
      `,
    warnings: `
      1:1 (empty-list) /do
        this list has no tasks, so it does nothing
      `,
  },
  {
    what: 'no tasks [DOC-02]',
    body: `
timeout:
  after: PT1S
`,
    errors: `
      1:1 (missing-property)
        a workflow needs "do"
      `,
  },
  {
    what: 'a head without anything [DOC-02]',
    text: `
document: {}
do:
  - a: { wait: PT1S }
`,
    errors: `
      1:1 (missing-property) /document
        "document" needs "dsl"
      1:1 (missing-property) /document
        "document" needs "namespace"
      1:1 (missing-property) /document
        "document" needs "name"
      1:1 (missing-property) /document
        "document" needs "version"
      `,
  },
  {
    what: 'a version that is a number [DOC-03]',
    text: `
document: { dsl: 1.0, namespace: a, name: b, version: 1 }
do:
  - a: { wait: PT1S }
`,
    errors: `
      1:18 (bad-value) /document/dsl
        "dsl" is a semantic version in quotes, such as "1.0.0"; came 1
      1:55 (bad-value) /document/version
        "version" is a semantic version in quotes, such as "1.0.0"; came 1
      `,
  },
  {
    what: 'versions of two parts [DOC-03]',
    text: `
document: { dsl: '1.0', namespace: a, name: b, version: '0.1' }
do:
  - a: { wait: PT1S }
`,
    errors: `
      1:18 (bad-value) /document/dsl
        "dsl" is a semantic version in quotes, such as "1.0.0"; came "1.0"
      1:57 (bad-value) /document/version
        "version" is a semantic version in quotes, such as "1.0.0"; came "0.1"
      `,
  },
  {
    what: 'names that are no labels [DOC-04]',
    text: `
document: { dsl: 1.0.3, namespace: -a, name: b.c, version: 1.0.0 }
do:
  - a: { wait: PT1S }
`,
    errors: `
      1:36 (bad-value) /document/namespace
        "namespace" is letters, digits and "-" (not first or last), at most 63 of them; came "-a"
      1:46 (bad-value) /document/name
        "name" is letters, digits and "-" (not first or last), at most 63 of them; came "b.c"
      `,
  },
  {
    what: 'a name of 64 characters [DOC-04]',
    text: `
document:
  dsl: 1.0.3
  namespace: a
  name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
  version: 1.0.0
do:
  - a: { wait: PT1S }
`,
    errors: `
      4:9 (bad-value) /document/name
        "name" is letters, digits and "-" (not first or last), at most 63 of them; came
          "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"
      `,
  },
  {
    what: 'a misspelt property of the head [DOC-02] [DOC-06]',
    text: `
document: { dsl: 1.0.3, namespace: a, name: b, versoin: 1.0.0 }
do:
  - a: { wait: PT1S }
`,
    errors: `
      1:48 (unknown-property) /document/versoin
        "document" has no property "versoin"; did you mean "version"?
      `,
  },
  {
    what: 'an unknown property of the head [DOC-06]',
    text: `
document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0, author: me }
do:
  - a: { wait: PT1S }
`,
    errors: `
      1:64 (unknown-property) /document/author
        "document" has no property "author"; there are dsl, namespace, name, version, title,
          summary, tags, metadata
      `,
  },
  {
    what: 'a mode of evaluation that is none [DOC-26]',
    body: `
evaluate: { mode: lose, langage: jq }
do:
  - a: { wait: PT1S }
`,
    errors: `
      6:19 (bad-value) /evaluate/mode
        "mode" is one of strict, loose; came "lose"; did you mean "loose"?
      6:25 (unknown-property) /evaluate/langage
        "evaluate" has no property "langage"; did you mean "language"?
      `,
  },
  {
    what: 'how events are read and none that start it [DOC-27]',
    body: `
schedule: { read: data, cron: '0 0 * * *' }
do:
  - a: { wait: PT1S }
`,
    errors: `
      6:1 (missing-property) /schedule
        "schedule" with "read" needs "on"
      `,
  },
  {
    what: 'an unknown part of use',
    body: `
use: { secret: [a] }
do:
  - a: { wait: PT1S }
`,
    errors: `
      6:8 (unknown-property) /use/secret
        "use" has no property "secret"; did you mean "secrets"?
      `,
  },
  {
    what: 'an extension of something else',
    body: `
use:
  extensions:
    - log: { extend: calls, before: [] }
do:
  - a: { wait: PT1S }
`,
    errors: `
      8:22 (bad-value) /use/extensions/0/log/extend
        "extend" is one of call, composite, emit, for, listen, raise, run, set, switch, try,
          wait, all, extension; came "calls"; did you mean "call"?
      `,
    warnings: `
      8:29 (empty-list) /use/extensions/0/log/before
        this list has no tasks, so it does nothing
      `,
  },
  {
    what: 'an extension that does not say of what',
    body: `
use:
  extensions:
    - log: { before: [] }
    - a: { extend: all }
      b: { extend: all }
do:
  - a: { wait: PT1S }
`,
    errors: `
      8:7 (missing-property) /use/extensions/0/log
        an extension needs "extend"
      9:7 (two-choices) /use/extensions/1
        an item of a list of extensions has one name, and this has "a" and "b"; begin each with a
          dash of its own
      `,
    warnings: `
      8:14 (empty-list) /use/extensions/0/log/before
        this list has no tasks, so it does nothing
      `,
  },
]);
