/** Flowcharts in files: what is wrong is said with its line and column. */
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../model/draft.ts';
import { flowchart } from './flowchart.ts';
import { flowchartFromText } from './from-text.ts';

const text = `{
  "id": "order",
  "version": 1, "start": "fetch",
  "activities": [
    { "id": "fetch", "type": "fetch" },
    { "id": "fetch", "type": "other" },
    {
      "id": "pack",
      "type": "flowchart",
      "mergeMode": "all",
      "config": {
        "activities": [
          { "id": "weigh", "type": "delay" }
        ],
        "connections": [{ "from": "weigh", "to": "nowhere" }]
      }
    },
    7,
    { "id": "isle", "type": "isle", "retry": { "maxAttempts": 0 } }
  ],
  "connections": [
    { "from": "fetch", "to": "pack" },
    { "from": "pack", "outcome": "Treu", "to": "fetch" }
  ]
}
`;

function told({ code, node, span }: Diagnostic): string {
  return `${span?.line}:${span?.column} ${code} ${node ?? '-'}`;
}

test('every diagnostic has the place of what it is about', () => {
  expect(flowchartFromText(text).definition.diagnostics.map(told)).toEqual([
    '6:13 flowchart.duplicate-id fetch',
    '10:20 flowchart.bad-merge-mode pack',
    '13:11 flowchart.bad-delay pack/weigh',
    '15:50 flowchart.unknown-activity pack/weigh',
    '18:5 flowchart.bad-activity -',
    '19:46 retry.bad-max-attempts isle',
    '23:34 flowchart.unknown-outcome pack',
    '19:13 node.unreachable isle',
  ]);
});

test('it is the same flow as in a program, and knows besides where its activities stand', () => {
  const good = '{"id":"a","version":2,"activities":[{"id":"A","type":"work"}]}';
  const made = flowchartFromText(good);
  const [, node] = made.definition.draft.nodes;
  expect(node?.span).toEqual({ line: 1, column: 37 });
  const { span: _, ...rest } = node ?? { span: 0 };
  const other = flowchart(JSON.parse(good) as Parameters<typeof flowchart>[0]);
  expect(other.definition.draft.nodes[1]).toEqual(rest);
  expect([made.name, made.version]).toEqual(['a', 2]);
});

test('what is no JSON has no name, and says where it goes wrong', () => {
  const made = flowchartFromText('{\n  "id": "a",\n  version: 1\n}');
  expect(made.name).toBe('');
  expect(made.definition.diagnostics).toEqual([
    {
      code: 'flowchart.bad-json',
      message: 'this is no JSON: a key in double quotes comes here; came "version"',
      span: { line: 3, column: 3 },
    },
  ]);
});

test('a key that is there twice is said beside all the rest', () => {
  const made = flowchartFromText('{"id": "a", "id": "b", "version": 0, "activities": []}');
  expect(made.name).toBe('a');
  expect(made.definition.diagnostics.map(told)).toEqual([
    '1:13 flowchart.bad-json -',
    '1:35 flow.bad-version -',
    '1:52 flowchart.no-start -',
  ]);
});

test.each([undefined, null, 7, {}])('%j is no text, and nothing throws', (value) => {
  const { definition } = flowchartFromText(value as string);
  expect(definition.diagnostics.map(({ code }) => code)).toEqual(['flowchart.bad-json']);
});

test.each(['null', '[]', '"chart"', '3'])('%s is JSON and no flowchart', (other) => {
  const { definition } = flowchartFromText(other);
  expect(definition.diagnostics.map(({ code }) => code)).toEqual(['option.not-an-object']);
});
