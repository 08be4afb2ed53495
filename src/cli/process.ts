/** The command line in a process of its own: what is written before it ends, and its exit code. */
import { EXIT, type ExitCode } from './exit.ts';
import { main } from './main.ts';
import { processTerminal } from './terminal.ts';

export function begin(): void {
  const terminal = processTerminal();
  // A module of the user's may hold on to whatever it likes; the command is over all the same.
  const end = async (code: ExitCode): Promise<void> => {
    const isWritten = await terminal.written();
    terminal.over();
    process.exit(isWritten || code !== EXIT.fine ? code : EXIT.failed);
  };
  // Not awaited: a process that has nothing left to do while somebody waits would end with a code
  // of Node's own. What is waited for by then says so itself, if it can.
  void main(process.argv.slice(2), terminal).then(end);
}
