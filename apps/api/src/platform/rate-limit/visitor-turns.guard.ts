import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf, siteOf } from '../http/network.js';
import { RateLimits } from './rate-limits.js';

/**
 * In front of the calls by which anybody proves who they are: few of a network are worked on at once, from their check to their answer,
 * and the others wait in fair turns. One network's flood delays another network's sign-in by one of its calls, at the event loop and at
 * the database as at the hashing. A guard, because guards run before what is sent is checked.
 */
@Injectable()
export class VisitorTurnsGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  /** @throws AppError 503 `BUSY`: too many are waiting */
  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const { ip } = http.getRequest<FastifyRequest>();
    const { raw } = http.getResponse<FastifyReply>();
    const end = await this.limits.visitorTurns.begin([siteOf(ip), networkOf(ip)]);
    // Whoever hung up while waiting has no answer that could close.
    if (raw.destroyed) end();
    else raw.once('close', end);
    return true;
  }
}
