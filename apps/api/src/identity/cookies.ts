import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  cookieName,
  cookieOptions,
  DEVICE_COOKIE,
  DEVICE_MAX_AGE_SECONDS,
  findCookie,
  type FoundCookie,
  SESSION_COOKIE,
  SESSION_MAX_AGE_SECONDS,
} from '../platform/auth/cookies.js';
import type { SignedInMember } from '../platform/auth/member.js';
import { type Config, InjectConfig } from '../platform/config.js';
import type { Caller } from './credentials.js';
import type { Browser, SignedInBrowser } from './devices.js';
import { asToken } from './random-token.js';

/** The cookies of a browser: its session and its device. */
@Injectable()
export class BrowserCookies {
  constructor(@InjectConfig() private readonly config: Config) {}

  browser(request: FastifyRequest): Browser {
    return {
      deviceToken: asToken(this.find(request, DEVICE_COOKIE)?.value),
      userAgent: request.headers['user-agent'] ?? '',
    };
  }

  /** Who tries a password or a PIN with this request. */
  caller(request: FastifyRequest): Caller {
    return { address: request.ip, deviceToken: this.browser(request).deviceToken };
  }

  sessionToken(request: FastifyRequest): string | undefined {
    return asToken(this.find(request, SESSION_COOKIE)?.value);
  }

  set(reply: FastifyReply, { sessionToken, deviceToken }: SignedInBrowser): void {
    void reply
      .setCookie(
        cookieName(this.config, SESSION_COOKIE),
        sessionToken,
        cookieOptions(this.config, SESSION_MAX_AGE_SECONDS),
      )
      .setCookie(
        cookieName(this.config, DEVICE_COOKIE),
        deviceToken,
        cookieOptions(this.config, DEVICE_MAX_AGE_SECONDS),
      );
  }

  clearSession(reply: FastifyReply): void {
    for (const name of new Set([cookieName(this.config, SESSION_COOKIE), SESSION_COOKIE])) {
      void reply.clearCookie(name, cookieOptions(this.config, 0));
    }
  }

  /** Gives what a member's browser has under a former name the name of today. Their session was proved by it. */
  renew(request: FastifyRequest, reply: FastifyReply, { signedInAt }: SignedInMember): void {
    const leftSeconds = SESSION_MAX_AGE_SECONDS - Math.ceil((Date.now() - signedInAt.getTime()) / 1000);
    for (const [cookie, maxAgeSeconds] of [
      [SESSION_COOKIE, leftSeconds],
      [DEVICE_COOKIE, DEVICE_MAX_AGE_SECONDS],
    ] as const) {
      const found = this.find(request, cookie);
      if (!found?.isFormer || asToken(found.value) === undefined || maxAgeSeconds <= 0) continue;
      void reply.setCookie(cookieName(this.config, cookie), found.value, cookieOptions(this.config, maxAgeSeconds));
    }
  }

  private find(request: FastifyRequest, name: string): FoundCookie | undefined {
    return findCookie(this.config, name, (each) => request.cookies[each]);
  }
}
