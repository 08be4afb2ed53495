/** Connections: from an outcome of one activity to another activity. */
import { meant, nearest } from '../../base/nearest.ts';
import { DONE } from '../../model/activity.ts';
import type { DraftEdge } from '../../model/draft.ts';
import { show } from '../builder/checks.ts';
import { checkFields, type Desk, fieldsOf, type Part, say, sayOfItem } from './parts.ts';

const FIELDS = ['from', 'outcome', 'to'];
const OUTCOME_CHARS_MAX = 100;
// Control characters break every log that shows them; half a surrogate pair is not UTF-8.
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** What is to be known of the activities that are connected. */
export interface Connected {
  /** Its type, if that is one of ours. */
  readonly builtIn?: string;
  /** What it can end with; anything, if not said. */
  readonly outcomes?: readonly string[] | undefined;
}

export interface Connection {
  readonly from: string;
  readonly outcome: string;
  readonly to: string;
  /** Nothing is wrong with it. */
  readonly isSound: boolean;
}

/** Where a flowchart lies: what goes before its names, and whose it is. */
export interface Around {
  readonly desk: Desk;
  readonly prefix: string;
  readonly owner: Part;
}

export function readConnections(
  around: Around,
  list: readonly unknown[],
  activities: ReadonlyMap<string, Connected>,
): readonly Connection[] {
  const seen = new Set<string>();
  const guesses = { left: GUESSES_MAX };
  return list.flatMap((value, index) => {
    const part = partOf(around, value, index);
    if (part === undefined) return [];
    const before = around.desk.diagnostics.length;
    const read = readConnection(around, part, activities, guesses);
    if (read === undefined) return [];
    const { id } = edgeFor(around.prefix, read);
    if (seen.has(id)) {
      const message = `"${id}" is there twice: it is one connection, so leave one of them out`;
      say(named(around, part, read), { code: 'flowchart.duplicate-connection', message });
      return [];
    }
    seen.add(id);
    return [{ ...read, isSound: around.desk.diagnostics.length === before }];
  });
}

export function edgeFor(
  prefix: string,
  { from, outcome, to }: Pick<Connection, 'from' | 'outcome' | 'to'>,
): DraftEdge {
  const [source, target] = [prefix + from, prefix + to];
  return { id: `${source}:${outcome}->${target}`, from: source, to: target };
}

/** What is wrong with a name of an outcome; undefined if nothing. */
export function outcomeRule(outcome: unknown): string | undefined {
  const isText = typeof outcome === 'string' && outcome.trim() !== '';
  if (!isText) return 'is a text that is not blank';
  if (outcome.length > OUTCOME_CHARS_MAX) return `has at most ${OUTCOME_CHARS_MAX} characters`;
  if (UNPRINTABLE.test(outcome)) return 'has printable characters only';
  // The id of a connection is made of three names with these between them.
  if (outcome.includes(':') || outcome.includes('->')) return "contains neither ':' nor '->'";
  return outcome === '__proto__' ? 'is not __proto__' : undefined;
}

function partOf({ desk, owner }: Around, value: unknown, index: number): Part | undefined {
  const fields = fieldsOf(value);
  if (fields !== undefined) {
    return { desk, source: value as object, fields, what: `connection ${index + 1}` };
  }
  const rule = `connection ${index + 1} of ${owner.what} is an object with "from" and "to"`;
  const code = 'flowchart.bad-connection';
  sayOfItem(owner, ['connections', index], { code, message: `${rule}; came ${show(value)}` });
  return undefined;
}

/** The connection by its name, and of the activity it leads out of, if there is one. */
function named(
  { prefix, owner }: Around,
  part: Part,
  connection: Pick<Connection, 'from' | 'outcome' | 'to'>,
  activities?: ReadonlyMap<string, Connected>,
): Part {
  const ends = [connection.from, connection.to];
  const known = activities === undefined ? ends : ends.filter((end) => activities.has(end));
  const node = known[0] === undefined ? owner.node : prefix + known[0];
  const what = `"${edgeFor(prefix, connection).id}"`;
  return { ...part, what, ...(node === undefined ? {} : { node }) };
}

