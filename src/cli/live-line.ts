/**
 * One line below everything else that is written over, where a person looks. Whatever anyone writes
 * meanwhile, the user's own code too, stands above it: the line is taken away, that is written, and
 * the line is drawn again. Who has begun a line and not ended it may go on with it, and until then
 * there is no place for this one.
 */
type Write = NodeJS.WriteStream['write'];

/** Too long a line is cut by the terminal: if it broke, only its last part could be wiped. */
const NO_WRAP = '\u001B[?7l';
const WRAP = '\u001B[?7h';
const WIPE = '\r\u001B[2K';

const NEWLINE = 10;

export class LiveLine {
  readonly #write: (text: string) => void;
  #line: string | null = null;
  #isShown = false;
  #isBegun = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Shows this from now on, or nothing. */
  show(line: string | null): void {
    if (line === this.#line) return;
    this.#wipe();
    this.#line = line;
    this.#draw();
  }

  /** Says whole lines of our own, above it. */
  say(text: string): void {
    this.breakLine();
    this.#wipe();
    this.#write(text);
    this.#draw();
  }

  /** Ends a line that somebody has begun: ours begin at the edge. */
  breakLine(): void {
    if (!this.#isBegun) return;
    this.#isBegun = false;
    this.#write('\n');
  }

  /** The same as this, with the line out of its way. */
  around(write: Write): Write {
    return (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
      this.#wipe();
      const isTaken = Reflect.apply(write, undefined, [chunk, ...rest]) as boolean;
      if (chunk.length > 0) this.#isBegun = !isWhole(chunk);
      this.#draw();
      return isTaken;
    };
  }

  #draw(): void {
    if (this.#line === null || this.#isBegun || this.#isShown) return;
    this.#write(`${NO_WRAP}${this.#line}${WRAP}`);
    this.#isShown = true;
  }

  #wipe(): void {
    if (this.#isShown) this.#write(WIPE);
    this.#isShown = false;
  }
}

function isWhole(chunk: string | Uint8Array): boolean {
  return typeof chunk === 'string' ? chunk.endsWith('\n') : chunk.at(-1) === NEWLINE;
}
