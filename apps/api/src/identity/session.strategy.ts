import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport-custom';
import type { SignedInMember } from '../platform/auth/member.js';
import { networkOf, siteOf } from '../platform/http/network.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import { Sessions } from './sessions.js';

/** Seconds since somebody last touched the page, as the client says: what it asks for by itself later is no use of a session. */
const IDLE_HEADER = 'x-nova-idle';
const IN_USE_SECONDS_MAX = 60;

/** Passport strategy `session`: the member whose session cookie comes with the request. */
@Injectable()
export class SessionStrategy extends PassportStrategy(Strategy, 'session', 2) {
  constructor(
    private readonly sessions: Sessions,
    private readonly limits: RateLimits,
  ) {
    super();
  }

  async validate(request: FastifyRequest): Promise<SignedInMember | false> {
    const found = await this.find(request);
    if (!found) return false;
    const { member } = found;
    if (isInUse(request)) await this.sessions.use(member);
    request.provenMember = member.id;
    return member;
  }

  /** @throws AppError 429: many of the same network come with sessions that nobody here has seen */
  private find({ cookies, ip }: FastifyRequest): ReturnType<Sessions['ofBrowser']> {
    const valueOf = (name: string): string | undefined => cookies[name];
    const find = (): ReturnType<Sessions['ofBrowser']> => this.sessions.ofBrowser(valueOf);
    if (this.sessions.isRemembered(valueOf)) return find();
    return this.limits.unknownSessions.take([siteOf(ip), networkOf(ip)], find);
  }
}

/** Callers that do not say are no page that asks by itself. */
function isInUse({ headers }: FastifyRequest): boolean {
  const seconds = Number(headers[IDLE_HEADER] ?? 0);
  return !(seconds > IN_USE_SECONDS_MAX);
}
