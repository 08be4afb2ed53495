import { spawnSync } from 'node:child_process';
import { describe, expect, test, vi } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { containerRuntime, type ContainerRuntime } from '../../testing/container-runtime.ts';
import { errorOf, faultOf } from '../../testing/failing-call.ts';
import { namedPipe, testFolder } from '../../testing/named-pipe.ts';
import { plainCalling } from '../../testing/plain-calling.ts';
import type { Calling } from '../calling.ts';
import { runContainer } from './container.ts';

interface How {
  readonly calling?: Partial<Calling>;
  readonly return?: string;
  readonly await?: boolean;
  readonly killGraceMs?: number;
}

async function container(
  { path }: ContainerRuntime,
  args: JsonObject = {},
  how: How = {},
): Promise<Json> {
  const wanted = {
    await: how.await ?? true,
    ...(how.return === undefined ? {} : { return: how.return }),
  };
  const limits = how.killGraceMs === undefined ? {} : { KILL_GRACE_MS: how.killGraceMs };
  const given = { image: 'alpine', ...args };
  const { output } = await runContainer(plainCalling(how.calling), given, wanted, { path, limits });
  return output;
}

describe('a container', () => {
  test('has its command, its arguments, its environment and its input [CO-01]', async () => {
    const runtime = containerRuntime();
    const args = {
      command: 'input=$(cat)\necho "STDIN was: $input"\necho "ARGS are $1 $2 $GREETING $PATH"',
      arguments: ['Foo', 'Bar'],
      stdin: 'Hello World',
      environment: { GREETING: 'hello\nyou', PATH: '/nowhere:/bin:/usr/bin' },
    };
    expect(await container(runtime, args)).toBe(
      'STDIN was: Hello World\nARGS are Foo Bar hello\nyou /nowhere:/bin:/usr/bin',
    );
    expect(await container(containerRuntime(), { image: 'hello-world' })).toBe(
      'Hello from hello-world',
    );
  });

  test('is ended with what is asked for, as any process is', async () => {
    const args = { command: 'echo out; echo err >&2; exit 3' };
    const runtime = containerRuntime();
    const all = { code: 3, stdout: 'out', stderr: 'err' };
    expect(await container(runtime, args, { return: 'all' })).toEqual(all);
    expect(await container(runtime, args, { return: 'code' })).toBe(3);
    expect(await faultOf(container(runtime, args))).toEqual(['runtime', 500, 'err']);
  });

  test('stays when it has ended, unless it is to be removed always [CO-02]', async () => {
    const runtime = containerRuntime();
    await container(runtime, { lifetime: { cleanup: 'always' } });
    expect(runtime.count()).toBe(0);
    await container(runtime);
    expect(runtime.count()).toBe(1);
  });

  test('is removed a while after it has ended, if that is to be [CO-02]', async () => {
    const runtime = containerRuntime();
    await container(runtime, { lifetime: { cleanup: 'eventually', after: 'PT0S' } });
    await runtime.empty();
    expect(runtime.calls('rm')).toEqual([['--force', expect.any(String)]]);
  });

  test('that is not awaited goes on, and is removed in its time [RU-02] [CO-02]', async () => {
    const [runtime, orders] = [containerRuntime(), namedPipe()];
    const args = {
      command: 'read order <"$1"',
      arguments: [orders.path],
      lifetime: { cleanup: 'eventually', after: 'PT0S' },
    };
    const how = { await: false, calling: { input: ['in'] } };
    expect(await container(runtime, args, how)).toEqual(['in']);
    await orders.say('end');
    await runtime.empty();
    expect(runtime.calls('rm')).toHaveLength(1);
  });

  test('is run with nothing of the host but what its client needs', async () => {
    vi.stubEnv('PERDURE_TEST_SECRET', 'hunter2');
    vi.stubEnv('DOCKER_CONTEXT', 'far');
    const runtime = containerRuntime();
    await container(runtime, { environment: { TOKEN: 'hidden' } });
    vi.unstubAllEnvs();
    const env = runtime.environment('run');
    expect(env).toMatchObject({ DOCKER_CONTEXT: 'far', TOKEN: 'hidden', PATH: runtime.path });
    expect(env).not.toHaveProperty('PERDURE_TEST_SECRET');
    expect(runtime.calls('run').flat().join(' ')).not.toContain('hidden');
  });
});

