/**
 * What to do about a problem, in a sentence. The message says what is wrong; this is for whoever
 * has not met it before. The first that fits the code is told.
 */
const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/^definition\.unreadable$/, 'Mend the file and save it: it is read again by itself.'],
  [/unknown-type$/, 'Name a handler of this type, or correct the type to one that there is.'],
  [/no-code$/, 'Give the step a handler, or name the module that has it with --handlers.'],
  [/duplicate/, 'Names are unique: give one of the two another name, or take it out.'],
  [/unreachable$/, 'Nothing leads here: connect it with something before it, or take it out.'],
  [/unknown-jump$/, 'Name a task of the same list, or say continue, exit or end.'],
  [/jump-out-of-scope$/, 'A jump stays within its list of tasks: name one of those.'],
  [
    /two-tasks$|two-choices$|two-defaults$/,
    'It can be only one of these: keep one, move the rest.',
  ],
  [
    /no-task$|no-choice$|empty-list$|no-steps$/,
    'Say what is to be done here: it must not be empty.',
  ],
  [/missing-property$/, 'Add the property that is named; the language needs it here.'],
  [/unknown-property$/, 'There is no such property here: check the spelling, or take it out.'],
  [/text-around-expression$/, 'An expression stands alone: put the words inside it, in quotes.'],
  [/bad-expression$|bad-variable$/, 'Check the expression at this place: it is no valid jq.'],
  [/bad-yaml$|bad-json$|bad-tag$|bad-key$/, 'Check indents, quotes and brackets at this place.'],
  [
    /bad-cron$/,
    'A schedule has five fields, as in "0 3 * * 1": minute, hour, day, month, weekday.',
  ],
  [/duration|delay|timeout/, 'Write a duration, as in PT30S, or { seconds: 30 }.'],
  [/retry-without/, 'Say how long to wait between attempts, and how many there may be.'],
  [/secret-in-data$/, 'Secrets belong to where they are used: do not write them into data.'],
  [/unsupported-dsl$|newer-dsl$/, 'Say a version of the language that there is, such as 1.0.3.'],
  [/too-(many|deep|large|long)/, 'Make it smaller: parts of it can be definitions of their own.'],
  [
    /endless$|spins$|circle$|cycle$/,
    'It would go round for ever: have a way that leads out of it.',
  ],
  [
    /^edge\.|bad-connection|unknown-activity$/,
    'A connection joins two that are there: check both.',
  ],
  [
    /no-start$|unknown-start$|^flow\.start/,
    'Say where it begins: one thing that nothing leads to.',
  ],
  [/merge-mode$/, 'Merge modes are converge, merge, convergeStrict, race, stream and cascade.'],
  [/no-authority$|no-grant$|no-agent$/, 'Say who is asked, and how: the call has to name it.'],
  [/no-id$|no-type$/, 'Every activity has an id of its own and the type of what it does.'],
  [/extends-nothing$/, 'An extension says which kind of task it is for: correct the word.'],
  [/not-a-definition$|unreadable$/, 'It is not of the language at all: begin with an example.'],
  [/not-for-built-in$/, 'A type that is built in does this by itself: take the setting out.'],
  [/unknown-outcome$/, 'Name an outcome that the activity has, or let the handler end with this.'],
  [/^serverless\.unknown-/, 'Define it under "use", or correct the name to one that is there.'],
  [/bad-name$|bad-id$/, 'Use letters, digits, dashes and dots, and begin with a letter.'],
  [/bad-version$/, 'A version is a whole number, 1 or more.'],
  [/bad-value$|bad-number$|bad-type$|bad-/, 'The value does not fit here: see what was expected.'],
];

export function explanationOf(code: string): string | null {
  return EXPLANATIONS.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}
