import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { type Config, InjectConfig } from '../config.js';
import { InjectPool } from '../database/database.module.js';
import { AppError } from '../errors/app-error.js';
import { FairTurns } from '../fair-turns.js';
import { type RateLimit, RateLimiter } from './rate-limiter.js';
import { SharedRateLimiter } from './shared-rate-limiter.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Rate limits, before `RATE_LIMIT_FACTOR` (`docs/spec/limits.md`). */
const RATE_LIMITS = {
  credentialFailures: { count: 10, windowMs: 10 * MINUTE_MS },
  accountFailures: { count: 30, windowMs: 10 * MINUTE_MS },
  networkFailures: { count: 100, windowMs: 10 * MINUTE_MS },
  devicePinFailures: { count: 10, windowMs: 24 * 60 * MINUTE_MS },
  registrations: { count: 60, windowMs: 60 * MINUTE_MS },
  resetMails: { count: 20, windowMs: 60 * MINUTE_MS },
  memberCommands: { count: 100, windowMs: SECOND_MS },
  chatMessages: { count: 20, windowMs: SECOND_MS },
  calls: { count: 10, windowMs: MINUTE_MS },
  passkeyRequests: { count: 600, windowMs: MINUTE_MS },
  visitorCalls: { count: 1_200, windowMs: MINUTE_MS },
  visitorAuthorizations: { count: 60, windowMs: 10 * MINUTE_MS },
  deviceAuthorizations: { count: 60, windowMs: 10 * MINUTE_MS },
  deviceCodeFailures: { count: 10, windowMs: 10 * MINUTE_MS },
  networkDeviceCodeFailures: { count: 100, windowMs: 10 * MINUTE_MS },
  oauthRequests: { count: 1_200, windowMs: MINUTE_MS },
  tokenReads: { count: 6_000, windowMs: MINUTE_MS },
  tokenWrites: { count: 600, windowMs: MINUTE_MS },
  webhookSends: { count: 60, windowMs: MINUTE_MS },
  webhookReplays: { count: 10, windowMs: 10 * MINUTE_MS },
} as const;

/** Less than the connections to the database: members' calls find one, whatever visitors do. */
const VISITORS_AT_ONCE_MAX = 6;
const VISITORS_OF_NETWORK_AT_ONCE_MAX = 3;
const VISITORS_OF_NETWORK_WAITING_MAX = 48;
const VISITORS_WAITING_MAX = 480;
const VISITORS_WAIT_MS_MAX = 15_000;
/** After a start nobody's session is known: an office's open pages ask for theirs at once. */
const UNKNOWN_SESSIONS_OF_NETWORK_WAITING_MAX = 1_000;

/** A browser asks six things at a time, two more leave room for a second page. */
const READS_OF_MEMBER_AT_ONCE_MAX = 8;
const READS_AT_ONCE_MAX = 512;
const READS_OF_MEMBER_WAITING_MAX = 200;
const READS_WAITING_MAX = 5_000;

/**
 * The product's limits, a limiter each. What guards accounts is counted for all processes together; what keeps one member from
 * drowning a process is counted by that process, because a count that all share would cost more than what it guards.
 */
