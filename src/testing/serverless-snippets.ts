/**
 * Well-formed definitions that have each construct of Serverless Workflow at least once: what has
 * to be read without a word, and what random definitions are grown from.
 */
import { CALL_SNIPPETS } from './serverless-snippets-calls.ts';

const HEAD = `document:
  dsl: '1.0.3'
  namespace: test
  name: sample
  version: '0.1.0'
`;

/** A definition with a head of five lines; what follows is written from the first column on. */
export function definition(body: string): string {
  return `${HEAD}${body.replace(/^\n/, '')}`;
}

const WORKFLOWS = {
  'input, output and schemas': `
input:
  schema:
    format: json:2020-12
    document: { type: object, required: [id], properties: { id: { type: integer } } }
  from: .order
output:
  schema: { resource: { name: result, endpoint: https://example.com/result.json } }
  as: { id: '\${ .id }', at: '\${ $workflow.startedAt.iso8601 }' }
do:
  - keep: { set: { id: '\${ .id }' } }
`,
  'a workflow that ends in time': `
timeout: { after: { minutes: 5 } }
do:
  - rest: { wait: { days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 } }
`,
  'a timeout by name': `
timeout: whole
use: { timeouts: { whole: { after: PT1H }, part: { after: '\${ .patience }' } } }
do:
  - rest: { wait: PT5M, timeout: part }
`,
  'a workflow that is started every day': `
schedule: { cron: 0 6 * * MON-FRI }
do:
  - greet: { set: { hello: world } }
`,
  'a workflow that is started every second by six fields': `
schedule: { cron: '* * * * * *' }
do:
  - greet: { set: { hello: world } }
`,
  'a workflow that is started over and over': `
schedule: { every: PT15M, after: { seconds: 30 } }
do:
  - greet: { set: { hello: world } }
`,
  'a workflow that is started by events': `
schedule:
  read: envelope
  on:
    all:
      - with: { type: order.placed, source: https://shop.example.com }
        correlate: { order: { from: .data.id } }
      - with: { type: order.paid }
        correlate: { order: { from: .data.order, expect: '\${ .id }' } }
do:
  - greet: { set: { hello: world } }
`,
  'loose evaluation': `
evaluate: { language: jq, mode: loose }
do:
  - greet: { set: { hello: .name } }
`,
  'title, summary, tags and metadata': `
  title: A sample
  summary: |
    It has a title, and \${ this } is no expression.
  tags: { team: pets }
  metadata: { owner: { name: me, since: 2020-01-01 } }
do:
  - greet:
      set: { hello: world }
      metadata: { note: nobody looks at this, level: 3 }
`,
  extensions: `
use:
  extensions:
    - log:
        extend: all
        when: $task.name != "quiet"
        before:
          - begin: { set: { at: '\${ $task.reference }' } }
        after:
          - finish: { set: { at: '\${ $task.reference }' } }
    - mock:
        extend: call
        before:
          - answer: { set: { ok: true }, then: exit }
    - more: { extend: composite, after: [{ end1: { wait: PT0S } }] }
do:
  - greet: { set: { hello: world } }
`,
};

const CONTROL = {
  'what every task may have': `
do:
  - all:
      if: .ready
      input: { schema: { document: { type: object } }, from: .order }
      set: '\${ . }'
      output: { schema: { document: true }, as: .id }
      export: { schema: { document: {} }, as: '$context + { id: $output }' }
      timeout: { after: PT1S }
      metadata: {}
      then: end
`,
  'tasks in tasks': `
do:
  - outer:
      do:
        - first: { set: { a: 1 }, then: third }
        - second: { set: { a: 2 }, then: exit }
        - third: { set: { a: 3 }, then: second }
  - first: { do: [{ inner: { set: { b: 1 } } }], then: continue }
`,
  'a loop': `
do:
  - each:
      for: { each: pet, in: .pets, at: n }
      while: $n < 10
      do:
        - keep: { set: { names: '\${ .names + [$pet.name] }' } }
`,
  'a loop over what is written': `
do:
  - each:
      for: { in: [{ name: red }, { name: green }] }
      do:
        - keep: { set: { last: '\${ $item.name }' } }
`,
  'branches that wait for each other': `
do:
  - both:
      fork:
        branches:
          - left: { wait: PT1S }
          - right: { do: [{ one: { wait: PT1S } }, { two: { wait: PT1S, then: exit } }] }
`,
  'branches that race': `
do:
  - fast:
      fork: { compete: true, branches: [{ left: { wait: PT1S } }, { right: { wait: PT2S } }] }
`,
  'a switch': `
do:
  - which:
      switch:
        - small: { when: .size < 10, then: little }
        - large: { when: '\${ .size > 100 }', then: much }
        - otherwise: { then: end }
      then: continue
  - little: { set: { kind: small }, then: end }
  - much: { set: { kind: large } }
`,
  'an error that is raised': `
use:
  errors:
    gone: { type: https://example.com/errors/gone, status: 410, title: Gone, detail: '\${ .id }' }
do:
  - one: { raise: { error: gone } }
  - two:
      raise:
        error: { type: '\${ .type }', status: 400, instance: /do/1/two, title: '\${ .title }' }
`,
  'an error that is caught': `
do:
  - risky:
      try:
        - ask: { call: http, with: { method: get, endpoint: https://example.com } }
      catch:
        errors:
          with:
            type: https://example.com/errors/gone
            status: 410
            instance: /do/0/risky/try/0/ask
            title: Gone
            detail: it is gone
        as: problem
        when: $problem.status == 410
        exceptWhen: .stop
        do:
          - keep: { set: { problem: '\${ $problem }' } }
        then: after
  - after: { set: { done: true } }
`,
  'an error that is caught in words of before': `
do:
  - risky:
      try: [{ ask: { wait: PT1S } }]
      catch: { errors: { with: { details: it is gone } } }
`,
  'a retry by name': `
use:
  retries:
    often:
      when: .status >= 500
      exceptWhen: '\${ .fatal }'
      delay: { seconds: 1 }
      backoff: { exponential: {} }
      limit: { attempt: { count: 5, duration: PT10S }, duration: PT5M }
      jitter: { from: { milliseconds: 10 }, to: PT1S }
do:
  - risky: { try: [{ ask: { wait: PT1S } }], catch: { retry: often } }
`,
  'retries written where they are used': `
do:
  - linear:
      try: [{ ask: { wait: PT1S } }]
      catch:
        retry: { delay: PT1S, backoff: { linear: {} }, limit: { attempt: { count: 2 } } }
  - constant:
      try: [{ ask: { wait: PT1S } }]
      catch: { retry: { delay: PT1S, backoff: { constant: {} }, limit: { duration: PT1M } } }
`,
  'durations of every form': `
do:
  - a: { wait: P1Y2M3W4DT5H6M7.5S }
  - b: { wait: P2W }
  - c: { wait: '\${ .later }' }
  - d: { wait: { milliseconds: 0 } }
  - e: { wait: P0.5D }
`,
  'an expression of several lines': `
do:
  - a:
      set: |
        \${
          { id: .id }
        }
  - b:
      wait: |
        \${
          .later
        }
`,
};

