/**
 * Counting votes: whether what has been said so far decides it.
 *
 * People are counted, not votes: whoever sits for two groups speaks once in each. More approvals
 * than there are people are never needed, so that no rule can wait for ever. A reject decides at
 * once, unless the rule counts them: then it is rejected when too few are left to approve.
 */
import type { Approval, Seat, Vote } from '../model/task.ts';

export function tally({ seats, rule, votes }: Approval): 'approve' | 'reject' | null {
  if (rule.rejectCounts !== true && votes.some(({ decision }) => decision === 'reject')) {
    return 'reject';
  }
  const tables = rule.per === 'all' ? [{ seats, votes }] : byGroup(seats, votes);
  const states = tables.map((table) => stateOf(table, rule.need));
  if (states.includes('lost')) return 'reject';
  return states.length > 0 && states.every((state) => state === 'won') ? 'approve' : null;
}

interface Table {
  readonly seats: readonly Seat[];
  readonly votes: readonly Vote[];
}

function byGroup(seats: readonly Seat[], votes: readonly Vote[]): readonly Table[] {
  const groups = new Set(seats.map(({ group }) => group));
  return Array.from(groups, (group) => ({
    seats: seats.filter((seat) => seat.group === group),
    votes: votes.filter((vote) => vote.group === group),
  }));
}

function stateOf({ seats, votes }: Table, need: number | 'all'): 'won' | 'lost' | 'open' {
  if (seats.length === 0) return 'open';
  const enough = need === 'all' ? seats.length : Math.min(need, seats.length);
  const approved = votes.filter(({ decision }) => decision === 'approve').length;
  const rejected = votes.length - approved;
  if (approved >= enough) return 'won';
  return seats.length - rejected < enough ? 'lost' : 'open';
}
