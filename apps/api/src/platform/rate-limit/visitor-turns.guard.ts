import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { networkOf, siteOf } from '../http/network.js';
import { RateLimits } from './rate-limits.js';
import { takeTurn } from './turns.js';

/**
 * In front of the calls by which anybody proves who they are: few of a network are worked on at once, from their check to their answer,
 * and the others wait in fair turns. One network's flood delays another network's sign-in by one of its calls, at the event loop and at
 * the database as at the hashing. A guard, because guards run before what is sent is checked.
 */
@Injectable()
export class VisitorTurnsGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  /** @throws AppError 503 `BUSY`: too many are waiting, or it waited for too long */
  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    await takeTurn(request, this.limits.visitorTurns, [siteOf(request.ip), networkOf(request.ip)]);
    return true;
  }
}
