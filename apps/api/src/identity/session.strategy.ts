import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-custom';
import { SESSION_COOKIE } from '../platform/auth/cookies.js';
import type { SignedInMember } from '../platform/auth/member.js';
import { Sessions } from './sessions.js';
import { asToken } from './tokens.js';

/** Passport strategy `session`: the member whose session cookie comes with the request. */
@Injectable()
export class SessionStrategy extends PassportStrategy(Strategy, 'session', 2) {
  constructor(private readonly sessions: Sessions) {
    super();
  }

  async validate(request: FastifyRequest): Promise<SignedInMember | false> {
    const token = asToken(request.cookies[SESSION_COOKIE]);
    const member = token === undefined ? undefined : await this.sessions.find(token);
    if (!member) return false;
    request.provenMember = member.id;
    return member;
  }
}
