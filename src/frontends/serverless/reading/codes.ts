/**
 * Every code of a diagnostic that reading a Serverless Workflow may give, and what it is about. The
 * codes are the contract; the sentences of the diagnostics are for people, and may change.
 */

export const SERVERLESS_CODES = {
  // The text.
  'serverless.bad-yaml': 'the text is neither YAML nor JSON',
  'serverless.too-large': 'the text is longer than a definition may be',
  'serverless.too-deep': 'values are nested deeper than in any definition',
  'serverless.too-many-values': 'there are more values than in any definition, aliases unfolded',
  'serverless.duplicate-key': 'a key stands twice in one object',
  'serverless.bad-key': 'a key is no text',
  'serverless.bad-tag': 'a value has a tag that is not of plain YAML',
  'serverless.bad-number': 'a number cannot be kept exactly, or is none that JSON has',
  'serverless.bad-alias': 'an alias leads nowhere, or into itself',
  'serverless.not-a-definition': 'the text is something other than an object',
  'serverless.too-many-mistakes': 'there are more diagnostics than are shown',

  // The shape.
  'serverless.unknown-property': 'a property that is not known there',
  'serverless.missing-property': 'a property that has to be there is not',
  'serverless.bad-value': 'a value of another kind than its property takes',
  'serverless.two-tasks': 'two tasks where one belongs',
  'serverless.no-task': 'a task without one of the words that make a task',
  'serverless.two-choices': 'several things are given of which only one may be',
  'serverless.no-choice': 'nothing is given where one of several things has to be',

  // What it says.
  'serverless.unsupported-dsl': 'a version of the language that is not this one',
  'serverless.newer-dsl': 'a version of the language that came later than this reader',
  'serverless.version-too-large': 'a version whose numbers cannot be kept',
  'serverless.unknown-language': 'expressions in another language than jq',
  'serverless.bad-name': 'a task or an extension has no name',
  'serverless.duplicate-name': 'two tasks of one list have the same name',
  'serverless.unknown-jump': 'a jump to a task that does not exist',
  'serverless.jump-out-of-scope': 'a jump to a task of another list',
  'serverless.two-defaults': 'a switch with two cases that have no condition',
  'serverless.unknown-timeout': 'a timeout that is not in use.timeouts',
  'serverless.unknown-retry': 'a retry policy that is not in use.retries',
  'serverless.unknown-error': 'an error that is not in use.errors',
  'serverless.unknown-authentication': 'a policy that is not in use.authentications',
  'serverless.unknown-catalog': 'a catalog that is not in use.catalogs',
  'serverless.unknown-function': 'a function that is nowhere to be found',
  'serverless.unknown-secret': 'a secret that is not in use.secrets',
  'serverless.bad-cron': 'a cron expression cannot be read, or says no times',
  'serverless.duration-too-long': 'a duration longer than a hundred years',
  'serverless.no-authority': 'OAuth2 or OpenID Connect without an authority',
  'serverless.no-grant': 'OAuth2 or OpenID Connect without a grant',
  'serverless.no-agent': 'a call of an agent that does not say of which',

  // What is worth a word, and stops nobody.
  'serverless.empty-list': 'a list of tasks that has none',
  'serverless.text-around-expression': 'text around an expression makes all of it text',
  'serverless.retry-without-limit': 'a retry policy that never gives up',
  'serverless.retry-without-delay': 'a retry policy that tries again at once',
  'serverless.secret-in-data': 'a secret that becomes part of the data',
  'serverless.extends-nothing': 'an extension of what is never extended',
} as const;

export type ServerlessCode = keyof typeof SERVERLESS_CODES;
