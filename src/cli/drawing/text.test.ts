/** Drawings as they are printed. */
import { describe, expect, test } from 'vitest';
import { chain, flow } from '../../index.ts';
import { drawMermaid } from './mermaid.ts';
import { pictureOf } from '../../drawing/picture.ts';
import { sketchOfFlow, sketchOfPlan } from '../../drawing/sketch.ts';
import { drawSvg } from './svg.ts';
import { drawText } from './text.ts';

const nothing = async (): Promise<null> => null;

const order = flow('order')
  .step('reserve', nothing)
  .choose(
    'size',
    { big: { when: () => true, do: (b) => b.step('truck', nothing) } },
    { otherwise: (b) => b.step('bike', nothing) },
  )
  .parallel('fulfil', {
    goods: (b) => b.step('ship', nothing),
    paper: (b) => b.sleep('cool-off', '1s').step('invoice', nothing),
  })
  .repeat('track', { times: 3 }, (b) => b.sleep('pause', '1h').step('ask', nothing))
  .end();

const ORDER = `
order@1

          ╭───────╮
          │ start │
          ╰───┬───╯
              ▼
         ┌─────────┐
         │ reserve │
         └────┬────┘
              ▼
          ┌────────┐
          │  size  │
          │ one of │
          └───┬────┘
        ┌─────┴────┐
       big     otherwise
        ▼          ▼
    ┌───────┐   ┌──────┐
    │ truck │   │ bike │
    └───┬───┘   └──┬───┘
        └────┬─────┘
             ▼
         ┌────────┐
         │ fulfil │
         │ all of │
         └───┬────┘
     ┌───────┴───────┐
   goods           paper
     ▼               ▼
  ┌──────┐   ╭───────────────╮
  │ ship │   │ ┌───────────┐ │
  └──┬───┘   │ │ cool-off  │ │
     │       │ │ sleeps 1s │ │
     │       │ └─────┬─────┘ │
     │       │       ▼       │
     │       │  ┌─────────┐  │
     │       │  │ invoice │  │
     │       │  └─────────┘  │
     │       ╰───────┬───────╯
     └───────┬───────┘
             ▼
     ╭───────────────╮
     │ all are there │
     ╰───────┬───────╯
             ▼
╭─ track: repeats 3 times ─╮
│           ┌╌╌╌╌╌╌╌┐      │
│           ▼       ╎      │
│     ┌───────────┐ ╎      │
│     │   pause   │ ╎      │
│     │ sleeps 1h │ ╎      │
│     └─────┬─────┘ ╎      │
│           ▼       ╎      │
│        ┌─────┐    ╎      │
│        │ ask │    ╎      │
│        └──┬──┘    ╎      │
│           └╌╌╌╌╌╌╌┘      │
╰────────────┬─────────────╯
             ▼
          ╭─────╮
          │ end │
          ╰─────╯
`;

test('branches stand side by side, regions around what is in them, and a loop leads back', () => {
  expect(`\n${drawText(pictureOf(sketchOfFlow(order)))}`).toBe(ORDER);
});

test('a chain is a line', () => {
  const drawn = drawText(pictureOf(sketchOfFlow(chain('parcel', 2, ['PAY', 'SHIP']))));
  expect(`\n${drawn}`).toBe(`
parcel@2

╭───────╮
│ start │
╰───┬───╯
    ▼
 ┌─────┐
 │ PAY │
 └──┬──┘
    ▼
 ┌──────┐
 │ SHIP │
 └──────┘
`);
});

test('the body of a map stands in it, and what runs the items does not', () => {
  const each = flow('picking')
    .map('each', { over: [1], limit: 3, saga: 'scope' }, (b) =>
      b.step('pick', () => 1).step('pack', () => 1),
    )
    .map('one', { over: [1], mode: 'sequential' }, (b) => b.step('send', () => 1))
    .map('all', { over: [1] }, (b) => b)
    .end();
  const marks = new Map([['each/:item', '● failed here']]);
  expect(`\n${drawText(pictureOf(sketchOfFlow(each), marks))}`).toBe(`
picking@1

                   ╭───────╮
                   │ start │
                   ╰───┬───╯
                       ▼
╭─ each: for each, 3 at a time ● failed here ─╮
│                  ┌──────┐                   │
│                  │ pick │                   │
│                  └──┬───┘                   │
│                     ▼                       │
│                  ┌──────┐                   │
│                  │ pack │                   │
│                  └──────┘                   │
╰──────────────────────┬──────────────────────╯
                       ▼
          ╭─ one: for each in turn ─╮
          │        ┌──────┐         │
          │        │ send │         │
          │        └──────┘         │
          ╰────────────┬────────────╯
                       ▼
              ┌──────────────────┐
              │       all        │
              │ for each at once │
              └────────┬─────────┘
                       ▼
                    ╭─────╮
                    │ end │
                    ╰─────╯
`);
  const svg = drawSvg(pictureOf(sketchOfFlow(each), marks));
  expect(svg).toContain('>each: for each, 3 at a time ● failed here</text>');
  expect(drawMermaid(pictureOf(sketchOfFlow(each)))).not.toContain(':item');
});

