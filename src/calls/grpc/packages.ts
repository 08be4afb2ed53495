/**
 * The packages that `call: grpc` needs, which a program that does not call gRPC need not have.
 *
 * Of `@grpc/proto-loader` we use what it is made of: protobufjs, which reads proto files and writes
 * and reads the wire. Its own loader would make JavaScript of every message it meets, and no text
 * from elsewhere becomes code here; so messages are written and read by what their fields say.
 */
import { createRequire } from 'node:module';
import type * as grpcJs from '@grpc/grpc-js';
import { WorkflowError } from '../../model/workflow-error.ts';

export type Grpc = typeof grpcJs;

export interface Packages {
  readonly grpc: Grpc;
  readonly protobuf: Protobuf;
}

/** As much of protobufjs as is used here. */
export interface Protobuf {
  parse(text: string, options: { readonly keepCase: boolean }): ParsedProto;
  /** Files that everybody may import, such as `google/protobuf/timestamp.proto`. */
  readonly common: { get(file: string): object | null };
  readonly Writer: { create(): WireWriter };
  readonly Reader: { create(bytes: Uint8Array): WireReader };
}

export interface ParsedProto {
  readonly root: { toJSON(): object };
  readonly imports?: readonly string[];
  readonly weakImports?: readonly string[];
}

export type Scalar =
  | ('double' | 'float' | 'bool' | 'string' | 'bytes')
  | ('int32' | 'uint32' | 'sint32' | 'fixed32' | 'sfixed32')
  | ('int64' | 'uint64' | 'sint64' | 'fixed64' | 'sfixed64');

export type WireValue = number | string | boolean | Uint8Array;

export type WireWriter = Readonly<Record<Scalar, (value: WireValue) => WireWriter>> & {
  /** From here until `ldelim` what is written is counted, and its length put before it. */
  fork(): WireWriter;
  ldelim(): WireWriter;
  finish(): Uint8Array;
};

/** Numbers of 64 bits come as objects that write themselves out as decimal digits. */
export type WireReader = Readonly<Record<Scalar, () => unknown>> & {
  readonly pos: number;
  readonly len: number;
  skipType(wireType: number): unknown;
};

const NAMES = '@grpc/grpc-js and @grpc/proto-loader';

export async function loadPackages(): Promise<Packages> {
  try {
    const grpc = await import('@grpc/grpc-js');
    // It knows some more of the files that everybody may import, and tells protobufjs of them.
    await import('@grpc/proto-loader');
    const loader = createRequire(import.meta.url).resolve('@grpc/proto-loader');
    const protobuf = createRequire(loader)('protobufjs') as Protobuf;
    return { grpc, protobuf };
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    const detail = isMissing
      ? `"call: grpc" needs the packages ${NAMES}: npm install @grpc/grpc-js @grpc/proto-loader`
      : `the packages ${NAMES} could not be loaded: ${String(cause)}`;
    throw new WorkflowError('configuration', { detail, cause });
  }
}
