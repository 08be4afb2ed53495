/** Examples of what is run: containers, scripts, shells, other workflows; and of an extension. */
import { type Examples, put, type Take } from './examples-case.ts';

const HELLO = 'Hello from hello-world';

/** What `docker` was told about the one container there was. */
function told(option: string): NonNullable<Take['leaves']>[0] {
  return ({ tools }) =>
    tools.runs().map((words) => words.find((one) => one.startsWith(option)) ?? '');
}

function container(more: Partial<Take> = {}): readonly Take[] {
  return [
    {
      about: 'with a program in the place of `docker`',
      allows: { container: ['hello-world'] },
      ends: { output: HELLO },
      ...more,
    },
  ];
}

const NAMES = { workflow: { id: 'w-1', document: { name: 'mine' } }, task: { name: 'greeting' } };

const CONTAINERS: Examples = {
  'run-container.yaml': {
    rows: ['CO-01', 'CO-02'],
    takes: container({ leaves: [({ tools }) => tools.count(), 1] }),
  },
  'run-container-cleanup-always.yaml': {
    rows: ['CO-02'],
    takes: container({ leaves: [({ tools }) => tools.count(), 0] }),
  },
  'run-container-cleanup-eventually.yaml': {
    rows: ['CO-02'],
    takes: container({
      about: 'with programs in the place of `docker` and of `sleep`, which does not',
      leaves: [({ tools }) => tools.cleared(), [1_800]],
    }),
  },
  'run-container-stdin-and-arguments.yaml': {
    rows: ['CO-01'],
    takes: container({
      allows: { container: ['alpine'] },
      ends: { output: 'STDIN was: Hello World\nARGS are Foo Bar' },
    }),
  },
  'run-container-with-name.yaml': {
    rows: ['CO-01'],
    takes: container({
      input: NAMES,
      leaves: [told('--name='), ['--name=hello-mine-greeting-w-1']],
    }),
  },
  'run-container-with-pull-policy.yaml': {
    rows: ['CO-03'],
    takes: container({ leaves: [told('--pull='), ['--pull=always']] }),
  },
  'run-return-all.yaml': {
    rows: ['RU-03', 'RU-04'],
    takes: container({ ends: { output: { code: 0, stdout: HELLO, stderr: '' } } }),
  },
  'run-return-code.yaml': { rows: ['RU-03'], takes: container({ ends: { output: 0 } }) },
  'run-return-none.yaml': { rows: ['RU-03'], takes: container({ ends: { output: null } }) },
  'run-return-stderr.yaml': { rows: ['RU-03'], takes: container({ ends: { output: '' } }) },
};

const REGISTER = `
document: { dsl: '1.0.3', namespace: test, name: register-customer, version: '0.1.0' }
do:
  - register:
      set: { registered: '\${ .customer }' }
`;

export const RUNS: Examples = {
  ...CONTAINERS,
  'run-script-with-stdin-and-arguments.yaml': {
    rows: ['SC-01'],
    takes: [
      {
        allows: { script: ['js'] },
        ends: { output: 'stdin >  Hello Workflow\narg >  hello\nenv >  bar' },
      },
    ],
  },
  'run-shell-stdin-and-arguments.yaml': {
    rows: ['SH-01', 'SH-02'],
    takes: [
      {
        allows: { shell: true },
        ends: { output: 'STDIN was: Hello World\nARGS are Foo Bar' },
      },
    ],
  },
  'run-subflow.yaml': {
    rows: ['SW-01'],
    takes: [
      {
        about:
          'the other is one of ours; bare, what it is given is no expression, but a text (A-02)',
        input: { user: { name: 'Ada' } },
        others: [REGISTER],
        ends: { output: { registered: '.user' } },
      },
    ],
  },
};

const MOCKED = { statusCode: 200, headers: { 'Content-Type': 'application/json' } };
const SAMPLE = 'https://fake.com/sample';

export const EXTENSIONS: Examples = {
  'mock-service-extension.yaml': {
    rows: ['XT-03', 'XT-04', 'XT-06'],
    takes: [
      {
        about: 'its condition takes an endpoint that is an object for a text',
        ends: {
          error: {
            type: 'https://serverlessworkflow.io/spec/1.0.0/errors/expression',
            status: 400,
            title: /./,
            detail: /startswith\(\) requires string inputs/,
            instance: /./,
          },
        },
      },
      {
        about: 'with an endpoint that is a text, of the service that is mocked',
        text: (text) =>
          put(text, `\n          uri: ${SAMPLE}`, ' https://mocked.service.com/sample'),
        ends: { output: { ...MOCKED, content: { foo: { bar: 'baz' } } } },
      },
      {
        about: 'with a condition that asks for the kind of an endpoint first',
        text: (text) =>
          put(
            text,
            '($task.with.endpoint != null and',
            '($task.with.endpoint | type == "string" and',
          ),
        ends: { output: { sample: true } },
        asks: [`GET ${SAMPLE}`],
      },
    ],
  },
};