test('where an instance stands is said in the node', () => {
  const marks = new Map([['PAY', '● waiting']]);
  const drawn = drawText(pictureOf(sketchOfFlow(chain('parcel', 1, ['PAY'])), marks));
  expect(drawn).toContain('│    PAY    │\n│ ● waiting │');
});

test('a way back to an earlier node goes round at the right', () => {
  const node = (id: string, kind = 'step'): object => ({ id, kind, config: {} });
  const edge = (from: string, to: string): object => ({ id: `${from}->${to}`, from, to });
  const body = {
    name: 'loop',
    version: 1,
    nodes: [node('a'), node('b', 'choose'), node('c')],
    edges: [edge('a', 'b'), edge('b', 'c'), edge('b', 'a')],
  };
  expect(`\n${drawText(pictureOf(sketchOfPlan(body as never)))}`).toBe(`
loop@1

    ┌╌╌╌╌╌╌┐
    ▼      ╎
  ┌───┐    ╎
  │ a │    ╎
  └─┬─┘    ╎
    ▼      ╎
┌────────┐ ╎
│   b    │ ╎
│ one of │ ╎
└───┬────┘ ╎
    ├╌╌╌╌╌╌┘
    ▼
  ┌───┐
  │ c │
  └───┘
`);
});

describe('Mermaid', () => {
  const text = drawMermaid(pictureOf(sketchOfFlow(order), new Map([['ship', '● ready']])));

  test('has regions as subgraphs, and names of arms on the arrows', () => {
    expect(text).toContain(
      'flowchart TD\n  n1(["start"])\n  n2["reserve"]\n  n3{"size<br>one of"}',
    );
    expect(text).toMatch(
      /subgraph (n\d+) \["track: repeats 3 times"\]\n {4}n\d+\["pause<br>sleeps 1h"\]/,
    );
    expect(text).toContain('-->|"big"|');
    expect(text).toMatch(/^ {2}n\d+ -\.-> n\d+$/m);
    expect(text.match(/subgraph/g)?.length).toBe(text.match(/^ *end$/gm)?.length);
  });

  test('marks where an instance stands, and quotes what means something to it', () => {
    expect(text).toMatch(/n\d+\["ship<br>● ready"\]/);
    expect(text).toMatch(/^ {2}class n\d+ mark$/m);
    const odd = flow('odd').step('say "<b>"', nothing).end();
    expect(drawMermaid(pictureOf(sketchOfFlow(odd)))).toContain('say #quot;#lt;b>#quot;');
  });
});

describe('SVG', () => {
  const picture = pictureOf(sketchOfFlow(order), new Map([['ship', '● ready']]));
  const text = drawSvg(picture);

  test('has a box for each node and an arrow for each edge, and is whole', () => {
    const count = (what: RegExp): number => text.match(what)?.length ?? 0;
    expect(count(/<rect class="(box|round|region)/g)).toBe(picture.nodes.length);
    expect(count(/marker-end/g)).toBe(picture.edges.length);
    expect(count(/stroke-dasharray/g)).toBe(1);
    expect(count(/class="way back"/g)).toBe(1);
    expect(text.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    expect(text.endsWith('</svg>\n')).toBe(true);
  });

  test('every arrow ends on the upper border of a box', () => {
    const tops = [
      ...text.matchAll(
        /<rect class="(?:box|round|region)[^"]*" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g,
      ),
    ];
    const ends = [...text.matchAll(/points="[^"]*?([\d.]+),([\d.]+)" marker-end/g)];
    expect(ends.length).toBeGreaterThan(10);
    for (const [, x, y] of ends) {
      const hit = tops.some(([, left, top, width]) => {
        return top === y && Number(x) > Number(left) && Number(x) < Number(left) + Number(width);
      });
      expect(hit, `${x},${y}`).toBe(true);
    }
  });

  test('marks where an instance stands, and writes names as text', () => {
    expect(text).toContain('class="box mark"');
    const odd = flow('odd').step('a <b> & "c"', nothing).end();
    expect(drawSvg(pictureOf(sketchOfFlow(odd)))).toContain('a &lt;b&gt; &amp; &quot;c&quot;');
  });
});

test('an arm that fails or ends everything does not go on to where the others meet', () => {
  const arms = flow('arms')
    .choose(
      'size',
      {
        small: { when: () => true, do: (b) => b.fail('refuse', 'too small') },
        big: { when: () => true, do: (b) => b.step('look', nothing).fail('give-up', 'too big') },
        odd: { when: () => true, do: (b) => b.terminate('stop') },
      },
      { otherwise: (b) => b.step('go', nothing) },
    )
    .step('after', nothing)
    .end();
  const { edges } = pictureOf(sketchOfFlow(arms));
  const into = edges.filter(({ to }) => to === 'after').map(({ from }) => from);
  expect(into).toEqual(['go']);
  expect(drawText(pictureOf(sketchOfFlow(arms)))).toContain('refuse');
});
