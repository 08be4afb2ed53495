/** The commands that would mend an instance, to be copied. */

type Command = (id: string, token: number) => string;

const COMMANDS: Readonly<Record<string, Command>> = {
  retry: (id, token) => `perdure retry ${id} ${token}`,
  skip: (id, token) => `perdure skip ${id} ${token} --result JSON`,
  cancel: (id) => `perdure cancel ${id} --saga`,
};

/** What can be done about a token, as a command. */
export function mendingCommand(remedy: string, id: string, token: number): string {
  return COMMANDS[remedy]?.(id, token) ?? `perdure ${remedy} ${id}`;
}

/** As a shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
