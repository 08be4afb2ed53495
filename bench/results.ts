/** RESULTS.md: one section per bench, each as its last full run left it, with machine and date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import type { Findings, Table } from './measure.ts';
import { packageVersions } from './packages.ts';

const FILE = new URL('RESULTS.md', import.meta.url);

const INTRODUCTION = `# Results

Written by \`npm run bench -- NAME\`; do not edit. Read the ratios: rates are those of one machine
on one day, and of whatever else it did meanwhile.
`;

export function writeResults(name: string, findings: Findings): void {
  const sections = readSections();
  sections.set(name, sectionOf(findings));
  const texts = [...sections].sort(([a], [b]) => (a < b ? -1 : 1));
  const body = texts.map(([title, text]) => `\n## ${title}\n\n${text.trim()}\n`).join('');
  writeFileSync(FILE, `${INTRODUCTION}${body}`);
}

function readSections(): Map<string, string> {
  const [, ...sections] = readFile().split(/^## /m);
  return new Map(
    sections.map((section) => {
      const end = section.indexOf('\n');
      return [section.slice(0, end).trim(), section.slice(end)];
    }),
  );
}

function readFile(): string {
  try {
    return readFileSync(FILE, 'utf8');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return '';
    throw thrown;
  }
}

/** What a section says, without its heading. */
export function sectionOf({ tables, notes }: Findings): string {
  const parts = [conditions(), ...tables.map(tableText)];
  return [...parts, notes.map((note) => `- ${note}`).join('\n')].join('\n\n');
}

function tableText({ title, rows: [head = [], ...rows] }: Table): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [...(title === undefined ? [] : [`### ${title}`, '']), ...lines].join('\n');
}

/** Where and when; no name of a host and no path. */
function conditions(): string {
  const [first, ...others] = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const [load = 0] = loadavg();
  const peers = Object.entries(packageVersions()).map(([peer, version]) => `${peer} ${version}`);
  return (
    `${date} · ${others.length + 1} cores, ${first?.model.trim() ?? 'unknown'} · ` +
    `load ${load.toFixed(1)} at the end · Node ${process.versions.node} · ${peers.join(', ')}`
  );
}
