/**
 * Task: a person does something, and what they hand in is the result.
 *
 * It is somebody's from the start, or it is offered to people and groups, one of whom claims it;
 * with neither, anyone may. Whoever it is assigned to completes it; one that is nobody's is
 * completed by whoever could claim it. The engine does not know who is who: the caller says who
 * acts and which groups they belong to, and all of it stands in the trail and in the history.
 *
 * BPMN userTask, manualTask · builder .task()
 */
import { assert } from '../base/assert.ts';
import { no, ok } from '../base/result.ts';
import type { Answered, NodeKind } from '../kernel/kind.ts';
import type { Diagnostic } from '../model/draft.ts';
import type { Instant } from '../model/ids.ts';
import type { Asker, Candidates, Task, TaskAsk } from '../model/task.ts';
import { TASK_PARTS } from '../model/task-parts.ts';
import { takeWith } from './settings.ts';
import { askAny, entryOf, forbidden, refused } from './task-asks.ts';
import { COMMON, compileGiven, type Given, opening, partsOf } from './task-settings.ts';

const PARTS = [...COMMON, 'assignee', 'candidates', 'form'] as const;

export const task: NodeKind<Given> = {
  kind: 'task',

  compile(draft) {
    const problems: Diagnostic[] = [];
    const config = compileGiven(draft, TASK_PARTS, problems);
    return problems.length > 0 ? no(problems) : ok({ config, code: config.asks });
  },

  enter(place, view) {
    return opening(place, view, TASK_PARTS, (parts) => {
      const opened: Task = { kind: 'task', ...partsOf(parts, PARTS), trail: [] };
      return { move: 'park', wait: { on: 'task', task: opened } };
    });
  },

  ask({ token }, view, asked) {
    assert(token.wait?.on === 'task', 'a task waits for people');
    return askAny(token.wait.task, asked, view.now) ?? answer(token.wait.task, asked, view.now);
  },

  resume({ node }, _view, signal) {
    assert(signal.on === 'task', 'a task only waits for people');
    return takeWith(node, signal.value);
  },

  skip({ node }, _view, value) {
    return takeWith(node, value);
  },
};

function answer(open: Task, ask: TaskAsk, now: Instant): Answered {
  const { assignee = null, owner = null } = open;
  const entry = entryOf(ask, now);
  const isTheirs = assignee === ask.by || ask.override === true;
  switch (ask.do) {
    case 'claim':
      if (assignee === ask.by) return 'same';
      if (assignee !== null) return refused(`it is ${assignee}'s already`);
      if (!mayClaim(open.candidates, ask)) return forbidden(noCandidate(open, ask));
      return { entry, set: { assignee: ask.by } };
    case 'unclaim':
      if (assignee === null) return 'same';
      if (!isTheirs) return forbidden(`it is ${assignee}'s, and not ${ask.by}'s to give back`);
      return { entry, set: { assignee: owner, owner: null } };
    case 'delegate':
      if (assignee === null) return refused(`it is nobody's yet: claim it, or reassign it`);
      if (!isTheirs) return forbidden(`it is ${assignee}'s, and not ${ask.by}'s to delegate`);
      if (assignee === ask.to) return 'same';
      return { entry, set: { assignee: ask.to, owner: ownerAfter(ask.to, owner ?? assignee) } };
    case 'reassign':
      if (ask.from !== undefined && ask.from !== assignee) {
        return refused(`it is ${assignee ?? 'nobody'}'s, and not ${ask.from}'s`);
      }
      if (assignee === ask.to) return 'same';
      return { entry, set: { assignee: ask.to, owner: null } };
    case 'complete':
      if (assignee !== null && !isTheirs) return forbidden(`it is ${assignee}'s to complete`);
      if (assignee === null && !mayClaim(open.candidates, ask)) {
        return forbidden(noCandidate(open, ask));
      }
      return { entry, done: ask.output };
    default:
      return refused(`it is a task, to be completed: there is nothing to ${ask.do}`);
  }
}

/** However often it was passed on, it comes back to the first who did; who has it, owns it. */
function ownerAfter(to: string, owner: string): string | null {
  return to === owner ? null : owner;
}

/** Without candidates anyone may. */
function mayClaim(candidates: Candidates | undefined, { by, groups, override }: Asker): boolean {
  if (override === true || candidates === undefined) return true;
  const { any = [], users = [], groups: offered = [] } = candidates;
  const isNamed = any.includes(by) || users.includes(by);
  return isNamed || groups.some((group) => any.includes(group) || offered.includes(group));
}

function noCandidate({ candidates }: Task, { by }: Asker): string {
  const { any = [], users = [], groups = [] } = candidates ?? {};
  const names = [...new Set([...any, ...users, ...groups])].join(', ');
  return `${by} is none of its candidates, nor is a group of theirs: it is for ${names}`;
}
