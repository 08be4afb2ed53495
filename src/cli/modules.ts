/**
 * Definitions from files. A reader for each kind of file: another kind is another line of the table
 * below, and every command that takes a FILE can read it.
 *
 * A module is imported as it is, so whatever it does when it is imported is done. It has one flow
 * as its default export or several, alone or together with the handlers that chains and flowcharts
 * need. A flowchart in JSON is data, and its handlers are in a module of their own. A Serverless
 * Workflow, in YAML or JSON, is data as well and needs none.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { flowchartFromText } from '../flowchart.ts';
import { EngineError, type EngineOptions, type Flow, type Handlers } from '../index.ts';
import type { ReadWorkflow } from '../serverless.ts';
import { excerptOf, type Spot } from './excerpt.ts';
import { badCommand } from './failing.ts';
import { troubleWith } from './import-trouble.ts';
import { meant } from '../base/nearest.ts';
import type { Terminal } from './terminal.ts';
import { hasDocument, isLikeWorkflow, workflowFile } from './workflow-files.ts';

/** What a file defines. */
export interface Defined {
  /** As it was named. */
  readonly file: string;
  /** The text of the file, to show what is wrong where. */
  readonly source: string;
  readonly flows: readonly Flow[];
  readonly handlers: Handlers;
  readonly outbox?: EngineOptions['outbox'];
  /** It is data, and has no code of its own. */
  readonly isData?: true;
  /** It is a Serverless Workflow: what is worth a word in it, and where everything stands. */
  readonly workflow?: Pick<ReadWorkflow, 'warnings' | 'spanOf'>;
}

type Reader = (path: string, file: string, source: string) => Promise<Defined>;

const READERS: Readonly<Record<string, Reader>> = {
  '.ts': readModule,
  '.mts': readModule,
  '.js': readModule,
  '.mjs': readModule,
  '.json': readJsonFile,
  '.yaml': readYaml,
  '.yml': readYaml,
};

/** Definitions as others write them: whoever names one means the file, though nobody reads it. */
const DATA = new Set(['.bpmn', '.xml']);

/**
 * Whether a word on the command line is a file and not the name of a flow or an instance. An id may
 * look like a path; it is one if something is there.
 */
export function isFile({ folder }: Terminal, word: string): boolean {
  const kind = extname(word);
  if (Object.hasOwn(READERS, kind) || DATA.has(kind)) return true;
  const isPath = /[/\\]/.test(word) || kind !== '';
  return isPath && statSync(resolve(folder, word), { throwIfNoEntry: false })?.isFile() === true;
}

/** What a file defines, with the handlers of another one if that is named. */
export async function readDefinitions(
  { folder }: Terminal,
  file: string,
  handlersFile?: string,
): Promise<Defined> {
  const path = resolve(folder, file);
  const reader = READERS[extname(path)];
  if (reader === undefined) {
    const kinds = Object.keys(READERS).join(', ');
    throw unreadable(file, `a definition is a file of one of these kinds: ${kinds}`);
  }
  const defined = await reader(path, file, textOf(path, file));
  if (defined.flows.length === 0) {
    const rule = 'export a flow, a chain or a flowchart, by default or by name';
    throw unreadable(file, `it has no flow: ${rule}`);
  }
  return handlersFile === undefined
    ? defined
    : withHandlers(defined, resolve(folder, handlersFile), handlersFile);
}

function textOf(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    const why = Reflect.get(Object(thrown), 'code') === 'ENOENT' ? 'there is no such file' : thrown;
    throw unreadable(file, String(why), { cause: thrown });
  }
}

/** The flow that is meant: the only one, or the one of that name. */
export function chosenFlow({ file, flows }: Defined, name: string | undefined): Flow {
  const names = [...new Set(flows.map((flow) => flow.name))];
  if (name === undefined && names.length > 1) {
    const message = `"${file}" has several flows: say which with --flow ${names.join(' | ')}`;
    throw badCommand(message, { flows: names });
  }
  const wanted = flows.filter((flow) => name === undefined || flow.name === name);
  const newest = wanted.toSorted((a, b) => b.version - a.version)[0];
  if (newest !== undefined) return newest;
  const message = `"${file}" has no flow "${name}": ${meant(name ?? '', names)}`;
  throw new EngineError('definition.not-found', message, { details: { flows: names } });
}

async function readYaml(_: string, file: string, source: string): Promise<Defined> {
  return workflowFile(file, source);
}

/** What is wrong in it is for whoever runs it to say; what is none of both is said at once. */
async function readJsonFile(_: string, file: string, source: string): Promise<Defined> {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    // Where it is wrong is a diagnostic of whatever it was meant to be.
    if (isLikeWorkflow(source)) return workflowFile(file, source);
    value = { activities: [] };
  }
  const isOne = !Array.isArray(value) && FLOWCHART.some((field) => field in Object(value));
  if (!isOne && hasDocument(value)) return workflowFile(file, source);
  if (!isOne) {
    const rule = 'that is an object with "id", "version", "activities" and "connections"';
    const other = 'nor is it a Serverless Workflow, which has "document" and "do"';
    throw unreadable(file, `it is no flowchart: ${rule}; ${other}`);
  }
  return { file, source, flows: [flowchartFromText(source)], handlers: {}, isData: true };
}

