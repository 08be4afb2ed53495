/**
 * `flow(name, options)`: where a process written in TypeScript begins.
 *
 * Nothing here runs or throws: what is wrong is collected in the definition's diagnostics, and
 * whoever takes the flow reports all of it.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Json } from '../../base/json.ts';
import type { Diagnostic, SagaReach } from '../../model/draft.ts';
import type { FlowBuilder } from './builder-types.ts';
import {
  checkFlowName,
  complain,
  type Findings,
  findingsOf,
  isRecord,
  readOptions,
  show,
} from './checks.ts';
import { type FlowHead, START } from './finish.ts';
import type { NoVars, Top } from './frames.ts';
import { type LimitOptions, readLimit } from './limit-options.ts';
import { append, hiddenIn } from './path.ts';
import { readJsonObject, readSaga, readSearch, readWord } from './readers.ts';
import { Writer } from './writer.ts';

export interface FlowOptions<Input, Seen, Vars> {
  /** 1 if not given. Instances keep the version they were started with. */
  readonly version?: number;
  /** Checks the input at start: any Standard Schema. */
  readonly input?: StandardSchemaV1<Input, Seen>;
  /** The variables an instance begins with. */
  readonly vars?: Vars;
  /** Older versions whose running instances this code may finish. */
  readonly serves?: readonly number[];
  /** What is undone when something fails for good: everything the instance did, if not given. */
  readonly saga?: SagaReach;
  /** Whether the rest is undone (`'continue'`, if not given) when one step cannot be. */
  readonly onUndoFailure?: 'continue' | 'halt';
  /** What fails for good fails the instance, if not given, or waits for someone to mend it. */
  readonly onFailure?: 'fail' | 'incident';
  /** How many of its steps may be at work at a time, all together, and how many begin per time. */
  readonly limit?: LimitOptions;
  /** What instances are found by (`engine.list`): fields of the input, and variables. */
  readonly search?: readonly string[];
}

/** A flow's builder before the first node. */
export type NewFlow<Input, Seen, Vars extends object> = FlowBuilder<
  Top<Input, Seen, Vars>,
  unknown,
  never,
  never
>;

/**
 * Begins a flow. The input's type comes from the schema, or is stated: `flow<Input>('order')`, and
 * `flow<Input, Vars>('order', { vars })` where there are variables too.
 */
export function flow<Input = Json, Vars extends object = NoVars, Seen = Input>(
  name: string,
  options?: FlowOptions<Input, Seen, Vars>,
): NewFlow<Input, Seen, Vars> {
  const region = {};
  const start = { nodes: [hiddenIn(region, START, 'start', {})], entry: START, exit: START };
  const writer = new Writer(readHead(name, options), append({ region }, start));
  // The writer takes anything; the type says what may be handed to it.
  return writer as unknown as NewFlow<Input, Seen, Vars>;
}

const OPTIONS = [
  'version',
  'input',
  'vars',
  'serves',
  'saga',
  'onUndoFailure',
  'onFailure',
  'limit',
  'search',
] as const;

function readHead(name: unknown, options: unknown): FlowHead {
  const what = typeof name === 'string' ? `flow "${name}"` : 'a flow';
  const found = findingsOf(START);
  const asked = readOptions(found, what, OPTIONS, options);
  const { version = 1, input, serves = [] } = asked;
  if (!isVersion(version)) {
    const message = `the version of ${what} is a whole number, 1 or more; came ${show(version)}`;
    complain(found, 'flow.bad-version', message);
  }
  const rule = { code: 'flow.bad-vars', what: `the vars of ${what}` };
  const vars = readJsonObject(found, rule, asked['vars']);
  checkSchema(found, what, input);
  const limited = { code: 'flow.bad-limit', what: `the limit of ${what}` };
  const limit = readLimit(found, limited, asked['limit']);
  const sought = { code: 'flow.bad-search', what: `the search of ${what}` };
  const search = readSearch(found, sought, asked['search']);
  return {
    name: typeof name === 'string' ? name : '',
    version: isVersion(version) ? version : 1,
    ...(vars && { vars }),
    serves: readServes(found, what, version, serves),
    ...(input === undefined ? {} : { schema: input }),
    ...readFailing(found, what, asked),
    ...(limit && { limit }),
    ...(search && { search }),
    diagnostics: [...checkFlowName(name), ...found.list.map(ofFlow)],
  };
}

/** What is to happen when something fails; only what is not so anyway is kept. */
function readFailing(
  found: Findings,
  what: string,
  { saga, onUndoFailure, onFailure }: Readonly<Record<string, unknown>>,
): Pick<FlowHead, 'saga' | 'onUndoFailure' | 'onFailure'> {
  const rule = (option: string, code: string) => ({ code, what: `the ${option} of ${what}` });
  const reach = readSaga(found, rule('saga', 'flow.bad-saga'), saga);
  const halts = readWord(
    found,
    { ...rule('onUndoFailure', 'flow.bad-on-undo-failure'), words: ['continue', 'halt'] },
    onUndoFailure,
  );
  const parks = readWord(
    found,
    { ...rule('onFailure', 'flow.bad-on-failure'), words: ['fail', 'incident'] },
    onFailure,
  );
  return {
    ...(reach !== undefined && reach !== 'instance' && { saga: reach }),
    ...(halts === 'halt' && { onUndoFailure: halts }),
    ...(parks === 'incident' && { onFailure: parks }),
  };
}

/** What is wrong with the flow as a whole is no node's fault. */
function ofFlow({ code, message }: Diagnostic): Diagnostic {
  return { code, message };
}

function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function checkSchema(found: Findings, what: string, schema: unknown): void {
  if (schema === undefined) return;
  const standard: unknown =
    isRecord(schema) || typeof schema === 'function' ? Reflect.get(schema, '~standard') : undefined;
  if (isRecord(standard) && typeof standard['validate'] === 'function') return;
  const message =
    `the input of ${what} is a Standard Schema (zod, valibot, arktype, …); ` +
    `came ${show(schema)} without "~standard"`;
  complain(found, 'flow.bad-input', message);
}

function readServes(
  found: Findings,
  what: string,
  version: unknown,
  serves: unknown,
): readonly number[] {
  const list: readonly unknown[] = Array.isArray(serves) ? serves : [serves];
  const older = list.filter(isVersion).filter((one) => !isVersion(version) || one < version);
  if (Array.isArray(serves) && older.length === list.length) return older;
  const rule = 'serves a list of versions older than its own';
  complain(found, 'flow.bad-serves', `${what} ${rule}; came ${list.map(show).join(', ')}`);
  return older;
}
