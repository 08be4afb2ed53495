import { describe, expect, test } from 'vitest';
import type { Instance } from '../../api/shapes.ts';
import { actionOf, BadField, verbsFor } from './action.ts';

const open = { status: 'waiting', outcome: null, tokens: [], incidents: [] } as unknown as Instance;

describe('what the fields mean', () => {
  test('what is left empty is left out', () => {
    expect(actionOf('retry', { token: '' })).toEqual({ do: 'retry' });
    expect(actionOf('skip', { token: '7', result: '' })).toEqual({ do: 'skip', token: 7 });
    expect(actionOf('rerun', { from: 'pay', copy: '', key: 'k' })).toEqual({
      ...{ do: 'rerun', from: 'pay' },
    });
  });

  test('a value is JSON, and what is not is told with the field', () => {
    const fields = { name: 'card', value: '"4242"', scope: '1' };
    expect(actionOf('set', fields)).toEqual({ do: 'set', name: 'card', value: '4242', scope: 1 });
    expect(() => actionOf('set', { ...fields, value: 'abc' })).toThrow(BadField);
    expect(() => actionOf('set', { ...fields, value: '' })).toThrow('say the value');
  });

  test('null is a value', () => {
    expect(actionOf('skip', { token: '3', result: 'null' })).toHaveProperty('result', null);
  });

  test('a mapping is made of the nodes that are called otherwise', () => {
    const fields = { version: '2', 'node:charge': 'pay', 'node:ship': '' };
    expect(actionOf('migrate', fields)).toEqual({
      ...{ do: 'migrate', version: 2, nodes: { charge: 'pay' } },
    });
  });
});

describe('what makes sense', () => {
  test('what is over can be rerun, and only what failed and was not undone revived', () => {
    expect(verbsFor({ ...open, status: 'completed' })).toEqual(['rerun']);
    expect(verbsFor({ ...open, status: 'failed' })).toEqual(['revive', 'rerun']);
    const undone = { ...open, status: 'failed', outcome: 'compensated' } as const;
    expect(verbsFor(undone)).toEqual(['rerun']);
  });

  test('what is suspended can be resumed, and the other way round', () => {
    expect(verbsFor({ ...open, status: 'suspended' })).toContain('resume');
    expect(verbsFor({ ...open, status: 'suspended' })).not.toContain('suspend');
    expect(verbsFor(open)).toContain('suspend');
  });

  test('there is something to retry only where something failed', () => {
    expect(verbsFor(open)).not.toContain('retry');
    const incidents = [{ token: 1, node: 'pay', fault: null, can: ['retry'] }];
    expect(verbsFor({ ...open, incidents })).toContain('retry');
  });
});
