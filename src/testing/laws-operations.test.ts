/** The laws of what an operator does, given kernels with a bug in them: each must be found. */
import { expect, test } from 'vitest';
import type { Change } from '../model/change.ts';
import type { Hint } from '../model/hint.ts';
import { bugged } from './hunt.ts';
import { lawBroken } from './operations-report.ts';

const did = (changes: readonly Change[], what: Change['did']): boolean =>
  changes.some((change) => change.did === what);

function without(hints: readonly Hint[], what: Hint['do']): readonly Hint[] {
  return hints.filter((hint) => hint.do !== what);
}

test('a resume that calls nobody is found', async () => {
  const trial = bugged(({ changes, hints }) => {
    return did(changes, 'resume') ? { changes, hints: without(hints, 'offer') } : undefined;
  });
  expect(await lawBroken(trial)).toBe('called');
});

test('a resume after which timeouts have run on is found', async () => {
  const trial = bugged(({ changes, hints }) => {
    if (!did(changes, 'defer-token')) return undefined;
    return { changes: changes.filter((change) => change.did !== 'defer-token'), hints };
  });
  expect(await lawBroken(trial)).toBe('timeouts');
});

test('a suspended instance that calls for workers is found', async () => {
  const trial = bugged(({ after, changes, hints }) => {
    const ready = after.tokens.values().find(({ handler }) => handler !== null);
    if (after.head.status !== 'suspended' || ready === undefined) return undefined;
    const offer: Hint = { do: 'offer', token: ready.id, handler: ready.handler ?? '' };
    return { changes, hints: [...hints, offer] };
  });
  expect(await lawBroken(trial)).toBe('hints');
});

test('a handler that is not told to stop is found', async () => {
  const trial = bugged(({ changes, hints }) => {
    return did(changes, 'restore') ? { changes, hints: without(hints, 'abort') } : undefined;
  });
  expect(await lawBroken(trial)).toBe('told to stop');
});

test('going back that forgets what can be undone is found', async () => {
  const trial = bugged(({ changes, hints }) => {
    if (!did(changes, 'restore')) return undefined;
    const forgetful = changes.map((change): Change => {
      return change.did === 'restore' ? { ...change, as: { ...change.as, undos: [] } } : change;
    });
    return { changes: forgetful, hints };
  });
  expect(['remembered', 'in doubt']).toContain(await lawBroken(trial));
});

test('a step that runs again under the name it had is found', async () => {
  const trial = bugged(({ changes, hints }) => {
    if (!did(changes, 'restore')) return undefined;
    const same = changes.map((change): Change => {
      if (change.did !== 'restore') return change;
      const tokens = change.as.tokens.map((token) => ({ ...token, visit: 1 }));
      return { ...change, as: { ...change.as, tokens } };
    });
    return { changes: same, hints };
  });
  expect(await lawBroken(trial)).toBe('keys');
});

test('what was called and is left alone is found', async () => {
  const trial = bugged(({ changes, hints }) => {
    const isCancel = (change: Change): boolean =>
      change.did === 'post' && change.post.do === 'cancel';
    if (!did(changes, 'restore') || !changes.some(isCancel)) return undefined;
    const rest = changes.filter((change) => !isCancel(change));
    return { changes: rest, hints: did(rest, 'post') ? hints : without(hints, 'carry') };
  });
  expect(await lawBroken(trial)).toBe('called');
});
