import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/access.js';
import { Metrics } from './metrics.js';
import { type Readiness, ReadinessChecks } from './readiness.js';

@Public()
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly checks: ReadinessChecks,
    private readonly metrics: Metrics,
  ) {}

  /** The process answers. */
  @Get('health/live')
  @Header('cache-control', 'no-store')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  /** The process can work: 503 while a part that it needs fails, 200 if it can do without. */
  @Get('health/ready')
  @Header('cache-control', 'no-store')
  async ready(
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ status: 'ready' | 'degraded' | 'not ready'; checks: Record<string, Readiness> }> {
    const checks = await this.checks.run();
    const unwell = Object.values(checks).filter(({ ok }) => !ok);
    if (unwell.length === 0) return { status: 'ready', checks };
    if (unwell.every(({ bearable }) => bearable)) return { status: 'degraded', checks };
    void reply.code(503);
    return { status: 'not ready', checks };
  }

  @Get('metrics')
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    await reply.type(this.metrics.registry.contentType).send(await this.metrics.text());
  }
}
