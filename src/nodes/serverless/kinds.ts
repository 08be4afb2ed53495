/** The kinds that a Serverless Workflow is made of. */
import type { NodeKind } from '../../kernel/kind.ts';
import { aside } from './aside.ts';
import { callKind } from './call.ts';
import { deadline } from './deadline.ts';
import { doKind } from './do.ts';
import { each } from './each.ts';
import { ear } from './ear.ts';
import { emitKind } from './emit.ts';
import { endKind } from './end.ts';
import { fetchKind } from './fetch.ts';
import { forKind } from './for.ts';
import { forkKind } from './fork.ts';
import { leave } from './leave.ts';
import { listenKind } from './listen.ts';
import { pass } from './pass.ts';
import { raiseKind } from './raise.ts';
import { runKind } from './run.ts';
import { setKind } from './set.ts';
import { spread } from './spread.ts';
import { switchKind } from './switch.ts';
import { tryKind } from './try.ts';
import { waitKind } from './wait.ts';
import { workflow } from './workflow.ts';

/** Each reads only what its own compile wrote, which one type cannot say. */
export const serverlessKinds: readonly NodeKind[] = [
  aside,
  callKind,
  deadline,
  doKind,
  each,
  ear,
  emitKind,
  endKind,
  fetchKind,
  forKind,
  forkKind,
  leave,
  listenKind,
  pass,
  raiseKind,
  runKind,
  setKind,
  spread,
  switchKind,
  tryKind,
  waitKind,
  workflow,
] as readonly unknown[] as readonly NodeKind[];