describe('a container that nobody waits for any more', () => {
  test.each([
    ['always', 'rm', 0],
    ['never', 'kill', 1],
  ])('is ended, and removed %s [RU-06]', async (cleanup, verb, left) => {
    const [runtime, pipe] = [containerRuntime(), namedPipe()];
    const abort = new AbortController();
    const args = {
      command: `trap '' TERM; exec 9>"$1"; echo up >&9; while :; do sleep 1000; done`,
      arguments: [pipe.path],
      lifetime: { cleanup },
    };
    const how = { calling: { signal: abort.signal }, killGraceMs: 300 };
    const running = container(runtime, args, how);
    expect(await pipe.heard()).toBe('up');
    abort.abort(new Error('too late'));
    await expect(running).rejects.toThrow('too late');
    expect(await pipe.heard()).toBe(undefined);
    expect(runtime.calls(verb)).toHaveLength(1);
    expect(runtime.count()).toBe(left);
  });

  test('takes no other of its name with it', async () => {
    const runtime = containerRuntime();
    await container(runtime, { name: 'shared' });
    const abort = new AbortController();
    const args = { name: 'shared', image: 'endless-image', lifetime: { cleanup: 'always' } };
    const running = container(runtime, args, { calling: { signal: abort.signal } });
    await runtime.pulling();
    abort.abort(new Error('too late'));
    await expect(running).rejects.toThrow('too late');
    expect(runtime.count()).toBe(1);
  });
});

describe('where no container can be run', () => {
  test('a client that cannot do it is a runtime error with its words', async () => {
    const runtime = containerRuntime();
    const args = { image: 'no-such-image' };
    for (const wanted of ['stdout', 'code']) {
      expect(await faultOf(container(runtime, args, { return: wanted }))).toEqual([
        ...['runtime', 500, 'docker: pull access denied for no-such-image.'],
      ]);
    }
    await container(runtime, { name: 'taken' });
    expect((await errorOf(container(runtime, { name: 'taken' }))).detail).toBe(
      'docker: the name taken is in use.',
    );
  });

  test('neither docker nor podman is a configuration error [CO-05]', async () => {
    const path = testFolder();
    const call = runContainer(plainCalling(), { image: 'x' }, { await: true }, { path });
    expect(await faultOf(call)).toEqual([
      ...['configuration', 400],
      'no containers can be run here: neither "docker" nor "podman" is on the PATH; ' +
        'install one of them',
    ]);
    const options = { path, containers: 'nerdctl' };
    const other = runContainer(plainCalling(), { image: 'x' }, { await: true }, options);
    expect((await errorOf(other)).detail).toContain('"nerdctl" is not on the PATH');
  });

  test('podman does where there is no docker', async () => {
    expect(await container(containerRuntime('podman'))).toBe('Hello from alpine');
  });

  test('a client without a runtime is a configuration error, awaited or not [CO-05]', async () => {
    const runtime = containerRuntime();
    runtime.goDown();
    for (const awaited of [true, false]) {
      expect(await faultOf(container(runtime, {}, { await: awaited }))).toEqual([
        ...['configuration', 400],
        'no containers can be run here: "docker" has no runtime to speak to ' +
          '(docker: Cannot connect to the daemon.)',
      ]);
    }
  });

  const hasDocker = spawnSync('docker', ['--version']).status === 0;

  test.skipIf(!hasDocker)('the real docker without its daemon says so, too [CO-05]', async () => {
    vi.stubEnv('DOCKER_HOST', `unix://${testFolder()}/no-such.sock`);
    const error = await errorOf(runContainer(plainCalling(), { image: 'x' }, { await: true }));
    vi.unstubAllEnvs();
    expect([error.kind, error.status, error.title]).toEqual([
      ...['configuration', 400, 'No container runtime'],
    ]);
    expect(error.detail).toMatch(/^no containers can be run here: "docker" has no runtime/);
    expect(error.detail).toContain('no-such.sock');
  });
});

test('no container is run unless the host allows its image [RU-07]', async () => {
  const runtime = containerRuntime();
  const asked: unknown[] = [];
  const permits: Calling['permits'] = (what, name) => {
    asked.push(what, name);
    throw new WorkflowError('configuration', { detail: 'set serverless.container' });
  };
  const call = container(runtime, {}, { calling: { permits } });
  expect(await faultOf(call)).toEqual(['configuration', 400, 'set serverless.container']);
  expect(asked).toEqual(['container', 'alpine']);
  expect(runtime.count()).toBe(0);
});
