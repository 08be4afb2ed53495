/**
 * Server-sent events out of the body of an answer, as the HTML standard has them.
 *
 * An event ends with an empty line; one that was cut off before it is none. What a client needs to
 * connect again by itself (`retry`) is left out: a call that broke off is the workflow's to repeat.
 */
import { WorkflowError } from '../model/workflow-error.ts';

export interface ServerSentEvent {
  /** `message` unless the server said otherwise. */
  readonly event: string;
  readonly data: string;
  /** What a server is told by whoever comes back, if it has said so: this or an earlier event. */
  readonly id?: string;
}

/** No event is longer, its lines taken together. */
export const EVENT_CHARS_MAX = 4_194_304;

export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  let event = '';
  let data: string[] = [];
  let size = 0;
  let id = '';
  for await (const line of linesOf(chunks)) {
    if (line === '') {
      const known = id === '' ? {} : { id };
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n'), ...known };
      event = '';
      data = [];
      size = 0;
      continue;
    }
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    if (name === 'id' && !value.includes('\0')) id = value;
    if (name !== 'data') continue;
    data.push(value);
    size += value.length;
    if (size > EVENT_CHARS_MAX) throw tooLong();
  }
}

/** Lines end with a carriage return, a line feed, or both, which two chunks may share. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let isHalfEnded = false;
  for await (const chunk of chunks) {
    const decoded = decoder.decode(chunk, { stream: true });
    if (decoded === '') continue;
    const text = isHalfEnded && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    isHalfEnded = decoded.endsWith('\r');
    const [first = '', ...others] = text.split(/\r\n|\r|\n/);
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    // A little more than an event: the name of its field stands before it.
    if (rest.length > EVENT_CHARS_MAX + 'data: '.length) throw tooLong();
    yield* lines;
  }
}

function tooLong(): WorkflowError {
  const detail = `an event of the stream has more than ${EVENT_CHARS_MAX} characters`;
  return new WorkflowError('communication', { detail });
}