@Injectable()
export class RateLimits {
  /** Wrong passwords and PINs, by account and network, or by the browser that is known to the account. */
  readonly credentialFailures: SharedRateLimiter;
  /** The same by account, from browsers that it does not know. */
  readonly accountFailures: SharedRateLimiter;
  /** The same by network, on accounts that do not know the browser. It is for everybody behind one address, and only failures count. */
  readonly networkFailures: SharedRateLimiter;
  /** Wrong PINs, by the browser that is known to the account: a PIN has few digits, and a browser may be in the wrong hands. */
  readonly devicePinFailures: SharedRateLimiter;
  /** By network. */
  readonly registrations: SharedRateLimiter;
  /** By network: mails that reset a password, whether or not there is an account. */
  readonly resetMails: SharedRateLimiter;
  /** By member. */
  readonly memberCommands: RateLimiter;
  /** By member, over all their chats. */
  readonly chatMessages: RateLimiter;
  /** By member: calls that they start or answer. */
  readonly calls: RateLimiter;
  /** By network: visitors' calls with passkeys, right or wrong. No account's count can keep its owner out. */
  readonly passkeyRequests: RateLimiter;
  /** By network: calls of the API without a session or a token that is right, whatever becomes of them. */
  readonly visitorCalls: RateLimiter;
  /** By site and network: calls by which visitors prove who they are, as many as go on at once. */
  readonly visitorTurns = new FairTurns({
    atOnceMax: VISITORS_AT_ONCE_MAX,
    atOnceOfOneMax: VISITORS_OF_NETWORK_AT_ONCE_MAX,
    waitingOfOneMax: VISITORS_OF_NETWORK_WAITING_MAX,
    waitingMax: VISITORS_WAITING_MAX,
    waitMsMax: VISITORS_WAIT_MS_MAX,
    busy: tooManySignIns,
  });
  /** By site and network: session cookies that this process has not seen, as many as are looked for at once. */
  readonly unknownSessions = new FairTurns({
    atOnceMax: VISITORS_AT_ONCE_MAX,
    atOnceOfOneMax: VISITORS_OF_NETWORK_AT_ONCE_MAX,
    waitingOfOneMax: UNKNOWN_SESSIONS_OF_NETWORK_WAITING_MAX,
    waitingMax: READS_WAITING_MAX,
    busy: tooManyReads,
  });
  /** By member: what they read, as many as goes on at once. What they write is counted. */
  readonly memberReads = new FairTurns({
    atOnceMax: READS_AT_ONCE_MAX,
    atOnceOfOneMax: READS_OF_MEMBER_AT_ONCE_MAX,
    waitingOfOneMax: READS_OF_MEMBER_WAITING_MAX,
    waitingMax: READS_WAITING_MAX,
    busy: tooManyReads,
  });
  /** By network: authorizations that begin with nobody signed in, each of which leaves a row. */
  readonly visitorAuthorizations: RateLimiter;
  /** By network: sign-ins that devices begin, each of which leaves a row. */
  readonly deviceAuthorizations: RateLimiter;
  /** By member: codes of devices that no device shows. */
  readonly deviceCodeFailures: SharedRateLimiter;
  /** The same by network, whoever is signed in. */
  readonly networkDeviceCodeFailures: SharedRateLimiter;
  /** By network: calls of the OAuth provider. */
  readonly oauthRequests: RateLimiter;
  /** By application and member: calls with an access token. */
  readonly tokenReads: RateLimiter;
  readonly tokenWrites: RateLimiter;
  /** By developer: tests of their webhooks, and single deliveries that they send again. */
  readonly webhookSends: SharedRateLimiter;
  /** By developer: all deliveries since a time, which may be very many. */
  readonly webhookReplays: SharedRateLimiter;

  constructor(@InjectConfig() config: Config, @InjectPool() pool: pg.Pool) {
    const limitOf = (name: keyof typeof RATE_LIMITS, message: string): RateLimit => {
      const { count, windowMs } = RATE_LIMITS[name];
      return { name, count: Math.max(1, Math.round(count * config.rateLimitFactor)), windowMs, message };
    };
    const limiter = (name: keyof typeof RATE_LIMITS, message: string): RateLimiter =>
      new RateLimiter(limitOf(name, message));
    const shared = (name: keyof typeof RATE_LIMITS, message: string): SharedRateLimiter =>
      new SharedRateLimiter(pool, limitOf(name, message));
    const tooManyFailures = 'Too many failed attempts. Please wait a while and try again.';
    this.credentialFailures = shared('credentialFailures', tooManyFailures);
    this.accountFailures = shared('accountFailures', tooManyFailures);
    this.networkFailures = shared('networkFailures', tooManyFailures);
    this.devicePinFailures = shared('devicePinFailures', tooManyFailures);
    this.registrations = shared(
      'registrations',
      'Too many accounts were made from this address. Please try again later.',
    );
    this.resetMails = shared('resetMails', 'Too many mails were asked for from this address. Please try again later.');
    this.memberCommands = limiter('memberCommands', 'You are doing this too fast. Please wait a moment.');
    this.chatMessages = limiter('chatMessages', 'You are writing too fast. Please wait a moment.');
    this.calls = limiter('calls', 'You are calling too often. Please wait a minute.');
    const tooManyRequests = 'Too many requests from this address. Please wait a moment.';
    this.passkeyRequests = limiter('passkeyRequests', tooManyRequests);
    this.visitorCalls = limiter('visitorCalls', tooManyRequests);
    this.visitorAuthorizations = limiter('visitorAuthorizations', tooManyRequests);
    this.deviceAuthorizations = limiter('deviceAuthorizations', tooManyRequests);
    const tooManyCodes = 'Too many wrong codes. Please wait a while and try again.';
    this.deviceCodeFailures = shared('deviceCodeFailures', tooManyCodes);
    this.networkDeviceCodeFailures = shared('networkDeviceCodeFailures', tooManyCodes);
    this.oauthRequests = limiter('oauthRequests', tooManyRequests);
    const tooManyCalls = 'This application calls too often for this member. Please wait a moment.';
    this.tokenReads = limiter('tokenReads', tooManyCalls);
    this.tokenWrites = limiter('tokenWrites', tooManyCalls);
    this.webhookSends = shared('webhookSends', 'You are sending webhooks too often. Please wait a minute.');
    this.webhookReplays = shared('webhookReplays', 'You have replayed webhooks very often. Please wait some minutes.');
  }
}

const tooManyReads = (): AppError =>
  new AppError(503, 'BUSY', 'The server is busy right now. Please try again.', { retryAfterSeconds: 1 });

/** Too many wait to prove who they are. */
export const tooManySignIns = (): AppError =>
  new AppError(503, 'BUSY', 'Too many people are signing in right now. Please try again.', { retryAfterSeconds: 5 });
