/** A gRPC server that greets, made with the protocol's own library, and its proto file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import grpc from '@grpc/grpc-js';
import { load } from '@grpc/proto-loader';

export interface Greeter {
  readonly port: number;
  /** Where its proto lies: a `file:` URL. */
  readonly proto: string;
  close(): Promise<void>;
}

const PROTO = `
  syntax = "proto3";
  package GreeterApi;

  service Greeter { rpc SayHello (Person) returns (Greeting); }
  message Person { string name = 1; }
  message Greeting { string message = 1; }
`;

export async function openGreeter(folder: string): Promise<Greeter> {
  const file = join(folder, 'greet.proto');
  writeFileSync(file, PROTO);
  const definition = await load(file);
  const server = new grpc.Server();
  const SayHello: grpc.handleUnaryCall<{ name: string }, { message: string }> = (call, answer) =>
    answer(null, { message: `Hello ${call.request.name}` });
  server.addService(definition['GreeterApi.Greeter'] as grpc.ServiceDefinition, { SayHello });
  const how = grpc.ServerCredentials.createInsecure();
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', how, (error, at) => (error ? reject(error) : resolve(at)));
  });
  const close = async (): Promise<void> => server.forceShutdown();
  return { port, proto: pathToFileURL(file).href, close };
}
