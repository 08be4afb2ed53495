/** The limits of the server, each with a name; all of them can be raised or lowered. */
export interface ServerLimits {
  /** Of one request. */
  readonly BODY_BYTES_MAX: number;
  /** Of all headers together; Node refuses what is larger before it comes here. */
  readonly HEADER_BYTES_MAX: number;
  readonly URL_CHARS_MAX: number;
  /** A client must have sent all of its request by then. */
  readonly REQUEST_MS_MAX: number;
  /** How long a request may wait for something to happen: work, or an end. */
  readonly WAIT_MS_MAX: number;
  /** Streams of events at a time, of all, and of one principal. */
  readonly STREAMS_MAX: number;
  readonly STREAMS_EACH_MAX: number;
  /** Then it ends, and whoever comes back has to say once more who they are. */
  readonly STREAM_MS_MAX: number;
  /** A stream in which nothing happens says so, so that nobody in between ends it. */
  readonly STREAM_BEAT_MS: number;
  /** A server that closes waits no longer for those who do not read their answers. */
  readonly CLOSE_MS_MAX: number;
  /** Instances that one call does something to; a cursor goes on. */
  readonly BULK_MAX: number;
  /** For so long a key of a repeated request is known. */
  readonly IDEMPOTENCY_MS: number;
}

export const SERVER_LIMITS: ServerLimits = Object.freeze({
  BODY_BYTES_MAX: 4 * 1024 * 1024,
  HEADER_BYTES_MAX: 16 * 1024,
  URL_CHARS_MAX: 8_192,
  REQUEST_MS_MAX: 60_000,
  WAIT_MS_MAX: 60_000,
  STREAMS_MAX: 1_000,
  STREAMS_EACH_MAX: 50,
  STREAM_MS_MAX: 3_600_000,
  STREAM_BEAT_MS: 15_000,
  CLOSE_MS_MAX: 10_000,
  BULK_MAX: 10_000,
  IDEMPOTENCY_MS: 86_400_000,
});
