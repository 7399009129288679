import { Injectable } from '@nestjs/common';
import { InvalidCursor } from '@app/projections';
import type pg from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { isScope, type Scope, SPENDING_SCOPES, withOpenid } from './scopes.js';

/** What an application may know of a member who consented to it. */
export interface ConsentingMember {
  readonly userId: string;
  /** Granted, and still registered. */
  readonly scopes: readonly Scope[];
  readonly since: Date;
  /** Minor units of Nova a UTC day; null where it may spend nothing. */
  readonly dailyLimit: bigint | null;
}

const READ = `
  select c.user_id as "userId", c.first_consent_at as since, c.daily_limit as "dailyLimit",
    array(select unnest(c.scopes) intersect select unnest(a.scopes)) as scopes,
    (extract(epoch from c.first_consent_at) * 1000000)::bigint as place
  from oauth_consents c
  join oauth_applications a on a.client_id = c.client_id
  join member_directory m on m.id = c.user_id and m.closed_at is null
  where c.client_id = $1 and c.revoked_at is null
    and ($2::bigint is null or (c.first_consent_at, c.user_id) < ('epoch'::timestamptz + $2 * interval '1 us', $3::uuid))
  order by c.first_consent_at desc, c.user_id desc limit $4`;

interface MemberRow {
  readonly userId: string;
  readonly since: Date;
  readonly dailyLimit: string;
  readonly scopes: readonly string[];
  readonly place: string;
}

const CURSOR = /^(\d{1,17})_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/** The members who consented to an application (rule oauth-27). */
@Injectable()
export class ConsentingMembers {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Newest first. @throws InvalidCursor */
  async list(
    clientId: string,
    { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<{ members: ConsentingMember[]; nextCursor: string | null }> {
    const [, place = null, userId = null] = CURSOR.exec(cursor ?? '') ?? [];
    if (cursor !== undefined && place === null) throw new InvalidCursor();
    const { rows } = await this.pool.query<MemberRow>(READ, [clientId, place, userId, limit + 1]);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      members: shown.map(memberOf),
      nextCursor: rows.length > limit && last ? `${last.place}_${last.userId}` : null,
    };
  }
}

function memberOf({ userId, since, scopes: allowed, dailyLimit }: MemberRow): ConsentingMember {
  const scopes = withOpenid(allowed.filter(isScope));
  const maySpend = SPENDING_SCOPES.some((scope) => scopes.includes(scope));
  return { userId, since, scopes, dailyLimit: maySpend ? BigInt(dailyLimit) : null };
}
