/**
 * Sessions at a shell, as pages show them in ```console blocks: a line with `$ ` is typed, what
 * follows it is what is printed, and `…` in that stands for anything. A command goes on in lines
 * that begin with `> `. All blocks of a page are one session: what one of them sets, the next has.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';

export interface Exchange {
  readonly typed: string;
  readonly printed: string;
}

/** Between what two commands print; no page has it. */
const MARK = '\u001E';

export function exchangesIn(page: string): readonly Exchange[] {
  const blocks = [...page.matchAll(/^```console\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
  return blocks.flatMap((block) =>
    block.split(/^\$ /m).flatMap((part, at) => {
      if (at === 0) return [];
      const lines = part.trimEnd().split('\n');
      const isTyped = (line: string, n: number): boolean => n === 0 || line.startsWith('> ');
      const typed = lines.filter(isTyped).map((line) => line.replace(/^> /, ''));
      const printed = lines.filter((line, n) => !isTyped(line, n));
      return [{ typed: typed.join('\n'), printed: printed.join('\n') }];
    }),
  );
}

/** Types all of them into one shell, and expects of each what the page says. */
export async function playSession(
  exchanges: readonly Exchange[],
  { folder, env = {} }: { readonly folder: string; readonly env?: NodeJS.ProcessEnv },
): Promise<void> {
  const shell = spawn('sh', [], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(shell, 'close');
  const script = exchanges.map(({ typed }) => `${typed}\nprintf '${MARK}'\n`);
  shell.stdin.end(`exec 2>&1\n${script.join('')}`);
  // Heads of answers end their lines as HTTP does, which no terminal shows.
  const printed = (await text(shell.stdout)).replaceAll('\r', '').split(MARK);
  await closed;
  for (const [at, exchange] of exchanges.entries()) {
    const came = (printed[at] ?? '').trimEnd();
    if (matches(came, exchange.printed)) continue;
    expect.soft(`$ ${exchange.typed}\n${came}`).toBe(`$ ${exchange.typed}\n${exchange.printed}`);
  }
  expect(printed.length, 'every command was typed').toBe(exchanges.length + 1);
}

/** It came as it is told, where `…` stands for anything. */
export function expectPrinted(came: string, told: string): void {
  if (!matches(came, told)) expect(came).toBe(told);
}

function matches(came: string, told: string): boolean {
  const parts = told.split('…').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`).test(came);
}
