/**
 * `Jsonify<T>`: what a value of type T looks like once it has been through `admitJson` (D20).
 *
 * The type follows the function: an undefined property is left out, so it becomes optional; a bare
 * undefined becomes null; everything is frozen, so everything is readonly. What is refused at run
 * time (dates, maps, functions, promises) is `never` here: the mistake shows where it is read.
 */
import type { Json } from './json.ts';

export type Jsonify<T> = T extends undefined | void ? null : JsonifyPart<T>;

/** As part of a larger value, where undefined is dropped instead of becoming null. */
type JsonifyPart<T> =
  IsAny<T> extends true
    ? // Whoever says `any` has opted out of types; turning it into Json would only be in the way.
      T
    : [AnyJson] extends [T]
      ? // `unknown`, and the recursive JSON types people write: expanding those would never end.
        Json
      : T extends string | number | boolean | null
        ? T
        : T extends Refused
          ? never
          : T extends readonly unknown[]
            ? { readonly [Index in keyof T]: JsonifyPart<T[Index]> }
            : T extends object
              ? JsonifyObject<T>
              : never;

/** JSON that may be written to, which is how most people type theirs; assignable to `Json`. */
type AnyJson = null | boolean | number | string | AnyJson[] | { [key: string]: AnyJson };

/** Objects that JSON would flatten to something else, or that can say so themselves. */
type Refused =
  | ((...parameters: never) => unknown)
  | (abstract new (
      ...parameters: never
    ) => unknown)
  | PromiseLike<unknown>
  // Maps, sets and their kin: by name they would not match, since their keys vary both ways.
  | { readonly size: number; forEach(...parameters: never): unknown }
  | { toJSON(...parameters: never): unknown };

/** Splitting the keys costs a flattening: done only where a required one may be undefined. */
type JsonifyObject<T> = [UndefinedKey<T>] extends [never]
  ? { readonly [Key in keyof T as TextKey<Key>]: JsonifyPart<Exclude<T[Key], undefined>> }
  : Flat<
      {
        readonly [Key in keyof T as Exclude<TextKey<Key>, UndefinedKey<T>>]: JsonifyPart<
          Exclude<T[Key], undefined>
        >;
      } & {
        readonly [Key in UndefinedKey<T> as Dropped<T[Key], TextKey<Key>>]?: JsonifyPart<
          Exclude<T[Key], undefined>
        >;
      }
    >;

type TextKey<Key> = Key extends symbol ? never : Key;

/** The keys that are always there but whose value may be undefined. */
type UndefinedKey<T> = {
  [Key in keyof T]-?: T extends Record<Key, T[Key]>
    ? undefined extends T[Key]
      ? Key
      : never
    : never;
}[keyof T];

/** A property that can only be undefined is never there. */
type Dropped<Value, Key> = [Value] extends [undefined] ? never : Key;

type Flat<T> = { [Key in keyof T]: T[Key] };

type IsAny<T> = 0 extends 1 & T ? true : false;
