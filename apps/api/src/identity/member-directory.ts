import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { isUuid } from '../platform/uuid.js';
import { type IdentityChange, IdentityChanges } from './identity-changes.js';
import { JOIN_RATINGS, RATING_COLUMNS, shownRating } from './member-ratings.js';

/** What others see of a member. A closed account is still here: its name is not. */
export interface DirectoryMember {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly profileImageUrl: string | null;
  /** 0.00 to 9.99. */
  readonly rating: number;
  readonly ratingCount: number;
  readonly isAdmin: boolean;
  readonly closed: boolean;
}

/** How an erased party reads (rule ledger-34). */
export const DELETED_MEMBER = 'Deleted member';

/** Changes are told by NOTIFY, except for ratings; should one be lost, an entry lives on for so long at most. */
const CACHE_TTL_MS = 60_000;
const CACHE_MAX = 50_000;

interface MemberRow {
  readonly id: string;
  readonly display_name: string;
  readonly email: string;
  readonly profile_image_url: string | null;
  readonly rating: string | null;
  readonly rating_count: number;
  readonly is_admin: boolean;
  readonly closed: boolean;
}

const FIND = `
  select a.id, a.display_name, a.email, a.profile_image_url, ${RATING_COLUMNS}, a.is_admin, a.closed_at is not null as closed
  from accounts a ${JOIN_RATINGS} where a.id = any($1::uuid[])`;

/** Names and the like of members by id, remembered in memory: for statements, and for recipients on the hot path. */
@Injectable()
export class MemberDirectory {
  private readonly cache = new LRUCache<string, DirectoryMember>({ max: CACHE_MAX, ttl: CACHE_TTL_MS });
  /** Raised with every change: what was read before one is not remembered. */
  private changes = 0;

  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    changes: IdentityChanges,
  ) {
    changes.onChange((change) => this.forget(change));
  }

  /** The members that there are among these ids, by id. Ids that are no UUIDs name nobody. */
  async find(ids: Iterable<string>): Promise<Map<string, DirectoryMember>> {
    const found = new Map<string, DirectoryMember>();
    const missing: string[] = [];
    for (const id of new Set(ids)) {
      const cached = this.cache.get(id);
      if (cached) found.set(id, cached);
      else if (isUuid(id)) missing.push(id);
    }
    if (missing.length === 0) return found;
    const changes = this.changes;
    const { rows } = await this.pool.query<MemberRow>({ name: 'find-members', text: FIND, values: [missing] });
    for (const row of rows) {
      const member = toMember(row);
      found.set(member.id, member);
      if (changes === this.changes) this.cache.set(member.id, member);
    }
    return found;
  }

  /** One member, or undefined. */
  async get(id: string): Promise<DirectoryMember | undefined> {
    return this.cache.get(id) ?? (await this.find([id])).get(id.toLowerCase());
  }

  private forget(change: IdentityChange): void {
    this.changes += 1;
    if (change.kind === 'account') this.cache.delete(change.accountId);
    if (change.kind === 'all') this.cache.clear();
  }
}

const toMember = (row: MemberRow): DirectoryMember => ({
  id: row.id,
  displayName: row.closed ? DELETED_MEMBER : row.display_name,
  email: row.closed ? '' : row.email,
  profileImageUrl: row.closed ? null : row.profile_image_url,
  rating: shownRating(row.rating),
  ratingCount: row.rating_count,
  isAdmin: row.is_admin,
  closed: row.closed,
});
