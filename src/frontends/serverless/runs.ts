/** `run`: another workflow, or a process that a handler starts. */
import { isJsonObject, type Json } from '../../base/json.ts';
import { policiesOf } from './calls.ts';
import { spotOf } from './envelopes.ts';
import { flowNameOf, versionNumber } from './names.ts';
import { objectIn, textIn } from './shelf.ts';
import { put, type Sketch } from './sketch.ts';
import { inside, templateOf } from './templates.ts';

const PROCESSES = ['shell', 'script', 'container'] as const;

export function drawRun(sketch: Sketch): void {
  const { desk, entry, region } = sketch;
  const run = objectIn(entry.task, 'run');
  const isAwaited = run['await'] !== false;
  if (isJsonObject(run['workflow'])) return drawWorkflow(sketch, run['workflow'], isAwaited);
  const what = PROCESSES.find((name) => isJsonObject(run[name])) ?? 'shell';
  const spot = inside(inside(spotOf(entry, region), 'run'), what);
  const wanted = {
    await: isAwaited,
    ...(run['return'] === undefined ? {} : { return: run['return'] }),
  };
  const given = templateOf(desk.drawing, run[what] ?? {}, spot);
  put(sketch, 'sw-call', { call: what, with: given, wanted, ...policiesOf(sketch, run[what]) });
}

function drawWorkflow(sketch: Sketch, workflow: Json, isAwaited: boolean): void {
  const { desk, entry, region } = sketch;
  const {
    namespace = '',
    name = '',
    version = 'latest',
  } = {
    ...{ namespace: textIn(workflow, 'namespace'), name: textIn(workflow, 'name') },
    version: textIn(workflow, 'version'),
  };
  const { input } = isJsonObject(workflow) ? workflow : {};
  const spot = inside(inside(inside(spotOf(entry, region), 'run'), 'workflow'), 'input');
  const given = input === undefined ? {} : { input: templateOf(desk.drawing, input, spot) };
  put(sketch, 'sw-run', {
    flow: flowNameOf(namespace, name),
    version: version === 'latest' ? null : versionNumber(version),
    ...given,
    ...(isAwaited ? {} : { detached: true }),
    // No word of the language: what keeps a schedule may be replaced while the workflow runs.
    ...(objectIn(entry.task, 'run')['keeps'] === true ? { lasts: true } : {}),
  });
}
