import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  cookieOptions,
  DEVICE_COOKIE,
  DEVICE_MAX_AGE_SECONDS,
  SESSION_COOKIE,
  SESSION_MAX_AGE_SECONDS,
} from '../platform/auth/cookies.js';
import { type Config, InjectConfig } from '../platform/config.js';
import type { Caller } from './credentials.js';
import type { Browser, SignedInBrowser } from './devices.js';
import { asToken } from './tokens.js';

/** What browsers carry for us: a session, and who they are. */
@Injectable()
export class BrowserCookies {
  constructor(@InjectConfig() private readonly config: Config) {}

  browser(request: FastifyRequest): Browser {
    return {
      deviceToken: asToken(request.cookies[DEVICE_COOKIE]),
      userAgent: request.headers['user-agent'] ?? '',
    };
  }

  /** Who tries a password or a PIN with this request. */
  caller(request: FastifyRequest): Caller {
    return { address: request.ip, deviceToken: this.browser(request).deviceToken };
  }

  sessionToken(request: FastifyRequest): string | undefined {
    return asToken(request.cookies[SESSION_COOKIE]);
  }

  set(reply: FastifyReply, { sessionToken, deviceToken }: SignedInBrowser): void {
    void reply
      .setCookie(SESSION_COOKIE, sessionToken, cookieOptions(this.config, SESSION_MAX_AGE_SECONDS))
      .setCookie(DEVICE_COOKIE, deviceToken, cookieOptions(this.config, DEVICE_MAX_AGE_SECONDS));
  }

  clearSession(reply: FastifyReply): void {
    void reply.clearCookie(SESSION_COOKIE, cookieOptions(this.config, 0));
  }
}
