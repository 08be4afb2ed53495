/** What the house rules look at: files as text, and code as a syntax tree. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type Comment, type Node, parseSync, visitorKeys } from 'oxc-parser';

/** A file of the repository; the path starts at its root and has forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A house rule: every place where it is broken, as `path:line: what is wrong`. */
export type Rule = (files: readonly SourceFile[]) => string[];

/** A node of the syntax tree with everything around it, nearest first. */
export interface Site {
  readonly node: Node;
  readonly around: readonly Node[];
}

/** Names of folders and ends of files that are not the project's own text. */
const SKIPPED = /^(node_modules|dist|coverage|\.git|\.perdure)$|\.(db|db-\w+|tgz|png|ico)$/;

export function readTree(root: string): SourceFile[] {
  const files: SourceFile[] = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (SKIPPED.test(entry.name)) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) files.push({ path: fromRoot(root, path), text: read(path) });
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function fromRoot(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

/** Made by programs: ours end in `.gen.ts`, and Prisma's client is as Prisma makes it. */
const GENERATED = /\.gen\.ts$|^examples\/prisma-client\//;

/** Whether it is written by hand in our language. */
export function isCode({ path }: SourceFile): boolean {
  return /\.(tsx?|mjs)$/.test(path) && !GENERATED.test(path);
}

export function isTest({ path }: SourceFile): boolean {
  return path.endsWith('.test.ts');
}

/** The room of `src/` a file lies in; for a front door its own name. */
export function roomOf(path: string): string | undefined {
  return path.startsWith('src/') ? path.split('/')[1] : undefined;
}

interface Parsed {
  readonly sites: readonly Site[];
  readonly comments: readonly Comment[];
}

const parsed = new WeakMap<SourceFile, Parsed>();

export function sitesOf(file: SourceFile): readonly Site[] {
  return parse(file).sites;
}

export function commentsOf(file: SourceFile): readonly Comment[] {
  return parse(file).comments;
}

function parse(file: SourceFile): Parsed {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const { program, comments, errors } = parseSync(file.path, file.text);
  if (errors.length > 0) throw new Error(`${file.path} does not parse: ${errors[0]?.message}`);
  const fresh = { sites: walk(program), comments };
  parsed.set(file, fresh);
  return fresh;
}

function walk(program: Node): Site[] {
  const sites: Site[] = [];
  const open: Site[] = [{ node: program, around: [] }];
  for (let site = open.pop(); site !== undefined; site = open.pop()) {
    sites.push(site);
    const around = [site.node, ...site.around];
    for (const key of visitorKeys[site.node.type] ?? []) {
      const child: unknown = Reflect.get(site.node, key);
      for (const node of Array.isArray(child) ? child : [child]) {
        if (isNode(node)) open.push({ node, around });
      }
    }
  }
  return sites.sort((a, b) => a.node.start - b.node.start);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The number of the line that holds this offset, from 1. */
export function lineAt({ text }: SourceFile, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}

/** One report per site of a file for which `judge` has something to say. */
export function judgeSites(
  files: readonly SourceFile[],
  judge: (site: Site, file: SourceFile) => string | undefined,
): string[] {
  return files.flatMap((file) =>
    sitesOf(file).flatMap((site) => {
      const verdict = judge(site, file);
      return verdict === undefined
        ? []
        : [`${file.path}:${lineAt(file, site.node.start)}: ${verdict}`];
    }),
  );
}

/** One report per line of a file for which `judge` has something to say. */
export function judgeLines(
  files: readonly SourceFile[],
  judge: (line: string) => string | undefined,
): string[] {
  return files.flatMap((file) =>
    file.text.split('\n').flatMap((line, index) => {
      const verdict = judge(line);
      return verdict === undefined ? [] : [`${file.path}:${index + 1}: ${verdict}`];
    }),
  );
}

/** One report per file for which `judge` has something to say. */
export function judgeFiles(
  files: readonly SourceFile[],
  judge: (file: SourceFile) => string | undefined,
): string[] {
  return files.flatMap((file) => {
    const verdict = judge(file);
    return verdict === undefined ? [] : [`${file.path}: ${verdict}`];
  });
}
