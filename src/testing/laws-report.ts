/** A broken law as a bug report: the seed, how to replay it, the smallest case that shows it. */
import type { Draft, DraftNode } from '../model/draft.ts';
import { type Breach, TRIAL, type Trial, tryCase } from './laws.ts';
import { type Case, caseOf, drawingOf, type Habits, smallerCases } from './random-case.ts';
import { shrink } from './shrink.ts';

/** What was found, and what is left of it after shrinking. */
export interface Finding {
  readonly seed: number;
  readonly breach: Breach;
  readonly least: Case;
  readonly leastBreach: Breach;
}

/** Tries the case of a seed; undefined if it keeps the laws. */
export async function findBreach(seed: number, trial: Trial = TRIAL): Promise<Finding | undefined> {
  const whole = caseOf(seed);
  const verdict = await tryCase(whole, trial);
  if (verdict.kept) return undefined;
  const { breach } = verdict;
  let leastBreach = breach;
  const least = await shrink(whole, smallerCases, async (candidate) => {
    const again = await tryCase(candidate, trial);
    // Another law broken by less is another bug, or none: a cut may leave nonsense behind.
    if (again.kept || again.breach.law !== breach.law) return false;
    leastBreach = again.breach;
    return true;
  });
  return { seed, breach, least, leastBreach };
}

export function tellFinding({ seed, breach, least, leastBreach }: Finding): string {
  const whole = drawingOf(caseOf(seed), 'whole').draft;
  const { draft } = drawingOf(least, 'least');
  return [
    `law "${breach.law}" is broken by seed ${seed}: ${breach.message}`,
    `replay it: npm run sim -- --seed ${seed}`,
    `shrunk from ${whole.nodes.length} nodes to ${draft.nodes.length}: ${leastBreach.message}`,
    `answers: ${tellHabits(least.habits)}${least.trapped ? ', some closures go wrong' : ''}`,
    indent(tellDraft(draft)),
    ...leastBreach.story,
  ].join('\n');
}

/** `a -> b` for every edge, and below them what the names do not tell. */
export function tellDraft({ nodes, edges, vars, ...head }: Draft): string {
  const ways = edges.map(({ from, to }) => `${from} -> ${to}`);
  const alone = nodes.filter(({ id }) => !edges.some(({ from, to }) => from === id || to === id));
  const told = nodes.map(tellNode).filter((line) => line !== '');
  const holds = vars === undefined ? [] : [`vars ${JSON.stringify(vars)}`];
  const says = (['saga', 'onUndoFailure', 'onFailure'] as const).flatMap((word) =>
    head[word] === undefined ? [] : [`${word}: ${head[word]}`],
  );
  return [...ways, ...alone.map(({ id }) => id), ...told, ...holds, ...says].join('\n');
}

function tellNode({ id, kind, settings, parent }: DraftNode): string {
  const named = id.replace(/\d+$/, '') === kind;
  const rest = Object.keys(settings).length > 0 ? ` ${JSON.stringify(settings)}` : '';
  const where = parent === undefined ? '' : ` in ${parent}`;
  return named && rest === '' && where === '' ? '' : `${id}: ${kind}${where}${rest}`;
}

export function tellHabits(habits: Habits): string {
  const { order, failAt, movesPerCommit, leases, strays, wakeOnly, handOver } = habits;
  const { failures, cancel, called, crashesMax } = habits;
  return [
    order,
    ...(failAt === null ? [] : [`result ${failAt} fails`]),
    ...(failures ? ['failures'] : []),
    ...(cancel === null ? [] : [`canceled at ${cancel.after}${cancel.saga ? ' with saga' : ''}`]),
    ...(called ? ['called'] : []),
    ...(movesPerCommit === null ? [] : [`${movesPerCommit} moves per commit`]),
    ...(leases ? ['leases run out'] : []),
    ...(crashesMax === null ? [] : [`${crashesMax} crashes at most`]),
    ...(strays ? ['strays'] : []),
    ...(wakeOnly ? ['wakes without closures'] : []),
    ...(handOver ? ['hand-over'] : []),
  ].join(', ');
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
