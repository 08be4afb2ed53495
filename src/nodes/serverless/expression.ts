/**
 * Expressions of a Serverless Workflow: jq programs and templates with programs in them, evaluated
 * on a value and on what the scene around it knows by name.
 *
 * A program is compiled once and kept by its text. Only the variables that a text mentions are
 * looked up: what a scene would have to put together costs nothing where nobody asks.
 */
import { admitJson, type Json } from '../../base/json.ts';
import { no, ok, type Result } from '../../base/result.ts';
import { compileJq, type JqProgram } from '../../expressions/jq/jq.ts';
import type { Template } from '../../model/serverless.ts';
import type { Trouble } from './trouble.ts';

/** What an expression may ask for. */
export interface Scene {
  /** For `now`, in milliseconds since 1970. */
  readonly now: number;
  /** A variable, without its dollar; null where there is none. */
  variable(name: string): Json;
  /** Why this secret is not to be had, or one of all there are; undefined if it is. */
  withheld(secret: string | typeof ALL): string | undefined;
}

/** In the place of a secret's name: an expression asks for them without one. */
export const ALL: unique symbol = Symbol('all secrets');

export type Evaluated<Value extends Json = Json> = Result<Value, Trouble>;

/** The value of a template, or why it has none. */
export function fill(template: Template, scene: Scene, dot: Json): Evaluated {
  try {
    return plain(made(template, scene, dot));
  } catch (thrown) {
    if (thrown instanceof Failed) return no(thrown.trouble);
    throw thrown;
  }
}

/** As every value is (D20): what a program makes is not frozen, and has no prototype. */
function plain(value: Json): Evaluated {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return ok(value);
  const admitted = admitJson(value);
  if (admitted.ok) return admitted;
  return no({ kind: 'expression', detail: `what came of it is no JSON: ${admitted.problem}` });
}

/** What a program yields: nothing is null, and several are a list. */
export function evaluate(text: string, scene: Scene, dot: Json): Evaluated {
  return fill({ jq: text }, scene, dot);
}

/** A condition: as in jq, all but false and null are true. */
export function holds(text: string, scene: Scene, dot: Json): Evaluated<boolean> {
  const value = evaluate(text, scene, dot);
  return value.ok ? ok(value.value !== false && value.value !== null) : value;
}

/** Inside one template only: beyond `fill`, trouble is a value. */
class Failed extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super(trouble.detail);
    this.trouble = trouble;
  }
}

function made(template: Template, scene: Scene, dot: Json): Json {
  if ('lit' in template) return template.lit;
  if ('jq' in template) return yielded(template.jq, scene, dot);
  if ('map' in template) {
    const parts = template.map.map(([name, part]) => [name, made(part, scene, dot)] as const);
    // Not by assignment: a property may be called __proto__.
    return Object.fromEntries(parts);
  }
  if ('list' in template) return template.list.map((part) => made(part, scene, dot));
  return tried(template.loose, scene, dot);
}

function yielded(text: string, scene: Scene, dot: Json): Json {
  const { program, names, secrets, problem } = programOf(text);
  if (program === null) throw new Failed({ kind: 'expression', detail: problem });
  for (const secret of secrets) {
    const why = scene.withheld(secret);
    if (why !== undefined) throw new Failed({ kind: 'authorization', detail: why });
  }
  const vars = names.length === 0 ? undefined : varsOf(names, scene);
  const ran = program.run(dot, vars, undefined, scene.now);
  if (!ran.ok) {
    // What jq says of a failure has parts of the values in it.
    const isSecret = names.includes('secrets') || names.includes('secret');
    const said = isSecret ? 'it failed (it asks for secrets)' : ran.problem.message;
    throw new Failed({ kind: 'expression', detail: `${brief(text)}: ${said}` });
  }
  const outputs = ran.value;
  return outputs.length === 1 ? (outputs[0] as Json) : outputs.length === 0 ? null : outputs;
}

function tried(text: string, scene: Scene, dot: Json): Json {
  try {
    return yielded(text, scene, dot);
  } catch (thrown) {
    if (thrown instanceof Failed && thrown.trouble.kind === 'expression') return text;
    throw thrown;
  }
}

function varsOf(names: readonly string[], scene: Scene): Record<string, Json> {
  return Object.fromEntries(names.map((name) => [name, scene.variable(name)]));
}

interface Known {
  readonly program: JqProgram | null;
  /** The variables it mentions, whether they are its own or those of the scene. */
  readonly names: readonly string[];
  readonly secrets: readonly (string | typeof ALL)[];
  readonly problem: string;
}

/** Texts of definitions, and definitions are not endless; of more than this the oldest go. */
const KNOWN_MAX = 20_000;
const known = new Map<string, Known>();

function programOf(text: string): Known {
  const found = known.get(text);
  if (found !== undefined) return found;
  const names = namesIn(text);
  const compiled = compileJq(text, { vars: names });
  const problem = compiled.ok ? '' : compiled.problem.map(({ message }) => message).join('; ');
  const program = compiled.ok ? compiled.value : null;
  const made = { program, names, secrets: secretsIn(text), problem: `${brief(text)}: ${problem}` };
  known.set(text, made);
  const [oldest] = known.keys();
  if (known.size > KNOWN_MAX && oldest !== undefined) known.delete(oldest);
  return made;
}

const VARIABLE = /\$([A-Za-z_]\w*)/g;
/** Of jq itself. */
const OWN = new Set(['__loc__', '__prog_args', 'ENV']);

/** Every variable that a text mentions; what it binds itself is among them and does no harm. */
export function namesIn(text: string): readonly string[] {
  const names = Array.from(text.matchAll(VARIABLE), ([, name]) => name as string);
  return [...new Set(names)].filter((name) => !OWN.has(name));
}

const SECRETS = /\$secrets?(?!\w)/g;
const NAMED =
  /\$secrets?\s*(?:\.\s*([A-Za-z_]\w*)|\.?\s*\[\s*"((?:[^"\\]|\\.)*)"\s*\]|\."([^"\\]*)")/g;
/** It has a variable of its own of that name. */
const BOUND = /\bas\s*(?:[[{][^|(]{0,1000})?\$secrets?(?!\w)/;

/** Secrets that a text asks for: by name, and all of them where it does so otherwise. */
function secretsIn(text: string): Known['secrets'] {
  const asked = text.match(SECRETS)?.length ?? 0;
  if (asked === 0 || BOUND.test(text)) return [];
  const names = Array.from(text.matchAll(NAMED), ([, plain, quoted, dotted]) => {
    return plain ?? quoted ?? dotted ?? '';
  });
  return names.length < asked ? [ALL] : [...new Set(names)];
}

const BRIEF_CHARS = 120;

function brief(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= BRIEF_CHARS ? `"${line}"` : `"${line.slice(0, BRIEF_CHARS)}…"`;
}
