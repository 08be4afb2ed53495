/** The commands there are, in the order in which help lists them. */
import { cancel } from './commands/cancel.ts';
import { claim, unclaim } from './commands/claim.ts';
import { comment } from './commands/comment.ts';
import { complete } from './commands/complete.ts';
import { completion } from './commands/completion.ts';
import { decide } from './commands/decide.ts';
import { delegate } from './commands/delegate.ts';
import { dev } from './commands/dev.ts';
import { diff } from './commands/diff.ts';
import { doctor } from './commands/doctor.ts';
import { exporting, replay } from './commands/export.ts';
import { graph } from './commands/graph.ts';
import { history } from './commands/history.ts';
import { ls } from './commands/ls.ts';
import { migrate } from './commands/migrate.ts';
import { move } from './commands/move.ts';
import { outbox } from './commands/outbox.ts';
import { prune } from './commands/prune.ts';
import { publish, send } from './commands/publish.ts';
import { reassign } from './commands/reassign.ts';
import { rerun } from './commands/rerun.ts';
import { recall, resubmit } from './commands/resubmit.ts';
import { retry } from './commands/retry.ts';
import { revive } from './commands/revive.ts';
import { run } from './commands/run.ts';
import { schedules } from './commands/schedules.ts';
import { set } from './commands/set.ts';
import { show } from './commands/show.ts';
import { skip } from './commands/skip.ts';
import { start } from './commands/start.ts';
import { resume, suspend } from './commands/suspend.ts';
import { task } from './commands/task.ts';
import { tasks } from './commands/tasks.ts';
import { upgrade } from './commands/upgrade.ts';
import { validate } from './commands/validate.ts';
import { versions } from './commands/versions.ts';
import { wake } from './commands/wake.ts';
import type { Part } from './desk.ts';

export const PARTS: readonly Part[] = [
  ...[run, dev, validate, graph],
  ...[start, ls, show, history, publish, send],
  ...[tasks, task, claim, unclaim, delegate, reassign, comment, complete, decide],
  ...[resubmit, recall],
  ...[retry, skip, cancel, suspend, resume, revive, wake, set, move, rerun, upgrade],
  ...[versions, diff, exporting, replay, prune, outbox, schedules],
  ...[doctor, migrate, completion],
];
