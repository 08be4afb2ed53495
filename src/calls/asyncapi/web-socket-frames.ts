/**
 * Frames of a WebSocket (RFC 6455), as a client reads and writes them. No extensions are asked for,
 * so none are there: every frame is what its bytes say.
 */
import { randomBytes } from 'node:crypto';
import type { WorkflowError } from '../../model/workflow-error.ts';
import { broken } from './faults.ts';

/** Of one message, however many frames it comes in. */
export const MESSAGE_BYTES_MAX = 1_048_576;
/** Of a ping or a farewell, by the standard. */
const CONTROL_BYTES_MAX = 125;

const OPCODES = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
export type FrameKind = keyof typeof OPCODES;

export interface Frame {
  readonly kind: FrameKind;
  readonly isLast: boolean;
  readonly data: Buffer;
}

/** A frame, masked as those of clients are. */
export function writeFrame(kind: FrameKind, data: Uint8Array): Buffer {
  const { length } = data;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | OPCODES[kind];
  head[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  return Buffer.concat([head, mask, data.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]);
}

export async function* readFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const end = frameEnd(bytes);
      if (end === undefined || bytes.length < end.at) break;
      yield frameOf(bytes, end);
      bytes = bytes.subarray(end.at);
    }
  }
}

interface End {
  readonly from: number;
  readonly at: number;
}

/** Where the first frame begins and ends; undefined if that cannot be told yet. */
function frameEnd(bytes: Buffer): End | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1);
  if ((short & 0x80) !== 0) throw malformed('a frame of the server is masked');
  const from = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < from) return undefined;
  const length =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (length > MESSAGE_BYTES_MAX) throw tooLong();
  return { from, at: from + length };
}

function frameOf(bytes: Buffer, { from, at }: End): Frame {
  const first = bytes.readUInt8(0);
  const kind = (Object.keys(OPCODES) as FrameKind[]).find((one) => OPCODES[one] === (first & 0x0f));
  if (kind === undefined || (first & 0x70) !== 0) {
    throw malformed(`a frame begins with ${first}, which nothing was agreed on for`);
  }
  const isLast = (first & 0x80) !== 0;
  const isControl = OPCODES[kind] >= OPCODES.close;
  if (isControl && (!isLast || at - from > CONTROL_BYTES_MAX)) {
    throw malformed(`a ${kind} has more than ${CONTROL_BYTES_MAX} bytes, or comes in parts`);
  }
  return { kind, isLast, data: bytes.subarray(from, at) };
}

export function tooLong(): WorkflowError {
  return broken(`a message of the WebSocket has more than ${MESSAGE_BYTES_MAX} bytes`);
}

export function malformed(what: string): WorkflowError {
  return broken(`what came over the WebSocket is against its standard: ${what}`);
}
