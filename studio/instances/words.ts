/**
 * The search box: `flow:order status:failed key:order-42 error:bank.* created:24h sku=A1`. It is
 * another way to say what the address says.
 */
import { STATUSES, type Status } from '../api/shapes.ts';
import { EVERYTHING, isVersion, type Sought, spanOf } from './sought.ts';

export interface Said {
  readonly sought: Sought;
  /** An instance that is meant by its id: there is nothing to look for. */
  readonly id: string | null;
  /** What could not be understood, in sentences. */
  readonly problems: readonly string[];
}

/** What is written before the colon, and what it is in the address. */
const NAMES = {
  flow: 'flow',
  key: 'key',
  tenant: 'tenant',
  parent: 'parent',
  created: 'created',
  ended: 'ended',
  error: 'error',
  node: 'errorNode',
  says: 'errorContains',
} as const;

type Name = keyof typeof NAMES;

/** The form of ids that the engine makes. */
const ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** A word, of which a part may stand in quotes: `says:"no money"`. In quotes, `\` quotes one. */
const WORD = /(?:[^\s"]+|"(?:[^"\\]|\\.)*"?)+/g;

export function readWords(text: string): Said {
  let sought: Sought = EVERYTHING;
  let id: string | null = null;
  const problems: string[] = [];
  const plain: string[] = [];
  for (const word of text.match(WORD) ?? []) {
    const part = partOf(word);
    if (part.name === null) plain.push(part.value);
    else if (part.name === 'id') id = part.value;
    else if (part.value === '') problems.push(`${part.name}: has nothing after it.`);
    else {
      const next = withPart(sought, part.name, part.value);
      if (typeof next === 'string') problems.push(next);
      else sought = next;
    }
  }
  const [first] = plain;
  if (first !== undefined && plain.length === 1 && ID.test(first)) id = first;
  else if (first !== undefined) sought = { ...sought, key: plain.join(' ') };
  return { sought, id, problems };
}

interface Part {
  /** Null for plain text; `=` for an attribute. */
  readonly name: string | null;
  readonly value: string;
}

function partOf(word: string): Part {
  const [, name, value] = /^([a-z]+):(.*)$/s.exec(word) ?? [];
  if (name !== undefined && isKnown(name)) return { name, value: bare(value ?? '') };
  // Quotes of an attribute's value are its own: `size="12"` is text, and `size=12` a number.
  if (/^[^"=]+=./s.test(word)) return { name: '=', value: bareText(word) };
  return { name: null, value: bare(word) };
}

function isKnown(name: string): boolean {
  return name in NAMES || ['status', 'version', 'is', 'id'].includes(name);
}

function bare(text: string): string {
  return text.replace(/"((?:[^"\\]|\\.)*)"?/g, (_all, inside: string) => unescaped(inside));
}

/** Only what needs no quotes in the address loses them: text that reads as text without. */
function bareText(word: string): string {
  const at = word.indexOf('=');
  const inside = bare(word.slice(at + 1));
  const isPlain = !/^(true|false|-?\d+(\.\d+)?)$/.test(inside) && !/^".*"$/s.test(inside);
  const value = isPlain || !word.slice(at + 1).startsWith('"') ? inside : `"${inside}"`;
  return word.slice(0, at + 1) + value;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}

/** The same with one more word, or what is wrong with the word. */
function withPart(sought: Sought, name: string, value: string): Sought | string {
  if (name === '=') return { ...sought, attribute: [...sought.attribute, value] };
  if (name === 'status') return withStatus(sought, value);
  if (name === 'is') {
    if (value === 'stalled') return { ...sought, stalled: true };
    return `is:${value} is not known; there is is:stalled.`;
  }
  if (name === 'version') {
    const version = Number(value);
    return isVersion(version) ? { ...sought, version } : `version:${value} is no whole number.`;
  }
  if ((name === 'created' || name === 'ended') && spanOf(value, 0) === null) {
    return `${name}:${value} is no time: say 24h, 7d or 2026-01-01..2026-02-01.`;
  }
  return { ...sought, [NAMES[name as Name]]: value };
}

function withStatus(sought: Sought, value: string): Sought | string {
  const words = value.split(',');
  const unknown = words.find((word) => !STATUSES.includes(word as Status));
  if (unknown !== undefined) {
    return `status:${unknown} is not known; there are ${STATUSES.join(', ')}.`;
  }
  const status = STATUSES.filter((one) => sought.status.includes(one) || words.includes(one));
  return { ...sought, status };
}

export interface Chip {
  readonly label: string;
  readonly text: string;
  /** What is looked for without it. */
  readonly without: Sought;
}

/** Everything that is said, a piece each. */
export function chipsOf(sought: Sought): readonly Chip[] {
  const chips: Chip[] = [];
  const add = (label: string, text: string, without: Partial<Sought>): void => {
    chips.push({ label, text, without: { ...sought, ...without } });
  };
  for (const [label, name] of Object.entries(NAMES)) {
    const value = sought[name];
    if (value !== null) add(label, value, { [name]: null });
    if (name === 'flow' && sought.version !== null) {
      add('version', String(sought.version), { version: null });
    }
    if (name === 'flow') {
      for (const one of sought.status) {
        add('status', one, { status: sought.status.filter((each) => each !== one) });
      }
    }
  }
  if (sought.stalled) add('is', 'stalled', { stalled: false });
  for (const one of sought.attribute) {
    const at = one.indexOf('=');
    const attribute = sought.attribute.filter((each) => each !== one);
    add(`${one.slice(0, at)}=`, one.slice(at + 1), { attribute });
  }
  return chips;
}

/** As it would be typed: what comes of reading it is the same again. */
export function writeWords(sought: Sought): string {
  const words = chipsOf(sought).map(({ label, text }) =>
    label.endsWith('=') ? `${label}${quotedValue(text)}` : `${label}:${quoted(text)}`,
  );
  return words.join(' ');
}

function quoted(text: string): string {
  if (text !== '' && !/[\s"\\]/.test(text)) return text;
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** `"12"` is text that looks like a number, and is written as it is. */
function quotedValue(text: string): string {
  if (/^"(true|false|-?\d+(\.\d+)?)"$/.test(text)) return text;
  return quoted(text);
}
