#!/usr/bin/env node
/** The program `perdure`. */
import { EXIT, type ExitCode } from './exit.ts';
import { main } from './main.ts';
import { processTerminal } from './terminal.ts';

const terminal = processTerminal();

// A module of the user's may hold on to whatever it likes; the command is over all the same.
const end = async (code: ExitCode): Promise<void> => {
  const isWritten = await terminal.written();
  process.exit(isWritten || code !== EXIT.fine ? code : EXIT.failed);
};

// Not awaited: a process that has nothing left to do while somebody waits would end with a code of
// Node's own. What is waited for by then says so itself, if it can.
process.exitCode = EXIT.failed;
void main(process.argv.slice(2), terminal).then(end);
