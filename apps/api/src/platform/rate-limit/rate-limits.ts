import { Injectable } from '@nestjs/common';
import { type Config, InjectConfig } from '../config.js';
import { RateLimiter } from './rate-limiter.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** `decisions.md`, General: rate limits, before `RATE_LIMIT_FACTOR`. */
export const RATE_LIMITS = {
  credentialFailures: { count: 10, windowMs: 10 * MINUTE_MS },
  registrations: { count: 60, windowMs: 60 * MINUTE_MS },
  memberCommands: { count: 100, windowMs: SECOND_MS },
  chatMessages: { count: 20, windowMs: SECOND_MS },
} as const;

/** The product's limits, a limiter each. */
@Injectable()
export class RateLimits {
  /** By account and address: only failures count. */
  readonly credentialFailures: RateLimiter;
  /** By address. */
  readonly registrations: RateLimiter;
  /** By member. */
  readonly memberCommands: RateLimiter;
  /** By member, over all their chats. */
  readonly chatMessages: RateLimiter;

  constructor(@InjectConfig() config: Config) {
    const limiter = (limit: keyof typeof RATE_LIMITS, message: string): RateLimiter => {
      const { count, windowMs } = RATE_LIMITS[limit];
      return new RateLimiter({ count: Math.max(1, Math.floor(count * config.rateLimitFactor)), windowMs, message });
    };
    this.credentialFailures = limiter(
      'credentialFailures',
      'Too many failed attempts. Please wait a while and try again.',
    );
    this.registrations = limiter(
      'registrations',
      'Too many accounts were made from this address. Please try again later.',
    );
    this.memberCommands = limiter('memberCommands', 'You are doing this too fast. Please wait a moment.');
    this.chatMessages = limiter('chatMessages', 'You are writing too fast. Please wait a moment.');
  }
}
