/** What TypeScript knows of a kind. The compiler is the test: `tsc` fails where this is wrong. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { expectTypeOf, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { Flow } from '../../model/definition.ts';
import { flow } from '../builder/flow.ts';
import { defineKind } from './define-kind.ts';
import { end, fault, go, pause } from './moves.ts';

interface Kept {
  gate: string;
  at: Date;
}

const schema: StandardSchemaV1<{ gate: string; days?: number }, Kept> = {
  '~standard': { version: 1, vendor: 'here', validate: (value) => ({ value: value as Kept }) },
};

test('a kind sees its config as it is kept, and its nodes are given what it takes', () => {
  const gate = defineKind({
    kind: 'acme.gate',
    config: schema,
    pauses: true,
    enter({ config, input, now }) {
      expectTypeOf(config.gate).toBeString();
      expectTypeOf(config.at).toBeNever();
      expectTypeOf(input).toEqualTypeOf<Json>();
      expectTypeOf(now).toBeNumber();
      return config.gate === '' ? go({ none: true }) : pause({ data: config.gate, timeout: '1h' });
    },
    resume({ pause: { data } }, signal) {
      expectTypeOf(data).toEqualTypeOf<Json>();
      return signal.on === 'time' ? fault('late', 'too late') : go(7);
    },
  });
  const held = flow('held')
    .node('hold', gate, { gate: 'a' })
    .end(({ results }) => results.hold);
  expectTypeOf(held).toEqualTypeOf<Flow<Json, number | { readonly none: boolean }>>();
  // @ts-expect-error it takes a gate
  flow('held').node('hold', gate, { door: 'a' });
  // @ts-expect-error it takes something
  flow('held').node('hold', gate);
  // @ts-expect-error the name is used twice
  flow('held').node('hold', gate, { gate: 'a' }).node('hold', gate, { gate: 'b' });
});

test('a pause without resume goes on with what ended it', () => {
  const hold = defineKind({ kind: 'acme.hold', pauses: true, enter: () => pause() });
  const held = flow('held')
    .node('hold', hold)
    .end(({ results }) => results.hold);
  expectTypeOf(held).toEqualTypeOf<Flow<Json, Json>>();
});

test('a kind that is named by text has any config, and any result', () => {
  const held = flow('held')
    .node('hold', 'acme.hold', { any: ['thing'] })
    .end(({ results }) => results.hold);
  expectTypeOf(held).toEqualTypeOf<Flow<Json, Json>>();
});

test('what is done on a way may not have been done', () => {
  const sort = defineKind({
    kind: 'acme.sort',
    ways: ['high', 'low'],
    enter: ({ item }) => (item === null ? end() : go('x', { way: 'high' })),
  });
  const sorted = flow('sorted')
    .node('sort', sort, null, { high: (b) => b.step('big', () => 5) })
    .end(({ results }) => results.big);
  expectTypeOf(sorted).toEqualTypeOf<Flow<Json, number | null>>();
  // @ts-expect-error there is no such way
  defineKind({ kind: 'acme.sort', ways: ['high'], enter: () => go(1, { way: 'up' }) });
});

test('a kind answers at once', () => {
  // @ts-expect-error a promise is no move
  defineKind({ kind: 'acme.slow', enter: async () => go(1) });
  // @ts-expect-error and neither is anything else
  defineKind({ kind: 'acme.odd', enter: () => 7 });
});