/** What has one of these was meant to be a flowchart. */
const FLOWCHART = ['activities', 'connections'] as const;

/** Those that are named here go before those of the definition's own file. */
async function withHandlers(defined: Defined, path: string, file: string): Promise<Defined> {
  const exported = await exportsOf(path, file, textOf(path, file));
  const { default: main, outbox } = exported;
  const own = asRecord(main);
  const named = asRecord(exported['handlers']) ?? asRecord(own?.['handlers']);
  const found = named ?? (own !== undefined && hasCode(own) ? own : undefined);
  if (found === undefined) {
    const rule = 'export const handlers = { type: (activity) => … }, or such an object by default';
    throw unreadable(file, `it has no handlers: ${rule}`);
  }
  const sent = (named === undefined ? undefined : own?.['outbox']) ?? outbox ?? defined.outbox;
  return {
    ...defined,
    handlers: { ...defined.handlers, ...(found as Handlers) },
    ...(sent === undefined ? {} : { outbox: sent as NonNullable<EngineOptions['outbox']> }),
  };
}

function hasCode(record: Readonly<Record<string, unknown>>): boolean {
  return Object.values(record).some((value) => typeof value === 'function');
}

async function exportsOf(
  path: string,
  file: string,
  source: string,
): Promise<Readonly<Record<string, unknown>>> {
  // It is as if it had been run by itself: the words of this command line are none of its own.
  process.argv = [process.execPath, path];
  try {
    return await imported(pathToFileURL(path).href);
  } catch (thrown) {
    const { text, at } = troubleWith(thrown, path, source);
    // Of what it imports, by the way from where the file itself was named.
    const where = at === undefined ? file : join(dirname(file), relative(dirname(path), at.path));
    throw unreadable(at?.path === path ? file : where, text, { cause: thrown, ...at });
  }
}

async function readModule(path: string, file: string, source: string): Promise<Defined> {
  const exported = await exportsOf(path, file, source);
  const { default: main, handlers, outbox, ...named } = exported;
  const own = asRecord(main);
  const whole = own !== undefined && ('flow' in own || 'flows' in own);
  const values: unknown[] = whole
    ? [own['flow'], own['flows']]
    : main === undefined
      ? Object.values(named)
      : [main];
  const listed = values.flat();
  const unfinished = listed.some((value) => !isFlow(value) && isBuilder(value));
  if (unfinished) throw unreadable(file, 'a flow in it is not finished: it ends with .end()');
  const sent = (whole ? own['outbox'] : undefined) ?? outbox;
  return {
    file,
    source,
    flows: [...new Set(listed.filter(isFlow))],
    // Whoever runs a chain or a flowchart says whether these are handlers.
    handlers: ((whole ? own['handlers'] : undefined) ?? handlers ?? {}) as Handlers,
    ...(sent === undefined ? {} : { outbox: sent as NonNullable<EngineOptions['outbox']> }),
  };
}

/** One that awaits what never comes leaves the process with nothing to do, and is given up then. */
async function imported(url: string): Promise<Readonly<Record<string, unknown>>> {
  let forget = (): void => {};
  const idle = new Promise<never>((_, reject) => {
    const hear = (): void => reject(new Error('it awaits something that never comes'));
    process.once('beforeExit', hear);
    forget = () => process.off('beforeExit', hear);
  });
  try {
    const exported = (await Promise.race([import(url), idle])) as Readonly<Record<string, unknown>>;
    // A promise that it has let fall is heard of in the next turn, and then nothing must be done.
    await setImmediate();
    return exported;
  } finally {
    forget();
  }
}

function isFlow(value: unknown): value is Flow {
  const { name, version, definition } = asRecord(value) ?? {};
  const draft = asRecord(definition)?.['draft'];
  return typeof name === 'string' && typeof version === 'number' && asRecord(draft) !== undefined;
}

function isBuilder(value: unknown): boolean {
  const record = asRecord(value);
  return (
    record !== undefined && ['step', 'end'].every((verb) => typeof record[verb] === 'function')
  );
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

interface Why {
  readonly cause?: unknown;
  readonly source?: string;
  readonly spot?: Spot;
}

/** The excerpt is part of the message; `details` has the place for programs. */
function unreadable(file: string, why: string, { cause, source, spot }: Why = {}): EngineError {
  const shown = source === undefined || spot === undefined ? '' : `\n${excerptOf(source, spot)}`;
  const place = spot === undefined ? file : `${file}:${spot.line}:${spot.column}`;
  return new EngineError('definition.unreadable', `${place}: ${why}${shown}`, {
    details: { file, why, ...spot },
    cause,
  });
}
