/** Why a command ends before it is done: it was told to, or something broke that nobody caught. */
import { EXIT, type ExitCode } from './exit.ts';

/** SIGPIPE stands for an answer that nobody reads any more. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGPIPE';

export function exitOfSignal(signal: StopSignal): ExitCode {
  return EXITS[signal];
}

const EXITS: Readonly<Record<StopSignal, ExitCode>> = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGPIPE: EXIT.unread,
};

/** It was told to stop before anything was done. */
export class Stopped extends Error {
  readonly signal: StopSignal;

  constructor(signal: StopSignal) {
    super(`stopped by ${signal}; nothing was done`);
    this.signal = signal;
  }
}

/** Something was thrown where nobody catches it: in a timer, or by a promise nobody waits for. */
export class Uncaught extends Error {
  constructor(thrown: unknown) {
    const place = thrown instanceof Error ? placeIn(thrown.stack ?? '') : undefined;
    const what = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    super(`nobody caught this: ${what}${place === undefined ? '' : ` (at ${place})`}`);
    this.cause = thrown;
  }
}

/** The process ends, and the command had not. */
export class Cut extends Error {
  constructor() {
    super('your code ended the process, or left it waiting for what never comes');
  }
}

/** Where it was thrown, as far as that is in a file: `order.ts:3:12`. */
function placeIn(stack: string): string | undefined {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const own = frames.find((line) => !line.includes('node:'));
  return /(?:file:\/\/)?(\/?[^\s()]+:\d+:\d+)\)?$/.exec(own ?? '')?.[1];
}
