/**
 * What people find is a projection: what each commit says was opened, altered or closed, folded
 * over all of them, is what the tokens of the instance wait for, no more and no less.
 */
import type { Instance } from '../kernel/instance.ts';
import type { Touched } from '../model/commit.ts';
import type { TaskRow } from '../model/task.ts';
import { obey, obeySame } from './laws-ending.ts';

export class Projection {
  readonly #rows = new Map<number, TaskRow>();

  enter({ tasks, closedTasks }: Touched, after: Instance): void {
    for (const token of closedTasks) {
      const isThere = this.#rows.delete(token);
      obey('projection', isThere, () => `the task of token ${token} is closed and was not open`);
    }
    for (const row of tasks) this.#rows.set(row.token, row);
    const waiting = after.tokens.values().flatMap(({ id, node, wait, createdAt }): TaskRow[] => {
      return wait?.on === 'task' ? [{ token: id, node, task: wait.task, createdAt }] : [];
    });
    const found = [...this.#rows.values()].sort((a, b) => a.token - b.token);
    obeySame('projection', 'what people find is not what is open', found, waiting);
    for (const { token } of found) {
      const scope = after.tokens.get(token)?.scope;
      const isOpen = scope !== undefined && after.scopes.get(scope)?.drains === null;
      obey('projection', isOpen, () => `the task of token ${token} outlives its scope`);
    }
  }
}
