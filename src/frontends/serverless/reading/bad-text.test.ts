/** Texts that are no YAML, or no YAML such as a definition is. */
import { diagnosedCases } from '../../../testing/diagnosed.ts';

diagnosedCases('the text itself', [
  {
    what: 'a line too far in',
    text: `
a: 1
 b: 2
`,
    errors: `
      1:4 (bad-yaml)
        this is no YAML: implicit keys need to be on a single line; the next line stands too far
          in, or this one needs quotes
      `,
  },
  {
    what: 'text with a colon',
    text: `
a: b: c
`,
    errors: `
      1:4 (bad-yaml)
        this is no YAML: nested mappings are not allowed in compact mappings; if the text has a
          colon in it, put all of it in quotes
      `,
  },
  {
    what: 'tabs for indentation',
    text: `
a:
	b: 1
`,
    errors: `
      2:1 (bad-yaml)
        this is no YAML: tabs are not allowed as indentation; use spaces
      `,
  },
  {
    what: 'several mistakes at once',
    text: `
a:
  - x: 1
   y: 2
b: [1, 2
c: "x
`,
    errors: `
      3:1 (bad-yaml)
        this is no YAML: sequence item without - indicator; look for a bracket, a quote or a dash
          that is not there
      5:1 (bad-yaml)
        this is no YAML: flow sequence in block collection must be sufficiently indented and end
          with a ]; lines that belong together begin in the same column
      6:1 (bad-yaml)
        this is no YAML: missing closing "quote; look for a bracket, a quote or a dash that is
          not there
      `,
  },
  {
    what: 'a second definition in the same file',
    text: `
a: 1
---
b: 2
`,
    errors: `
      2:1 (bad-yaml)
        a file has one definition; remove what follows "---"
      `,
  },
  {
    what: 'a key that stands twice',
    body: `
do:
  - a:
      wait: PT1S
      wait: PT2S
`,
    errors: `
      9:7 (duplicate-key)
        the key "wait" stands here twice, first in line 8; remove one
      `,
  },
  {
    what: 'the same key in JSON',
    text: `
{"document": 1, "do": [], "do": []}
`,
    errors: `
      1:27 (duplicate-key)
        the key "do" stands here twice, first in line 1; remove one
      `,
  },
  {
    what: 'a tag of an application',
    body: `
do:
  - a:
      set: !vault { b: 1 }
`,
    errors: `
      8:19 (bad-tag)
        a definition is plain YAML, without tags such as "!vault"; remove it
      `,
  },
  {
    what: 'a timestamp by its tag',
    body: `
do:
  - a:
      set: { at: !!timestamp 2001-01-01 }
`,
    errors: `
      8:30 (bad-tag)
        a definition is plain YAML, without tags such as "!!timestamp"; remove it
      `,
  },
  {
    what: 'a number that would be rounded',
    body: `
do:
  - a:
      set: { id: 12345678901234567890 }
`,
    errors: `
      8:18 (bad-number)
        the number 12345678901234567890 is too large to be kept exactly; write it in quotes, as
          text
      `,
  },
  {
    what: 'numbers that JSON does not have',
    body: `
do:
  - a:
      set: { a: .inf, b: -.inf, c: .nan, d: 1e400 }
`,
    errors: `
      8:17 (bad-number)
        JSON has no number .inf; write it in quotes, as text
      8:26 (bad-number)
        JSON has no number -.inf; write it in quotes, as text
      8:36 (bad-number)
        JSON has no number .nan; write it in quotes, as text
      8:45 (bad-number)
        JSON has no number 1e400; write it in quotes, as text
      `,
  },
  {
    what: 'an alias of nothing',
    body: `
do:
  - a:
      set: *b
`,
    errors: `
      8:12 (bad-alias)
        "*b" stands for "&b", and none comes before it
      `,
  },
  {
    what: 'an alias within what it stands for',
    body: `
do: &all
  - a:
      do: *all
`,
    errors: `
      8:11 (bad-alias)
        "*all" stands for something that it is itself a part of
      `,
  },
  {
    what: 'a list as a key',
    text: `
? [a, b]
: 1
`,
    errors: `
      1:3 (bad-key)
        a key is text, and neither a list nor an alias
      `,
  },
  {
    what: 'something merged that is no object',
    body: `
do:
  - a:
      set:
        <<: 5
        b: 1
`,
    errors: `
      9:9 (bad-key)
        "<<" takes in an object or a list of objects, such as "*other"
      `,
  },
  {
    what: 'no text at all',
    text: `

`,
    errors: `
      1:1 (not-a-definition)
        a definition is an object with "document" and "do"; came nothing
      `,
  },
  {
    what: 'a list instead of an object',
    text: `
- document: 1
`,
    errors: `
      1:1 (not-a-definition)
        a definition is an object with "document" and "do"; came a list
      `,
  },
  {
    what: 'just text',
    text: `
hello
`,
    errors: `
      1:1 (not-a-definition)
        a definition is an object with "document" and "do"; came "hello"
      `,
  },
]);
