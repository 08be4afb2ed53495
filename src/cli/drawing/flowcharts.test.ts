/** Flowcharts as they are drawn: from a file, by the command that people call. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CommandLine } from '../../testing/command-line.ts';

const line = new CommandLine();
afterAll(() => line.remove());

const NEST = {
  id: 'nest',
  version: 1,
  activities: [
    { id: 'begin', type: 'start' },
    { id: 'pack', type: 'flowchart', config: { activities: [{ id: 'weigh', type: 'say' }] } },
    { id: 'send', type: 'say', mergeMode: 'merge' },
  ],
  connections: [
    { from: 'begin', to: 'pack' },
    { from: 'pack', to: 'send' },
    { from: 'begin', to: 'send' },
  ],
};

const DAMAGE = `
damage@1

                ┌──────────┐
                │ register │
                │   note   │
                └────┬─────┘
                     ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┐
                     ▼                   ╎
                 ┌────────┐              ╎
                 │ assess │              ╎
                 └───┬────┘              ╎
      ┌─────────┬────┴────┬─────────┐    ╎
   Unclear   Granted   Granted   Refused ╎
      │         └──┐      └───┬─────┘    ╎
      ▼            ▼          ▼          ╎
   ┌──────┐     ┌─────┐   ┌────────┐     ╎
   │ ask  │     │ pay │   │ letter │     ╎
   │ note │     └──┬──┘   │  note  │     ╎
   └──┬───┘        │      └───┬────┘     ╎
      │            └────┬─────┘          ╎
      ▼                 ▼                ╎
┌───────────┐       ┌───────┐            ╎
│  answer   │       │ close │            ╎
│ sleeps 2d │       │ note  │            ╎
└─────┬─────┘       └───────┘            ╎
      └╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┘
`;

describe('a flowchart is drawn', () => {
  const damage = join(import.meta.dirname, '../../../examples/damage.json');
  const nest = line.write('nest.json', JSON.stringify(NEST));

  test('as text', async () => {
    const { out } = await line.run('graph', damage);
    expect(`\n${out}`).toBe(DAMAGE);
  });

  test('so that nobody follows a way into the arms of a fork that it meets', async () => {
    const ways = ['s>fast', 's>slow', 'fast>won', 'slow>won', 'slow>side'];
    const connections = ways.map((way) => {
      const [from, to] = way.split('>');
      return { from, to };
    });
    const names = ['s', 'fast', 'slow', 'won', 'side'];
    const activities = names.map((id) => ({ id, type: id }));
    const chart = { id: 'meets', version: 1, activities, connections };
    const { out } = await line.run('graph', line.write('meets.json', JSON.stringify(chart)));
    expect(out).toContain(`
└──┬───┘   └──┬───┘
   └──┐       │
      │┌──────┴─┐
      ▼▼        ▼
   ┌─────┐   ┌──────┐
`);
  });

  test('as Mermaid, with dotted ways back', async () => {
    const { out } = await line.run('graph', damage, '--format', 'mermaid');
    expect(out).toContain('  n2 -->|"Unclear"| n3\n  n3 --> n4\n  n4 -.-> n2\n');
    const { out: nested } = await line.run('graph', nest, '--format', 'mermaid');
    expect(nested).toContain('  subgraph n2 ["pack"]\n    n3["weigh<br>say"]\n');
    expect(nested).toContain('["send<br>say<br>mode: merge"]');
    expect(nested).toContain('  n1(["begin"])\n');
    expect(nested).not.toContain(':flowchart');
  });

  test('as SVG', async () => {
    const { out } = await line.run('graph', damage, '--format', 'svg');
    expect(out.match(/<rect class="box"/g)).toHaveLength(7);
    expect(out.match(/class="way back"/g)).toHaveLength(1);
    expect(out).toContain('>Unclear</text>');
  });
});

describe('2,000 activities', () => {
  const count = 2_000;
  const activities = Array.from({ length: count }, (_, index) => ({
    id: `a${index}`,
    type: 'say',
  }));

  test('are drawn', async () => {
    const connections = activities
      .slice(1)
      .flatMap(({ id }, index) => [
        { from: `a${index}`, to: id },
        ...(index % 10 === 9 ? [{ from: `a${index}`, outcome: 'No', to: `a${index - 8}` }] : []),
      ]);
    const chart = { id: 'long', version: 1, start: 'a0', activities, connections };
    const file = line.write('long.json', JSON.stringify(chart));
    for (const format of ['text', 'mermaid', 'svg']) {
      const { code, out } = await line.run('graph', file, '--format', format);
      expect([format, code]).toEqual([format, 0]);
      expect(out).toContain(`a${count - 1}`);
    }
  }, 60_000);

  test('that are all over each other are told, and left to others', async () => {
    const connections = activities
      .slice(1)
      .flatMap(({ id }, index) => [
        { from: `a${index}`, to: id },
        ...(index > 1 ? [{ from: `a${index % 7}`, outcome: 'x', to: id }] : []),
      ]);
    const chart = { id: 'knot', version: 1, start: 'a0', activities, connections };
    const file = line.write('knot.json', JSON.stringify(chart));
    const { code, talk } = await line.run('graph', file);
    expect(code).toBe(2);
    expect(talk).toMatch(/parts, and more than 50000 are not drawn: --format mermaid/);
    expect((await line.run('graph', file, '--format', 'mermaid')).code).toBe(0);
  }, 60_000);
});
