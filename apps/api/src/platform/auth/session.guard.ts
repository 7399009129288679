import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply } from 'fastify';
import { AppError, unauthenticated } from '../errors/app-error.js';
import { takeTurn } from '../rate-limit/turns.js';
import { RateLimits } from '../rate-limit/rate-limits.js';
import { ACCESS, type Access, CREDENTIAL, FRESH_PROOF, type FreshProofRule, type IsCredential } from './access.js';
import { FreshProofs } from './fresh-proofs.js';
import type { MemberRequest, SignedInMember } from './member.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Guards every call that is not `@Public()`: a session (Passport strategy `session`), the admin flag for
 * `@AdminOnly()`, the limit on a member's commands, turns for reads, and a fresh proof where needed.
 */
@Injectable()
export class SessionGuard extends AuthGuard('session') {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimits,
    private readonly proofs: FreshProofs,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    // A frame arrives on a socket that a session opened and whose end closes it. The socket's queue limits frames.
    if (context.getType() === 'ws') return true;
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === 'public') return true;
    const request = context.switchToHttp().getRequest<MemberRequest>();
    if (access === 'session or credential' && this.hasCredential(context, request.headers.authorization)) return true;
    await super.canActivate(context);
    const member = request.user;
    if (!member) throw unauthenticated();
    if (access === 'admin' && !member.isAdmin) {
      throw new AppError(403, 'ADMIN_ONLY', 'Only admins may do this.');
    }
    const isWriting = !READS.has(request.method);
    if (!isWriting) await takeTurn(request, this.limits.memberReads, [member.id]);
    else if (!request.hasDemoWord) {
      this.limits.memberCommands.take(member.id);
      void context.switchToHttp().getResponse<FastifyReply>().headers(this.limits.memberCommands.headers(member.id));
    }
    if (access === 'admin') await this.proofs.requirePasskeyOfAdmin(member);
    if (this.needsFreshProof(context, access === 'admin' && isWriting)) await this.proofs.require(member);
    return true;
  }

  private hasCredential(context: ExecutionContext, authorization: string | undefined): boolean {
    if (authorization === undefined) return false;
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<IsCredential>(CREDENTIAL, targets)(authorization);
  }

  /** A call that says nothing of it follows the rule of its kind. */
  private needsFreshProof(context: ExecutionContext, unlessSaid: boolean): boolean {
    const rule = this.reflector.get<FreshProofRule | undefined>(FRESH_PROOF, context.getHandler());
    return rule === undefined ? unlessSaid : rule === 'needed';
  }

  override handleRequest<T = SignedInMember>(error: unknown, member: T | false): T {
    if (error) throw error;
    if (!member) throw unauthenticated();
    return member;
  }
}
