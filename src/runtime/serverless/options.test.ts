/** What a host says about the programs that its workflows run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestEngine } from '../../testing/test-engine.ts';
import { error, output } from '../../testing/workflows.ts';
import type { ServerlessOptions } from './options.ts';

const GREET = `
  do:
    - greet:
        run:
          shell:
            command: greet Ada
`;

test('programs are looked for where the host says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'greet'), '#!/bin/sh\necho "Hello $1"\n', { mode: 0o755 });
  const path = [folder, '/usr/bin', '/bin'].join(delimiter);
  const serverless = { shell: true, run: { path } };
  expect(await output(GREET, {}, { serverless })).toBe('Hello Ada');
  const nowhere = { shell: true, run: { path: '/usr/bin:/bin' } };
  expect(await error(GREET, {}, { serverless: nowhere })).toMatchObject({ status: 500 });
});

test('limits of programs are those that the host says', async () => {
  const body = 'do: [{ talk: { run: { shell: { command: "echo 12345" } } } }]';
  const limited = (OUTPUT_BYTES_MAX: number): { serverless: ServerlessOptions } => ({
    serverless: { shell: true, run: { limits: { OUTPUT_BYTES_MAX } } },
  });
  expect(await output(body, {}, limited(6))).toBe('12345');
  expect(await error(body, {}, limited(5))).toMatchObject({
    detail: 'the process wrote more than OUTPUT_BYTES_MAX 5 bytes to stdout',
  });
});

test.each([
  [{ run: { paht: '/bin' } }, 'serverless.run has no "paht"; did you mean "path"'],
  [{ run: { path: '' } }, 'serverless.run.path is a text; came ""'],
  [{ run: { python: 3 } }, 'serverless.run.python is a text; came 3'],
  [{ run: { limits: { OUTPUT_MAX: 1 } } }, 'serverless.run.limits has no "OUTPUT_MAX"'],
  [
    { run: { limits: { KILL_GRACE_MS: 0 } } },
    'serverless.run.limits.KILL_GRACE_MS is a whole number above 0; came 0',
  ],
  [{ schedules: 'no' }, 'serverless.schedules is true or false; came "no"'],
])('what is wrong is told before anything begins: %j', (serverless, sentence) => {
  const create = () =>
    createTestEngine({ flows: [], serverless: serverless as unknown as ServerlessOptions });
  expect(create).toThrow(sentence);
});
