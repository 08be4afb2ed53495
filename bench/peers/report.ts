/**
 * What the workloads found, gathered: figures by name for machines, tables for people, and for each
 * figure that something is asked of, whether it is there yet and by how much it is missed.
 */
import type { Findings, Spread, Table } from '../measure.ts';

/** At least, or at most. */
export type Target = { readonly least: number } | { readonly most: number };

export class Report {
  readonly #ratios: Record<string, number> = {};
  readonly #rates: Record<string, number> = {};
  readonly #cpuRatios: Record<string, number> = {};
  readonly #tables: Table[] = [];
  readonly #notes: string[] = [];
  readonly #asked: string[][] = [];

  ratio(name: string, found: Spread, target?: Target): void {
    this.#ratios[name] = rounded(found.median);
    if (target !== undefined) this.#asked.push([name, show(found), ...verdictOf(found, target)]);
  }

  rate(name: string, found: number): void {
    this.#rates[name] = rounded(found);
  }

  cpuRatio(name: string, found: Spread): void {
    this.#cpuRatios[name] = rounded(found.median);
  }

  table(title: string, rows: Table['rows']): void {
    this.#tables.push({ title, rows });
  }

  note(...notes: readonly string[]): void {
    this.#notes.push(...notes);
  }

  findings(): Findings {
    const head = ['figure', 'found', 'asked', 'missed by'];
    const asked = { title: 'What is asked', rows: [head, ...this.#asked] };
    return {
      ratios: this.#ratios,
      rates: this.#rates,
      cpuRatios: this.#cpuRatios,
      tables: [asked, ...this.#tables],
      notes: this.#notes,
    };
  }
}

function verdictOf({ median }: Spread, target: Target): [asked: string, missed: string] {
  if ('least' in target) {
    const share = 1 - median / target.least;
    return [`≥ ${target.least}`, share > 0 ? `${Math.ceil(share * 100)} %` : ''];
  }
  const share = median / target.most - 1;
  return [`≤ ${target.most}`, share > 0 ? `${Math.ceil(share * 100)} %` : ''];
}

export function show({ median, least, most }: Spread): string {
  const [a, b, c] = [median, least, most].map(brief);
  return a === b && b === c ? `${a}` : `${a} (${b}–${c})`;
}

export function brief(value: number): string {
  return Number.isNaN(value) ? '' : String(rounded(value));
}

/** Three digits are more than these numbers are worth. */
function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
