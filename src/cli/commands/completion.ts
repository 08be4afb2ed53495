/** `perdure completion SHELL`: a script that completes what is typed. */
import { Argument } from 'commander';
import type { Engine } from '../../index.ts';
import { scriptOf, SHELLS, wordsOf } from '../completion.ts';
import { answer, type Desk, type JsonOptions, jsonOption, type Part } from '../desk.ts';
import { type StoreOptions, storeOption } from '../desk.ts';
import { badCommand } from '../failing.ts';
import { storedFlows } from '../known-flow.ts';
import { withEngine } from '../stores.ts';
import { meant } from '../../base/nearest.ts';

export const completion: Part = (program, desk) => {
  program
    .command('completion')
    .addArgument(shellArgument())
    .description(`a script that completes commands in ${SHELLS.join(', ')}`)
    .addOption(jsonOption())
    .action((word: string, options: JsonOptions) => {
      const shell = SHELLS.find((known) => known === word);
      if (shell === undefined) {
        throw badCommand(`there is no completion for "${word}": ${meant(word, SHELLS)}`);
      }
      const text = scriptOf(shell, wordsOf(program));
      answer(desk, options, { format: shell, text }, () => text);
    });
  // For the scripts themselves, and so not shown.
  program
    .command('_complete <what>', { hidden: true })
    .addOption(storeOption())
    .action((what: string, options: StoreOptions) => complete(desk, what, options));
};

/** As with options: what is misspelt is said by whoever reads it. */
function shellArgument(): Argument {
  const argument = new Argument('<shell>', 'which one');
  argument.argChoices = [...SHELLS];
  return argument;
}

/** More are of no use behind a tab. */
const WORDS_MAX = 100;

async function complete(desk: Desk, what: string, options: StoreOptions): Promise<void> {
  await withEngine(desk, options, async (engine, { store }) => {
    const words = what === 'flows' ? await storedFlows(store) : await idsOf(engine, what);
    desk.terminal.out(words.map((word) => `${word}\n`).join(''));
  });
}

async function idsOf(engine: Engine, what: string): Promise<readonly string[]> {
  const most = { limit: WORDS_MAX };
  const found =
    what === 'tasks' ? (await engine.tasks.list(most)).tasks : (await engine.list(most)).instances;
  return found.map(({ id }) => id);
}
