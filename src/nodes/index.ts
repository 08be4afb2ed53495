/** The list of node kinds. To add one, name it here; nothing else may need touching. */
import type { Kinds, NodeKind } from '../kernel/kind.ts';
import { activity } from './activity.ts';
import { approve } from './approve.ts';
import { call } from './call.ts';
import { chain } from './chain.ts';
import { choose } from './choose.ts';
import { emit } from './emit.ts';
import { end } from './end.ts';
import { fail } from './fail.ts';
import { first } from './first.ts';
import { flowchart } from './flowchart.ts';
import { fork } from './fork.ts';
import { inclusive } from './inclusive.ts';
import { item } from './item.ts';
import { join } from './join.ts';
import { link } from './link.ts';
import { map } from './map.ts';
import { pass } from './pass.ts';
import { repeat } from './repeat.ts';
import { scope } from './scope.ts';
import { serverlessKinds } from './serverless/kinds.ts';
import { set } from './set.ts';
import { sleep } from './sleep.ts';
import { start } from './start.ts';
import { step } from './step.ts';
import { task } from './task.ts';
import { terminate } from './terminate.ts';
import { tryKind } from './try.ts';
import { wait } from './wait.ts';
import { win } from './win.ts';

const all = [
  activity,
  approve,
  call,
  chain,
  choose,
  emit,
  end,
  fail,
  first,
  flowchart,
  fork,
  inclusive,
  item,
  join,
  link,
  map,
  pass,
  repeat,
  scope,
  set,
  sleep,
  start,
  step,
  task,
  terminate,
  tryKind,
  wait,
  win,
  ...serverlessKinds,
];

export const kinds: Kinds = new Map(
  // Each kind reads only what its own compile wrote, which the map's type cannot say.
  all.map((kind) => [kind.kind, kind as unknown as NodeKind]),
);
