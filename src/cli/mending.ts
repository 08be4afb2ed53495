/** Commands to be copied: those that would mend an instance, and what they need to find it. */
import { STORE_DEFAULT, type Desk, type StoreOptions } from './desk.ts';
import type { Place } from './stores.ts';

type Command = (id: string, token: number) => string;

const COMMANDS: Readonly<Record<string, Command>> = {
  retry: (id, token) => `perdure retry ${id} ${token}`,
  skip: (id, token) => `perdure skip ${id} ${token} --result JSON`,
  cancel: (id) => `perdure cancel ${id} --saga`,
  // What was undone cannot go on where it failed: it begins again, from a node before that.
  rerun: (id) => `perdure rerun ${id} NODE`,
};

/** What can be done about a token, as a command. */
export function mendingCommand(remedy: string, id: string, token: number): string {
  const word = shellWord(id);
  return COMMANDS[remedy]?.(word, token) ?? `perdure ${remedy} ${word}`;
}

/** What another command needs to find the same store; nothing if it looks there anyway. */
export function storeWords({ terminal }: Desk, { store }: StoreOptions, { url }: Place): string {
  const { PERDURE_STORE = '' } = terminal.env;
  const usual = PERDURE_STORE === '' ? STORE_DEFAULT : PERDURE_STORE;
  return (store ?? usual) === usual ? '' : ` --store ${shellWord(url)}`;
}

/** As a shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
