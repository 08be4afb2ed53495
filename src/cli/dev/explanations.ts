/** What to do about a problem, in a sentence, by how its code begins. */
const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/^definition\.unreadable$/, 'Mend the file and save it: it is read again by itself.'],
  [/unknown-type$/, 'Name a handler of this type, or correct the type to one that there is.'],
  [/no-code$/, 'Give the step a handler, or name the module that has it with --handlers.'],
  [/duplicate|twice/, 'Names are unique within a flow: give one of them another name.'],
  [/unreachable|no-way/, 'Nothing leads here: connect it, or take it out.'],
  [/missing|required/, 'Add what is missing; the path says where.'],
  [/expression|jq/, 'The expression cannot be read as jq: look at the place that is marked.'],
  [/schema|type|unknown|unexpected/, 'The language has no such thing here: check the spelling.'],
  [
    /yaml|json|syntax/,
    'The text cannot be read: check indents, quotes and brackets at this place.',
  ],
];

export function explanationOf(code: string): string | null {
  return EXPLANATIONS.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}
