import { describe, expect, it } from 'vitest';
import { EVERYTHING, keyOf, type Sought, soughtIn } from './sought.ts';
import { chipsOf, readWords, writeWords } from './words.ts';

describe('the words of the search box', () => {
  it('say what is looked for', () => {
    const text = 'flow:order status:failed key:order-42 error:bank.* created:24h sku=A1';
    expect(readWords(text)).toEqual({
      sought: {
        ...EVERYTHING,
        ...{ flow: 'order', status: ['failed'], key: 'order-42', error: 'bank.*' },
        ...{ created: '24h', attribute: ['sku=A1'] },
      },
      id: null,
      problems: [],
    });
  });

  it('take several statuses, a version, a node and a text in quotes', () => {
    const text = 'status:failed,running status:waiting version:2 node:pay says:"no \\"money\\""';
    expect(readWords(`${text} is:stalled`).sought).toEqual({
      ...EVERYTHING,
      ...{ status: ['running', 'waiting', 'failed'], version: 2, stalled: true },
      ...{ errorNode: 'pay', errorContains: 'no "money"' },
    });
  });

  it('are a key if they are plain text, and an id if they look like one', () => {
    expect(readWords('order-42').sought.key).toBe('order-42');
    expect(readWords('urn:thing <b>').sought.key).toBe('urn:thing <b>');
    const id = '019a9688-6f2a-7c3e-9d4b-1a2b3c4d5e6f';
    expect(readWords(id)).toMatchObject({ id, sought: EVERYTHING });
    expect(readWords('id:mine').id).toBe('mine');
  });

  it('are refused in a sentence where they mean nothing', () => {
    expect(readWords('status:done version:x created:soon is:odd flow:').problems).toEqual([
      expect.stringContaining('status:done is not known'),
      'version:x is no whole number.',
      expect.stringContaining('created:soon is no time'),
      expect.stringContaining('is:odd is not known'),
      'flow: has nothing after it.',
    ]);
  });

  it('keep numbers apart from text that looks like one', () => {
    expect(readWords('size=12 name="12" town="New York"').sought.attribute).toEqual([
      'size=12',
      'name="12"',
      'town=New York',
    ]);
  });
});

const KEYS = ['order-42', 'two words', 'a "b" \\c', 'flow:x', 'a=b', '<img src=x onerror=x>', '"'];

const SAMPLES: readonly Sought[] = [
  EVERYTHING,
  ...KEYS.map((key) => ({ ...EVERYTHING, key })),
  { ...EVERYTHING, status: ['running', 'failed'], version: 3, stalled: true },
  { ...EVERYTHING, created: '24h', ended: '2026-01-01..2026-02-01', tenant: 't', parent: 'p' },
  { ...EVERYTHING, flow: 'a b', error: 'bank.*', errorNode: 'pay', errorContains: 'no "money"' },
  {
    ...EVERYTHING,
    attribute: ['sku=A1', 'size=12', 'size="12"', 'town=New York', 'said=a "b" \\c', 'on=true'],
  },
];

describe('whatever is looked for', () => {
  it('is the same again after it was written and read', () => {
    for (const sought of SAMPLES) {
      expect(readWords(writeWords(sought))).toEqual({ sought, id: null, problems: [] });
    }
  });

  it('is the same again out of an address', () => {
    for (const sought of SAMPLES) {
      expect(soughtIn(new URLSearchParams(keyOf(sought)))).toEqual(sought);
    }
  });

  it('has a chip for each thing that is said, and each can be taken away', () => {
    for (const sought of SAMPLES) {
      const chips = chipsOf(sought);
      for (const { without } of chips) expect(chipsOf(without)).toHaveLength(chips.length - 1);
    }
    expect(chipsOf(EVERYTHING)).toEqual([]);
  });
});
