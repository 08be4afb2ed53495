/**
 * Where the sources say a code: every object with a `code` and a `message`, and every error that is
 * made with both. What a function is given for them is looked up where it is called.
 */
import type { Node } from 'oxc-parser';
import { isCode, isTest, sitesOf, type SourceFile } from '../tidy/source.ts';
import { Kinds } from './kinds.ts';
import { type Call, keyName, type Named, Program } from './program.ts';
import { type Frame, type Granted, hasWords, Wording } from './wording.ts';

export interface Saying {
  /** As it is written; with a placeholder (`task.bad-<name>`) where only a run knows it. */
  readonly code: string;
  /** What the message may be, with placeholders. */
  readonly messages: readonly string[];
  readonly path: string;
  /** What `details` has. */
  readonly details: readonly string[];
  readonly flags: ReadonlySet<Flag>;
}

export type Flag = 'retryable' | 'fatal' | 'guard';

/** What is made with a code: which argument is that, which the message, and which the rest. */
const MADE: Readonly<Record<string, readonly [code: number, message: number, rest: number]>> = {
  EngineError: [0, 1, 2],
  RequestError: [0, 1, 2],
  ApiError: [0, 1, 2],
  BadValue: [0, 1, 2],
  Unreadable: [2, 1, 3],
};

/** Differences between plans have codes as well, and are nothing that went wrong. */
const NOT_WRONG =
  /^src\/(compile\/diff|testing\/.*|cli\/standing-still|server\/schemas|runtime\/tracing)\.ts$/;

/** `instance.not-found`, or the one that is known by another name for longer than the rest. */
const CODE = /^([a-z]+(-[a-z]+)*\.[A-Za-z<>-]+|LEASE_EXPIRED)$/;

const CALLS_DEEP_MAX = 5;

/** Where a code and a message come together. */
interface Base {
  readonly file: SourceFile;
  readonly node: Node;
  readonly code: Node;
  readonly message: Node;
  /** What `details` and the flags are members of. */
  readonly rest: Node | null;
}

const known = new WeakMap<readonly SourceFile[], readonly Saying[]>();

/** Everything that is said, worked out once for the same files. */
export function sayingsIn(files: readonly SourceFile[]): readonly Saying[] {
  const found = known.get(files) ?? harvestOf(files);
  known.set(files, found);
  return found;
}

function harvestOf(files: readonly SourceFile[]): readonly Saying[] {
  const sources = files.filter(
    (file) => file.path.startsWith('src/') && isCode(file) && !isTest(file),
  );
  const harvest = new Harvest(new Program(sources.filter(({ path }) => !NOT_WRONG.test(path))));
  return harvest.all();
}

class Harvest {
  readonly #program: Program;
  readonly #wording: Wording;
  readonly #kinds: Kinds;

  constructor(program: Program) {
    this.#program = program;
    this.#wording = new Wording(program);
    this.#kinds = new Kinds(program);
  }

  all(): readonly Saying[] {
    const bases = this.#program.files.flatMap((file) =>
      sitesOf(file).flatMap(({ node, around }) => baseAt(file, node, around) ?? []),
    );
    return bases.flatMap((base) => this.#expand(base, []));
  }

