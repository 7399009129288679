import { Controller, Get, Header, Logger, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/access.js';
import { type Config, InjectConfig } from '../config.js';
import { Metrics } from './metrics.js';
import { type Readiness, ReadinessChecks } from './readiness.js';

interface Health {
  readonly status: 'ready' | 'degraded' | 'not ready';
  readonly version: string;
  readonly checks: Readonly<Record<string, Readiness>>;
}

@Public()
@ApiExcludeController()
@Controller()
export class HealthController {
  private readonly logger = new Logger('Health');
  private status: Health['status'] = 'ready';

  constructor(
    @InjectConfig() private readonly config: Config,
    private readonly checks: ReadinessChecks,
    private readonly metrics: Metrics,
  ) {}

  /** The process answers. */
  @Get('health/live')
  @Header('cache-control', 'no-store')
  live(): { status: 'live'; version: string } {
    return { status: 'live', version: this.config.version };
  }

  /** The process can work: 503 while a part that it needs fails, 200 if it can do without. */
  @Get('health/ready')
  @Header('cache-control', 'no-store')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Health> {
    const checks = await this.checks.run();
    const unwell = Object.entries(checks).filter(([, { ok }]) => !ok);
    const status = statusOf(unwell.map(([, check]) => check));
    if (status === 'not ready') void reply.code(503);
    if (status !== this.status)
      this.logger.warn(`${status}${unwell.map(([name, { detail }]) => `; ${name}: ${detail}`).join('')}`);
    this.status = status;
    return { status, version: this.config.version, checks };
  }

  @Get('metrics')
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    await reply.type(this.metrics.registry.contentType).send(await this.metrics.text());
  }
}

function statusOf(unwell: readonly Readiness[]): Health['status'] {
  if (unwell.length === 0) return 'ready';
  return unwell.every(({ bearable }) => bearable) ? 'degraded' : 'not ready';
}
