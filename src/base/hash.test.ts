import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Dice } from '../testing/dice.ts';
import { sha256 } from './hash.ts';

function reference(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

test('the hash of nothing and of a short text are the published ones', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('every length around the 64-byte block agrees with node:crypto', () => {
  for (let length = 0; length <= 200; length += 1) {
    const text = 'x'.repeat(length);
    expect(sha256(text), `length ${length}`).toBe(reference(text));
  }
});

test('characters of one to four UTF-8 bytes agree with node:crypto', () => {
  const edges = [0x00, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff];
  for (const code of edges) {
    const text = `a${String.fromCodePoint(code)}b`;
    expect(sha256(text), code.toString(16)).toBe(reference(text));
  }
  expect(sha256('grüße, 世界 🌍')).toBe(reference('grüße, 世界 🌍'));
});

test('random texts agree with node:crypto', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const dice = new Dice(seed);
    const codes = Array.from({ length: dice.roll(500) }, () => dice.roll(0xd800));
    const text = String.fromCodePoint(...codes);
    expect(sha256(text), `seed ${seed}`).toBe(reference(text));
  }
});

test('one changed character changes the hash', () => {
  expect(sha256('order@1')).not.toBe(sha256('order@2'));
});