  /** What it says as it stands; or, if that depends on who calls, what it says for each of them. */
  #expand(base: Base, chain: readonly Call[]): readonly Saying[] {
    const frame = this.#frameOf(base, chain);
    const code = this.#wording.read(base.code, frame);
    const message = this.#wording.read(base.message, frame);
    const outermost = chain.at(-1)?.node ?? base.node;
    const isMute = !message.texts.some(hasWords) && message.asks;
    const isOpen = code.texts.some((text) => !isKnown(text, chain.at(-1)?.file ?? base.file));
    if ((isOpen && code.asks) || isMute) {
      const calls = this.#callsOf(this.#program.namedAround(outermost), chain);
      if (calls.length > 0) return calls.flatMap((call) => this.#expand(base, [...chain, call]));
    }
    // One condition may decide both: which code it is, and what is said of it.
    const shared = code.conditions.find((one) => message.conditions.includes(one));
    const cases =
      shared === undefined
        ? [null]
        : [true, false].map((holds): Granted => ({ condition: shared, holds }));
    return cases.flatMap((granted) => this.#say(base, chain, frame, granted));
  }

  #say(
    base: Base,
    chain: readonly Call[],
    frame: Frame,
    granted: Granted | null,
  ): readonly Saying[] {
    const { file, node } = chain.at(-1) ?? base;
    const codes = this.#wording.read(base.code, frame, granted).texts;
    const texts = this.#wording.read(base.message, frame, granted).texts.filter(hasWords);
    // Which of several goes with which is not known then.
    const messages = codes.length > 1 && texts.length > 1 ? [] : texts;
    const named = this.#program.namedAround(node);
    const { details, flags } = this.#restOf(base, frame);
    return codes
      .flatMap((code) => this.#kindsIn(code, file, named))
      .filter((code) => CODE.test(code))
      .map((code) => {
        const path = code.includes('<') ? writtenIn(code, base, chain) : file.path;
        return { code, messages, path, details, flags };
      });
  }

  #callsOf(named: Named | undefined, chain: readonly Call[]): readonly Call[] {
    if (named === undefined || chain.length >= CALLS_DEEP_MAX) return [];
    return this.#program
      .callsOf(named)
      .filter((call) => !chain.some((one) => one.node === call.node));
  }

  #frameOf({ file, node }: Base, chain: readonly Call[]): Frame {
    const [call, ...outer] = chain;
    const named = this.#program.namedAround(node);
    if (call === undefined || named === undefined) return { file, by: null };
    const from = { ...call, code: call.node, message: call.node, rest: null };
    return { file, by: { named, call, frame: this.#frameOf(from, outer) } };
  }

  #restOf({ rest }: Base, frame: Frame): Pick<Saying, 'details' | 'flags'> {
    if (rest === null) return { details: [], flags: new Set() };
    const details = this.#wording.partOf(rest, 'details', frame);
    const flags = (['retryable', 'fatal', 'guard'] as const).filter((flag) => {
      const part = this.#wording.partOf(rest, flag, frame);
      return part !== undefined && !this.#wording.textsOf(part.node, part.frame).includes('false');
    });
    return {
      details: details === undefined ? [] : this.#wording.keysOf(details.node, details.frame),
      flags: new Set(flags),
    };
  }

  /** `<kind>.no-key` is said of every kind that uses the function which says it. */
  #kindsIn(code: string, file: SourceFile, named: Named | undefined): readonly string[] {
    if (!code.startsWith('<kind>.') || !file.path.startsWith('src/nodes/')) return [code];
    return this.#kinds.using(file, named).map((kind) => code.replace('<kind>', kind));
  }
}

/** Whether it depends on nothing, or on the kind of a node alone. */
function isKnown(code: string, { path }: SourceFile): boolean {
  const rest = path.startsWith('src/nodes/') ? code.replace(/^<kind>\./, '') : code;
  return !rest.includes('<');
}

/** Of a code that is open, the file that puts it together. */
function writtenIn(code: string, base: Base, chain: readonly Call[]): string {
  const [known = ''] = code.split('<');
  const beginning = `${known.slice(known.lastIndexOf('.'))}\${`;
  const files = [base, ...chain].map(({ file }) => file);
  return (files.find(({ text }) => text.includes(beginning)) ?? base.file).path;
}

function baseAt(file: SourceFile, node: Node, around: readonly Node[]): Base | undefined {
  if (node.type === 'NewExpression' && node.callee.type === 'Identifier') {
    const [code, message, rest] = (MADE[node.callee.name] ?? []).map((at) => node.arguments[at]);
    if (code === undefined || message === undefined) return undefined;
    return { file, node, code, message, rest: rest ?? null };
  }
  if (node.type !== 'ObjectExpression') return undefined;
  const part = (name: string): Node | undefined =>
    node.properties.flatMap((one) =>
      one.type === 'Property' && keyName(one.key) === name ? [one.value] : [],
    )[0];
  const code = part('code');
  const message = part('message') ?? messageBeside(around[0]);
  if (code === undefined || message === undefined) return undefined;
  return { file, node, code, message, rest: node };
}

/** Of `Object.assign(new Error(message), { code })`. */
function messageBeside(call: Node | undefined): Node | undefined {
  if (call?.type !== 'CallExpression') return undefined;
  const [made] = call.arguments;
  return made?.type === 'NewExpression' ? made.arguments[0] : undefined;
}
