/** Small parts that pages which a program writes are made of. */
import { posix } from 'node:path';
import GithubSlugger from 'github-slugger';

/** Every page that is made begins so; it is how the rest know that it is. */
const MADE = '<!-- Made by `npm run pages`; what it says is to be changed where it comes from. -->';

export function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

export function link(text: string, target: string, from: string): string {
  return `[${text}](${posix.relative(posix.dirname(from), target)})`;
}

export function anchor(heading: string): string {
  return `#${new GithubSlugger().slug(heading)}`;
}

/** A heading with what belongs below it; nothing if there is nothing. */
export function section(heading: string, parts: readonly (string | undefined)[]): string[] {
  const told = parts.filter((part) => part !== undefined && part !== '');
  return told.length === 0 ? [] : [`## ${heading}`, ...(told as string[])];
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** What stands in a cell of a table as a sentence of its own. */
export function sentence(text: string): string {
  const [first = ''] = text;
  return ended(/^[a-z]/.test(text) ? `${first.toUpperCase()}${text.slice(1)}` : text);
}

export function ended(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** A text of one page as it has to stand on another: its links lead to the same places. */
export function moved(text: string, from: string, to: string): string {
  return text.replaceAll(/\]\((?!\w+:)([^)\s]+)\)/g, (_all, target: string) => {
    const [path = '', mark] = target.split('#');
    const there = path === '' ? from : posix.join(posix.dirname(from), path);
    const found = posix.relative(posix.dirname(to), there);
    const slash = path.endsWith('/') ? '/' : '';
    return `](${found}${slash}${mark === undefined ? '' : `#${mark}`})`;
  });
}

/** What a program has written, and is no source for another page. */
export function isMade(text: string): boolean {
  return text.startsWith(MADE);
}

export function pageOf(parts: readonly string[]): string {
  return `${[MADE, ...parts].join('\n\n')}\n`;
}
