/** The line that is written over, and what others write meanwhile. */
import { expect, test } from 'vitest';
import { LiveLine } from './live-line.ts';

/** A terminal of a few lines, as far as we move about in it. */
class Screen {
  readonly lines: string[] = [''];

  readonly write = (text: string): boolean => {
    for (const part of text.split(/(\n|\r\u001B\[2K|\u001B\[\?7[lh])/)) {
      if (part === '\n') this.lines.push('');
      else if (part.startsWith('\r')) this.lines[this.lines.length - 1] = '';
      else if (!part.startsWith('\u001B')) this.lines[this.lines.length - 1] += part;
    }
    return true;
  };
}

function begin(): {
  screen: Screen;
  line: LiveLine;
  print: (text: string | Uint8Array) => boolean;
} {
  const screen = new Screen();
  const line = new LiveLine(screen.write);
  const stream = (chunk: string | Uint8Array): boolean =>
    screen.write(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
  return { screen, line, print: line.around(stream) };
}

test('is written over, and taken away', () => {
  const { screen, line } = begin();
  line.show('▸ a 0.1s');
  line.show('▸ a 0.2s');
  expect(screen.lines).toEqual(['▸ a 0.2s']);
  line.show(null);
  expect(screen.lines).toEqual(['']);
});

test('has what the user prints above it, in lines of their own', () => {
  const { screen, line, print } = begin();
  line.show('▸ name-7');
  expect(print('hello from 7\n')).toBe(true);
  print(new TextEncoder().encode('and as bytes\n'));
  print('');
  expect(screen.lines).toEqual(['hello from 7', 'and as bytes', '▸ name-7']);
});

test('stays away while somebody else has begun a line', () => {
  const { screen, line, print } = begin();
  line.show('▸ a');
  print('50 %');
  line.show('▸ b');
  expect(screen.lines).toEqual(['50 %']);
  print(', done\n');
  expect(screen.lines).toEqual(['50 %, done', '▸ b']);
  print('no end');
  line.say('ours\n');
  expect(screen.lines).toEqual(['50 %, done', 'no end', 'ours', '▸ b']);
});
