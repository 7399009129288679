import { type Attributes, context, type Span, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { AppError } from '../errors/app-error.js';

let isOn = false;

/** Whether spans go anywhere: where not, nothing is measured and nothing is made. */
export const tracingIsOn = (): boolean => isOn;

/** For `startTracing` alone. */
export const switchTracing = (on: boolean): void => {
  isOn = on;
};

export const novaTracer = (): Tracer => trace.getTracer('nova');

/**
 * A step of the request under way, as a span of its trace. Attributes are names and numbers of this program: no ids of members,
 * no texts, no addresses.
 */
export async function inSpan<T>(name: string, attributes: Attributes, work: (span?: Span) => Promise<T>): Promise<T> {
  if (!isOn) return work();
  const span = novaTracer().startSpan(name, { attributes });
  try {
    return await context.with(trace.setSpan(context.active(), span), () => work(span));
  } catch (error) {
    noteFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** A refusal is an answer and no failure. Messages stay out: they may name somebody. */
function noteFailure(span: Span, error: unknown): void {
  if (error instanceof AppError) span.setAttribute('nova.code', error.code);
  if (error instanceof AppError && error.statusCode < 500) return;
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'unknown' });
}
