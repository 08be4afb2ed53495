/** The list of node kinds. To add one, name it here; nothing else may need touching. */
import type { Kinds, NodeKind } from '../kernel/kind.ts';
import { choose } from './choose.ts';
import { end } from './end.ts';
import { fork } from './fork.ts';
import { join } from './join.ts';
import { pass } from './pass.ts';
import { repeat } from './repeat.ts';
import { scope } from './scope.ts';
import { set } from './set.ts';
import { sleep } from './sleep.ts';
import { start } from './start.ts';
import { step } from './step.ts';
import { terminate } from './terminate.ts';
import { wait } from './wait.ts';

const all = [
  choose,
  end,
  fork,
  join,
  pass,
  repeat,
  scope,
  set,
  sleep,
  start,
  step,
  terminate,
  wait,
];

export const kinds: Kinds = new Map(
  // Each kind reads only what its own compile wrote, which the map's type cannot say.
  all.map((kind) => [kind.kind, kind as unknown as NodeKind]),
);
