/** The commands there are, in the order in which help lists them. */
import { cancel } from './commands/cancel.ts';
import { completion } from './commands/completion.ts';
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
import { rerun } from './commands/rerun.ts';
import { retry } from './commands/retry.ts';
import { revive } from './commands/revive.ts';
import { run } from './commands/run.ts';
import { schedules } from './commands/schedules.ts';
import { set } from './commands/set.ts';
import { show } from './commands/show.ts';
import { skip } from './commands/skip.ts';
import { start } from './commands/start.ts';
import { resume, suspend } from './commands/suspend.ts';
import { upgrade } from './commands/upgrade.ts';
import { validate } from './commands/validate.ts';
import { versions } from './commands/versions.ts';
import { wake } from './commands/wake.ts';
import type { Part } from './desk.ts';

export const PARTS: readonly Part[] = [
  ...[run, validate, graph],
  ...[start, ls, show, history, publish, send],
  ...[retry, skip, cancel, suspend, resume, revive, wake, set, move, rerun, upgrade],
  ...[versions, diff, exporting, replay, prune, outbox, schedules],
  ...[doctor, migrate, completion],
];
