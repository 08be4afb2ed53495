/**
 * Spans: what an engine did, and for whom, as OpenTelemetry has it.
 *
 * Only its API is used: what becomes of spans is for the SDK that the program has registered. Where
 * there is none when an engine is made, the engine has no tracing, and nothing here costs anything.
 *
 * What a span belongs to is always said. The loops of a worker run in whatever context they were
 * begun in, so that the active one means something only where a program calls in. Spans have names
 * and numbers in them, and never values: neither inputs, nor results, nor secrets.
 */
import {
  type Attributes,
  type Context,
  context,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { packageIdentity } from '../calls/version.ts';
import type { Instant } from '../model/ids.ts';
import type { Fault } from '../model/instance.ts';
import { hideLooks } from './redacting.ts';
import { readTraceparent, traceparentOf } from './traceparent.ts';

export type SpanName =
  | 'perdure.start'
  | 'perdure.step'
  | 'perdure.commit'
  | 'perdure.publish'
  | 'perdure.deliver';

const KINDS: Readonly<Record<SpanName, SpanKind>> = {
  'perdure.start': SpanKind.INTERNAL,
  'perdure.step': SpanKind.INTERNAL,
  'perdure.commit': SpanKind.INTERNAL,
  'perdure.publish': SpanKind.PRODUCER,
  'perdure.deliver': SpanKind.CONSUMER,
};

/** What belongs to whom: to whoever calls, to a trace that was kept, or to nobody. */
export type Origin = { readonly from: 'caller' } | { readonly from: 'trace'; trace?: string };

export const CALLER: Origin = { from: 'caller' };

/** As part of what was kept, if something was. */
export function keptIn(kept: string | undefined): Origin {
  return kept === undefined ? NOBODY : { from: 'trace', trace: kept };
}

const NOBODY: Origin = { from: 'trace' };

/** The span of something that goes on. */
export class Traced {
  readonly #span: Span;
  readonly #context: Context;
  readonly #hide: (text: string) => string;

  constructor(span: Span, parent: Context, hide: (text: string) => string) {
    this.#span = span;
    this.#context = trace.setSpan(parent, span);
    this.#hide = hide;
  }

  /** To be kept, for whatever comes of it. */
  get trace(): string {
    return traceparentOf(this.#span.spanContext());
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  /** What this does in turn is part of it. */
  in<Value>(work: () => Value): Value {
    return context.with(this.#context, work);
  }

  /** It failed. Whatever is known to be a secret is not told. */
  fail({ code, message }: Pick<Fault, 'code' | 'message'>): void {
    const shown = this.#hide(message);
    this.#span.recordException({ name: code, message: shown });
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message: shown });
  }

  /** Now, unless a moment is given: that of the store, if it was begun at such a one. */
  end(at?: Instant): void {
    this.#span.end(at === undefined ? undefined : new Date(at));
  }
}

/** What more is known of a span when it begins. */
interface Beginning {
  /** Traces that it has to do with. */
  readonly linked?: readonly (string | undefined)[];
  /** When that was, if not now. */
  readonly at?: Instant;
}

export class Tracing {
  readonly #tracer: Tracer;
  readonly #hide: (text: string) => string;

  constructor(hide: (text: string) => string) {
    const { name, version } = packageIdentity();
    this.#tracer = trace.getTracer(name, version);
    this.#hide = hide;
  }

  /** Whoever begins one ends it. */
  begin(
    name: SpanName,
    origin: Origin,
    attributes: Attributes,
    { linked = [], at }: Beginning = {},
  ): Traced {
    const parent = parentOf(origin);
    const links = linked.flatMap((text) => {
      const linkedTo = readTraceparent(text);
      return linkedTo === undefined ? [] : [{ context: linkedTo }];
    });
    const more = {
      ...(links.length === 0 ? {} : { links }),
      ...(at === undefined ? {} : { startTime: new Date(at) }),
    };
    const options = { kind: KINDS[name], attributes, ...more };
    return new Traced(this.#tracer.startSpan(name, options, parent), parent, this.#hide);
  }

  /** From the beginning of some work to its end; what it throws is what failed. */
  async run<Value>(
    name: SpanName,
    origin: Origin,
    attributes: Attributes,
    work: (traced: Traced) => Promise<Value>,
  ): Promise<Value> {
    const traced = this.begin(name, origin, attributes);
    try {
      return await traced.in(() => work(traced));
    } catch (thrown) {
      traced.fail(faultIn(thrown));
      throw thrown;
    } finally {
      traced.end();
    }
  }
}

/** Null where nobody has registered an SDK: then there is nothing to be traced for. */
export function findTracing(hide: (text: string) => string): Tracing | null {
  const provider = trace.getTracerProvider();
  const isIdle = provider instanceof ProxyTracerProvider && provider.getDelegate() === NOOP;
  return isIdle ? null : new Tracing((text) => hideLooks(hide(text)));
}

/** What one has that was given nothing: there is one for all, and it has no other name. */
const NOOP = new ProxyTracerProvider().getDelegate();

function parentOf(origin: Origin): Context {
  if (origin.from === 'caller') return context.active();
  const kept = readTraceparent(origin.trace);
  return kept === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, kept);
}

function faultIn(thrown: unknown): Pick<Fault, 'code' | 'message'> {
  if (!(thrown instanceof Error)) return { code: 'Error', message: 'something was thrown' };
  const { code } = thrown as { code?: unknown };
  return { code: typeof code === 'string' ? code : thrown.name, message: thrown.message };
}
