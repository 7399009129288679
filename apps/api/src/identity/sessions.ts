import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { EntityManager } from 'typeorm';
import { SESSION_MAX_AGE_SECONDS } from '../platform/auth/cookies.js';
import type { SignedInMember } from '../platform/auth/member.js';
import { InjectPool } from '../platform/database/database.module.js';
import { setNewest } from '../platform/newest-entries.js';
import { Session } from './entities.js';
import { type IdentityChange, IdentityChanges } from './identity-changes.js';
import { newToken, tokenHash } from './tokens.js';

/** A session ended elsewhere is told by NOTIFY; should that be lost, it lives on for so long at most. */
const CACHE_TTL_MS = 5_000;
const CACHE_MAX = 50_000;

interface Cached {
  readonly member: SignedInMember;
  /** Monotonic: a clock that is set back keeps nothing fresh. */
  readonly freshUntilMs: number;
  readonly expiresAtMs: number;
}

const FIND = `
  select s.id, s.account_id, s.device_id, s.created_at, s.expires_at, a.is_admin
  from sessions s join accounts a on a.id = s.account_id
  where s.token_hash = $1 and s.expires_at > now() and a.closed_at is null`;

const LIVING = `
  select s.token_hash from sessions s join accounts a on a.id = s.account_id
  where s.token_hash = any($1::bytea[]) and s.expires_at > now() and a.closed_at is null`;

interface SessionRow {
  readonly id: string;
  readonly account_id: string;
  readonly device_id: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly is_admin: boolean;
}

/** Server-side sessions (`decisions.md`, Identity), remembered for seconds because every request asks for one. */
@Injectable()
export class Sessions {
  private readonly cache = new Map<string, Cached>();
  private readonly lookups = new Map<string, Promise<SignedInMember | undefined>>();
  /** Raised with every change: a lookup that began before one is not remembered. */
  private changes = 0;

  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly identityChanges: IdentityChanges,
  ) {
    identityChanges.onChange((change) => this.forget(change));
  }

  /** Who this session cookie stands for; undefined when it has ended. */
  async find(token: string): Promise<SignedInMember | undefined> {
    const hash = tokenHash(token);
    const key = hash.toString('base64');
    const cached = this.cache.get(key);
    if (cached && performance.now() < cached.freshUntilMs && Date.now() < cached.expiresAtMs) return cached.member;
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

  /** Those of these session cookies whose sessions still last, asked of the database anew. */
  async livingAmong(tokens: readonly string[]): Promise<Set<string>> {
    const byHash = new Map(tokens.map((token) => [tokenHash(token).toString('base64'), token]));
    const { rows } = await this.pool.query<{ token_hash: Buffer }>(LIVING, [
      [...byHash.keys()].map((hash) => Buffer.from(hash, 'base64')),
    ]);
    return new Set(rows.map(({ token_hash }) => byHash.get(token_hash.toString('base64')) ?? ''));
  }

  /** Starts a session and answers its token, in the caller's transaction. */
  async start(manager: EntityManager, accountId: string, deviceId: string): Promise<string> {
    const token = newToken();
    const createdAt = new Date();
    await manager.insert(Session, {
      id: uuidv7(),
      tokenHash: tokenHash(token),
      accountId,
      deviceId,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + SESSION_MAX_AGE_SECONDS * 1000),
    });
    return token;
  }

  /** Ends one session; the device stays. Ending one that is not there does nothing. */
  async end(token: string): Promise<void> {
    const hash = tokenHash(token);
    await this.pool.query('delete from sessions where token_hash = $1', [hash]);
    await this.identityChanges.publish({ kind: 'session', tokenHash: hash.toString('base64') });
  }

  /** Deletes what has expired; answers how many. */
  async sweep(): Promise<number> {
    const { rowCount } = await this.pool.query('delete from sessions where expires_at <= now()');
    return rowCount ?? 0;
  }

  private async lookUp(hash: Buffer, key: string): Promise<SignedInMember | undefined> {
    const changes = this.changes;
    const { rows } = await this.pool.query<SessionRow>({ name: 'find-session', text: FIND, values: [hash] });
    const row = rows[0];
    if (!row) return undefined;
    const member = {
      id: row.account_id,
      isAdmin: row.is_admin,
      sessionId: row.id,
      deviceId: row.device_id,
      signedInAt: row.created_at,
    };
    if (changes === this.changes) this.remember(key, member, row.expires_at.getTime());
    return member;
  }

  private remember(key: string, member: SignedInMember, expiresAtMs: number): void {
    const cached = { member, expiresAtMs, freshUntilMs: performance.now() + CACHE_TTL_MS };
    setNewest(this.cache, [key, cached], CACHE_MAX);
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

const concerns = (change: IdentityChange, { id, deviceId }: SignedInMember): boolean =>
  (change.kind === 'account' && change.accountId === id) || (change.kind === 'device' && change.deviceId === deviceId);
