/** A gRPC server made with the protocol's own library, and the proto files that describe it. */
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import grpc from '@grpc/grpc-js';
import { load, type PackageDefinition } from '@grpc/proto-loader';
import { afterEach } from 'vitest';

export const OFFICE_PROTO = `
  syntax = "proto3";
  package office.v1;

  import "google/protobuf/empty.proto";
  import "office/parts/number.proto";

  service Desk {
    rpc Greet (Person) returns (Greeting);
    rpc Count (parts.Number) returns (stream parts.Number);
    rpc Sum (stream parts.Number) returns (parts.Number);
    rpc Chat (stream Person) returns (stream Greeting);
    rpc Refuse (Refusal) returns (google.protobuf.Empty);
    rpc WhoAsks (google.protobuf.Empty) returns (Caller);
    rpc Hang (google.protobuf.Empty) returns (stream Greeting);
    rpc Fill (parts.Number) returns (Greeting);
    rpc Flood (Floods) returns (stream Greeting);
  }

  message Person { string first_name = 1; optional uint32 age = 2; }
  message Greeting { string text = 1; }
  message Refusal { int32 code = 1; string reason = 2; }
  message Caller { string authorization = 1; string user_agent = 2; string authority = 3; }
  message Floods { int32 messages = 1; int32 bytes = 2; }
`;

export const NUMBER_PROTO = `
  syntax = "proto3";
  package office.v1.parts;
  message Number { int64 value = 1; }
`;

const OFFICE_FILES: Readonly<Record<string, string>> = {
  'protos/office/v1/desk.proto': OFFICE_PROTO,
  'protos/office/parts/number.proto': NUMBER_PROTO,
};

export interface GrpcOffice {
  readonly port: number;
  /** Where its proto lies: a `file:` URL. */
  readonly proto: string;
  /** Resolves when a call that hangs was given up. */
  readonly cancelled: Promise<void>;
  /** Resolves when a call hangs. */
  readonly hanging: Promise<void>;
}

const open = new Set<() => Promise<void>>();

afterEach(async () => {
  await Promise.all([...open].map((close) => close()));
  open.clear();
});

/** Files in a directory that ends with the test. */
export async function keepFiles(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'perdure-protos-'));
  open.add(() => rm(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return directory;
}

async function loadOffice(directory: string): Promise<PackageDefinition> {
  const includeDirs = [join(directory, 'protos')];
  return load('office/v1/desk.proto', { includeDirs, longs: String, defaults: true });
}

export async function openOffice(credentials?: grpc.ServerCredentials): Promise<GrpcOffice> {
  const directory = await keepFiles(OFFICE_FILES);
  const definition = await loadOffice(directory);
  const desk = definition['office.v1.Desk'] as grpc.ServiceDefinition;
  const server = new grpc.Server({ 'grpc.max_send_message_length': -1 });
  const told = { hanging: () => {}, cancelled: () => {} };
  const hanging = new Promise<void>((resolve) => (told.hanging = resolve));
  const cancelled = new Promise<void>((resolve) => (told.cancelled = resolve));
  server.addService(desk, deskWork(told));
  const port = await new Promise<number>((resolve, reject) => {
    const how = credentials ?? grpc.ServerCredentials.createInsecure();
    server.bindAsync('127.0.0.1:0', how, (error, at) => (error ? reject(error) : resolve(at)));
  });
  open.add(async () => server.forceShutdown());
  const proto = pathToFileURL(join(directory, 'protos/office/v1/desk.proto')).href;
  return { port, proto, hanging, cancelled };
}

type Fields = Readonly<Record<string, string | number | undefined>>;
type Unary = grpc.handleUnaryCall<Fields, Fields>;
type Down = grpc.handleServerStreamingCall<Fields, Fields>;
type Up = grpc.handleClientStreamingCall<Fields, Fields>;
type Both = grpc.handleBidiStreamingCall<Fields, Fields>;

function deskWork(told: {
  hanging: () => void;
  cancelled: () => void;
}): grpc.UntypedServiceImplementation {
  const Greet: Unary = ({ request }, answer) => {
    const age = request['age'] === undefined ? 'of no age' : `of ${String(request['age'])}`;
    answer(null, { text: `Hello ${String(request['firstName'])}, ${age}` });
  };
  const Count: Down = (call) => {
    for (let value = 1; value <= Number(call.request['value']); value += 1) call.write({ value });
    call.end();
  };
  const Sum: Up = (call, answer) => {
    let value = 0n;
    call.on('data', (number: Fields) => (value += BigInt(String(number['value']))));
    call.on('end', () => answer(null, { value: value.toString() }));
  };
  const Chat: Both = (call) => {
    call.on('data', ({ firstName }: Fields) => call.write({ text: `Hi ${String(firstName)}` }));
    call.on('end', () => call.end());
  };
  const Refuse: Unary = ({ request: { code, reason: details } }, answer) => {
    const refusal: Error = Object.assign(new Error('refused'), { code, details });
    answer(refusal);
  };
  const WhoAsks: Unary = (call, answer) => {
    const text = (name: string): string => String(call.metadata.get(name)[0] ?? '');
    const authority = call.getHost();
    const from = { authorization: text('authorization'), userAgent: text('user-agent') };
    answer(null, { ...from, authority });
  };
  const Hang: Down = (call) => {
    call.on('cancelled', told.cancelled);
    call.write({ text: 'wait' });
    told.hanging();
  };
  const Fill: Unary = ({ request }, answer) =>
    answer(null, { text: 'x'.repeat(Number(request['value'])) });
  const Flood: Down = (call) => {
    const text = 'x'.repeat(Number(call.request['bytes']));
    for (let n = 0; n < Number(call.request['messages']); n += 1) call.write({ text });
    call.end();
  };
  return { Greet, Count, Sum, Chat, Refuse, WhoAsks, Hang, Fill, Flood };
}