const EVENTS = {
  'an event that is emitted': `
do:
  - tell:
      emit:
        event:
          with:
            id: '\${ .id }'
            source: https://example.com
            type: pet.found
            time: 2026-01-31T12:00:00Z
            subject: pets
            datacontenttype: application/json
            dataschema: https://example.com/pet.json
            data: { pet: '\${ .pet }' }
            priority: 5
`,
  'an event without a source': `
do:
  - tell: { emit: { event: { with: { type: pet.found, data: '\${ .pet }' } } } }
`,
  'a listening to one event': `
do:
  - wait1:
      listen:
        to: { one: { with: { type: pet.found, data: '\${ .age > 3 }' } } }
        read: raw
`,
  'a listening to any event until something holds': `
do:
  - gather: { listen: { to: { any: [], until: length > 3 } } }
`,
  'a listening to any event until another comes': `
do:
  - gather:
      listen:
        to:
          any: [{ with: { type: pet.found } }, { with: { source: https://example.com } }]
          until: { one: { with: { type: day.over } } }
        read: data
`,
  'a listening until all or any of others come': `
do:
  - a: { listen: { to: { any: [], until: { all: [{ with: { type: b } }] } } } }
  - c: { listen: { to: { any: [], until: { any: [{ with: { type: d } }] } } } }
`,
  'something done with each event': `
do:
  - gather:
      listen: { to: { all: [{ with: { type: a } }, { with: { subject: b } }] }, read: envelope }
      foreach:
        item: event
        at: n
        do:
          - keep: { set: { id: '\${ $event.id }' } }
        output: { as: .id }
        export: { as: '$context + { n: $n }' }
`,
};

const RUNS = {
  'a container': `
do:
  - box:
      run:
        container:
          image: alpine
          name: '\${ "box-\\($workflow.id)" }'
          command: cat
          ports: { 8080: 80 }
          volumes: { /data: /tmp/data }
          environment: { MODE: test }
          stdin: '\${ .text }'
          arguments: [a, '\${ .b }']
          lifetime: { cleanup: eventually, after: { minutes: 5 } }
          pullPolicy: ifNotPresent
        await: false
        return: all
`,
  'a container that is kept': `
do:
  - box: { run: { container: { image: alpine, lifetime: { cleanup: never } } } }
`,
  'a script with a list of arguments': `
do:
  - code:
      run:
        script: { language: js, code: 'return 1', arguments: [a, b], environment: { C: 1 } }
        return: stderr
`,
  'a script with named arguments': `
do:
  - code: { run: { script: { language: javascript, code: return a, arguments: { a: 1 } } } }
`,
  'a script from elsewhere': `
use: { secrets: [store] }
do:
  - code:
      run:
        script:
          language: python
          stdin: text
          source:
            name: main
            endpoint: { uri: https://example.com/a.py, authentication: { bearer: { use: store } } }
`,
  'a command of the shell': `
do:
  - say:
      run:
        shell: { command: 'echo "$1 \${HOME}"', arguments: [hi], stdin: in, environment: { A: b } }
        return: code
`,
  'a workflow': `
do:
  - child:
      run:
        workflow: { namespace: test, name: other, version: latest, input: { id: '\${ .id }' } }
        await: true
        return: none
`,
};

/** By what each is about. */
export const SNIPPETS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...WORKFLOWS, ...CONTROL, ...EVENTS, ...RUNS, ...CALL_SNIPPETS }).map(
    ([name, body]) => [name, definition(body)],
  ),
);
