/**
 * Serverless Workflows in tests: a definition without its head, run to its end on a virtual clock.
 * What it waits for passes at once, a day at a time; what it calls is real.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { serverless } from '../frontends/serverless/serverless.ts';
import type { Flow } from '../model/definition.ts';
import type { Fault } from '../model/instance.ts';
import type { Run } from '../runtime/run.ts';
import { createTestEngine, type TestEngine, type TestEngineOptions } from './test-engine.ts';

export interface Head {
  readonly dsl?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly version?: string;
}

/** A whole definition of what is written without its head. */
export function definitionOf(body: string, head: Head = {}): string {
  const { dsl = '1.0.3', namespace = 'test', name = 'workflow', version = '1.0.0' } = head;
  const document = { dsl, namespace, name, version };
  return `document: ${JSON.stringify(document)}\n${unindented(body)}`;
}

/** Templates in tests stand where the code around them does. */
function unindented(text: string): string {
  const lines = text.replace(/^\n/, '').split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  const depth = Math.min(...filled.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(depth)).join('\n');
}

/** A part of a definition that stands in one line, and is written in several. */
export function oneLine(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  return String.raw({ raw: strings }, ...values)
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}

export function workflow(body: string, head: Head = {}): Flow<Json, Json> {
  return serverless(definitionOf(body, head));
}

/** How an instance ended: with an output, or with the error it failed with. */
export type Ended =
  | { readonly status: 'completed'; readonly output: Json }
  | { readonly status: 'failed' | 'canceled'; readonly error: JsonObject };

export interface RanOptions extends Omit<TestEngineOptions, 'flows'> {
  readonly head?: Head;
  /** Workflows that it runs. */
  readonly others?: readonly Flow[];
}

/** Runs a definition to its end; it must have one within ten days. */
export async function ran(
  body: string,
  input: Json = {},
  options: RanOptions = {},
): Promise<Ended> {
  const { head, others = [], ...rest } = options;
  const flow = workflow(body, head);
  const test = createTestEngine({ flows: [flow, ...others] as never, ...rest });
  try {
    const run = await test.start(flow, input);
    await passing(test, run);
    return await endOf(run);
  } finally {
    await test.close();
  }
}

async function passing(test: TestEngine, run: Run): Promise<void> {
  await test.runUntilIdle();
  for (let days = 0; days < 10; days += 1) {
    const { status } = await run.inspect();
    if (['completed', 'failed', 'canceled'].includes(status)) return;
    await test.advance('1d');
  }
}

/** What came of an instance that is over. */
export async function endOf(run: Run): Promise<Ended> {
  const { status, output, fault } = await run.inspect();
  if (status === 'completed') return { status, output };
  if (status === 'failed' || status === 'canceled') return { status, error: errorIn(fault) };
  throw new Error(`the instance is ${status}, and not over`);
}

function errorIn(fault: Fault | null): JsonObject {
  return fault?.details ?? { code: fault?.code ?? '', message: fault?.message ?? '' };
}

/** The output of a definition that completes. */
export async function output(
  body: string,
  input: Json = {},
  options: RanOptions = {},
): Promise<Json> {
  const ended = await ran(body, input, options);
  if (ended.status === 'completed') return ended.output;
  throw new Error(`it ${ended.status}: ${JSON.stringify(ended.error)}`);
}

/** The error of a definition that fails. */
export async function error(
  body: string,
  input: Json = {},
  options: RanOptions = {},
): Promise<JsonObject> {
  const ended = await ran(body, input, options);
  if (ended.status !== 'completed') return ended.error;
  throw new Error(`it completed: ${JSON.stringify(ended.output)}`);
}
