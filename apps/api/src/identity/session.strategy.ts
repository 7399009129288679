import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-custom';
import type { SignedInMember } from '../platform/auth/member.js';
import { Sessions } from './sessions.js';

/** Seconds since somebody last touched the page, as the client says: what it asks for by itself later is no use of a session. */
const IDLE_HEADER = 'x-nova-idle';
const IN_USE_SECONDS_MAX = 60;

/** Passport strategy `session`: the member whose session cookie comes with the request. */
@Injectable()
export class SessionStrategy extends PassportStrategy(Strategy, 'session', 2) {
  constructor(private readonly sessions: Sessions) {
    super();
  }

  async validate(request: FastifyRequest): Promise<SignedInMember | false> {
    const found = await this.sessions.ofBrowser((name) => request.cookies[name], request.ip);
    if (!found) return false;
    const { member } = found;
    if (isInUse(request)) await this.sessions.use(member);
    request.provenMember = member.id;
    return member;
  }
}

/** Callers that do not say are no page that asks by itself. */
function isInUse({ headers }: FastifyRequest): boolean {
  const seconds = Number(headers[IDLE_HEADER] ?? 0);
  return !(seconds > IN_USE_SECONDS_MAX);
}
