/**
 * OpenTelemetry as a program registers it, with an exporter that keeps what it is given. Engines
 * that are made while it is registered trace; it is registered for as long as a test says.
 */
import {
  type Context,
  context,
  propagation,
  type TextMapSetter,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { traceparentOf } from '../runtime/traceparent.ts';

export class Spans {
  readonly #exporter = new InMemorySpanExporter();
  readonly #contexts = new AsyncLocalStorageContextManager();

  register(): void {
    const spanProcessors = [new SimpleSpanProcessor(this.#exporter)];
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
    context.setGlobalContextManager(this.#contexts.enable());
    propagation.setGlobalPropagator(TRACEPARENT);
  }

  unregister(): void {
    this.#exporter.reset();
    this.#contexts.disable();
    trace.disable();
    context.disable();
    propagation.disable();
  }

  /** What has come to its end, in that order. */
  get all(): readonly ReadableSpan[] {
    return this.#exporter.getFinishedSpans();
  }

  named(name: string): readonly ReadableSpan[] {
    return this.all.filter((span) => span.name === name);
  }

  /** The only one of this name. */
  one(name: string): ReadableSpan {
    const [span, ...others] = this.named(name);
    if (span !== undefined && others.length === 0) return span;
    throw new Error(`there are ${others.length + (span === undefined ? 0 : 1)} spans "${name}"`);
  }

  /** The only execution of a step. */
  step(node: string): ReadableSpan {
    const [span, ...others] = this.named('perdure.step').filter(
      ({ attributes }) => attributes['perdure.node'] === node,
    );
    if (span !== undefined && others.length === 0) return span;
    throw new Error(`"${node}" was not executed once`);
  }

  /** Some work of the program's, in a span of its own. */
  async within<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    return this.tracer.startActiveSpan(name, async (span) => {
      try {
        return await work();
      } finally {
        span.end();
      }
    });
  }

  /** A program's own. */
  get tracer(): Tracer {
    return trace.getTracer('program');
  }
}

export function traceIdOf(span: ReadableSpan | undefined): string | undefined {
  return span?.spanContext().traceId;
}

export function isChildOf(
  child: ReadableSpan | undefined,
  parent: ReadableSpan | undefined,
): boolean {
  if (child === undefined || parent === undefined) return false;
  const { spanId } = parent.spanContext();
  return traceIdOf(child) === traceIdOf(parent) && child.parentSpanContext?.spanId === spanId;
}

/** The usual propagator, as far as we send anything. */
const TRACEPARENT = {
  inject(of: Context, carrier: unknown, setter: TextMapSetter): void {
    const active = trace.getSpanContext(of);
    if (active === undefined) return;
    setter.set(carrier, 'traceparent', traceparentOf(active));
    setter.set(carrier, 'baggage', 'customer=ada');
  },
  extract: (of: Context): Context => of,
  fields: (): string[] => ['traceparent', 'baggage'],
};
