/** What is run, and for how long, in another shape than the language has. */
import { diagnosedCases } from '../../../testing/diagnosed.ts';

diagnosedCases('what is run', [
  {
    what: 'nothing to run [RU-01]',
    body: `
do:
  - a: { run: { await: true } }
`,
    errors: `
      7:10 (no-choice) /do/0/a/run
        "run" needs one of container, script, shell, workflow
      `,
  },
  {
    what: 'two things to run [RU-01]',
    body: `
do:
  - a: { run: { shell: { command: b }, script: { language: js, code: c } } }
`,
    errors: `
      7:10 (two-choices) /do/0/a/run
        "run" has one of container, script, shell, workflow, and here are "script" and "shell";
          remove all but one
      `,
  },
  {
    what: 'a misspelt thing to run',
    body: `
do:
  - a: { run: { contaner: { image: b } } }
`,
    errors: `
      7:17 (unknown-property) /do/0/a/run/contaner
        "run" has no property "contaner"; did you mean "container"?
      `,
  },
  {
    what: 'a script without a language and with two sources',
    body: `
do:
  - a:
      run:
        script: { code: b, source: { endpoint: https://example.com }, arguments: text }
`,
    errors: `
      9:9 (two-choices) /do/0/a/run/script
        a script has one of code, source, and here are "code" and "source"; remove all but one
      9:9 (missing-property) /do/0/a/run/script
        a script needs "language"
      9:82 (bad-value) /do/0/a/run/script/arguments
        "arguments" is a list of texts, or an object of named arguments; came "text"
      `,
  },
  {
    what: 'a container that is to be removed some day [CO-02]',
    body: `
do:
  - a: { run: { container: { image: b, lifetime: { cleanup: eventually } } } }
`,
    errors: `
      7:40 (missing-property) /do/0/a/run/container/lifetime
        a lifetime whose "cleanup" is "eventually" needs "after"
      `,
  },
  {
    what: 'a container that is to be removed at once and later [CO-02]',
    body: `
do:
  - a: { run: { container: { image: b, lifetime: { cleanup: always, after: PT1S } } } }
`,
    errors: `
      7:76 (bad-value) /do/0/a/run/container/lifetime/after
        "after" is only there when "cleanup" is "eventually"; remove it
      `,
  },
  {
    what: 'a workflow without a version',
    body: `
do:
  - a: { run: { workflow: { namespace: b, name: c, version: 1 } } }
`,
    errors: `
      7:61 (bad-value) /do/0/a/run/workflow/version
        "version" is a version in quotes, or latest; came 1; put it in quotes
      `,
  },
  {
    what: 'what is returned',
    body: `
do:
  - a: { run: { shell: { command: b }, return: stdot } }
`,
    errors: `
      7:48 (bad-value) /do/0/a/run/return
        "return" is one of stdout, stderr, code, all, none; came "stdot"; did you mean "stdout"?
      `,
  },
]);

diagnosedCases('durations and data', [
  {
    what: 'a retry policy of other shapes',
    body: `
use:
  retries:
    b:
      delay: 3s
      backoff: { exponential: {}, linear: {} }
      limit: { attempt: { count: -1 } }
      jitter: { from: PT1S }
do:
  - a: { wait: PT1S }
`,
    errors: `
      9:14 (bad-value) /use/retries/b/delay
        "delay" is a duration: an object such as { seconds: 30 }, ISO 8601 such as PT30S, or "\${
          … }"; came "3s"
      10:7 (two-choices) /use/retries/b/backoff
        a backoff has one of constant, linear, exponential, and here are "linear" and
          "exponential"; remove all but one
      11:34 (bad-value) /use/retries/b/limit/attempt/count
        "count" is a whole number, 0 or more; came -1
      12:7 (missing-property) /use/retries/b/jitter
        a jitter needs "to"
      `,
  },
  {
    what: 'a wait of no duration [WA-06]',
    body: `
do:
  - a: { wait: 5 }
  - b: { wait: 5s }
  - c: { wait: {} }
  - d: { wait: { second: 5 } }
  - e: { wait: { seconds: -5 } }
  - f: { wait: { seconds: 1.5 } }
  - g: { wait: .d }
  - h: { wait: PT5 }
  - i: { wait: P }
`,
    errors: `
      7:16 (bad-value) /do/0/a/wait
        "wait" is a duration: an object such as { seconds: 30 }, ISO 8601 such as PT30S, or "\${
          … }"; came 5
      8:16 (bad-value) /do/1/b/wait
        "wait" is a duration: an object such as { seconds: 30 }, ISO 8601 such as PT30S, or "\${
          … }"; came "5s"
      9:10 (bad-value) /do/2/c/wait
        "wait" is a duration: an object such as { seconds: 30 }, ISO 8601 such as PT30S, or "\${
          … }"; came an empty object
      10:18 (unknown-property) /do/3/d/wait/second
        a duration has no property "second"; did you mean "seconds"?
      11:27 (bad-value) /do/4/e/wait/seconds
        "seconds" is a whole number, 0 or more; came -5
      12:27 (bad-value) /do/5/f/wait/seconds
        "seconds" is a whole number, 0 or more; came 1.5
      13:16 (bad-value) /do/6/g/wait
        "wait" is a duration: an object such as { seconds: 30 }, ISO 8601 such as PT30S, or "\${
          … }"; came ".d"
      14:16 (bad-value) /do/7/h/wait
        "wait" is a duration: an object such as { seconds: 30 }, ISO 8601 such as PT30S, or "\${
          … }"; came "PT5"
      15:16 (bad-value) /do/8/i/wait
        "wait" is a duration: an object such as { seconds: 30 }, ISO 8601 such as PT30S, or "\${
          … }"; came "P"
      `,
  },
  {
    what: 'a schema of two kinds',
    body: `
input: { schema: { document: {}, resource: { endpoint: https://example.com } } }
output: { schema: { format: json } }
do:
  - a: { wait: PT1S }
`,
    errors: `
      6:10 (two-choices) /input/schema
        a schema has one of document, resource, and here are "document" and "resource"; remove
          all but one
      7:11 (no-choice) /output/schema
        a schema needs one of document, resource
      `,
  },
]);
