import { expectTypeOf, test } from 'vitest';
import type { Json, JsonObject } from './json.ts';
import type { Jsonify } from './jsonify.ts';

interface Order {
  id: string;
  lines: { sku: string; count: number }[];
  note?: string;
}

interface Tree {
  label: string;
  children: Tree[];
}

type TheirJson = string | number | boolean | null | TheirJson[] | { [key: string]: TheirJson };

declare const brand: unique symbol;

test('what JSON can hold stays what it is', () => {
  expectTypeOf<Jsonify<'a' | 1 | true | null>>().toEqualTypeOf<'a' | 1 | true | null>();
  expectTypeOf<Jsonify<boolean>>().toEqualTypeOf<boolean>();
  type Id = string & { readonly [brand]: 'Id' };
  expectTypeOf<Jsonify<Id>>().toEqualTypeOf<Id>();
});

test('objects and arrays become readonly, however deep', () => {
  expectTypeOf<Jsonify<Order>>().toEqualTypeOf<{
    readonly id: string;
    readonly lines: readonly { readonly sku: string; readonly count: number }[];
    readonly note?: string;
  }>();
  expectTypeOf<Jsonify<[string, Order['lines']?]>>().toEqualTypeOf<
    readonly [string, (readonly { readonly sku: string; readonly count: number }[])?]
  >();
  expectTypeOf<Jsonify<readonly string[]>>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<Jsonify<Record<string, number>>>().toEqualTypeOf<{
    readonly [key: string]: number;
  }>();
});

test('a bare undefined becomes null, an undefined property is left out', () => {
  expectTypeOf<Jsonify<undefined>>().toEqualTypeOf<null>();
  expectTypeOf<Jsonify<void>>().toEqualTypeOf<null>();
  expectTypeOf<Jsonify<string | undefined>>().toEqualTypeOf<string | null>();
  expectTypeOf<Jsonify<{ a: string | undefined; b: number; c: undefined }>>().toEqualTypeOf<{
    readonly b: number;
    readonly a?: string;
  }>();
});

test('what cannot be stored is never', () => {
  expectTypeOf<Jsonify<Date>>().toEqualTypeOf<never>();
  expectTypeOf<Jsonify<Map<string, number>>>().toEqualTypeOf<never>();
  expectTypeOf<Jsonify<Set<string>>>().toEqualTypeOf<never>();
  expectTypeOf<Jsonify<() => string>>().toEqualTypeOf<never>();
  expectTypeOf<Jsonify<typeof Date>>().toEqualTypeOf<never>();
  expectTypeOf<Jsonify<bigint>>().toEqualTypeOf<never>();
  expectTypeOf<Jsonify<symbol>>().toEqualTypeOf<never>();
  expectTypeOf<Jsonify<Promise<string>>>().toEqualTypeOf<never>();
  expectTypeOf<Jsonify<{ at: Date; name: string }>>().toEqualTypeOf<{
    readonly at: never;
    readonly name: string;
  }>();
});

test('unions are taken apart', () => {
  expectTypeOf<Jsonify<{ ok: true; at: string } | { ok: false } | Date>>().toEqualTypeOf<
    { readonly ok: true; readonly at: string } | { readonly ok: false }
  >();
  expectTypeOf<Jsonify<(string | Date)[]>>().toEqualTypeOf<readonly string[]>();
});

test('what nobody typed is Json, and any stays any', () => {
  expectTypeOf<Jsonify<unknown>>().toEqualTypeOf<Json>();
  expectTypeOf<Jsonify<Json>>().toEqualTypeOf<Json>();
  expectTypeOf<Jsonify<TheirJson>>().toEqualTypeOf<Json>();
  // It may have been undefined, and then it is not there.
  expectTypeOf<Jsonify<{ a: unknown }>>().toEqualTypeOf<{ readonly a?: Json }>();
  expectTypeOf<Jsonify<JsonObject>>().toEqualTypeOf<JsonObject>();
  // oxlint-disable-next-line typescript/no-explicit-any -- it is what is tested
  expectTypeOf<Jsonify<any>>().toBeAny();
  expectTypeOf<Jsonify<never>>().toEqualTypeOf<never>();
});

test('a type that contains itself is followed', () => {
  expectTypeOf<Jsonify<Tree>['children'][number]['children']>().toEqualTypeOf<
    readonly Jsonify<Tree>[]
  >();
});

test('applying it twice changes nothing', () => {
  expectTypeOf<Jsonify<Jsonify<Order>>>().toEqualTypeOf<Jsonify<Order>>();
});
