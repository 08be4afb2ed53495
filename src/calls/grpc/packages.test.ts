import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadPackages } from './packages.ts';

const SOURCES = fileURLToPath(new URL('../..', import.meta.url));

test('the packages are there for those who have installed them', async () => {
  const { grpc, protobuf } = await loadPackages();
  expect(grpc.status.OK).toBe(0);
  expect(protobuf.common.get('google/protobuf/descriptor.proto')).not.toBe(null);
});

test('a program that lacks them is told what to install', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'perdure-lacking-'));
  try {
    for (const room of ['base', 'model', 'calls']) {
      await cp(join(SOURCES, room), join(directory, 'src', room), { recursive: true });
    }
    await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
    const program = `
      const { loadPackages } = await import('./src/calls/grpc/packages.ts');
      const { kind, detail } = await loadPackages().catch((error) => error);
      console.log(kind + ': ' + detail);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      ...{ cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] },
    });
    expect(await text(child.stdout)).toBe(
      'configuration: "call: grpc" needs the packages @grpc/grpc-js and @grpc/proto-loader: ' +
        'npm install @grpc/grpc-js @grpc/proto-loader\n',
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
