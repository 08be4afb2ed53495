/**
 * The laws about failures, given engines with a bug in them, one at a time: each is found and told
 * in a few nodes. Most bugs are in the kernel, so its strides are altered on their way out.
 */
import { expect, test } from 'vitest';
import { advance } from '../kernel/advance.ts';
import type { Instance } from '../kernel/instance.ts';
import type { NodeKind } from '../kernel/kind.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Change } from '../model/change.ts';
import type { TokenId, UndoId } from '../model/ids.ts';
import type { Undo } from '../model/instance.ts';
import { bugged, firstOf, hunt, kindNamed, replaced, type Stridden, withKind } from './hunt.ts';
import { TRIAL } from './laws.ts';
import { hasKind } from './random-blocks.ts';
import type { Case } from './random-case.ts';

/** What is left to be undone beside this, oldest first. */
function othersPending({ after }: Stridden, undoes: UndoId): readonly Undo[] {
  const saga = after.undos.get(undoes)?.saga;
  return after.undos
    .values()
    .filter((undo) => undo.saga === saga && undo.status === 'pending' && undo.id !== undoes);
}

const isCompensation = ({ token }: Extract<Change, { did: 'birth-token' }>): boolean =>
  token.undoes !== undefined;

test('a saga that undoes the oldest first is found', async () => {
  const oldestFirst = bugged((stride) => {
    const { changes } = stride;
    const birth = firstOf(changes, 'birth-token', isCompensation);
    const [oldest] = birth?.token.undoes ? othersPending(stride, birth.token.undoes) : [];
    if (birth === undefined || oldest === undefined) return undefined;
    const token = { ...birth.token, undoes: oldest.id };
    return { changes: replaced(changes, birth, [{ ...birth, token }]) };
  });
  const { breach } = await hunt(oldestFirst);
  expect(breach).toMatchObject({ law: 'P11' });
  expect(breach.message).toContain('is newer');
});

test('a saga that undoes two at once is found', async () => {
  const both = bugged((stride) => {
    const { changes, hints, after } = stride;
    const birth = firstOf(changes, 'birth-token', isCompensation);
    const [other] = birth?.token.undoes ? othersPending(stride, birth.token.undoes) : [];
    if (birth === undefined || other === undefined) return undefined;
    const id = (after.head.counter + 1) as TokenId;
    const second = { ...birth, token: { ...birth.token, id, undoes: other.id } };
    const offer = { do: 'offer', token: id, handler: birth.token.handler ?? '' } as const;
    return { changes: [...changes, second], hints: [...hints, offer] };
  });
  const { breach } = await hunt(both);
  expect(breach).toMatchObject({ law: 'P11' });
  expect(breach.message).toContain('undo at the same time');
});

test('a saga that forgets one of its records is found', async () => {
  const forgets = bugged(({ changes }) => {
    const settled = firstOf(changes, 'settle-undo');
    const next = firstOf(changes, 'birth-token', isCompensation);
    if (settled === undefined || next === undefined) return undefined;
    const { undoes } = next.token;
    const skipped: Change = { did: 'settle-undo', undo: undoes as UndoId, as: 'completed' };
    return { changes: replaced(changes, settled, [settled, skipped]) };
  });
  expect(['P11', 'InvariantError']).toContain((await hunt(forgets)).breach.law);
});

test('a record of a step that failed is found', async () => {
  const records = bugged(({ changes, before, after, machine }) => {
    const failed = firstOf(changes, 'end-token', ({ token, why }) => {
      const { mode, node } = before.tokens.get(token) ?? {};
      return why === 'failed' && mode === 'forward' && canBeUndone(machine, node);
    });
    const node = failed && before.tokens.get(failed.token)?.node;
    const recorded = firstOf(changes, 'record-undo') !== undefined;
    if (failed === undefined || node === undefined || recorded) return undefined;
    const undo = {
      id: (after.head.counter + 1) as UndoId,
      saga: 1 as never,
      node,
      token: failed.token,
    };
    return { changes: replaced(changes, failed, [{ did: 'record-undo', undo }, failed]) };
  });
  expect(['P11', 'recorded', 'over']).toContain((await hunt(records)).breach.law);
});

test('a step that is done and not recorded is found', async () => {
  const forgets = bugged(({ changes }) => {
    const record = firstOf(changes, 'record-undo');
    const starts = firstOf(changes, 'start-saga');
    if (record === undefined || starts !== undefined) return undefined;
    return { changes: replaced(changes, record, []) };
  });
  expect(['recorded', 'saga', 'InvariantError']).toContain((await hunt(forgets)).breach.law);
});

test('a race that leaves its losers alone is found', async () => {
  const modest: NodeKind = { ...kindNamed('win'), enter: () => ({ move: 'take', edges: [] }) };
  const { breach } = await hunt({ ...TRIAL, kinds: withKind(modest) }, hasRace);
  expect(breach.law).toBe('won');
});

test('a timer of a loser that is left alive is found', async () => {
  const leaves = bugged(({ changes, before }) => {
    const won = changes.some((change) => change.did === 'end-token' && change.why === 'done');
    const sleeper = firstOf(changes, 'end-token', ({ token, why }) => {
      return why === 'cancelled' && (before.tokens.get(token)?.wakeAt ?? null) !== null;
    });
    if (!won || sleeper === undefined) return undefined;
    return { changes: replaced(changes, sleeper, []) };
  });
  expect(['won', 'InvariantError']).toContain((await hunt(leaves, hasRace)).breach.law);
});

