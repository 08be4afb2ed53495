import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { SagaReach } from '../model/draft.ts';
import type { TokenId } from '../model/ids.ts';
import { answerAt, begun, failAt, play, tokensAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

function packing(promote: boolean): Drawing {
  return draw(['box -> after -> end', 'Pack -> label'], {
    box: { kind: 'scope', settings: { body: 'Pack', promote } },
    Pack: { kind: 'step', in: 'box' },
    label: { kind: 'set', in: 'box', code: { value: () => ({ size: 'M' }) } },
    after: { kind: 'set', code: { value: ({ vars }) => Object.keys(vars) } },
    end: { kind: 'end', settings: { output: 'results' } },
  });
}

test('a scope runs its region in a scope of its own and goes on when that is empty', () => {
  const story = new Story(
    draw(['box -> B', 'Pack -> label'], {
      box: { kind: 'scope', settings: { body: 'Pack', promote: true } },
      Pack: { kind: 'step', in: 'box' },
      label: { kind: 'set', in: 'box', code: { value: () => ({ size: 'M' }) } },
    }),
  );

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at box
    open   scope 3 of token 2
    birth  token 4 at Pack ready
    ! offer token 4 to test@1/Pack
  `);
  expect(story.done(4, 'packed')).toBe(text`
    claim  token 4 by w1
    write  scope 3 results {"Pack":"packed"}
    birth  token 5 at label
    end    token 4 done
    write  scope 3 results {"label":{"size":"M"}}
    write  scope 3 vars {"size":"M"}
    end    token 5 done
    return scope 3 with its results
    birth  token 6 at B ready
    end    token 2 done
    ! offer token 6 to test@1/B
  `);
});

test('O-87: variables set inside end with it', () => {
  const story = new Story(packing(true));
  story.start();
  story.done(4);
  expect(story.head.output).toMatchObject({ after: [] });
});

test('results go up to the scope it lies in if it promotes them, and are gone otherwise', () => {
  const kept = new Story(packing(true));
  kept.start();
  kept.done(4, 'packed');
  expect(kept.head.output).toEqual({ Pack: 'packed', label: { size: 'M' }, after: [] });

  const gone = new Story(packing(false));
  gone.start();
  gone.done(4, 'packed');
  expect(gone.head.output).toEqual({ after: [] });
});

const forked = {
  box: { kind: 'scope', settings: { body: 'g' } },
  g: { kind: 'fork', in: 'box' },
  A: { kind: 'step', in: 'box' },
  B: { kind: 'step', in: 'box' },
};

test('a region with several paths is done when the last of them is', () => {
  const story = new Story(draw(['box -> C', 'g -> A', 'g -> B'], forked));
  story.start();
  for (const token of tokensAt(story, 'B')) story.done(token);
  expect(tokensAt(story, 'C')).toEqual([]);
  for (const token of tokensAt(story, 'A')) story.done(token);
  expect(tokensAt(story, 'C')).toHaveLength(1);
});

const nested = draw(['outer -> end', 'inner -> x'], {
  outer: { kind: 'scope', settings: { body: 'inner', promote: true } },
  inner: { kind: 'scope', settings: { body: 'Deep', promote: true }, in: 'outer' },
  x: { kind: 'pass', in: 'outer' },
  Deep: { kind: 'step', in: 'inner' },
  end: { kind: 'end', settings: { output: 'results' } },
});

test('O-85: scopes are a tree, and the token that opened one waits for it', () => {
  const story = new Story(nested);
  story.start();
  const scopes = story.instance.scopes.values().map(({ id, parent, owner, node }) => {
    return { id, parent, owner, node };
  });
  expect(scopes).toEqual([
    { id: 1, parent: null, owner: null, node: null },
    { id: 3, parent: 1, owner: 2, node: 'outer' },
    { id: 5, parent: 3, owner: 4, node: 'inner' },
  ]);
  expect(story.instance.tokens.get(4 as TokenId)?.wait).toEqual({ on: 'scope', scope: 5 });
});

test('results go up scope by scope, each at its own close', () => {
  const story = new Story(nested);
  story.start();
  play(story, (tokens) => tokens[0]);
  expect(story.head.output).toEqual({ Deep: 'Deep' });
});

test('O-90: what fails inside a scope cancels its siblings, inside it and outside', () => {
  const story = new Story(
    draw(['f -> box', 'f -> C', 'g -> A', 'g -> B'], {
      f: { kind: 'fork' },
      ...forked,
    }),
  );
  story.start();
  const [a = 0] = tokensAt(story, 'A');
  expect(story.fail(a)).toBe(text`
    claim  token 9 by w1
    end    token 9 failed boom
    end    token 10 cancelled
    end    token 5 cancelled
    end    token 4 cancelled
    close  scope 6
    close  scope 1
    finish failed boom
    ! abort token 10
    ! abort token 5
    ! ended
  `);
});

/** A visa, then a hotel and a car in a scope, then a flight; the first two can be undone. */
function trip(box: JsonObject = { saga: 'scope' }, flow: SagaReach = 'instance'): Drawing {
  const undoable = { kind: 'step', settings: { undo: {} } };
  const { draft } = draw(['Visa -> box -> Fly', 'Hotel -> Car'], {
    Visa: undoable,
    box: { kind: 'scope', settings: { body: 'Hotel', promote: true, ...box } },
    Hotel: { ...undoable, in: 'box' },
    Car: { kind: 'step', in: 'box' },
  });
  return { draft: { ...draft, saga: flow } };
}

/** What is undone, in that order, when the car cannot be had. */
function undoneIn(story: Story): string[] {
  answerAt(story, ['Visa', 'Hotel']);
  failAt(story, 'Car', 'no.car');
  const names: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const undo = story.instance.tokens.values().find(({ mode }) => mode === 'compensation');
    if (undo === undefined) return names;
    names.push(undo.node);
    story.done(undo.id);
  }
  return names;
}

describe('a scope that is a saga of its own', () => {
  test('holds a fault that leaves it until what it did is undone', () => {
    const story = begun(trip({ saga: 'scope' }, 'none'));
    answerAt(story, ['Visa', 'Hotel']);

    expect(failAt(story, 'Car', 'no.car')).toBe(text`
      claim  token 7 by w1
      end    token 7 failed no.car
      start  saga of scope 4 no.car
      birth  token 8 at Hotel ready undoing 6
      ! offer token 8 to test@1/Hotel/:undo
    `);
    expect(story.instance.tokens.get(3 as TokenId)?.wait).toMatchObject({ on: 'saga', scope: 4 });
    expect(story.head.status).toBe('running');
    expect(story.done(8)).toContain('finish failed no.car');
    expect(story.head.fault).toMatchObject({ code: 'no.car', node: 'Car' });
  });

  test('is undone before a try around it catches the fault', () => {
    const { draft } = trip();
    const outer = { id: 't', kind: 'try', settings: { body: 'Visa', done: 'd', caught: 'c' } };
    const story = begun({
      draft: {
        ...draft,
        start: 't',
        nodes: [
          outer,
          ...draft.nodes.map((node) => ({ parent: 't', ...node })),
          { id: 'Stay', kind: 'step', settings: {} },
          { id: 'end', kind: 'end', settings: {} },
        ],
        edges: [
          ...draft.edges,
          { id: 'd', from: 't', to: 'end' },
          { id: 'c', from: 't', to: 'Stay' },
        ],
      },
    });
    expect(undoneIn(story)).toEqual(['Hotel']);
    expect(tokensAt(story, 'Stay')).toHaveLength(1);
    expect(story.instance.undos.values()).toMatchObject([
      { node: 'Visa', status: 'pending' },
      { node: 'Hotel', status: 'completed' },
    ]);
  });

  test('lets the fault go at once if there is nothing to undo', () => {
    const story = begun(trip());
    answerAt(story, ['Visa']);
    expect(failAt(story, 'Hotel')).not.toContain('saga of scope 5');
    expect(story.head.status).toBe('compensating');
  });

  test('that ends well leaves what it did to the saga around it', () => {
    const story = begun(trip());
    answerAt(story, ['Visa', 'Hotel', 'Car']);
    failAt(story, 'Fly');
    const undos = story.instance.undos.values().map(({ node, saga }) => `${node} in ${saga}`);
    expect(undos).toEqual(['Visa in 1', 'Hotel in 1']);
  });

  test('while it is undone, what lies beside it goes on', () => {
    const { draft } = trip();
    const story = begun({
      draft: {
        ...draft,
        start: 'f',
        nodes: [
          { id: 'f', kind: 'fork', settings: {} },
          { id: 'B', kind: 'step', settings: {} },
          ...draft.nodes,
        ],
        edges: [
          { id: 'v', from: 'f', to: 'Visa' },
          { id: 'b', from: 'f', to: 'B' },
          ...draft.edges,
        ],
      },
    });
    answerAt(story, ['Visa', 'Hotel']);
    failAt(story, 'Car');
    answerAt(story, ['B']);
    expect(story.instance.scopes.get(1 as never)?.results.object).toMatchObject({ B: 'B' });
  });
});

describe('B-60: how far a fault in a scope is undone, by what it and its flow say', () => {
  const table: readonly (readonly [SagaReach, SagaReach | undefined, string])[] = [
    ['instance', undefined, 'Hotel Visa'],
    ['instance', 'instance', 'Hotel Visa'],
    ['instance', 'scope', 'Hotel Visa'],
    ['instance', 'none', 'Visa'],
    ['scope', 'scope', 'Hotel'],
    ['none', undefined, ''],
    ['none', 'none', ''],
    ['none', 'scope', 'Hotel'],
    ['none', 'instance', 'Hotel'],
  ];
  for (const [flow, box, undone] of table) {
    test(`flow ${flow}, scope ${box ?? 'says nothing'}: ${undone || 'nothing'}`, () => {
      const story = begun(trip(box === undefined ? {} : { saga: box }, flow));
      expect(undoneIn(story).join(' ')).toBe(undone);
      expect(story.head).toMatchObject({ status: 'failed', fault: { code: 'no.car' } });
    });
  }

  test('an instance that failed says whether anything was undone', () => {
    for (const [flow, box, undone] of table) {
      const story = begun(trip(box === undefined ? {} : { saga: box }, flow));
      undoneIn(story);
      const outcome = undone === '' ? null : 'compensated';
      expect(story.head.outcome, `${flow} ${String(box)}`).toBe(outcome);
    }
  });
});

describe('what is wrong with a scope', () => {
  test('its saga is one of three', () => {
    for (const saga of ['all', '', null, true]) {
      expect(problemsOf(trip({ saga }))).toEqual([
        'scope.bad-saga box: the saga of "box" is one of none, scope, instance',
      ]);
    }
  });

  test('it names the node its region begins with', () => {
    const wrong = draw(['box -> a'], { box: { kind: 'scope' } });
    expect(problemsOf(wrong)).toEqual([
      'scope.no-body box: "box" names the node its region begins with; came nothing',
    ]);
  });

  test('that node lies in it, not beside it', () => {
    const wrong = draw(['box -> a'], { box: { kind: 'scope', settings: { body: 'a' } } });
    expect(problemsOf(wrong)).toEqual([
      'scope.no-body box: "box" names the node its region begins with; ' +
        'came "a", which is not in it',
    ]);
  });
});
