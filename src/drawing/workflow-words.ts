/** What a task of a Serverless Workflow does, in a few words of its definition. */
import type { Json, JsonObject } from '../base/json.ts';
import { objectIn, textIn } from './workflow-names.ts';

/** More of an expression or an address is for whoever reads the definition. */
const WORDS_CHARS_MAX = 40;

/** Lines below its name. */
export function detailsOf(task: JsonObject, extensions: readonly string[]): readonly string[] {
  const condition = textIn(task, 'if');
  const timeout = timeoutIn(task['timeout']);
  const lines = [
    condition === undefined ? undefined : `if ${bare(condition)}`,
    workOf(task),
    timeout === undefined ? undefined : `at most ${timeout}`,
    extensions.length === 0 ? undefined : `with ${extensions.join(', ')}`,
  ];
  return lines.flatMap((line) => (line === undefined ? [] : [cut(oneLine(line))]));
}

/** By what a task has that says what kind it is; a `for` has a `do`, too. */
const WORK: readonly (readonly [string, (task: JsonObject) => string | undefined])[] = [
  ['for', (task) => loopText(objectIn(task, 'for'))],
  ['do', () => undefined],
  ['call', callText],
  ['set', (task) => setText(task['set'])],
  ['switch', () => 'one of'],
  ['fork', (task) => (objectIn(task, 'fork')['compete'] === true ? 'the first of' : 'all of')],
  ['try', (task) => tryText(objectIn(task, 'catch'))],
  ['raise', (task) => raiseText(objectIn(task, 'raise')['error'])],
  ['wait', (task) => `waits ${durationText(task['wait'])}`],
  ['emit', (task) => emitText(objectIn(objectIn(objectIn(task, 'emit'), 'event'), 'with'))],
  ['listen', (task) => `listens to ${strategyText(objectIn(objectIn(task, 'listen'), 'to'))}`],
  ['run', (task) => runText(objectIn(task, 'run'))],
];

function workOf(task: JsonObject): string | undefined {
  return WORK.find(([keyword]) => Object.hasOwn(task, keyword))?.[1](task);
}

function loopText(loop: JsonObject): string {
  const over = loop['in'];
  const list = typeof over === 'string' ? bare(over) : 'a list';
  return `for each ${textIn(loop, 'each') ?? 'item'} in ${list}`;
}

function callText(task: JsonObject): string {
  const call = textIn(task, 'call') ?? '';
  const given = objectIn(task, 'with');
  switch (call) {
    case 'http': {
      const method = textIn(given, 'method') ?? 'get';
      return `${method.toUpperCase()} ${endpointText(given['endpoint'])}`;
    }
    case 'openapi':
      return `openapi ${textIn(given, 'operationId') ?? ''}`;
    case 'grpc': {
      const service = textIn(objectIn(given, 'service'), 'name') ?? '';
      return `grpc ${service}/${textIn(given, 'method') ?? ''}`;
    }
    case 'asyncapi':
      return `asyncapi ${textIn(given, 'operation') ?? textIn(given, 'channel') ?? ''}`;
    case 'mcp':
    case 'a2a':
      return `${call} ${textIn(given, 'method') ?? ''}`;
    default:
      return `calls ${call}`;
  }
}

function endpointText(endpoint: Json | undefined): string {
  return typeof endpoint === 'string' ? bare(endpoint) : (textIn(endpoint, 'uri') ?? '');
}

function setText(set: Json | undefined): string {
  if (typeof set === 'string') return `sets ${bare(set)}`;
  return `sets ${Object.keys(Object(set)).join(', ')}`;
}

function tryText(caught: JsonObject): string {
  return Object.hasOwn(caught, 'retry') ? 'try, and again' : 'try';
}

function raiseText(error: Json | undefined): string {
  if (typeof error === 'string') return `raises ${error}`;
  return `raises ${textIn(error, 'title') ?? textIn(error, 'type') ?? 'an error'}`;
}

function emitText(event: JsonObject): string {
  return `emits ${bare(textIn(event, 'type') ?? 'an event')}`;
}

function strategyText(to: JsonObject): string {
  const [one] = filtersOf(to['one'] === undefined ? [] : [to['one']]);
  if (one !== undefined) return one;
  const all = filtersOf(to['all']);
  if (all.length > 0) return all.join(' and ');
  const any = filtersOf(to['any']);
  return any.length === 0 ? 'any event' : any.join(' or ');
}

function filtersOf(filters: Json | undefined): readonly string[] {
  if (!Array.isArray(filters)) return [];
  return filters.map((filter: Json) => {
    const [name, value] = Object.entries(objectIn(filter, 'with'))[0] ?? [];
    return textIn(objectIn(filter, 'with'), 'type') ?? `${name ?? ''} ${JSON.stringify(value)}`;
  });
}

function runText(run: JsonObject): string {
  if (Object.hasOwn(run, 'workflow')) {
    const workflow = objectIn(run, 'workflow');
    return `runs ${textIn(workflow, 'namespace') ?? ''}.${textIn(workflow, 'name') ?? ''}`;
  }
  if (Object.hasOwn(run, 'container')) {
    return `runs ${textIn(objectIn(run, 'container'), 'image') ?? 'a container'}`;
  }
  if (Object.hasOwn(run, 'shell')) {
    return `runs ${textIn(objectIn(run, 'shell'), 'command') ?? 'a command'}`;
  }
  return `runs ${textIn(objectIn(run, 'script'), 'language') ?? 'a script'}`;
}

function timeoutIn(timeout: Json | undefined): string | undefined {
  if (timeout === undefined) return undefined;
  return typeof timeout === 'string'
    ? timeout
    : durationText(objectIn({ timeout }, 'timeout')['after']);
}

/** `PT5M` as it is written, and `{ minutes: 5 }` as 5 minutes. */
function durationText(duration: Json | undefined): string {
  if (typeof duration === 'string') return bare(duration);
  const parts = Object.entries(Object(duration) as JsonObject);
  return parts.map(([unit, count]) => `${JSON.stringify(count)} ${unit}`).join(' ');
}

/** An expression without what makes it one. */
function bare(text: string): string {
  return text.replace(/^\s*\$\{\s*(.*?)\s*\}\s*$/s, '$1');
}

function cut(text: string): string {
  const letters = Array.from(text.replaceAll(/\s+/g, ' ').trim());
  if (letters.length <= WORDS_CHARS_MAX) return letters.join('');
  return `${letters.slice(0, WORDS_CHARS_MAX - 1).join('')}…`;
}

/** What somebody else wrote has no say in how lines are drawn: escapes and breaks are a space. */
function oneLine(text: string): string {
  return text.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '').replaceAll(/\p{Cc}+/gu, ' ');
}
