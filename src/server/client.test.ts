/**
 * A client that a stranger generates from the document: it is generated, its types are checked
 * with a program that uses them, and the program is run against a server.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generate } from 'openapi-typescript-codegen';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiWorld } from '../testing/api-world.ts';
import { documentOf } from './openapi.ts';
import { ROUTES } from './routes.ts';

const run = promisify(execFile);
const TSC = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/** As somebody would write it who has never seen a line of ours. */
const PROGRAM = `
import {
  ApiError, InstancesService, OpenAPI, OperatingService, TasksService, WorkService,
} from './client';
import type { Action, InstanceStatus, Problem, ProblemCode, Started } from './client';

const [, , base = '', token = ''] = process.argv;
OpenAPI.BASE = base;
OpenAPI.TOKEN = token;

async function main(): Promise<void> {
  const start = (flow: string, idempotencyKey: string): Promise<Started> =>
    InstancesService.startInstance({
      requestBody: { flow, input: { secret: 'none' }, key: flow },
      idempotencyKey,
    });
  const board = await start('board', 'once');
  const again = await start('board', 'once');
  console.log('started', board.existing, again.id === board.id);

  const status: InstanceStatus[] = ['waiting', 'running'];
  const { instances, cursor } = await InstancesService.listInstances({ status, limit: 10 });
  console.log('listed', instances.map(({ flow, key }) => flow + ' ' + key), cursor);

  const { tasks } = await TasksService.listTasks({ instance: board.id, mine: true });
  const [task] = tasks;
  await TasksService.decideTask({
    id: task?.id ?? '', requestBody: { decision: 'approve', comment: 'fine' },
  });
  const ended = await InstancesService.getResult({ id: board.id });
  console.log('decided', task?.kind, ended.status);

  const job = await start('job', 'two');
  const requestBody = { worker: 'generated', handlers: ['job/work'], lease: '1m' };
  const { assignments } = await WorkService.fetchWork({ requestBody });
  const [work] = assignments;
  await WorkService.completeWork({
    id: work?.id ?? '', requestBody: { worker: 'generated', result: { fine: true } },
  });
  const done = await InstancesService.getInstance({ id: job.id });
  console.log('worked', work?.instance === job.id, work?.attempt, done.status);

  const action: Action = { do: 'revive' };
  const refused: ProblemCode = await OperatingService.actOnInstance({
    id: job.id, requestBody: { action },
  }).then(() => { throw new Error('it was not refused'); }, codeOf);
  const missing = await InstancesService.getInstance({ id: 'nobody' }).then(() => '', codeOf);
  console.log('refused', refused, missing);
}

function codeOf(thrown: unknown): ProblemCode {
  if (!(thrown instanceof ApiError)) throw thrown;
  const problem: Problem = thrown.body;
  return problem.code;
}

main();
`;

const OPTIONS = {
  strict: true,
  target: 'es2023',
  module: 'nodenext',
  lib: ['es2023', 'dom'],
  types: ['node'],
  typeRoots: [join(import.meta.dirname, '../../node_modules/@types')],
  outDir: 'built',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perdure-client-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a client made from the document starts, lists, decides, works and is refused', async () => {
  const input = documentOf(ROUTES, '');
  const output = join(folder, 'client');
  await generate({ input, output, httpClient: 'fetch', useOptions: true, useUnionTypes: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  const project = { compilerOptions: OPTIONS, files: ['program.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  await run(process.execPath, [TSC, '-p', folder]);

  const world = await openApiWorld();
  const { url } = await world.api.listen();
  const key = world.caller('admin', null).headers['authorization']?.replace('Bearer ', '') ?? '';
  const program = join(folder, 'built/program.js');
  const { stdout } = await run(process.execPath, [program, url, key]);
  expect(stdout.trim().split('\n')).toEqual([
    'started false true',
    "listed [ 'board board' ] null",
    'decided approval completed',
    'worked true 1 completed',
    'refused operation.refused instance.not-found',
  ]);
});

test('what is not in the document does not compile', async () => {
  const wrong = `${PROGRAM}\nInstancesService.getInstance({ id: 7 });\n`;
  writeFileSync(join(folder, 'program.ts'), wrong);
  await expect(run(process.execPath, [TSC, '-p', folder])).rejects.toMatchObject({
    stdout: expect.stringContaining("'number' is not assignable to type 'string'"),
  });
});
