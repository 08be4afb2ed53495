/**
 * `flowchart({ id, version, activities, connections })`: a process as people draw it, in JSON.
 *
 * Activities are named, and have a type: one of ours (`built-in.ts`), or the name of a handler that
 * is given to the engine. Connections lead from an outcome of one activity to another, wherever one
 * likes, also back. What happens where several meet is said by the mode of the activity they meet
 * at; which connections lead back is found by the compiler.
 *
 * All of it lies in the region of one hidden node, so that a flowchart inside another, and the one
 * that is the whole flow, are the same. A name is unique within its flowchart; in the draft it has
 * those of the flowcharts around it before it (`pack/weigh`).
 *
 * As with flows, nothing here throws: what is wrong is collected in the definition's diagnostics,
 * and whoever takes the flowchart reports all of it.
 */
import type { Json } from '../../base/json.ts';
import type { Flow } from '../../model/definition.ts';
import type { Diagnostic, Draft } from '../../model/draft.ts';
import { checkFlowName, show } from '../builder/checks.ts';
import { dataFlow } from '../builder/data-flow.ts';
import { readLimit } from '../builder/limit-options.ts';
import { readJsonObject, readSearch, readWord } from '../builder/readers.ts';
import { readBody } from './body.ts';
import { BODY_FIELDS, type Inside } from './built-in.ts';
import type { FlowchartDefinition } from './definition.ts';
import { checkFields, type Desk, fieldsOf, hear, type Part, say } from './parts.ts';

const WHOLE = ':flowchart';
const FIELDS = ['id', 'version', ...BODY_FIELDS, 'onFailure', 'limit', 'search', 'vars'] as const;
const NOTHING: Inside = { body: null, nodes: [], edges: [] };

/** What an instance begins with is `Input`; it ends with the results of its activities by name. */
export function flowchart<Input = unknown, Output = Readonly<Record<string, Json>>>(
  definition: FlowchartDefinition,
): Flow<Input, Output> {
  return readFlowchart(definition, () => undefined);
}

/** The same for a stranger's value, of which something may be known before. */
export function readFlowchart<Input, Output>(
  definition: unknown,
  placeOf: Desk['placeOf'],
  earlier: readonly Diagnostic[] = [],
): Flow<Input, Output> {
  const desk: Desk = { diagnostics: [...earlier], placeOf };
  try {
    return flowOf(desk, readWhole(desk, definition));
  } catch {
    // A getter or a proxy of the stranger's may throw anything, and what lies in itself never ends.
    const message = 'a flowchart is plain JSON, and reading this one threw an error of its own';
    desk.diagnostics.push({ code: 'flowchart.unreadable', message });
    return flowOf(desk, { name: '', version: 1, inside: NOTHING });
  }
}

type Whole = Pick<Draft, 'name' | 'version' | 'onFailure' | 'limit' | 'search' | 'vars'> & {
  readonly inside: Inside;
};

function flowOf<Input, Output>(desk: Desk, { inside, ...head }: Whole): Flow<Input, Output> {
  const { body, nodes, edges } = inside;
  const settings = { body, whole: true };
  const whole = { id: WHOLE, kind: 'flowchart', settings, hidden: true };
  const saga = 'none' as const;
  const draft = { ...head, start: WHOLE, saga, nodes: [whole, ...nodes], edges };
  return dataFlow(draft, desk.diagnostics);
}

/** One of which nothing is known but what is wrong with it. */
export function noFlowchart<Input, Output>(
  diagnostics: readonly Diagnostic[],
): Flow<Input, Output> {
  const desk = { diagnostics: [...diagnostics], placeOf: () => undefined };
  return flowOf(desk, { name: '', version: 1, inside: NOTHING });
}

function readWhole(desk: Desk, definition: unknown): Whole {
  const fields = fieldsOf(definition);
  if (fields === undefined) {
    const rule = 'a flowchart is an object with "id", "version", "activities" and "connections"';
    const message = `${rule}; came ${show(definition)}`;
    desk.diagnostics.push({ code: 'option.not-an-object', message });
    return { name: '', version: 1, inside: NOTHING };
  }
  const { id, version } = fields;
  const what = typeof id === 'string' ? `flowchart ${show(id)}` : 'a flowchart';
  const part = { desk, source: definition as object, fields, what };
  checkFields(part, FIELDS);
  for (const { code, message } of checkFlowName(id)) {
    say(part, { code, message: `the "id" of a flowchart: ${message}` }, 'id');
  }
  const isVersion = Number.isSafeInteger(version) && (version as number) >= 1;
  if (!isVersion) {
    const message = `the version of ${what} is a whole number, 1 or more; came ${show(version)}`;
    say(part, { code: 'flow.bad-version', message }, 'version');
  }
  return {
    name: typeof id === 'string' ? id : '',
    version: isVersion ? (version as number) : 1,
    ...readOptions(part),
    inside: readBody(part, WHOLE, ''),
  };
}

function readOptions(part: Part): Partial<Omit<Whole, 'inside'>> {
  const { fields, what } = part;
  const rule = (option: string, code: string) => ({ code, what: `the ${option} of ${what}` });
  const words: readonly ('fail' | 'incident')[] = ['fail', 'incident'];
  const failing = { ...rule('onFailure', 'flow.bad-on-failure'), words };
  const parks = hear(part, 'onFailure', (found) => readWord(found, failing, fields['onFailure']));
  const limit = hear(part, 'limit', (found) =>
    readLimit(found, rule('limit', 'flow.bad-limit'), fields['limit']),
  );
  const search = hear(part, 'search', (found) =>
    readSearch(found, rule('search', 'flow.bad-search'), fields['search']),
  );
  const vars = hear(part, 'vars', (found) =>
    readJsonObject(found, rule('vars', 'flow.bad-vars'), fields['vars']),
  );
  return {
    ...(parks === 'incident' && { onFailure: parks }),
    ...(limit && { limit }),
    ...(search && { search }),
    ...(vars && { vars }),
  };
}
