import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FairTurns } from '../fair-turns.js';
import { networkOf, siteOf } from '../http/network.js';
import { RateLimits } from './rate-limits.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the turn that the call has. */
    endTurn?: () => void;
  }
}

/** A call that is not answered by then has its turn taken away: nobody may hold one for as long as they like. */
const TURN_MS_MAX = 30_000;

/** Waits for the call's turn, which lasts until it is answered. @throws AppError too many are waiting */
export async function takeTurn(request: FastifyRequest, turns: FairTurns, path: readonly string[]): Promise<void> {
  const end = await turns.begin(path);
  const timer = setTimeout(end, TURN_MS_MAX).unref();
  request.endTurn = () => {
    clearTimeout(timer);
    // Whoever is next begins once the event loop has looked at what others sent meanwhile.
    setImmediate(end);
  };
}

/**
 * A turn ends once the answer is made, and not when it has been sent: whoever does not read it, has hung up, or sent other
 * requests before it on the same connection that are still to be answered, must not keep a turn by that.
 */
export function endTurnsWithAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    request.endTurn?.();
    done(null, payload);
  });
}

/**
 * In front of the calls by which anybody proves who they are: few of a network are worked on at once, from their check to
 * their answer, and the others wait in fair turns. One network's flood delays another network's sign-in by one of its calls,
 * at the event loop and at the database as at the hashing. A guard, because guards run before what is sent is checked.
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
