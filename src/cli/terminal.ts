/**
 * What a command sees of the world it was called in. Everything a command says goes through here,
 * so that tests can run commands in their own process, and so that `--json` keeps its word: stdout
 * is the answer and nothing else, whatever the user's own code prints meanwhile.
 */
import { userInfo } from 'node:os';
import { stripVTControlCharacters, styleText } from 'node:util';
import { ask } from './asking.ts';
import type { ExitCode } from './exit.ts';
import { LiveLine } from './live-line.ts';
import { type StopSignal, Uncaught } from './stopping.ts';

export type Paint = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Paths on the command line are seen from here. */
  readonly folder: string;
  /** Who is said to have acted, unless `--actor` says otherwise. */
  readonly user: string;
  /** How wide a line may be; null if nobody looks: nothing is cut then. */
  readonly columns: number | null;
  /** Whether a person looks who sees lines being written over. */
  readonly isLive: boolean;
  /** The answer of a command. */
  readonly out: (text: string) => void;
  /** What is said beside it. */
  readonly talk: (text: string) => void;
  /** Shows a line below everything else until another is shown; null: none. Only where `isLive`. */
  readonly live: (line: string | null) => void;
  readonly paint: (paint: Paint, text: string) => string;
  /** Asks a person; null where nobody is there to answer. */
  readonly confirm: (question: string) => Promise<boolean | null>;
  /** Whatever anyone else prints goes beside the answer from now on. */
  readonly divert: () => void;
  /** Has `hear` called when the command is told to stop; the answer ends that. */
  readonly onStop: (hear: (signal: StopSignal) => void) => () => void;
  /** Rejects when something is thrown where nobody catches it. */
  readonly broken: Promise<never>;
  /** Has `hear` called if the process ends before the command has: it gives the exit code. */
  readonly onCut: (hear: () => ExitCode) => void;
}

/** The terminal of a process, which must hear everything before it ends. */
export interface ProcessTerminal extends Terminal {
  /** Until everything is written. False if the answer could not be. */
  readonly written: () => Promise<boolean>;
  /** The command has ended: from now on the process may. */
  readonly over: () => void;
}

const STOPS: readonly StopSignal[] = ['SIGINT', 'SIGTERM'];

/** Narrower than this nothing is worth cutting to. */
const COLUMNS_MIN = 40;

export function processTerminal(): ProcessTerminal {
  const { env, stdout, stderr } = process;
  const isLive = stdout.isTTY && stderr.isTTY && env['TERM'] !== 'dumb';
  const isOutPainted = isPainted(env, stdout.isTTY);
  const isTalkPainted = isPainted(env, stderr.isTTY);
  // Bound now: `divert` changes where everyone else's words go, and not where the answer does.
  const answer = new Answer(stdout.write.bind(stdout), (line) => stderr.write(line));
  const line = isLive ? new LiveLine((text) => answer.write(text)) : null;
  // From now on: who writes to either stream does so above the line, and ends none of ours.
  if (line !== null) for (const stream of [stdout, stderr]) watch(stream, line);
  return {
    ...{ env, folder: process.cwd(), user: userName(env), isLive, divert, confirm },
    get columns() {
      return stdout.isTTY ? Math.max(stdout.columns, COLUMNS_MIN) : null;
    },
    out: (text) => {
      const shown = isTalkPainted && !isOutPainted ? stripVTControlCharacters(text) : text;
      if (line === null) answer.write(shown);
      else line.say(shown);
    },
    talk: (text) => {
      line?.breakLine();
      stderr.write(isOutPainted && !isTalkPainted ? stripVTControlCharacters(text) : text);
    },
    live: (text) => line?.show(text),
    // Whichever of the two has no colours takes them out again.
    paint: (paint, text) => painted(isOutPainted || isTalkPainted, paint, text),
    onStop: (hear) => {
      for (const stop of STOPS) process.on(stop, hear);
      const deaf = answer.onGone(() => hear('SIGPIPE'));
      return () => {
        for (const stop of STOPS) process.off(stop, hear);
        deaf();
      };
    },
    broken: untilBroken(),
    ...exits(),
    written: () => answer.written(),
  };
}

/**
 * Stdout as far as it is the answer. Who reads it may stop reading, as `head` does, and then the
 * rest is for nobody; a disk that is full is said, once.
 */
class Answer {
  readonly #write: (text: string, done?: () => void) => unknown;
  readonly #hears = new Set<() => void>();
  #isGone = false;
  #isLost = false;

  constructor(
    write: (text: string, done?: () => void) => unknown,
    complain: (line: string) => void,
  ) {
    this.#write = write;
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      const isUnread = error.code === 'EPIPE';
      if (!isUnread && !this.#isGone) {
        complain(`perdure: the answer cannot be written: ${error.message}\n`);
      }
      this.#isGone = true;
      this.#isLost ||= !isUnread;
      if (isUnread) for (const hear of this.#hears) hear();
    });
    // Nobody hears what is said beside the answer; that is no reason to do less.
    process.stderr.on('error', () => {});
  }

  write(text: string): boolean {
    if (!this.#isGone) this.#write(text);
    return true;
  }

  onGone(hear: () => void): () => void {
    this.#hears.add(hear);
    return () => this.#hears.delete(hear);
  }

  async written(): Promise<boolean> {
    await new Promise<void>((resolve) => void this.#write('', resolve));
    await new Promise<void>((resolve) => void process.stderr.write('', () => resolve()));
    return !this.#isLost;
  }
}

function watch(stream: NodeJS.WriteStream, line: LiveLine): void {
  stream.write = line.around(stream.write.bind(stream));
}

function divert(): void {
  const { stdout, stderr } = process;
  // Looked up with every call: what is written there may be watched by then.
  stdout.write = ((...words: Parameters<typeof stderr.write>) =>
    stderr.write(...words)) as typeof stdout.write;
}

async function confirm(question: string): Promise<boolean | null> {
  const { stdin, stderr } = process;
  return stdin.isTTY && stderr.isTTY ? ask(question, stdin, stderr) : null;
}

function untilBroken(): Promise<never> {
  const broken = new Promise<never>((_, reject) => {
    process.on('uncaughtException', (thrown) => reject(new Uncaught(thrown)));
  });
  // Whoever is interested hears of it; that nobody is must not be one more of its kind.
  broken.catch(() => {});
  return broken;
}

/**
 * A module or a step may call `process.exit`, and whatever number it names, the command was not
 * done. Nothing can be waited for by then; what is written to a pipe or a file still gets there.
 */
function exits(): Pick<ProcessTerminal, 'onCut' | 'over'> {
  let isOver = false;
  return {
    onCut: (hear) => {
      process.once('exit', () => {
        if (!isOver) process.exitCode = hear();
      });
    },
    over: () => {
      isOver = true;
    },
  };
}

/** https://no-color.org: any value but an empty one. */
function isPainted(env: Terminal['env'], isTerminal: boolean): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '' } = env;
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0';
  return isTerminal && env['TERM'] !== 'dumb';
}

export function painted(hasColours: boolean, paint: Paint, text: string): string {
  return hasColours ? styleText(paint, text, { validateStream: false }) : text;
}

/** A user without an entry has no name: a container may run as any number. */
function userName(env: Terminal['env']): string {
  try {
    return userInfo().username;
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return env['USER'] ?? 'unknown';
  }
}
