/** A flowchart as a node: the whole of a flow, or one activity of another flowchart. */
import { describe, expect, test } from 'vitest';
import type { FlowchartBody } from '../frontends/flowchart/definition.ts';
import { flowchart } from '../frontends/flowchart/flowchart.ts';
import type { DraftNode } from '../model/draft.ts';
import { oneAt, tokensAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, Story, written } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const PACKING: FlowchartBody = { activities: [{ id: 'weigh', type: 'weigh' }] };

function parcel(config: FlowchartBody = PACKING): Drawing {
  return written(
    flowchart({
      id: 'parcel',
      version: 1,
      activities: [
        { id: 'pack', type: 'flowchart', config },
        { id: 'send', type: 'send' },
      ],
      connections: [{ from: 'pack', to: 'send' }],
    }),
  );
}

test('its activities run in a scope of its own, and it goes on when nothing is left there', () => {
  const story = new Story(parcel());

  expect(story.start()).toBe(text`
    start  parcel null
    open   scope 1
    birth  token 2 at :flowchart
    open   scope 3 of token 2
    birth  token 4 at pack
    open   scope 5 of token 4
    birth  token 6 at pack/weigh ready
    ! offer token 6 to parcel/weigh
  `);

  expect(story.done(6, 12)).toBe(text`
    claim  token 6 by w1
    write  scope 5 results {"weigh":12}
    end    token 6 done
    write  scope 3 results {"pack":{"weigh":12}}
    return scope 5
    birth  token 7 at send ready
    end    token 4 done
    ! offer token 7 to parcel/send
  `);

  expect(story.done(7, 'sent')).toBe(text`
    claim  token 7 by w1
    write  scope 3 results {"send":"sent"}
    end    token 7 done
    return scope 3
    output {"pack":{"weigh":12},"send":"sent"}
    end    token 2 done
    close  scope 1
    finish completed
    ! ended
  `);
});

test('E-43: one that begins nowhere is done at once', () => {
  const whole = flowchart({ id: 'idle', version: 1, start: null, ...PACKING });
  expect(new Story(written(whole)).start()).toBe(text`
    start  idle null
    open   scope 1
    birth  token 2 at :flowchart
    output {}
    end    token 2 done
    close  scope 1
    finish completed
    ! ended
  `);

  const story = new Story(parcel({ start: null, ...PACKING }));
  story.start();
  expect(tokensAt(story, 'pack/weigh')).toEqual([]);
  story.done(oneAt(story, 'send'));
  expect(story.head).toMatchObject({ status: 'completed', output: { pack: {}, send: null } });
});

describe('E-11: flowcharts never see each other’s tokens', () => {
  const meeting: FlowchartBody = {
    activities: [
      { id: 'go', type: 'start' },
      { id: 'x', type: 'work' },
      { id: 'y', type: 'work' },
      { id: 'meet', type: 'work' },
    ],
    connections: [
      { from: 'go', to: 'x' },
      { from: 'go', to: 'y' },
      { from: 'x', to: 'meet' },
      { from: 'y', to: 'meet' },
    ],
  };

  test('two of the same names beside each other, each with what it waits for', () => {
    const made = flowchart({
      id: 'pair',
      version: 1,
      activities: [
        { id: 'go', type: 'start' },
        { id: 'one', type: 'flowchart', config: meeting },
        { id: 'two', type: 'flowchart', config: meeting },
      ],
      connections: [
        { from: 'go', to: 'one' },
        { from: 'go', to: 'two' },
      ],
    });
    const story = new Story(written(made));
    story.start();
    story.done(oneAt(story, 'one/x'), 1);
    story.done(oneAt(story, 'two/y'), 2);
    const waiting = (node: string): readonly unknown[] =>
      tokensAt(story, node).map((id) => story.instance.tokens.get(id)?.status);
    expect([waiting('one/meet'), waiting('two/meet')]).toEqual([['waiting'], ['waiting']]);
    story.done(oneAt(story, 'one/y'), 3);
    expect([waiting('one/meet'), waiting('two/meet')]).toEqual([['ready'], ['waiting']]);
    story.done(oneAt(story, 'one/meet'), 'met');
    story.done(oneAt(story, 'two/x'), 4);
    story.done(oneAt(story, 'two/meet'), 'met');
    expect(story.head.output).toEqual({
      one: { x: 1, y: 3, meet: 'met' },
      two: { x: 4, y: 2, meet: 'met' },
    });
  });

  test('one in a loop is another each time', () => {
    const made = flowchart({
      id: 'again',
      version: 1,
      activities: [
        { id: 'box', type: 'flowchart', config: meeting },
        { id: 'more', type: 'work' },
      ],
      connections: [
        { from: 'box', to: 'more' },
        { from: 'more', to: 'box' },
      ],
    });
    const story = new Story(written(made));
    story.start();
    for (const pass of [1, 2, 3]) {
      story.done(oneAt(story, 'box/x'), pass);
      story.done(oneAt(story, 'box/y'), pass);
      expect(tokensAt(story, 'box/meet')).toHaveLength(1);
      story.done(oneAt(story, 'box/meet'), pass);
      expect(tokensAt(story, 'more')).toHaveLength(1);
      if (pass < 3) story.done(oneAt(story, 'more'), pass);
    }
    // What it has is that of the last time.
    const scope = story.instance.tokens.get(oneAt(story, 'more'))?.scope as never;
    expect(story.instance.scopes.get(scope)?.results.object).toMatchObject({ box: { x: 3, y: 3 } });
  });
});

test('what fails inside fails what is around it', () => {
  const story = new Story(parcel());
  story.start();
  story.fail(oneAt(story, 'pack/weigh'), 'no.scale');
  expect(story.head).toMatchObject({
    status: 'failed',
    fault: { code: 'no.scale', node: 'pack/weigh' },
  });
});

test('skipped, it goes on with what it is given, and what is inside it ends', () => {
  const story = new Story(parcel());
  story.start();
  story.skip(oneAt(story, 'pack'), { weigh: 1 });
  expect(tokensAt(story, 'pack/weigh')).toEqual([]);
  story.done(oneAt(story, 'send'));
  expect(story.head.output).toEqual({ pack: { weigh: 1 }, send: null });
});

describe('what is wrong with a flowchart', () => {
  function altered(change: (node: DraftNode) => DraftNode): Drawing {
    const { draft } = parcel();
    return { draft: { ...draft, nodes: draft.nodes.map(change) } };
  }

  test('it begins at one of its activities', () => {
    const wrong = altered((node) => {
      return node.id === 'pack' ? { ...node, settings: { body: 'send' } } : node;
    });
    expect(problemsOf(wrong)).toContain(
      'flowchart.no-body pack: "pack" names the node its region begins with; ' +
        'came "send", which is not in it',
    );
  });

  test('nothing leads out of the whole', () => {
    const { draft } = parcel();
    const edges = [...draft.edges, { id: 'e', from: ':flowchart', to: 'end' }];
    const nodes = [...draft.nodes, { id: 'end', kind: 'end', settings: {} }];
    expect(problemsOf({ draft: { ...draft, nodes, edges } })).toEqual([
      'flowchart.has-outbound :flowchart: nothing leads out of ":flowchart"',
    ]);
  });
});