/** Undefined if it is not even known what it was to connect. */
function readConnection(
  around: Around,
  plain: Part,
  activities: ReadonlyMap<string, Connected>,
  guesses: Guesses,
): Omit<Connection, 'isSound'> | undefined {
  const { from, outcome = DONE, to } = plain.fields;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '?');
  const written = { from: text(from), outcome: text(outcome), to: text(to) };
  const part = named(around, plain, written, activities);
  checkFields(part, FIELDS);
  const rule = outcomeRule(outcome);
  if (rule !== undefined) {
    const message = `the outcome of ${part.what} ${rule}; came ${show(outcome)}`;
    say(part, { code: 'flowchart.bad-outcome', message }, 'outcome');
  }
  const source = readEnd(part, 'from', activities, guesses);
  const target = readEnd(part, 'to', activities, guesses);
  if (source === undefined || target === undefined) return undefined;
  const known = activities.get(source);
  if (rule === undefined && known !== undefined) checkOutcome(part, written, known);
  // What cannot be is no way to anywhere.
  if (known?.builtIn === 'end') return undefined;
  return { from: source, outcome: written.outcome, to: target };
}

/** Who is not here is taken for who was meant, if that shows, so that nobody else seems lost. */
function readEnd(
  part: Part,
  end: 'from' | 'to',
  activities: ReadonlyMap<string, Connected>,
  guesses: Guesses,
): string | undefined {
  const name = part.fields[end];
  if (typeof name !== 'string') {
    const does = end === 'from' ? 'comes from' : 'leads to';
    const message = `${part.what} ${does} an activity, by its id; came ${show(name)}`;
    say(part, { code: 'flowchart.bad-connection', message }, end);
    return undefined;
  }
  if (activities.has(name)) return name;
  const does = end === 'from' ? 'comes from' : 'leads to';
  guesses.left -= 1;
  const ids = guesses.left < 0 ? [] : [...activities.keys()];
  const one = nearest(name, ids);
  const some = ids.slice(0, NAMES_SHOWN_MAX).join(', ');
  const more = ids.length > NAMES_SHOWN_MAX ? ` and ${ids.length - NAMES_SHOWN_MAX} more` : '';
  const none = activities.size === 0 ? '; there is none' : some && `; there are ${some}${more}`;
  const advice = one === undefined ? none : `; did you mean "${one}"?`;
  const message = `${part.what} ${does} ${show(name)}, which is no activity here${advice}`;
  say(part, { code: 'flowchart.unknown-activity', message }, end);
  return name.length > 2 ? one : undefined;
}

/** A longer list says less. */
const NAMES_SHOWN_MAX = 12;

/** Who was meant is found by looking at all there are: where all is wrong, not each time. */
const GUESSES_MAX = 100;

interface Guesses {
  left: number;
}

function checkOutcome(
  part: Part,
  { from, outcome }: Pick<Connection, 'from' | 'outcome'>,
  { builtIn, outcomes }: Connected,
): void {
  if (outcomes === undefined || outcomes.includes(outcome)) return;
  const code = 'flowchart.unknown-outcome';
  if (builtIn === 'end') {
    const message = `${part.what}: "${from}" ends its flowchart, and nothing leads out of it`;
    say(part, { code, message }, 'from');
    return;
  }
  const who = builtIn === undefined ? `"${from}"` : `"${from}", a ${builtIn},`;
  const message = `${part.what} is for the outcome "${outcome}", and ${who} never ends with that`;
  const advice = outcomes.length === 0 ? 'it has none' : meant(outcome, outcomes);
  say(part, { code, message: `${message}; ${advice}` }, 'outcome');
}
