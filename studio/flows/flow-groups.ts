/** Flows as they are looked at: every version under one name, what runs and what is wrong. */
import type { Definition, Diagnostic, Source, Status, Tally } from '../api/shapes.ts';
import { STATUSES } from '../api/shapes.ts';

export interface FlowGroup {
  readonly name: string;
  /** The newest first. */
  readonly versions: readonly Definition[];
  readonly newest: Definition;
  /** What a start starts: the newest that this program defines. */
  readonly startable: Definition | null;
  readonly open: number | null;
  readonly counts: readonly StatusCount[];
  readonly problems: readonly Diagnostic[];
}

export interface StatusCount {
  readonly status: Status;
  readonly count: number;
}

export function groupFlows(
  definitions: readonly Definition[],
  sources: readonly Source[],
  tally: Tally | undefined,
): readonly FlowGroup[] {
  const names = [...new Set(definitions.map(({ name }) => name))];
  return names
    .map((name) => groupOf(name, definitions, sources, tally))
    .filter((group) => group !== null)
    .sort((one, other) => one.name.localeCompare(other.name));
}

function groupOf(
  name: string,
  definitions: readonly Definition[],
  sources: readonly Source[],
  tally: Tally | undefined,
): FlowGroup | null {
  const versions = versionsOf(definitions, name);
  const [newest] = versions;
  if (newest === undefined) return null;
  const mine = sources.filter(({ flows }) => flows.some((flow) => flow.name === name));
  const isHidden = versions.some(({ open }) => open === null);
  return {
    ...{ name, versions, newest, startable: startableOf(versions) },
    open: isHidden ? null : versions.reduce((sum, { open }) => sum + (open ?? 0), 0),
    counts: countsOf(name, tally),
    problems: mine.flatMap(({ diagnostics }) => diagnostics),
  };
}

export function versionsOf(
  definitions: readonly Definition[],
  name: string,
): readonly Definition[] {
  return definitions
    .filter((definition) => definition.name === name)
    .sort((one, other) => other.version - one.version);
}

export function startableOf(versions: readonly Definition[]): Definition | null {
  return versions.find(({ registered }) => registered) ?? null;
}

export const NOT_STARTABLE =
  'It cannot be started here: the program that runs now does not define it. Its instances are ' +
  'those of another program, or of a flow that was taken out.';

function countsOf(name: string, tally: Tally | undefined): readonly StatusCount[] {
  const groups = tally?.groups.filter(({ flow }) => flow === name) ?? [];
  return STATUSES.flatMap((status) => {
    const count = groups
      .filter((group) => group.status === status)
      .reduce((sum, group) => sum + group.count, 0);
    return count === 0 ? [] : [{ status, count }];
  });
}

/** Files in which something is wrong and no flow that is shown says so. */
export function brokenFiles(
  sources: readonly Source[],
  definitions: readonly Definition[],
): readonly Source[] {
  const names = new Set(definitions.map(({ name }) => name));
  return sources.filter(
    ({ flows, diagnostics }) =>
      diagnostics.length > 0 && !flows.some(({ name }) => names.has(name)),
  );
}

export function sourceOf(sources: readonly Source[], name: string, version: number): Source | null {
  const has = ({ flows }: Source): boolean =>
    flows.some((flow) => flow.name === name && flow.version === version);
  return sources.find(has) ?? null;
}

/** The node on a line: of those that lie there the smallest, or else the last that began before. */
export function nodeAt(spans: Source['spans'], line: number): string | null {
  const began = Object.entries(spans).filter(([, span]) => span.line <= line);
  const around = began.filter(([, span]) => span.endLine >= line);
  const [best] = (around.length > 0 ? around : began).sort(
    ([, one], [, other]) => other.line - one.line || one.endLine - other.endLine,
  );
  return best?.[0] ?? null;
}

export function isFound(words: string, ...texts: readonly string[]): boolean {
  const parts = words.toLowerCase().split(/\s+/);
  const whole = texts.join(' ').toLowerCase();
  return parts.every((part) => whole.includes(part));
}
