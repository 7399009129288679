import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { EntityManager } from 'typeorm';
import { cookieName, findCookie, SESSION_COOKIE, SESSION_MAX_AGE_SECONDS } from '../platform/auth/cookies.js';
import type { SignedInMember } from '../platform/auth/member.js';
import { type Config, InjectConfig } from '../platform/config.js';
import { InjectPool } from '../platform/database/database.module.js';
import { networkOf, siteOf } from '../platform/http/network.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import { Session } from './entities.js';
import { type IdentityChange, IdentityChanges } from './identity-changes.js';
import { SESSIONS_OF_DEVICE_MAX } from './limits.js';
import { asToken, newToken, tokenHash } from './random-token.js';

/**
 * NOTIFY tells of a session that ended elsewhere. If the notification is lost, the session lives on for this long at
 * most.
 */
const CACHE_TTL_MS = 5_000;
const CACHE_MAX = 50_000;

/** The shortest interval between two writes of a use, per session and process. */
const USE_EVERY_MS = 60_000;

interface Found {
  readonly member: SignedInMember;
  readonly hostBound: boolean;
}

interface Cached extends Found {
  /** Monotonic: a clock that is set back keeps nothing fresh. */
  readonly freshUntilMs: number;
  readonly expiresAtMs: number;
}

/** Idle minutes after which an admin's session ends; 0: never. */
const IS_LIVING = `
  s.expires_at > now() and a.closed_at is null
  and (not a.is_admin or $2::int = 0 or s.last_used_at > now() - $2::int * interval '1 minute')`;

const FIND = `
  select s.id, s.account_id, s.device_id, s.created_at, s.expires_at, s.host_bound, a.is_admin
  from sessions s join accounts a on a.id = s.account_id
  where s.token_hash = $1 and ${IS_LIVING}`;

const USE = `
  update sessions set last_used_at = now() where id = $1 and last_used_at < now() - $2 * interval '1 ms'`;

/** A browser has one at a time: only what loses its cookie leaves others. */
const END_OLDEST = `
  delete from sessions where id in (
    select id from sessions where device_id = $1 order by created_at desc, id desc offset $2)`;

const LIVING = `
  select s.token_hash from sessions s join accounts a on a.id = s.account_id
  where s.token_hash = any($1::bytea[]) and ${IS_LIVING}`;

interface SessionRow {
  readonly id: string;
  readonly account_id: string;
  readonly device_id: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly host_bound: boolean;
  readonly is_admin: boolean;
}

