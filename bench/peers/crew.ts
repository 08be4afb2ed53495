/**
 * The processes of the contenders, seen from the bench. Each answers one command after the other;
 * one that does not answer in time, or that ends, ends the bench with a sentence that names it.
 * None outlives it: a process whose bench is gone ends by itself, and the bench kills what is left.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { builtSide } from './built.ts';
import type { Answers, Command, Introduction, Reply } from './commands.ts';
import { CONTENDERS, type ContenderName } from './contenders.ts';
import type { Databases } from './databases.ts';

/** Opening, closing and whatever a command says that it takes come on top of each other. */
const PATIENCE_MS = 120_000;

export interface SideOptions {
  readonly place: string;
  readonly lanes: number;
  /** Without a worker it only puts things in. */
  readonly works?: boolean;
}

/** The answer to a command of this name. */
type AnswerTo<Asked extends Command> = Answers[Asked['do']];

export class Side {
  readonly contender: ContenderName;
  readonly place: string;
  readonly lanes: number;
  readonly #child: ChildProcess;

  private constructor(contender: ContenderName, options: SideOptions, child: ChildProcess) {
    this.contender = contender;
    this.place = options.place;
    this.lanes = options.lanes;
    this.#child = child;
  }

  static async open(
    databases: Databases,
    contender: ContenderName,
    options: SideOptions,
  ): Promise<Side> {
    const { place, lanes, works = true } = options;
    const { postmaster } = databases;
    const introduction: Introduction = { contender, place, lanes, works, postmaster };
    // Stdout is for the result of the bench: whatever a contender says goes to stderr.
    const child = fork(builtSide(), [JSON.stringify(introduction)], {
      // A peer that calls its driver in an old way is told so once per process, here by nobody.
      execArgv: [...process.execArgv, '--expose-gc', '--disable-warning=DeprecationWarning'],
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    // What could not be sent was not sent because it is ending, which is heard of in any case.
    child.on('error', () => {});
    const side = new Side(contender, options, child);
    await side.#reply('start');
    return side;
  }

  async ask<Asked extends Command>(command: Asked): Promise<AnswerTo<Asked>> {
    const reply = this.#reply(command.do);
    // A process that is gone cannot be told anything; that it has ended is the answer.
    if (this.#child.connected) this.#child.send(command);
    return (await reply) as AnswerTo<Asked>;
  }

  /** Whatever it holds in its database is left as it is. */
  end(): void {
    this.#child.kill('SIGKILL');
  }

  #reply(what: string): Promise<unknown> {
    const { title } = CONTENDERS[this.contender];
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(patience);
        this.#child.off('message', onMessage).off('exit', onExit);
        act();
      };
      const fail = (why: string): void => {
        settle(() => reject(new Error(`${title} was told to "${what}", and ${why}`)));
      };
      const onMessage = (reply: Reply): void => {
        if ('failed' in reply) fail(`failed: ${reply.failed}`);
        else settle(() => resolve(reply.answer));
      };
      const onExit = (code: number | null, signal: string | null): void => {
        fail(`its process ended with ${code ?? signal}`);
      };
      const patience = setTimeout(() => {
        fail(`did not answer within ${PATIENCE_MS / 1_000} s`);
      }, PATIENCE_MS);
      this.#child.on('message', onMessage).once('exit', onExit);
      const { exitCode, signalCode } = this.#child;
      if (exitCode !== null || signalCode !== null) onExit(exitCode, signalCode);
    });
  }
}

const children = new Set<ChildProcess>();

process.once('exit', endAll);

export function endAll(): void {
  for (const child of children) child.kill('SIGKILL');
}
