import { Injectable } from '@nestjs/common';
import type { ConnectionUse } from '@app/projections';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isHeldBack } from '../http/held-back.js';

/** Scrapes come seconds apart. */
const WRITTEN_MS = 1_000;

/**
 * The process's metrics. Parts register theirs with `registers: [metrics.registry]`. Labels are names of this program (routes,
 * types, codes, read models) and never what a caller sent, so that there are not more series than the program has names.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'nova_http_request_seconds',
    help: 'Time to answer HTTP requests, by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [this.registry],
  });
  private written: { readonly text: Promise<string>; readonly freshUntilMs: number } | undefined;
  private readonly pools = new Map<string, () => ConnectionUse | Promise<ConnectionUse>>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    const { pools } = this;
    const connections: Gauge<'pool' | 'state'> = new Gauge({
      name: 'nova_pg_pool_connections',
      help: "Connections of this process's pools: busy, idle; and callers that wait for one",
      labelNames: ['pool', 'state'] as const,
      registers: [this.registry],
      async collect() {
        const looked = await Promise.allSettled([...pools].map(async ([pool, look]) => ({ pool, use: await look() })));
        // At once, so that no other scrape comes between. A pool that cannot tell is left out: the others are wanted most then.
        connections.reset();
        for (const look of looked) {
          if (look.status === 'rejected') continue;
          const { pool, use } = look.value;
          const { totalCount, idleCount, waitingCount } = use;
          connections.set({ pool, state: 'busy' }, totalCount - idleCount);
          connections.set({ pool, state: 'idle' }, idleCount);
          connections.set({ pool, state: 'waiting' }, waitingCount);
        }
      },
    });
  }

  /** In Prometheus' format, a second old at most: writing it takes tens of milliseconds, and anybody may ask. */
  text(): Promise<string> {
    const now = performance.now();
    if (!this.written || now >= this.written.freshUntilMs) {
      this.written = { text: this.registry.metrics(), freshUntilMs: now + WRITTEN_MS };
    }
    return this.written.text;
  }

  /** Counts every answer under its route's pattern, never its path: patterns are few. */
  countRequests(fastify: FastifyInstance): void {
    fastify.addHook('onResponse', (request, reply, done) => {
      if (isHeldBack(request)) return done();
      const route = request.routeOptions.url ?? 'none';
      this.requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
      done();
    });
  }

  /** @param name a word for the label `pool` */
  watchPool(name: string, look: () => ConnectionUse | Promise<ConnectionUse>): void {
    this.pools.set(name, look);
  }

  /** Which release this is: a constant, by which dashboards tell servers apart. */
  showBuild(version: string): void {
    const labels = { version, node: process.version };
    const name = 'nova_build_info';
    const help = 'Always 1: the release of this process and its Node';
    new Gauge({ name, help, labelNames: ['version', 'node'], registers: [this.registry] }).set(labels, 1);
  }

  /** A metric that is computed at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.registry], collect: () => gauge.set(read()) });
  }
}
