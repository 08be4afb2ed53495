import { expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { type ContainerPlan, planContainer } from './container-plan.ts';

const NAMES = { workflow: 'order', namespace: 'shop', task: 'pack' };

function plan(args: JsonObject): ContainerPlan {
  return planContainer({ image: 'alpine', ...args }, NAMES, 'ID');
}

/** What stands between `run` and the image, without the name, the label and the pull. */
function options(args: JsonObject): readonly string[] {
  const { args: words } = plan(args);
  return words.slice(4, words.indexOf('alpine'));
}

/** The image, and what comes after it. */
function command(args: JsonObject): readonly string[] {
  const { args: words } = plan(args);
  return words.slice(words.indexOf('alpine'));
}

test('an image alone is run with what is usual [CO-01] [CO-02] [CO-03]', () => {
  expect(planContainer({ image: 'hello-world' }, NAMES, 'ID')).toEqual({
    image: 'hello-world',
    label: 'perdure.run=ID',
    args: [
      'run',
      '--name=order-ID.shop-pack',
      '--label=perdure.run=ID',
      '--pull=missing',
      'hello-world',
    ],
    env: {},
    stdin: null,
    cleanup: 'never',
  });
});

test('a task may say everything at once [CO-01]', () => {
  const whole = plan({
    name: 'mine',
    command: 'cat; echo "$1"',
    arguments: ['a b', '--rm'],
    ports: { 8080: 80, 5353: '53/udp' },
    volumes: { '/data': '/mnt', named: '/var/lib:ro' },
    environment: { A: '1', B: 'two\nlines' },
    stdin: 'typed',
    lifetime: { cleanup: 'always' },
    pullPolicy: 'always',
  });
  expect(whole).toEqual({
    image: 'alpine',
    label: 'perdure.run=ID',
    args: [
      ...['run', '--name=mine', '--label=perdure.run=ID', '--pull=always', '--rm', '--interactive'],
      ...['--publish=5353:53/udp', '--publish=8080:80'],
      ...['--volume=/data:/mnt', '--volume=named:/var/lib:ro', '--env=A', '--env=B'],
      ...['alpine', 'sh', '-c', 'cat; echo "$1"', 'sh', 'a b', '--rm'],
    ],
    env: { A: '1', B: 'two\nlines' },
    stdin: 'typed',
    cleanup: 'always',
  });
});

test('a command is one for sh, and without one the arguments are those of the image', () => {
  expect(command({ command: 'ls' })).toEqual(['alpine', 'sh', '-c', 'ls', 'sh']);
  expect(command({ arguments: ['ls', 2] })).toEqual(['alpine', 'ls', '2']);
  expect(command({ arguments: { level: 3 } })).toEqual(['alpine', '--level', '3']);
  expect(command({ command: null })).toEqual(['alpine']);
});

test('values of the environment are no arguments, unless the client would take them', () => {
  const environment = { TOKEN: 't', PATH: '/bin', DOCKER_HOST: 'x', https_proxy: 'p', LEFT: null };
  const { env } = plan({ environment });
  expect(env).toEqual({ TOKEN: 't' });
  expect(options({ environment })).toEqual([
    ...['--env=PATH=/bin', '--env=DOCKER_HOST=x', '--env=https_proxy=p', '--env=TOKEN'],
  ]);
});

test.each([
  ['ifNotPresent', 'missing'],
  ['always', 'always'],
  ['never', 'never'],
])('an image is pulled %s [CO-03]', (pullPolicy, pull) => {
  expect(plan({ pullPolicy }).args).toContain(`--pull=${pull}`);
});

test('a container is removed always, never or eventually after a while [CO-02]', () => {
  expect(options({ lifetime: { cleanup: 'always' } })).toEqual(['--rm']);
  expect(options({ lifetime: { cleanup: 'never' } })).toEqual([]);
  const later = { cleanup: 'eventually', after: { minutes: 30 } };
  expect(options({ lifetime: later })).toEqual([]);
  expect(plan({ lifetime: later }).cleanup).toEqual({ afterMs: 1_800_000 });
  const iso = { cleanup: 'eventually', after: 'PT1S' };
  expect(plan({ lifetime: iso }).cleanup).toEqual({ afterMs: 1_000 });
  const longest = { cleanup: 'eventually', after: { milliseconds: 2_147_483_646 } };
  expect(plan({ lifetime: longest }).cleanup).toEqual({ afterMs: 2_147_483_646 });
});

test('a container without a name has that of its workflow and its task [CO-04]', () => {
  const name = (task: string): string | undefined =>
    planContainer({ image: 'x' }, { ...NAMES, task }, 'ID').args[1];
  expect(name('pack')).toBe('--name=order-ID.shop-pack');
  expect(name('Pack it / twice ü')).toBe('--name=order-ID.shop-Pack-it---twice--');
  const odd = { workflow: '-x', namespace: 'y', task: 'z' };
  expect(planContainer({ image: 'x' }, odd, 'ID').args[1]).toBe('--name=x-ID.y-z');
  expect(planContainer({ image: 'x' }, undefined, 'ID').args[1]).toBe('--name=perdure-ID');
});

test.each<[string, JsonObject]>([
  ['"container.image" is a text, and was given null', { image: null }],
  ['"container.image" is the name of an image', { image: '--privileged' }],
  ['"container.image" is the name of an image', { image: 'two words' }],
  ['and begins with no sign', { name: '--privileged' }],
  ['and begins with no sign', { name: 'a b' }],
  ['"container.command" is a text, and was given a list', { command: ['ls'] }],
  ['"container.ports" has a port', { ports: { 'x:80': 80 } }],
  ['"container.ports" has a port', { ports: { 80: '80:80' } }],
  ['"container.ports" has a port', { ports: { 80: { to: 80 } } }],
  ['"container.volumes" has paths', { volumes: { '/a:/b': '/c' } }],
  ['"container.volumes" has paths', { volumes: { '/a': 'c' } }],
  ['in its names; came "A B"', { environment: { 'A B': 'secret' } }],
  ['"container.pullPolicy" is ifNotPresent, always or never', { pullPolicy: 'missing' }],
  ['"container.pullPolicy" is ifNotPresent, always or never', { pullPolicy: 'toString' }],
  ['is always, never or eventually', { lifetime: { cleanup: 'later' } }],
  ['"container.lifetime.after" says when', { lifetime: { cleanup: 'eventually' } }],
  ['is at most 24 days', { lifetime: { cleanup: 'eventually', after: { days: 25 } } }],
  ['is for the cleanup "eventually"', { lifetime: { cleanup: 'always', after: 'PT1S' } }],
  ['is for the cleanup "eventually"', { lifetime: { cleanup: 'never', after: 'PT1S' } }],
])('what cannot be run is a configuration error: %s [CO-02]', (detail, args) => {
  const error = ((): unknown => {
    try {
      return plan({ image: 'alpine', ...args });
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toBeInstanceOf(WorkflowError);
  expect(error).toMatchObject({ kind: 'configuration', status: 400 });
  expect((error as WorkflowError).detail).toContain(detail);
  expect(String(error)).not.toContain('secret');
});
