import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isHeldBack } from '../http/held-back.js';
import { novaTracer, tracingIsOn } from './tracing.js';

interface TracedRequest {
  readonly span: Span;
  readonly context: Context;
}

/** What machines ask for every few seconds would bury the rest. */
const UNTRACED = /^\/(?:health\/|metrics$)/;

/**
 * One span a request, part of the trace that the caller's `traceparent` names; the answer's `traceparent` names the span. Does
 * nothing where traces are off.
 */
export function traceRequests(fastify: FastifyInstance): void {
  if (!tracingIsOn()) return;
  const traced = new WeakMap<FastifyRequest, TracedRequest>();
  fastify.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    if (UNTRACED.test(route) || isHeldBack(request)) return done();
    const begun = begin(request, route);
    traced.set(request, begun);
    const carrier: Record<string, string> = {};
    propagation.inject(begun.context, carrier);
    void reply.headers(carrier);
    context.with(begun.context, done);
  });
  // What comes after a body is called by the socket that brought it, which knows of no trace.
  fastify.addHook('preHandler', (request, _reply, done) => {
    const begun = traced.get(request);
    if (begun) context.with(begun.context, done);
    else done();
  });
  const end = (request: FastifyRequest, statusCode?: number): void => {
    const span = traced.get(request)?.span;
    if (!span?.isRecording()) return;
    if (statusCode !== undefined) span.setAttribute('http.response.status_code', statusCode);
    if (statusCode === undefined || statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  fastify.addHook('onResponse', (request, reply, done) => {
    end(request, reply.statusCode);
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    end(request);
    done();
  });
}

function begin(request: FastifyRequest, route: string): TracedRequest {
  const parent = propagation.extract(ROOT_CONTEXT, request.headers);
  const attributes = { 'http.request.method': request.method, 'http.route': route, 'nova.request_id': request.id };
  const span = novaTracer().startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
  return { span, context: trace.setSpan(parent, span) };
}
