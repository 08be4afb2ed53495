/**
 * One call of a method by gRPC: the messages that go and the messages that come.
 *
 * On the wire all four kinds of methods are the same: some messages, the end of them, some
 * messages, a status. So there is one way to make them, and how many came is counted afterwards.
 * Every call has a connection of its own, to the very address that was found fit, under the name it
 * was asked for by.
 */
import { isIPv6 } from 'node:net';
import type { ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Authorization, Calling } from '../calling.ts';
import { brokenAs } from '../http/failures.ts';
import { packageIdentity } from '../version.ts';
import type { Grpc } from './packages.ts';

/** Of each message, in both directions: what gRPC itself has by default. */
export const MESSAGE_BYTES_MAX = 4_194_304;
/** What is kept of one stream. */
export const STREAM_MESSAGES_MAX = 10_000;
export const STREAM_BYTES_MAX = 16_777_216;

const TLS_PORT = 443;

export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface GrpcCall extends Target {
  readonly path: string;
  readonly messages: readonly Uint8Array[];
  readonly authorization: Authorization | undefined;
}

type Call = ClientDuplexStream<Uint8Array, Buffer>;

/** The messages that came, if the call ended well. */
export async function exchange(calling: Calling, grpc: Grpc, call: GrpcCall): Promise<Buffer[]> {
  const client = await connect(calling, grpc, call);
  const metadata = new grpc.Metadata();
  if (call.authorization !== undefined) {
    const { scheme, parameter } = call.authorization;
    metadata.set('authorization', `${scheme} ${parameter}`);
  }
  try {
    calling.signal.throwIfAborted();
    const asIs = (bytes: Uint8Array): Buffer => Buffer.from(bytes);
    const stream: Call = client.makeBidiStreamRequest(call.path, asIs, asIs, metadata);
    const answers = collect(calling, grpc, stream);
    for (const message of call.messages) stream.write(message);
    stream.end();
    return await answers;
  } finally {
    client.close();
  }
}

async function connect(
  { reach, tls = {} }: Calling,
  grpc: Grpc,
  { host, port }: Target,
): Promise<InstanceType<Grpc['Client']>> {
  const { address } = await reach(host, port);
  const { isSpoken = speaksTls, roots } = tls;
  const isSecure = isSpoken(host, port);
  const trusted = roots === undefined ? null : Buffer.from(roots);
  const credentials = isSecure
    ? grpc.credentials.createSsl(trusted)
    : grpc.credentials.createInsecure();
  const { name, version } = packageIdentity();
  const place = isIPv6(address) ? `ipv6:[${address}]:${port}` : `ipv4:${address}:${port}`;
  return new grpc.Client(place, credentials, {
    'grpc.default_authority': port === TLS_PORT ? host : `${host}:${port}`,
    ...(isSecure ? { 'grpc.ssl_target_name_override': host } : {}),
    'grpc.primary_user_agent': `${name}/${version}`,
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
    // Nothing may lead elsewhere than to the address that was checked.
    'grpc.enable_http_proxy': 0,
    'grpc.service_config_disable_resolution': 1,
    // Whether a call is made again, the workflow decides.
    'grpc.enable_retries': 0,
    'grpc.use_local_subchannel_pool': 1,
  });
}

/** Whether whoever listens at a port speaks TLS, if nobody says more. */
export function speaksTls(_host: string, port: number): boolean {
  return port === TLS_PORT;
}

function collect({ signal, hide }: Calling, grpc: Grpc, call: Call): Promise<Buffer[]> {
  const messages: Buffer[] = [];
  let size = 0;
  let abort = (): void => {};
  const ended = new Promise<Buffer[]>((resolve, reject) => {
    const leave = (reason: Error): void => {
      reject(reason);
      call.cancel();
    };
    abort = () => leave(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    call.on('data', (message: Buffer) => {
      messages.push(message);
      size += message.length;
      if (messages.length <= STREAM_MESSAGES_MAX && size <= STREAM_BYTES_MAX) return;
      const most = `${STREAM_MESSAGES_MAX} messages or ${STREAM_BYTES_MAX} bytes`;
      leave(brokenAs(`the stream has more than ${most}`));
    });
    // Where something went wrong, the error comes before the end.
    call.on('error', (error: ServiceError) => reject(failureOf(grpc, error, hide)));
    call.on('end', () => resolve(messages));
  });
  return ended.finally(() => signal.removeEventListener('abort', abort));
}

/** As Google's APIs have it where the same service is also called by HTTP. */
const STATUSES: Readonly<Record<string, number>> = {
  ...{ INVALID_ARGUMENT: 400, FAILED_PRECONDITION: 400, OUT_OF_RANGE: 400 },
  ...{ UNAUTHENTICATED: 401, PERMISSION_DENIED: 403, NOT_FOUND: 404 },
  ...{ ALREADY_EXISTS: 409, ABORTED: 409, RESOURCE_EXHAUSTED: 429, CANCELLED: 499 },
  ...{ UNIMPLEMENTED: 501, UNAVAILABLE: 503, DEADLINE_EXCEEDED: 504 },
};
const DETAIL_CHARS_MAX = 4_096;

function failureOf(grpc: Grpc, error: ServiceError, hide: Calling['hide']): WorkflowError {
  const name = grpc.status[error.code] ?? 'UNKNOWN';
  const said = hide(error.details ?? error.message).slice(0, DETAIL_CHARS_MAX);
  return new WorkflowError('communication', {
    status: STATUSES[name] ?? 500,
    detail: said === '' ? name : `${name}: ${said}`,
  });
}
