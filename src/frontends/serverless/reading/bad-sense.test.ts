/** What has the right shape, and makes no sense. */
import { diagnosedCases } from '../../../testing/diagnosed.ts';

diagnosedCases('what it says', [
  {
    what: 'another language [DOC-07]',
    text: `
document: { dsl: 0.8.0, namespace: a, name: b, version: 1.0.0 }
do:
  - a: { wait: PT1S }
`,
    errors: `
      1:18 (unsupported-dsl) /document/dsl
        this reads Serverless Workflow 1.0.0 to 1.0.3; came 0.8.0, which is another language
      `,
  },
  {
    what: 'the language of some day [DOC-07]',
    text: `
document: { dsl: 2.0.0, namespace: a, name: b, version: 1.0.0 }
do:
  - a: { wait: PT1S }
`,
    errors: `
      1:18 (unsupported-dsl) /document/dsl
        this reads Serverless Workflow 1.0.0 to 1.0.3; came 2.0.0, which is another language
      `,
  },
  {
    what: 'versions that cannot be kept',
    text: `
document: { dsl: 1.0.3, namespace: a, name: b, version: 2147.0.0 }
do:
  - a: { wait: PT1S }
`,
    errors: `
      1:57 (version-too-large) /document/version
        a version is at most 2146.999.999, each part for itself; came 2147.0.0
      `,
  },
  {
    what: 'expressions in another language [EX-11]',
    body: `
evaluate: { language: javascript }
do:
  - a: { wait: PT1S }
`,
    errors: `
      6:23 (unknown-language) /evaluate/language
        expressions are written in jq, not in "javascript"; use jq, or leave it out
      `,
  },
  {
    what: 'cron that says no times [DOC-20]',
    body: `
schedule: { cron: 0 0 32 * * }
do:
  - a: { wait: PT1S }
`,
    errors: `
      6:19 (bad-cron) /schedule/cron
        a cron expression has five fields (minute, hour, day, month, weekday), or six with
          seconds first; came "0 0 32 * *", whose day cannot be
      `,
  },
  {
    what: 'cron of four fields [DOC-20]',
    body: `
schedule: { cron: 0 0 * * }
do:
  - a: { wait: PT1S }
`,
    errors: `
      6:19 (bad-cron) /schedule/cron
        a cron expression has five fields (minute, hour, day, month, weekday), or six with
          seconds first; came "0 0 * *"
      `,
  },
  {
    what: 'a nickname of cron [DOC-20]',
    body: `
schedule: { cron: '@daily' }
do:
  - a: { wait: PT1S }
`,
    errors: `
      6:19 (bad-cron) /schedule/cron
        a cron expression has five fields (minute, hour, day, month, weekday), or six with
          seconds first; came "@daily"
      `,
  },
  {
    what: 'durations longer than a life',
    body: `
use:
  timeouts: { a: { after: P101Y } }
  retries: { b: { delay: { days: 40000 }, limit: { attempt: { count: 1 } } } }
schedule: { every: PT99999999H }
do:
  - a: { wait: { milliseconds: 9007199254740991 } }
`,
    errors: `
      7:27 (duration-too-long) /use/timeouts/a/after
        a duration is at most 100 years; look at the unit
      8:19 (duration-too-long) /use/retries/b/delay
        a duration is at most 100 years; look at the unit
      9:20 (duration-too-long) /schedule/every
        a duration is at most 100 years; look at the unit
      11:10 (duration-too-long) /do/0/a/wait
        a duration is at most 100 years; look at the unit
      `,
  },
  {
    what: 'an agent of which nothing is said [A2-02]',
    body: `
do:
  - a: { call: a2a, with: { method: tasks/get } }
`,
    errors: `
      7:21 (no-agent) /do/0/a/with
        an A2A call needs "agentCard" or "server", to know which agent is called
      `,
  },
  {
    what: 'tokens from nowhere, in what comes after 1.0.3 [DOC-28]',
    text: `
document: { dsl: 1.0.4, namespace: a, name: b, version: 1.0.0 }
use:
  authentications: { a: { oauth2: { client: { id: b } } }, c: { oidc: { grant: password } } }
do:
  - a: { wait: PT1S }
`,
    errors: `
      3:27 (no-authority) /use/authentications/a/oauth2
        oauth2 needs "authority", where tokens are asked for
      3:27 (no-grant) /use/authentications/a/oauth2
        oauth2 needs "grant", how a token is asked for
      3:65 (no-authority) /use/authentications/c/oidc
        oidc needs "authority", where tokens are asked for
      `,
    warnings: `
      1:18 (newer-dsl) /document/dsl
        1.0.4 came after 1.0.3, the newest known here; what it adds is not known
      `,
  },
  {
    what: 'mistakes of every kind together',
    body: `
do:
  - a: { wait: 5s, then: nowhere }
  - a: { cal: http }
  - b: { call: missing, tiemout: PT1S }
`,
    errors: `
      7:16 (bad-value) /do/0/a/wait
        "wait" is a duration: an object such as { seconds: 30 }, ISO 8601 such as PT30S, or "\${
          … }"; came "5s"
      7:26 (unknown-jump) /do/0/a/then
        there is no task "nowhere" to go on with; there are a, b, continue, exit, end
      8:10 (no-task) /do/1/a/cal
        "cal" makes no task; did you mean "call"?
      9:16 (unknown-function) /do/2/b/call
        nothing is called "missing"; there are http, openapi, grpc, asyncapi, a2a, mcp
      9:25 (unknown-property) /do/2/b/tiemout
        a call of a function has no property "tiemout"; did you mean "timeout"?
      `,
  },
]);
