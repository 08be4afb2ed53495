/** Single things in words: why a token rests, what failed, which pass it is, a value. */
import type { Action, Fault, ShownStall, Token } from '../index.ts';
import { taskText } from './people-words.ts';
import { plainLine } from './plain.ts';
import { clockText, dayText, momentText, spanText } from './spans.ts';

/** After the name of a map: what runs its items. */
const ITEM = '/:item';

/** Runs the items of a map: it is the map itself that people know. */
export function runsItems(node: string): boolean {
  return node.endsWith(ITEM);
}

/** A pass of a loop, or an item of a map. */
export function passText(node: string, index: number): { node: string; text: string } {
  if (!runsItems(node)) return { node, text: `pass ${index + 1}` };
  return { node: node.slice(0, -ITEM.length), text: `item ${index + 1}` };
}

/** All of a flowchart lies in the region of this node. */
export const CHART = ':flowchart';

/**
 * Whether somebody wrote a node. Elsewhere names with these in them are the frontends' own
 * (`:start`, `fulfil/goods`); an activity of a nested flowchart has the name of that before it.
 */
export function isWritten(node: string, inChart: boolean): boolean {
  return !(inChart ? /(?:^|\/):/ : /[:/]/).test(node);
}

/** Why a token waits before an activity, which is where it came by, or that it is none. */
export function arrivalText(
  { id, via, wait }: Pick<Token, 'id' | 'via' | 'wait'>,
  stalled: ShownStall | null,
): string | undefined {
  if (wait?.on !== 'merge') return undefined;
  if (wait.block === true) return `blocks ${via}: whoever comes by it is consumed`;
  const joins = stalled !== null && 'joins' in stalled ? stalled.joins : [];
  const missing = joins.find(({ arrived }) => arrived.includes(id))?.missing ?? [];
  const rest =
    missing.length === 0
      ? 'waits for others to arrive'
      : `nobody comes any more by ${missing.join(', ')}`;
  return via === null ? rest : `came by ${via}, and ${rest}`;
}

/** Why a token rests, if that is worth a word. */
export function waitText(
  { wait, wakeAt, lastError }: Pick<Token, 'wait' | 'wakeAt' | 'lastError'>,
  now: number,
): string | undefined {
  const until = wakeAt === null ? '' : ` until ${when(wakeAt, now)}`;
  const why = lastError === null ? '' : `: ${faultText(lastError)}`;
  switch (wait?.on) {
    case 'time':
      return lastError === null ? `sleeps${until}` : `failed and is tried again${until}`;
    case 'message': {
      const most = wait.until === undefined ? until : ` until ${when(wait.until, now)}`;
      return `waits for ${wait.type}${wait.key === '' ? '' : ` of ${wait.key}`}${most}`;
    }
    case 'first':
      return `waits for ${typesText(wait.any)}${until}`;
    case 'child':
      return `waits for instance ${wait.instance}`;
    case 'task':
      return `${taskText(wait.task)}${until}`;
    case 'signal':
      return `waits for someone to wake it (${wait.name})${until}`;
    case 'incident':
      return wait.held === undefined
        ? `failed and waits to be mended${why}`
        : `failed, and is dealt with once the instance goes on${why}`;
    case 'saga':
      return 'waits for its region to be undone';
    case 'merge':
      return wait.block === true ? undefined : 'waits for others to arrive';
    case 'join':
    case 'inclusive':
      return 'waits for others to arrive';
    case 'scope':
      return undefined;
    default:
      return undefined;
  }
}

/** Of those who listen to several of one type, the type once. */
function typesText(any: readonly { readonly type: string }[]): string {
  const types = any.map(({ type }) => (type === ANY ? 'any event' : type));
  return [...new Set(types)].join(' or ');
}

/** Where someone waits for whatever comes. */
const ANY = '$any';

function when(at: number, now: number): string {
  const moment = dayText(at) === dayText(now) ? clockText(at) : momentText(at);
  return at > now ? `${moment} (${spanText(at - now)})` : moment;
}

/** What the engine calls migrating is the command `upgrade`: `migrate` is about tables. */
export function verbText(verb: Action['do']): string {
  return verb === 'migrate' ? 'upgrade' : verb;
}

export function faultText({ code, message }: Fault): string {
  return plainLine(message.includes(code) ? message : `${message} (${code})`);
}

/** A handler that is missing: `order@1/` is that of no step, but the whole flow as it was. */
export function handlerText(name: string): string {
  return isWhole(name) ? `the code of "${name.slice(0, -1)}"` : name;
}

/** What to do about them. */
export function handlerAdvice(names: readonly string[]): string {
  return names.some(isWhole)
    ? 'start a program that has the flow as it was; one that is changed needs another version'
    : 'start a program that has them';
}

function isWhole(name: string): boolean {
  return name.endsWith('/');
}

/** Values are shown as far as a line has room for them. */
export function brief(value: unknown): string {
  const text = plainLine(JSON.stringify(value) ?? 'nothing');
  return text.length <= BRIEF_CHARS ? text : `${text.slice(0, BRIEF_CHARS - 1)}…`;
}

const BRIEF_CHARS = 60;
