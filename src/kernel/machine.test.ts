import { expect, test } from 'vitest';
import type { Instant, TokenId } from '../model/ids.ts';
import { kinds } from '../nodes/index.ts';
import { draw, Story } from '../testing/story.ts';
import { advance } from './advance.ts';
import { machineFor } from './machine.ts';

const drawing = draw(['w -> x -> A -> end'], {
  w: { kind: 'wait', settings: { event: 'go' } },
  end: { kind: 'end' },
});

/** A process of an older program: it lacks the closures, and a kind of the plan too. */
function older({ machine }: Story): typeof machine {
  const known = new Map([...kinds].filter(([name]) => name !== 'pass'));
  return machineFor(machine.plan, known, { code: null, limits: machine.limits });
}

test('D19: a program that does not know a kind of the plan can still wake its tokens', () => {
  const story = new Story(drawing, { key: 'k1' });
  story.start();
  const message = { id: 'm1', type: 'go', key: 'k1', data: 7 };
  const input = { type: 'message', at: 1 as Instant, token: 2 as TokenId, message } as const;
  const { after } = advance(older(story), story.instance, input);
  expect(after.tokens.get(2 as TokenId)).toMatchObject({
    ...{ status: 'ready', handler: 'test@1/', wake: { reason: 'event', payload: 7 } },
  });
  expect(advance(story.machine, after, continuing).changes.length).toBeGreaterThan(0);
});

const claim = { worker: 'w1', version: 1, at: 2 as Instant };
const continuing = { type: 'continue', at: 2 as Instant, token: 2 as TokenId, claim } as const;

test('each node is found with its kind and the name of its handler', () => {
  const { machine } = new Story(drawing);
  expect(machine.spots.get('A' as never)).toMatchObject({
    ...{ node: { id: 'A' }, kind: { kind: 'step' }, handler: 'test@1/A' },
  });
});
