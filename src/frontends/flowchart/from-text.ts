/** A flowchart in a file: the same as in a program, and what is wrong is said with its place. */
import type { Json } from '../../base/json.ts';
import { readJsonText } from '../../base/json-text.ts';
import type { Flow } from '../../model/definition.ts';
import { show } from '../builder/checks.ts';
import { noFlowchart, readFlowchart } from './flowchart.ts';

/** Never throws: of what is no JSON the flow has no name, and a diagnostic says where. */
export function flowchartFromText(text: string): Flow<unknown, Readonly<Record<string, Json>>> {
  const isText = typeof text === 'string';
  const { value, problems, placeOf } = readJsonText(isText ? text : '');
  const came = isText ? '' : `; came ${show(text)}`;
  const found = problems.map(({ message, place }) => {
    const sentence = `this is no JSON: ${message}${came}`;
    return { code: 'flowchart.bad-json', message: sentence, span: place };
  });
  // Of a text that is no JSON nothing is known, so nothing else is said of it.
  return value === undefined ? noFlowchart(found) : readFlowchart(value, placeOf, found);
}