/** Server-side sessions (rule accounts-15), cached for seconds because every request needs one. */
@Injectable()
export class Sessions {
  /** The oldest first. A map, because each change of an account walks it: that takes `LRUCache` ten times as long. */
  private readonly cache = new Map<string, Cached>();
  private readonly lookups = new Map<string, Promise<Found | undefined>>();
  /** Ids of sessions, and when this process last wrote that they are used. */
  private readonly uses = new LRUCache<string, number>({ max: CACHE_MAX });
  /** Raised with every change: a lookup that began before one is not remembered. */
  private changes = 0;
  private readonly onEnd: ((deviceId: string) => Promise<void>)[] = [];

  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly identityChanges: IdentityChanges,
    @InjectConfig() private readonly config: Pick<Config, 'publicUrl' | 'adminIdleMinutes'>,
    private readonly limits: RateLimits,
  ) {
    identityChanges.onChange((change) => this.forget(change));
  }

  /**
   * Whom a browser's session cookie stands for; undefined when it has ended. Under its former name it counts for sessions from
   * before the change of names alone: a subdomain could set it to a session of its own.
   * @param ip whose network waits in fair turns where this process has not seen the session
   * @throws AppError 429, 503: too many of them wait already
   */
  async ofBrowser(
    valueOf: (name: string) => string | undefined,
    ip: string,
  ): Promise<{ readonly member: SignedInMember; readonly sessionToken: string } | undefined> {
    const cookie = findCookie(this.config, SESSION_COOKIE, valueOf);
    const sessionToken = asToken(cookie?.value);
    if (sessionToken === undefined) return undefined;
    const hash = tokenHash(sessionToken);
    const find = (): Promise<Found | undefined> => this.remembered(hash);
    const found = this.cache.has(keyOf(hash))
      ? await find()
      : await this.limits.unknownSessions.take([siteOf(ip), networkOf(ip)], find);
    if (!found || (cookie?.isFormer && found.hostBound)) return undefined;
    return { member: found.member, sessionToken };
  }

  /** Whether this process has seen the browser's session living, and has not heard that it ended. Asks nobody. */
  isRemembered(valueOf: (name: string) => string | undefined): boolean {
    const token = asToken(findCookie(this.config, SESSION_COOKIE, valueOf)?.value);
    return token !== undefined && this.cache.has(keyOf(tokenHash(token)));
  }

  /** Who this session token stands for; undefined when it has ended. */
  async find(token: string): Promise<SignedInMember | undefined> {
    return (await this.remembered(tokenHash(token)))?.member;
  }

  /** Notes that somebody uses their session, where that keeps it from ending. */
  async use({ sessionId, isAdmin }: SignedInMember): Promise<void> {
    if (!isAdmin || this.config.adminIdleMinutes === 0) return;
    const now = performance.now();
    if (now < (this.uses.get(sessionId) ?? -Infinity) + USE_EVERY_MS) return;
    this.uses.set(sessionId, now);
    await this.pool.query(USE, [sessionId, USE_EVERY_MS / 2]);
  }

  private async remembered(hash: Buffer): Promise<Found | undefined> {
    const key = keyOf(hash);
    const cached = this.cache.get(key);
    if (cached && performance.now() < cached.freshUntilMs && Date.now() < cached.expiresAtMs) return cached;
    const underWay = this.lookups.get(key);
    if (underWay) return underWay;
    const lookup = this.lookUp(hash, key);
    this.lookups.set(key, lookup);
    try {
      return await lookup;
    } finally {
      if (this.lookups.get(key) === lookup) this.lookups.delete(key);
    }
  }

  /** Those of these sessions, by the hashes of their tokens, that still last: asked of the database anew. */
  async livingAmong(hashes: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ token_hash: Buffer }>(LIVING, [
      hashes.map((hash) => Buffer.from(hash, 'base64')),
      this.config.adminIdleMinutes,
    ]);
    return new Set(rows.map(({ token_hash }) => token_hash.toString('base64')));
  }

  /** Starts a session and answers its token, in the caller's transaction. The device's oldest ends where it has too many. */
  async start(manager: EntityManager, accountId: string, deviceId: string): Promise<string> {
    const token = newToken();
    const createdAt = new Date();
    await manager.insert(Session, {
      id: uuidv7(),
      tokenHash: tokenHash(token),
      accountId,
      deviceId,
      hostBound: cookieName(this.config, SESSION_COOKIE) !== SESSION_COOKIE,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + SESSION_MAX_AGE_SECONDS * 1000),
    });
    await manager.query(END_OLDEST, [deviceId, SESSIONS_OF_DEVICE_MAX]);
    return token;
  }

  /** Ends one session; the device stays. Ending a missing session does nothing. */
  async end(token: string): Promise<void> {
    const hash = tokenHash(token);
    const { rows } = await this.pool.query<{ device_id: string }>(
      'delete from sessions where token_hash = $1 returning device_id',
      [hash],
    );
    const [ended] = rows;
    // Made-up tokens must not clear every server's cache.
    if (!ended) return;
    await this.identityChanges.publish({ kind: 'session', tokenHash: keyOf(hash) });
    for (const listener of this.onEnd) await listener(ended.device_id);
  }

  /** Called after somebody signed out, with the device on which they did. */
  onSignOut(listener: (deviceId: string) => Promise<void>): void {
    this.onEnd.push(listener);
  }

  /** Deletes what has expired; answers how many. */
  async sweep(): Promise<number> {
    const { rowCount } = await this.pool.query('delete from sessions where expires_at <= now()');
    return rowCount ?? 0;
  }

  private async lookUp(hash: Buffer, key: string): Promise<Found | undefined> {
    const changes = this.changes;
    const values = [hash, this.config.adminIdleMinutes];
    const { rows } = await this.pool.query<SessionRow>({ name: 'find-session', text: FIND, values });
    const row = rows[0];
    if (!row) return undefined;
    const member = {
      id: row.account_id,
      isAdmin: row.is_admin,
      sessionId: row.id,
      deviceId: row.device_id,
      signedInAt: row.created_at,
    };
    const found = { member, hostBound: row.host_bound };
    if (changes === this.changes) this.remember(key, found, row.expires_at.getTime());
    return found;
  }

  private remember(key: string, found: Found, expiresAtMs: number): void {
    this.cache.delete(key);
    const [oldest] = this.cache.keys();
    if (this.cache.size >= CACHE_MAX && oldest !== undefined) this.cache.delete(oldest);
    this.cache.set(key, { ...found, expiresAtMs, freshUntilMs: performance.now() + CACHE_TTL_MS });
  }

  private forget(change: IdentityChange): void {
    this.changes += 1;
    // Requests that come from now on must not share a lookup from before.
    this.lookups.clear();
    switch (change.kind) {
      case 'session':
        this.cache.delete(change.tokenHash);
        return;
      case 'all':
        this.cache.clear();
        return;
      case 'account':
      case 'device':
        for (const [key, { member }] of this.cache) if (concerns(change, member)) this.cache.delete(key);
    }
  }
}

const keyOf = (hash: Buffer): string => hash.toString('base64');

const concerns = (change: IdentityChange, { id, deviceId }: SignedInMember): boolean =>
  (change.kind === 'account' && change.accountId === id) || (change.kind === 'device' && change.deviceId === deviceId);