test('a catch that leaves a sibling alive is found', async () => {
  // As if a sleeper were something that a handler may be at work on.
  const leaves = bugged(({ changes, before, machine }) => {
    const catches = firstOf(changes, 'return-scope', ({ scope }) => {
      const node = before.scopes.get(scope)?.node ?? null;
      return node !== null && machine.plan.nodes.get(node)?.kind === 'try';
    });
    if (catches === undefined) return undefined;
    const cancelled = firstOf(changes, 'end-token', ({ token, why }) => {
      return why === 'cancelled' && before.tokens.get(token)?.wait?.on === 'message';
    });
    const scope = cancelled && before.tokens.get(cancelled.token)?.scope;
    const closes = firstOf(changes, 'close-scope', (change) => change.scope === scope);
    const isOver = changes.some(({ did }) => did === 'finish' || did === 'start-saga');
    if (cancelled === undefined || scope === undefined || closes === undefined) return undefined;
    if (isOver) return undefined;
    const drain: Change = { did: 'drain-scope', scope, to: 1 as never };
    const left = replaced(changes, cancelled, [drain]);
    return { changes: replaced(left, closes, [{ did: 'release-scope', scope }]) };
  });
  expect((await hunt(leaves, hasTry)).breach.law).toBe('drains');
});

test('a try that catches nothing is found', async () => {
  const blind: NodeKind = { ...kindNamed('try'), rescue: () => null };
  const { breach } = await hunt({ ...TRIAL, kinds: withKind(blind) }, hasTry);
  expect(['caught', 'oracle', 'order']).toContain(breach.law);
});

test('a retry that makes a new token is found', async () => {
  const renews = bugged(({ changes, hints, before, after }) => {
    const retried = firstOf(changes, 'retry-token');
    const token = retried && before.tokens.get(retried.token);
    if (retried === undefined || token === undefined) return undefined;
    const { scope, node, handler, maxAttempts, groups, via } = token;
    const id = (after.head.counter + 1) as TokenId;
    const fields = { id, scope, node, handler: handler ?? '', maxAttempts, groups };
    const born = { ...fields, status: 'ready' as const, ...(via === null ? {} : { via }) };
    const fresh: Change = { did: 'birth-token', token: born };
    const ended: Change = { did: 'end-token', token: retried.token, why: 'failed' };
    const offer = { do: 'offer', token: id, handler: handler ?? '' } as const;
    return { changes: replaced(changes, retried, [fresh, ended]), hints: [...hints, offer] };
  });
  expect(['retries', 'births', 'saga']).toContain((await hunt(renews)).breach.law);
});

test('a handler that is run once more than its policy says is found', async () => {
  const step = kindNamed('step');
  const stubborn: NodeKind = {
    ...step,
    offer: (place) => {
      const offer = step.offer?.(place) ?? {};
      return { ...offer, maxAttempts: (offer.maxAttempts ?? 1) + 1 };
    },
  };
  expect((await hunt({ ...TRIAL, kinds: withKind(stubborn) })).breach.law).toBe('attempts');
});

test('a pause that is longer than its policy says is found', async () => {
  const step = kindNamed('step');
  const slow: NodeKind = {
    ...step,
    again: (place, view) => {
      const at = step.again?.(place, view) ?? null;
      return at === null ? null : ((at + 86_400_000) as typeof at);
    },
  };
  expect((await hunt({ ...TRIAL, kinds: withKind(slow) })).breach.law).toBe('retries');
});

for (const what of ['start', 'cancel', 'publish', 'answer'] as const) {
  test(`a ${what} that is never posted is found`, async () => {
    const loses = bugged(({ changes, hints }) => {
      const lost = firstOf(changes, 'post', ({ post }) => post.do === what);
      if (lost === undefined) return undefined;
      const left = replaced(changes, lost, []);
      const carries = firstOf(left, 'post') !== undefined;
      return { changes: left, hints: hints.filter((hint) => carries || hint.do !== 'carry') };
    });
    expect((await hunt(loses)).breach.law).toBe('posts');
  });
}

test('an answer that is posted twice is found', async () => {
  const twice = bugged(({ changes, before, after }) => {
    const answer = firstOf(changes, 'post', ({ post }) => post.do === 'answer');
    if (answer === undefined) return undefined;
    const id = `${before.head.id}/${after.head.counter + 1}`;
    return { changes: [...changes, { ...answer, post: { ...answer.post, id } }] };
  });
  expect((await hunt(twice)).breach.law).toBe('posts');
});

test('an inclusive join that waits for nobody is found', async () => {
  const hasty = (machine: Machine, before: Instance, input: Parameters<typeof advance>[2]) => {
    const joins = [...machine.plan.nodes.values()].filter(({ kind }) => kind === 'inclusive');
    // As if nobody could ever reach it.
    const nowhere = joins.map((join) => {
      const reach = new Map(join.in.map((edge) => [edge, new Set<never>()]));
      return [join.id, { reach, forks: null, keeps: 0 }] as const;
    });
    return advance({ ...machine, meetings: new Map(nowhere) }, before, input);
  };
  expect((await hunt({ ...TRIAL, advance: hasty })).breach.law).toBe('inclusive.early');
});

function hasTry({ shape, habits }: Case): boolean {
  if (shape.family === 'unstructured' || !hasKind(shape.row, 'try')) return false;
  return habits.failures || habits.failAt !== null || hasKind(shape.row, 'fail');
}

function hasRace({ shape }: Case): boolean {
  return shape.family === 'structured' && hasKind(shape.row, 'race');
}

function canBeUndone({ plan }: Machine, node: Undo['node'] | undefined): boolean {
  const config = node === undefined ? null : plan.nodes.get(node)?.config;
  return typeof config === 'object' && config !== null && 'undoAttempts' in config;
}
